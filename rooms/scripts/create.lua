#!lua
-- Opens a room unless it is there already.
-- KEYS  1 meta  2 state  3 side  4 wake
-- ARGV  1 rid  2 own ('' nobody yet)  3 ttl_ms  4 status  5 snapshot  6 key,
--       then field and value pairs of the side record
-- Gives {1, 0, now_ms, ep, key} or {0, ver, now_ms, ep, stored key, own}: equal keys mean that it was this same call.
local call, argv = redis.call, ARGV
if #KEYS ~= 4 or #argv < 6 or #argv % 2 ~= 0 or #argv > 1000 then return {-9, 0, 0, 0, 'args'} end

local meta = KEYS[1]
local m = call('HMGET', meta, 'ver', 'ep', 'key', 'own')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if m[1] then return {0, tonumber(m[1]), now, tonumber(m[2]), m[3] or '', m[4]} end

local ep, exp, look = 0, 0, now + argv[3] -- without an owner, the time to live is the time until somebody looks
if argv[2] ~= '' then ep, exp = now, look end
call('HSET', meta, 'ver', 0, 'ep', ep, 'own', argv[2], 'exp', exp, 'cid', '', 'st', argv[4], 'dl', 0, 'at', now,
  'key', argv[6])
call('SET', KEYS[2], argv[5])
if #argv > 6 then call('HSET', KEYS[3], unpack(argv, 7)) end
call('ZADD', KEYS[4], look, argv[1])
return {1, 0, now, ep, argv[6]}
