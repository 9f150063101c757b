#!lua
-- A match that was arranged has begun, or is off: nobody is spoken for any more, and who was let down waits again.
-- KEYS  1 who  2 since  3 seen  4 busy  5 hot
-- ARGV  1 match  2 how many waited again, then user, since and ticket of each of those, then the users of the others
-- Gives {1, how many wait again, now_ms}. Said twice it is done once: only who is spoken for by this match counts.
local call, argv = redis.call, ARGV
local again = tonumber(argv[2] or '')
if #KEYS ~= 5 or not again or #argv < 2 + 3 * again or #argv > 1000 then return {-9, 0, 0} end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function mine(user)
  local busy = call('HGET', KEYS[4], user)
  return busy and string.match(busy, '^(.*):%d+$') == argv[1]
end
local back = 0
for k = 3, 2 + 3 * again, 3 do
  if mine(argv[k]) then
    call('HDEL', KEYS[4], argv[k])
    call('HSET', KEYS[1], argv[k], argv[k + 2])
    call('ZADD', KEYS[2], argv[k + 1], argv[k])
    call('ZADD', KEYS[3], now, argv[k])
    back = back + 1
  end
end
for k = 3 + 3 * again, #argv do
  if mine(argv[k]) then call('HDEL', KEYS[4], argv[k]) end
end
call('HDEL', KEYS[5], argv[1])
return {1, back, now}
