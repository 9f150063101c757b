#!lua
-- Writes to a room's side record (seats, talk, proposals), which raises no version.
-- KEYS  1 meta  2 side  3 channel
-- ARGV  1 own  2 ep  3 ttl_ms  4 payload to publish ('' none)  5 guards,
--       then field and value pairs; '' as value deletes. The fields of the first so many pairs must not be there yet.
-- Gives {code, ver, now_ms, ep, detail}, or {0, ver, now_ms, ep, value, field} for a field that is there.
local call, argv = redis.call, ARGV
if #KEYS ~= 3 or #argv < 5 or #argv % 2 ~= 1 or #argv > 1000 or #argv < 5 + 2 * (tonumber(argv[5]) or 1000) then
  return {-9, 0, 0, 0, 'args'}
end

local meta, side = KEYS[1], KEYS[2]
local m = call('HMGET', meta, 'ver', 'own', 'ep', 'st')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if not m[1] then return {-6, 0, now, 0, 'none'} end
local ver, ep = tonumber(m[1]), tonumber(m[3])
if m[2] ~= argv[1] or m[3] ~= argv[2] then return {-1, ver, now, ep, m[2]} end
local exp = now + argv[3]
for i = 6, 4 + 2 * argv[5], 2 do
  local held = call('HGET', side, argv[i])
  if held then
    call('HSET', meta, 'exp', exp)
    return {0, ver, now, ep, held, argv[i]}
  end
end

local put, cut = {}, {}
for i = 6, #argv, 2 do
  if argv[i + 1] == '' then
    cut[#cut + 1] = argv[i]
  else
    put[#put + 1] = argv[i]
    put[#put + 1] = argv[i + 1]
  end
end
call('HSET', meta, 'exp', exp)
if #put > 0 then call('HSET', side, unpack(put)) end
if #cut > 0 then call('HDEL', side, unpack(cut)) end
if m[4] == '2' then -- talk after the end must not outlive the room
  local gone = call('PEXPIRETIME', meta)
  if gone > 0 then call('PEXPIREAT', side, gone) end
end
if argv[4] ~= '' then call('SPUBLISH', KEYS[3], argv[4]) end
return {1, ver, now, ep, ''}
