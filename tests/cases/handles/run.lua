local m = require 'handles'
local s = require 'support'
local raises, same = s.raises, s.same

local function collected()
  collectgarbage()
  collectgarbage()
  return m.counters(), m.marks()
end

-- Created, used as a method and by a function, released.
local c = m.Counter(5)
assert(c:next() == 6 and m.next(c) == 7)
assert(m.counters() == 1 and not c:closed())
assert(tostring(c):find('^handles.Counter: '))
c:close()
c:close()
assert(c:closed() and m.counters() == 0 and tostring(c) == 'closed handles.Counter')
raises("next(): argument 'c': this Counter is closed", c.next, c)

-- It is released with its last reference.
c = m.Counter()
c = nil
assert(collected() == 0)

-- Invalid constructor arguments.
raises('Counter(): counter_new returned NULL', m.Counter, -1)
raises("Counter(): argument 'how': wanted a Style, got 10", m.Counter, 1, 10)
assert(m.Style == nil and m.counters() == 0)
c = m.Counter(1, m.style(10))
assert(c:next() == 11)
c:close()

-- Through an out-pointer; if C fails, the object is released.
c = m.open(3)
assert(c:next() == 4)
raises('open(): counter_open returned status 1', m.open, -3)
assert(m.counters() == 1)
raises('open(): counter_open set made to NULL', m.open, -99)

-- Of the right class, and open.
raises("next(): argument 'c': wanted a Counter, got handles.Style", m.next, m.style(1))
raises("next(c) needs argument 'c'", m.next)
raises("next(): argument 'c': wanted a Counter, got string", m.next, 'x')
assert(m.add(c) == 4 and m.add(c, nil) == 4 and c:add(m.Counter(6)) == 10)
raises("add(): argument 'b': wanted a Counter, got 6", m.add, c, 6)

-- Methods of the class, and nothing else.
local other = c:copy()
assert(other:next() == 5 and c:next() == 5 and m.copy == nil)
assert(other:step_by(3) == 8 and other:step_by(-3) == 5)
same(c:values(3), 'int64', {3}, {5, 6, 7})
c, other = nil, nil
assert(collected() == 0)

-- An object retains those to which it refers: the counter is released after its marks.
c = m.Counter(1)
local mark = m.Mark(c)
c:next()
assert(mark:distance() == 1)
c:close()
assert(c:closed() and m.counters() == 1 and mark:distance() == 1)
mark:close()
assert(m.counters() == 0 and m.marks() == 0)
mark = m.Mark(m.Counter(1))
local twin = mark:counter()
collected()
assert(twin:next() == 2 and mark:distance() == 1)
mark = nil
collected()
assert(m.marks() == 1, "the twin is the mark's counter")
twin = nil
-- One collection finalizes the twin, the next one the mark and its counter.
collected()
collected()
local counters, marks = collected()
assert(counters == 0 and marks == 0)

-- Borrowed: nil for NULL, and never released.
assert(m.twin(m.Counter(0)) == nil)
assert(collected() == 0)
c = m.Counter(2)
local alias = m.twin(c)
alias:close()
assert(m.counters() == 1 and c:next() == 3)
assert(m.style(3) == nil)
raises("twin(): argument 'c': this Counter is closed", m.twin, alias)

-- Overloads tell classes apart, and the library's own objects are defaults.
assert(m.step() == 1 and m.step(m.style(10)) == 10 and m.step(c) == 4)
raises('step(): no overload takes (1); it takes:...', m.step, 1)

-- The metatable is inaccessible to scripts, and other userdata are not handles.
assert(getmetatable(c) == 'handles.Counter')
raises("next(): argument 'c': wanted a Counter, got ...", m.next, io.stdout)
raises('close: wanted a handles.Counter', c.close, 1)

-- Many, each of which is released.
for _ = 1, 10000 do m.Mark(m.Counter(1)) end
c, alias = nil, nil
collected()
counters, marks = collected()
assert(counters == 0 and marks == 0)
