#!lua
-- Takes somebody out of a queue; those who have not been seen for too long, all at once.
-- KEYS  1 who  2 since  3 seen
-- ARGV  1 user ('' for those who were not seen)  2 ms without being seen
-- Gives {1, how many, now_ms}.
local call, argv = redis.call, ARGV
if #KEYS ~= 3 or #argv ~= 2 then return {-9, 0, 0} end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local users = {argv[1]}
if argv[1] == '' then users = call('ZRANGEBYSCORE', KEYS[3], '-inf', now - argv[2], 'LIMIT', 0, 1000) end
local gone = 0
for _, user in ipairs(users) do
  gone = gone + call('HDEL', KEYS[1], user)
  call('ZREM', KEYS[2], user)
  call('ZREM', KEYS[3], user)
end
return {1, gone, now}
