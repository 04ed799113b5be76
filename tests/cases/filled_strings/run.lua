local m = require 'filled_strings'
local support = require 'support'
local collect, raises = support.collect, support.raises

local function is(list, ...)
  local wanted = {...}
  assert(#list == #wanted)
  for k = 1, #wanted do
    assert(list[k] == wanted[k])
  end
end

-- Strings of the caller are copied and freed.
is(m.split('three short words'), 'three', 'short', 'words')
is(m.split(''))
is(m.split('a b c', 2), 'a', 'b')
is(m.pair(), 'one', 'tw\195\182')
assert(m.alive() == 0)

-- So are those that C has stored before it fails.
raises('split(): fs_split returned status 3', m.split, 'a b c d', 8, 3)
raises("split(): argument 'words': C returned NULL as item 2", m.split, 'a b c', 8, 9)
collect()
assert(m.alive() == 0)

-- Strings of the library; Lua has any bytes.
is(m.days(2), 'mon', 'tue')
is(m.lines(4), 'line', 'line', 'line', 'b\255')
local names, codes, count = m.codes(3)
is(names, 'even', 'odd', 'even')
assert(codes[3] == 4 and count == 3)
is(m.Shelf(2):titles(), 'book 0', 'book 1')
