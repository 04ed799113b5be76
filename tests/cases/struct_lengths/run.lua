local m = require 'struct_lengths'
local s = require 'support'
local raises = s.raises

local names, units, data = {'length', 'ab', 'mass'}, {'m', '', 'kg'}, {{1, 2}, {}, {3}}
assert(m.letters(names, units, data) == 6 + 2 + 4 + 1000 * (1 + 0 + 2))
assert(m.letters({}, {}, {}) == 0)
assert(m.sum(names, units, data, string.byte('m')) == 3)
assert(m.ends({'ab', 'c'}, {'', ''}, {{}, {}}) == 'bc')

raises(
  "letters(): argument 'unit[2]': dimension 1 is 256, which is out of range for unit_length (uint8)",
  m.letters, names, {'m', ('x'):rep(256), 'kg'}, data
)
raises("letters(): argument 'name[2]': ...", m.letters, {'a', {}, 'b'}, units, data)
raises('letters(): ...', m.letters, names, {'m'}, data)
