#!lua
-- One step of a room: its new state, the record of the move and every view's delta, all or nothing.
-- KEYS  1 meta  2 state  3 inputs  4 wake  5 out, then one ring per view
-- ARGV  1 own  2 ep  3 base_ver  4 cid  5 ttl_ms  6 status  7 deadline_ms  8 not_before_ms  9 seat  10 n  11 digest
--       12 result  13 snapshot  14 input  15 slot  16 rid  17 publish  18 record  19 excused_ms,
--       then one payload per view; with publish '1' also the frame that the view's followers hear ('' none)
-- Gives {code, ver, now_ms, ep, detail}. Who gave no sign of life for more than half of its lease could serve nobody. If
-- more such time has passed since the last version than the owner has excused ('' whatever it was), it is told how much.
local call, argv = redis.call, ARGV
local views = #KEYS - 5
if views < 1 or #argv ~= 19 + (argv[17] == '1' and 2 or 1) * views or argv[4] == '' then return {-9, 0, 0, 0, 'args'} end

local meta, seat = KEYS[1], argv[9]
local q, d, r = 'q' .. seat, 'd' .. seat, 'r' .. seat
local m = call('HMGET', meta, 'ver', 'cid', 'own', 'ep', 'st', q, d, r, 'out', 'exp', 'at')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if not m[1] then return {-6, 0, now, 0, 'none'} end
local ver, ep = tonumber(m[1]), tonumber(m[4])
-- Before the fence on purpose: that it was applied is true even for an owner who has been replaced since.
if m[2] == argv[4] then
  call('HSET', meta, 'cid', m[2]) -- the same again, so that this connection may wait for the replicas to have it
  return {2, ver, now, ep, ''}
end
if m[3] ~= argv[1] or m[4] ~= argv[2] then return {-1, ver, now, ep, m[3]} end
if m[5] == '2' then return {-6, ver, now, ep, 'over'} end

local exp = now + argv[5]
local code, detail
if seat ~= '' then
  local last, n = tonumber(m[6] or 0), tonumber(argv[10])
  if n == last then
    if m[7] == argv[11] then code, detail = 3, m[8] or '' else code, detail = -4, '' end
  elseif n < last then
    code, detail = 4, tostring(last)
  elseif n > last + 1 then
    code, detail = -3, tostring(last + 1)
  end
end
if not code then
  if m[1] ~= argv[3] then
    code, detail = -2, m[2]
  elseif tonumber(argv[8]) > now then
    code, detail = -5, argv[8]
  elseif m[5] == '1' and argv[19] ~= '' then
    local unserved, life = tonumber(m[9] or 0), m[10] - argv[5]
    if now - life > argv[5] / 2 then
      unserved = unserved + math.max(0, now - math.max(life, tonumber(m[11])))
      call('HSET', meta, 'out', unserved)
    end
    if unserved > tonumber(argv[19]) then code, detail = -7, tostring(unserved) end
  end
end
if code then
  call('HSET', meta, 'exp', exp) -- refused, but by the rightful owner, who is therefore alive
  return {code, ver, now, ep, detail}
end

ver = ver + 1
call('XADD', KEYS[3], ver .. '-0', 'x', argv[14]) -- first: no other write can be refused by what is stored
call('SET', KEYS[2], argv[13])
if seat == '' then
  call('HSET', meta, 'ver', ver, 'cid', argv[4], 'exp', exp, 'st', argv[6], 'dl', argv[7], 'at', now)
else
  call('HSET', meta, 'ver', ver, 'cid', argv[4], 'exp', exp, 'st', argv[6], 'dl', argv[7], 'at', now,
    q, argv[10], d, argv[11], r, argv[12])
end
if m[9] then call('HDEL', meta, 'out') end -- outages until now are in the state
for i = 1, views do call('HSET', KEYS[5 + i], argv[15], argv[19 + i]) end
if argv[6] == '2' then
  call('ZREM', KEYS[4], argv[16])
  call('XADD', KEYS[5], '*', 'room', argv[16], 'record', argv[18]) -- the room stays until that is in the archive
end
if argv[17] == '1' then
  local head = argv[2] .. ':' .. ver .. ':'
  for i = 1, views do
    local frame = argv[19 + views + i]
    if frame ~= '' then call('SPUBLISH', KEYS[5 + i], head .. frame) end
  end
end
return {1, ver, now, ep, ''}
