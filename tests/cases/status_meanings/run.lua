local m = require 'status_meanings'
local fishplate = require 'fishplate'
local raises = require('support').raises

-- Of the module, and of a function.
m.plain(0)
m.plain(101)
m.plain(0.5)
raises('plain(): error number 1, naïve', m.plain, 1)
raises('plain(): error number 2, naïve', m.plain, 2)
raises('plain(): seven is "right" out', m.plain, 7)
raises('plain(): lib_parse returned status 41', m.plain, 41)
raises('parse(): error number 3, naïve', m.parse, 3)

-- Warnings: by `warn` if Lua has it, else dropped.
assert(m.half(4) == 2)
assert(m.half(5) == 2)
raises('half(): error number 1, naïve', m.half, -1)
raises('bump_all(): error number 2, naïve', m.bump_all, fishplate.zeros(3))

-- A return code that is a value.
assert(m.count({1, -1, 2}) == 2)
assert(m.count({0 / 0}) == -2)
raises('count(): lib_count returned status -1', m.count, fishplate.zeros(0))

-- errno.
m.open_file(0)
raises('open_file(): No such file or directory', m.open_file, 2)
raises('lock(): the lock is gone', m.lock, 11)
raises('wide(): lib_wide returned status 1152921504606846976', m.wide, 2 ^ 60)
