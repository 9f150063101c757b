#!lua
-- Lets go of a room: to hand it over, to let it sleep until a time, or until somebody comes.
-- KEYS  1 meta  2 wake, then the rings to thin out
-- ARGV  1 own  2 ep  3 rid  4 look again at ('0' at once, '' not at all), then the slots to forget in each ring
-- Gives {code, ver, now_ms, ep, detail}.
local call, argv = redis.call, ARGV
if #KEYS < 2 or #argv < 4 or #argv > 1000 then return {-9, 0, 0, 0, 'args'} end

local meta = KEYS[1]
local m = call('HMGET', meta, 'ver', 'own', 'ep', 'st')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if not m[1] then return {-6, 0, now, 0, 'none'} end
local ver, ep = tonumber(m[1]), tonumber(m[3])
if m[2] ~= argv[1] or m[3] ~= argv[2] then return {-1, ver, now, ep, m[2]} end

-- A room that is handed over is served by nobody from now on; one that sleeps misses nothing.
call('HSET', meta, 'own', '', 'exp', argv[4] == '0' and now or 0)
if argv[4] == '' or m[4] == '2' then
  call('ZREM', KEYS[2], argv[3])
else
  call('ZADD', KEYS[2], argv[4] == '0' and now or argv[4], argv[3])
end
if #argv > 4 then
  for i = 3, #KEYS do call('HDEL', KEYS[i], unpack(argv, 5)) end
end
return {1, ver, now, ep, ''}
