local m = require 'copied_strings'
local support = require 'support'
local collect, raises = support.collect, support.raises

local function is(list, ...)
  local wanted = {...}
  assert(#list == #wanted)
  for k = 1, #wanted do
    assert(list[k] == wanted[k])
  end
end

-- The memory has zeros after the string, and room for its NUL.
assert(m.sum('') == 0 and m.sum('abc') == 294)
raises("sum(): argument 'name': the string has 8 bytes, and its memory 8 with the NUL", m.sum, '12345678')
raises("sum(): argument 'name': wanted a string, got 1", m.sum, 1)
raises("sum(): argument 'name': the string contains an embedded NUL", m.sum, 'a\0b')
assert(m.double('abc') == 'abcabc' and m.double('abcdefg') == 'abcdefga')

-- Arrays of strings.
assert(m.longest{'a', 'ccc', 'bb'} == 1 and m.longest{} == -1)
local long = {}
for k = 1, 100 do long[k] = tostring(k) end
assert(m.longest(long) == 99)
raises("longest(): argument 'names[2]': the string has 9 bytes, and its memory 8 with the NUL", m.longest, {'a', '123456789'})
raises("longest(): argument 'names': wanted a table of strings, got string", m.longest, 'abc')
is(m.count(4), '', 'b', 'cccccccc', '\255\255\255')
is(m.count(0))
is(m.mark{'one', 'two'}, '*ne', '*wo')

-- Fields.
assert(m.find('abc', {1, 2}) == 294)
raises("find(): argument 'keyword': the string has 9 bytes, and its memory 8 with the NUL", m.find, '123456789', {0, 0})
assert(m.optional() == 0 and m.optional(nil, 3) == 3 and m.optional('abc') == 294)
assert(m.next('abc') == 'bbc')
raises('next(): cs_next returned status 1', m.next, '')

-- Fields of structs in an array.
assert(m.total{'a', 'b'} == 195 and m.total({'a', 'b'}, {1, 2}) == 293)
raises("total(): argument 'label[2]': the string has 8 bytes, and its memory 8 with the NUL", m.total, {'a', '12345678'})
local label, text, unit, part = m.fill(3)
is(label, 'a', 'bb', 'cccccccc')
is(text, 'even', 'odd', 'even')
is(unit, 'mm', 'mm', 'mm')
assert(m.weight(part[3]) == 20 and m.alive() == 3)
part = nil
collect()
assert(m.alive() == 0)

-- Strings and objects that C has set before it fails are released; NULL is refused.
raises('fill(): cs_fill returned status 1', m.fill, 3, 2)
raises("fill(): argument 'text': C returned NULL as item 3", m.fill, 3, -2)
collect()
assert(m.alive() == 0)

-- An object retains the strings of one field of all structs.
local part = select(4, m.fill(1))[1]
m.note(part, {'a', 'b'}, {('xy'):rep(50), ('z'):rep(60)})
collect()
assert(m.noted(part, 0) == ('xy'):rep(50) and m.noted(part, 1) == ('z'):rep(60))
part = nil
collect()
assert(m.alive() == 0)

-- Overloads.
assert(m.either 'abc' == 294 and m.either {'a', 'ccc'} == 1 and m.either('abc', {1, 2}) == 294)
assert(m.changed 'abc' == 'abcabc')
is(m.changed {'one'}, '*ne')
