#!lua
-- Takes people out of a queue who are to meet, and writes down that they are to: all of a match, or none.
-- KEYS  1 who  2 since  3 seen  4 busy  5 hot
-- ARGV  1 how fresh a sign of life must be, in ms  2 ms for which they are spoken for  3 people in a match,
--       then for each match its id and the people
-- Gives {1, matches made, now_ms, 1 or 0 for each}. In `hot` lies, under the match's id: the time, and on a line for each
-- of them their name, since when they waited, and their ticket, with tabs between.
local call, argv = redis.call, ARGV
local seats = tonumber(argv[3] or '')
if #KEYS ~= 5 or not seats or seats < 2 or #argv < 4 + seats or #argv > 3000 or (#argv - 3) % (1 + seats) ~= 0 then
  return {-9, 0, 0}
end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local made, reply = 0, {1, 0, now}
for at = 4, #argv, 1 + seats do
  local lines, good = {string.format('%d', now)}, true
  for k = at + 1, at + seats do
    local user = argv[k]
    local since, seen, ticket = call('ZSCORE', KEYS[2], user), call('ZSCORE', KEYS[3], user), call('HGET', KEYS[1], user)
    good = good and since and seen and ticket and now - seen <= tonumber(argv[1])
    lines[#lines + 1] = good and user .. '\t' .. since .. '\t' .. ticket or ''
    for other = at + 1, k - 1 do good = good and argv[other] ~= user end
  end
  if good then
    for k = at + 1, at + seats do
      call('HDEL', KEYS[1], argv[k])
      call('ZREM', KEYS[2], argv[k])
      call('ZREM', KEYS[3], argv[k])
      call('HSET', KEYS[4], argv[k], argv[at] .. ':' .. string.format('%d', now + argv[2]))
    end
    call('HSET', KEYS[5], argv[at], table.concat(lines, '\n'))
    made = made + 1
  end
  reply[#reply + 1] = good and 1 or 0
end
reply[2] = made
return reply
