local m = require 'files'
local s = require 'support'
local raises, same = s.raises, s.same

-- C and Lua share the stream: one buffer, one position.
local path = os.tmpname()
local function contents()
    local file = assert(io.open(path))
    local text = file:read('*a')
    file:close()
    return text
end
local file = assert(io.open(path, 'w'))
file:write('from Lua\n')
m.write_numbers(file, {1, 2.5})
file:write('again\n')
file:close()
assert(contents() == 'from Lua\n1\n2.5\nagain\n')
file = assert(io.open(path))
assert(file:read() == 'from Lua')
same(m.read_numbers(file, 2), 'float64', {2}, {1, 2.5})
file:read()
assert(file:read() == 'again' and m.next_byte(file) == -1)

-- Closed files, and values that are none.
file:close()
raises("next_byte(): argument 'source': this file is closed", m.next_byte, file)
raises("next_byte(): argument 'source': wanted an open file, got 1", m.next_byte, 1)
raises("next_byte(): argument 'source': wanted an open file, got table", m.next_byte, {})
raises("next_byte(source) needs argument 'source'", m.next_byte)

-- NULL.
assert(m.is_null() == 1 and m.is_null(nil) == 1 and m.is_null(io.stderr) == 0)

-- Failures, of C and of the arguments before it is called.
file = assert(io.open(path, 'w'))
raises('write_and_fail(): write_and_fail returned status 3', m.write_and_fail, file, 'abc', 3)
raises("write_numbers(): argument 'x': ...", m.write_numbers, file, 'none')
file:write('def')
file:close()
assert(contents() == 'abcdef')
file = assert(io.open(path))
raises('say(): say returned status -1', m.say, 'x', file)

-- Overloads.
assert(m.size(file) == 1000 + ('a'):byte() and m.size(2.5) == 2)
assert(m.size('abc') == ('a'):byte())
raises('size(): no overload takes (table)...', m.size, {})
file:close()

-- Callbacks are called while C has the file.
file = assert(io.open(path, 'w'))
file:write('a\nbb\nccc\n')
file:close()
file = assert(io.open(path))
local seen = {}
assert(m.each_line(file, function(length) seen[#seen + 1] = length return length end) == 6)
assert(#seen == 3 and seen[3] == 3)
file:seek('set')
raises('no', m.each_line, file, function() error('no', 0) end)
file:close()
os.remove(path)
