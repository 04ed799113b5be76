local m = require 'text_fields'
local support = require 'support'
local raises = support.raises

local one = m.Entry{name = 'abc', copy_ = 1, def = 3, end_ = 4, unit = 'mm'}
assert(one.name == 'abc' and one.copy_ == 1 and one.dtype_ == 0 and one.def == 3 and one.end_ == 4 and one.unit == 'mm')
assert(one:copy().name == 'abc' and one:copy() == one and m.Entry().name == '')

-- A shorter string leaves nothing of a longer one.
one.name = '1234567'
assert(m.length(one) == 7)
one.name = 'ab'
assert(m.length(one) == 2 and m.sum{one} == 97 + 98)
raises("Entry(): argument 'name': the string has 8 bytes, and its memory 8 with the NUL", function () one.name = '12345678' end)
raises("Entry(): argument 'unit': the string contains an embedded NUL", function () one.unit = 'a\0' end)
raises("Entry(): argument 'name': wanted a string, got 1", m.Entry, 1)
assert(one.name == 'ab')

-- C may fill all of the memory.
local full = m.full(4)
assert(full.name == 'xxxxxxxx' and m.length(full) == 8 and full.unit == '\255\255\255\255' and full.end_ == 8)

-- Arrays, and structs in structs.
local made = m.number(2)
assert(made[1].name == 'aaa' and made[2].name == 'bbb' and made[2].def == 1)
assert(m.sum(made) == 3 * (97 + 98) and m.sum{{name = 'a'}, {'b'}} == 97 + 98)
raises("sum(): argument 'all[2].name': the string has 9 bytes, and its memory 8 with the NUL", m.sum, {{'a'}, {'123456789'}})
local pair = m.pair(m.Entry('first'))
assert(pair.first.name == 'first' and pair.more[2].name == 'xxxxxxxx')
pair.first.name = 'other'
assert(pair.first.name == 'other')

assert(m.value(m.Word.mro_) == 1 and m.Word.kind == 3 and m.Word.local_ == 2)
