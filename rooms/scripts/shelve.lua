#!lua
-- A match is in the archive: what was told of it leaves the results, and its room may fade after a while.
-- KEYS  1 meta  2 state  3 inputs  4 side  5 out, then one ring per view
-- ARGV  1 group  2 entry  3 linger_ms  4 what it did to ratings ('' nothing), for the side record
-- Gives {code, ver, now_ms, ep, own}: 1 now, 0 if that was done before, -6 if the room is gone. Only an entry that was
-- there lets a room fade, and only a room that is over.
local call, argv = redis.call, ARGV
if #KEYS < 5 or #argv ~= 4 or argv[1] == '' then return {-9, 0, 0, 0, 'args'} end

local meta = KEYS[1]
local m = call('HMGET', meta, 'ver', 'ep', 'own', 'st')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
call('XACK', KEYS[5], argv[1], argv[2])
local there = call('XDEL', KEYS[5], argv[2])
if not m[1] then return {-6, 0, now, 0, 'none'} end
local ver, ep = tonumber(m[1]), tonumber(m[2])
if there == 0 or m[4] ~= '2' then return {0, ver, now, ep, m[3]} end
if argv[4] ~= '' then call('HSET', KEYS[4], 'rated', argv[4]) end
local gone = now + argv[3]
for i = 1, #KEYS do
  if i ~= 5 then call('PEXPIREAT', KEYS[i], gone) end -- that one belongs to the bucket
end
return {1, ver, now, ep, m[3]}
