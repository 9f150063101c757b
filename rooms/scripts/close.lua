#!lua
-- Takes a room away in which nothing was ever played.
-- KEYS  1 meta  2 state  3 side  4 wake
-- ARGV  1 own  2 ep  3 rid
-- Gives {code, ver, now_ms, ep, detail}; -2 if cards were dealt after all.
local call, argv = redis.call, ARGV
if #KEYS ~= 4 or #argv ~= 3 then return {-9, 0, 0, 0, 'args'} end

local m = call('HMGET', KEYS[1], 'ver', 'own', 'ep', 'st', 'cid')
local t = call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
if not m[1] then return {-6, 0, now, 0, 'none'} end
local ver, ep = tonumber(m[1]), tonumber(m[3])
if m[2] ~= argv[1] or m[3] ~= argv[2] then return {-1, ver, now, ep, m[2]} end
if m[4] ~= '0' then return {-2, ver, now, ep, m[5]} end

call('DEL', KEYS[1], KEYS[2], KEYS[3])
call('ZREM', KEYS[4], argv[3])
return {1, ver, now, ep, ''}
