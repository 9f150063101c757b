#!lua
-- Puts somebody into a queue, or tells that they are there already.
-- KEYS  1 who  2 since  3 seen  4 busy
-- ARGV  1 user  2 ticket
-- Gives {1, 0, now_ms, since}; {0, 0, now_ms, since} for whoever was there before, whose place stays and whose ticket is
-- renewed; {-1, 0, now_ms, match} for whoever is being brought together with somebody right now.
local call, argv = redis.call, ARGV
if #KEYS ~= 4 or #argv ~= 2 or argv[1] == '' then return {-9, 0, 0} end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local busy = call('HGET', KEYS[4], argv[1])
if busy then
  local match, till = string.match(busy, '^(.*):(%d+)$')
  if tonumber(till) > now then return {-1, 0, now, match} end
  call('HDEL', KEYS[4], argv[1])
end
local since = call('ZSCORE', KEYS[2], argv[1])
call('HSET', KEYS[1], argv[1], argv[2])
call('ZADD', KEYS[3], now, argv[1])
if since then return {0, 0, now, since} end
call('ZADD', KEYS[2], now, argv[1])
return {1, 0, now, string.format('%d', now)}
