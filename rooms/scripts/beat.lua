#!lua
-- Says that these are still there, and tells how it stands with each.
-- KEYS  1 who  2 seen  3 busy
-- ARGV  users
-- Gives {1, waiting in all, now_ms, word, word, ...}: '+' who waits, the id of the match of whoever is being brought
-- together with somebody, '' who is not in the queue.
local call, argv = redis.call, ARGV
if #KEYS ~= 3 or #argv < 1 or #argv > 1000 then return {-9, 0, 0} end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local reply = {1, call('HLEN', KEYS[1]), now}
for _, user in ipairs(argv) do
  local word = ''
  if call('HEXISTS', KEYS[1], user) == 1 then
    call('ZADD', KEYS[2], now, user)
    word = '+'
  else
    local busy = call('HGET', KEYS[3], user)
    if busy then
      local match, till = string.match(busy, '^(.*):(%d+)$')
      if tonumber(till) > now then word = match end
    end
  end
  reply[#reply + 1] = word
end
return reply
