-- Many calls over every language boundary, which must leak nothing. `arg[1]` is the number of calls.
local fp = require 'fishplate'
local m, t = require 'borders', require 'thrown'

-- The latest views of C's memory; each new one replaces the oldest.
local kept, oldest = {}, 0
local function keep(value)
  oldest = oldest % 16 + 1
  kept[oldest] = value
end

local data, text = ('\0\1\2\3\4'):rep(10), ('na\195\175ve '):rep(5)
local array = fp.tensor({1, 2, 3, 4, 5})
local point = m.Point(1, 2, 3)

local function refused(f, ...)
  assert(not pcall(f, ...), 'it was not refused')
end

local function doubled(x) return 2 * x end
local function broken() error('broken') end
local function counted(x) return x.size end
local function heard() end

-- Each of these makes calls, and returns their number.
local parts = {
  function()
    local counter = m.Counter(1)
    counter:next()
    counter:next()
    local part = counter:part()
    part:next()
    keep(part:values())
    assert(counter:name() == 'gr\195\188n')
    counter:listen(heard)
    counter:tell()
    counter:listen(doubled)
    counter:close()
    -- It exists until its parts are gone, and cannot be called.
    refused(counter.next, counter)
    refused(m.Counter, -1)
    local other = m.Counter(0)
    refused(other.name, other)
    other:close()
    return 16
  end,
  function()
    assert(m.length(text) == 35 and m.twice(text) == text .. text)
    assert(m.greet('you') == 'hello you' and #m.reversed(data) == 50)
    refused(m.length, 'a\0b')
    refused(m.length, {})
    return 6
  end,
  function()
    local x = m.range(40)
    keep(x)
    keep(t.range(10))
    m.range(0)
    assert(m.total(x) == 780 and m.total(array) == 15 and m.total({1, 2}) == 3)
    assert(m.describe(0) == 'whywhy')
    refused(m.describe, 2)
    return 8
  end,
  function()
    assert(m.add(point, m.Point(1)).x == 2 and m.moved(point, 1.5).x == 2.5)
    assert(m.turned(m.Color.BLUE) == m.Color.RED and m.turned(m.Color.RED) == 2)
    refused(m.turned, 3)
    refused(m.add, point, 3)
    return 7
  end,
  function()
    m.check(0)
    refused(m.check, 2)
    refused(m.check, 3)
    refused(m.check, 4)
    return 4
  end,
  function()
    assert(m.apply(doubled, 3) == 12 and t.apply(doubled, 3) == 46)
    assert(m.visit(array, counted) == 10)
    refused(m.apply, broken, 1)
    refused(t.apply, broken, 1)
    refused(m.apply, 3, 1)
    return 10
  end,
  function()
    for what = 0, 3 do refused(t.fail, what) end
    refused(t.Box, 1)
    local box = t.Box(5)
    assert(box:look() == 5 and t.fail(5) == 5)
    box:close()
    t.Box(6)
    assert(t.twice('ab') == 'abab')
    return 11
  end,
}

-- At least as many calls; their number.
local function turns(calls)
  local made = 0
  while made < calls do
    for _, part in ipairs(parts) do made = made + part() end
  end
  return made
end

local function measured()
  -- Objects are released in a first round, and those to which they referred in a second.
  for _ = 1, 4 do collectgarbage() end
  local file = assert(io.open('/proc/self/statm'))
  local _, pages = file:read('*n', '*n')
  file:close()
  return pages * 4096, collectgarbage('count') * 1024, m.alive() + t.alive()
end

local calls = tonumber(arg[1])
turns(math.max(20000, calls / 20))
local resident, lua, alive = measured()
local start = os.clock()
local made = turns(calls)
local seconds = os.clock() - start
local resident_now, lua_now, alive_now = measured()
print(('%d calls in %.1f s: %+d resident bytes, %+d bytes of Lua\'s, %+d objects of C'):format(made, seconds,
  resident_now - resident, lua_now - lua, alive_now - alive))
assert(alive_now == alive)
assert(lua_now - lua < 8192)
assert(resident_now - resident < 2 * 2 ^ 20)
