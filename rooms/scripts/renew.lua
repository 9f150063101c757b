#!lua
-- Keeps the rooms of one bucket for a while longer. A room that is lost spoils nothing for the others.
-- KEYS  1 wake, then the meta of each room
-- ARGV  1 own  2 ttl_ms, then rid and ep of each room
-- Gives {1, number kept, now_ms, code, ver, unserved_ms, code, ver, unserved_ms, ...} in the order of the rooms. Who gave
-- no sign of life for more than half of its lease could serve nobody: all such time since the last version is told.
local call, argv = redis.call, ARGV
local rooms = #KEYS - 1
if rooms < 1 or rooms > 1000 or #argv ~= 2 + 2 * rooms then return {-9, 0, 0} end

local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local exp = now + argv[2]
local reply, mine, wake = {1, 0, now}, {}, {}
for i = 1, rooms do
  local m = call('HMGET', KEYS[1 + i], 'ver', 'own', 'ep', 'st', 'exp', 'at', 'out')
  local code, unserved = 1, 0
  if not m[1] then
    code = -6
  elseif m[2] ~= argv[1] or m[3] ~= argv[2 + 2 * i] then
    code = -1
  else
    mine[#mine + 1] = i
    if m[4] ~= '2' then -- nobody need ever look after a match that is over
      wake[#wake + 1] = exp
      wake[#wake + 1] = argv[1 + 2 * i]
      local life = m[5] - argv[2]
      unserved = tonumber(m[7] or 0)
      if now - life > argv[2] / 2 then
        unserved = unserved + math.max(0, now - math.max(life, tonumber(m[6])))
        call('HSET', KEYS[1 + i], 'out', unserved)
      end
    end
  end
  reply[#reply + 1] = code
  reply[#reply + 1] = tonumber(m[1] or 0)
  reply[#reply + 1] = unserved
end

for _, i in ipairs(mine) do call('HSET', KEYS[1 + i], 'exp', exp) end
if #wake > 0 then call('ZADD', KEYS[1], unpack(wake)) end
reply[2] = #mine
return reply
