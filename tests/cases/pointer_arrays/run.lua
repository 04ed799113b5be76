local m = require 'pointer_arrays'
local raises = require('support').raises

assert(m.join{'a', 'bc', 'ü'} == 'a, bc, ü')
assert(m.join({'a', 'b'}, '') == 'ab' and m.join{} == '')
assert(m.join_in{'a', 'b'} == 'a+b' and m.count{'x', 'x', 'x'} == 3 and m.count{} == 0)
assert(m.optional() == -1 and m.optional(nil) == -1 and m.optional{'a'} == 1)
local many = {}
for k = 1, 5000 do many[k] = tostring(k) end
assert(m.join(many) == table.concat(many, ', '))

local where = "join(): argument 'names"
raises(where .. "': wanted a table of strings, got string", m.join, 'abc')
raises(where .. "': wanted a table of strings, got ...", m.join, 3)
raises(where .. "[2]': wanted a string, got ...", m.join, {'a', 1})
raises(where .. "[2]': wanted a string, got ...", m.join, {'a', false})
raises(where .. "[2]': wanted a string, got ...", m.join, {'a', nil, 'c'})
raises(where .. "[2]': wanted a string, got ...", m.join, {'a', {'b'}})
raises(where .. "[2]': the string contains an embedded NUL", m.join, {'a', 'b\0c'})
local long = {}
for k = 1, 200 do long[k] = 'a' end
raises("small()...", m.small, long)

local parts = {m.Part(1), m.Part(2), m.Part(4)}
assert(m.weigh(parts) == 7 and m.weigh{} == 0)
assert(m.weigh{parts[1], parts[1], parts[1]} == 3)
assert(m.weigh_alone(parts) == 7)
local more = {}
for k = 1, 1000 do more[k] = parts[3] end
assert(m.weigh(more) == 4000)
assert(parts[3]:heavier(parts) == 2 and parts[3]:heavier(parts, parts) == 4)
local both = m.Sum(parts, {'one', 'two'})
local weight, length = both:values()
assert(weight == 7 and length == 6)

where = "weigh(): argument 'parts"
raises(where .. "': wanted a table of objects, got ...", m.weigh, parts[1])
raises(where .. "[2]': wanted a Part, got pointer_arrays.Sum", m.weigh, {parts[1], both})
raises(where .. "[2]': wanted a Part, got ...", m.weigh, {parts[1], false})
local closed = m.Part(1)
closed:close()
raises(where .. "[2]': this Part is closed", m.weigh, {parts[1], closed})

-- An object that is closed while C runs is released after the call; the caller's table may change.
local last = {m.Part(8), m.Part(16)}
local before = m.alive()
m.double_all(last, function()
  for k = 1, 2 do
    last[k]:close()
    last[k] = nil
  end
  collectgarbage()
end)
assert(m.alive() == before - 2)
raises('...stop', m.double_all, parts, function() error('stop') end)
assert(m.weigh(parts) == 14)

assert(m.choose('abc') == 103 and m.choose{'a', 'b'} == 2 and m.choose(parts) == 14)
assert(m.choose{1, 2} == 1003)
raises('choose()...', m.choose, {both})

assert(m.callback({'a', 'b'}, function(names, given)
  assert(names[2] == 'b' and given[2] == false)
  return #names
end, parts[1]) == 2)

for _, part in ipairs(parts) do part:close() end
assert(m.alive() == 0)
