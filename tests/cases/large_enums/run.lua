local m = require "large_enums"

local function same(a, b) assert(a == b and type(a) == type(b), tostring(a)) end

local count = 0
for _, value in pairs(m.Large) do
  same(m.large(value), value)
  count = count + 1
end
for _, value in pairs(m.Vast) do
  same(m.vast(value), value)
  same(m.either(value), value)
  same(m.called(m.Vast.ONE, function(one) same(one, m.Vast.ONE) return value end), value)
  m.called(value, function(got) same(got, value) return got end)
  count = count + 1
end
assert(count == 11 and m.Large.ODD ~= m.Large.POWER and m.Large.POWER == 2 ^ 53)
assert(m.either("word") == 4)

-- Digits represent the value if no number does.
same(m.large("9007199254740993"), m.Large.ODD)
same(m.vast("18446744073709551615"), m.Vast.MOST)

local function refused(text, f, ...)
  local done, message = pcall(f, ...)
  assert(not done and message:find(text, 1, true), message)
end
refused("9007199254740995 is not a member of Large (FEW, POWER,", m.large, "9007199254740995")
refused("argument 'a': wanted a value of Large (FEW, POWER,", m.large, "ODD")
refused("argument 'a': wanted a value of Vast (ONE, ODD, HALF, MOST), got string", m.vast, "")
