local u = require "unpacked"

local function refused(text, f, ...)
  local done, message = pcall(f, ...)
  assert(not done and message:find(text, 1, true), message)
end

local function equal(x, wanted)
  assert(#x == #wanted, #x)
  for k, value in ipairs(wanted) do
    assert(x[k] == value, k .. ": " .. tostring(x[k]))
  end
end

-- An array and its length: the length is found, and each struct has its own.
local x, y = {0, 1, 2, 3}, {1, 2, 3, 4}
assert(u.dot(x, y) == 20 and u.dot({1, 2}, {3}) == 3 and u.total(y) == 10)
refused("argument 'a_data'", u.dot, "x", y)

-- Input and output arrays of one struct, and what C reports of them.
local out, used = u.resample({{0, 1}, {2, 3}, {4, 5}}, 2.5)
assert(used == 3 and #out == 6)
equal(out[1], {0, 1})
equal(out[6], {4, 5})
refused("resample returned status 2", u.resample, {{0, 1}}, 0.5)

-- Arrays inside of the struct.
local taps, label, counts, done, level = u.filter_run({1, 2, 3}, 0.5, 2)
equal(taps, {2, 4, 6})
equal(counts[2], {2, 3})
assert(label == "by 2" and done == true and level == 12.5)
assert(u.filter_gain({1, 2, 3}) == 321)
refused("'taps'", u.filter_gain, {1, 2})

-- Strings, memory that the caller owns, and a return code in a field.
local text, language = u.greet("Ada")
assert(text == "Hello, Ada" and language == "en" and u.greet("Ada", "Hej") == "Hej, Ada")
refused("greet returned status 7", u.greet, "")
assert(u.alive() == 0)

-- Objects, one that C creates, and plain structs.
local three, four = u.Counter(3), u.Counter(4)
assert(u.value(u.add(three, u.Range(0, 100), four)) == 7)
assert(u.value(u.add(three, u.Range(0, 9), nil, u.Range(0, 3))) == 3)
refused("add returned status 1", u.add, three, u.Range(0, 1))

-- Structs in structs, a callback, unions, complex numbers.
assert(u.solve({1, 2}, {3}, {5, 7}, 0.25, 2, 1, 2) == 9 + 1000 * 2 * 19 + 0.25 + 1)
assert(math.abs(u.integrate(function(t) return t * t end, 0, 3) - 9) < 1e-3)
refused("broken", u.integrate, function() error("broken") end, 0, 1)
assert(u.measure(2.5) == 2.5 and u.measure("four") == -4 and u.measure(y) == 410)
local points = u.spaced(0, 1, 5)
equal(points, {0, 0.25, 0.5, 0.75, 1})
refused("spaced returned status 5", u.spaced, 0, 1, 1)
local mean, extremes, label, unit = u.summarize({3, 1, 2})
assert(mean == 2 and label == "of 3" and unit == "m")
equal(extremes, {1, 3})
assert(u.labelled({"a", "bcd"}, {u.Counter(2), u.Counter(5)}) == 17)
local data, norm = u.scale(2, {1, 2}, 1)
assert(norm == 34 and #data == 2)
