#!lua
-- Becomes the owner of a room and loads it, in one step: what is read is what will be written on.
-- KEYS  1 meta  2 state  3 side  4 wake
-- ARGV  1 own  2 ttl_ms  3 rid  4 seen_own  5 seen_ep (both '' unless that owner is known to be gone)
--       6 how long that owner must have been silent here
-- Gives {1, ver, now_ms, ep, last own, last exp, snapshot, meta, side}, or {-1, ver, now_ms, ep, own, exp} while
-- somebody else holds it. A refusal puts the room's place in the index right. A match that is over can be claimed too,
-- for the talk after it; nobody need look after it, so it stays out of the index.
local call, argv = redis.call, ARGV
if #KEYS ~= 4 or #argv ~= 6 or argv[1] == '' then return {-9, 0, 0, 0, 'args'} end

local meta = KEYS[1]
local m = call('HMGET', meta, 'ver', 'own', 'ep', 'exp', 'st', 'out', 'at')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if not m[1] then
  call('ZREM', KEYS[4], argv[3])
  return {-6, 0, now, 0, 'none'}
end
local over = m[5] == '2'
local function look(at)
  if over then call('ZREM', KEYS[4], argv[3]) else call('ZADD', KEYS[4], at, argv[3]) end
end
local ver, own, ep, exp = tonumber(m[1]), m[2], tonumber(m[3]), tonumber(m[4])
local life = own == '' and exp or exp - argv[2] -- the last sign of life; none of a room that sleeps
local forced = argv[5] ~= '' and own == argv[4] and m[3] == argv[5] and now >= life + argv[6]
if own ~= argv[1] and own ~= '' and exp > now and not forced then
  look(exp)
  return {-1, ver, now, ep, own, exp}
end

-- Not a plain counter: if a failover forgets a claim, the next one must still be given a number of its own.
ep = math.max(ep + 1, now)
local lapse = now + argv[2]
call('HSET', meta, 'own', argv[1], 'ep', ep, 'exp', lapse)
if life > 0 and (own ~= argv[1] or now - life > argv[2] / 2) and not over then -- time that nobody served, since the last version: it is nobody's time
  call('HSET', meta, 'out', (m[6] or 0) + math.max(0, now - math.max(life, tonumber(m[7]))))
end
look(lapse)
return {1, ver, now, ep, own, exp, call('GET', KEYS[2]), call('HGETALL', meta), call('HGETALL', KEYS[3])}
