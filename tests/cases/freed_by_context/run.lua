local m = require("freed_by_context")
local s = require("support")

-- The part is freed with the pool in which it was created, which exists as long.
local pool = m.Pool()
local one, two = m.Part(pool, 4), m.Part(pool, 6)
assert(pool:count() == 2)
one:close()
assert(pool:count() == 1 and pool:last() == 4)
pool:close()
assert(m.pools() == 1 and two:value() == 6)
two:close()
assert(m.pools() == 0 and m.errors() == 0)

-- A call that fails after C has stored its object releases it with the pool.
pool = m.Pool()
s.raises("make(): fc_make returned status 1", m.make, 5, pool)
assert(pool:count() == 0 and pool:last() == 5)
local made = m.make(8, pool)
assert(made:value() == 8 and pool:count() == 1)
s.raises("Part(): fc_part returned NULL", m.Part, pool, -1)

-- It may refer to other objects as well.
local copy = made:copy(pool)
made:close()
assert(pool:count() == 2)
copy:close()
assert(pool:count() == 0 and pool:last() == 8)

-- C takes over an object that refers to its pool alone.
local around = m.around(pool, m.Part(pool, 10))
assert(around:inner():value() == 10 and pool:count() == 2)
local kept = m.Part(pool, 12)
local copied = kept:copy(pool)
s.raises("around(): argument 'inner': C cannot take over this Part, which refers to other objects", m.around, pool, copied)
copied:close()
kept:close()
around:close()
collectgarbage()
collectgarbage()
assert(pool:count() == 0 and m.errors() == 0)

-- The pool may be of a derived class.
local part = m.Part(m.Arena(), 3)
pool:close()
collectgarbage()
collectgarbage()
assert(m.pools() == 1)
part = nil
collectgarbage()
collectgarbage()
assert(m.pools() == 0 and m.errors() == 0)

-- Flags and a code.
local label = m.Label(1)
label:close()
assert(m.freed() == 1)
label = m.Label(-1)
s.raises("Label.close(): fc_label_free returned status 7", label.close, label)
assert(label:closed() and m.freed() == 2)
