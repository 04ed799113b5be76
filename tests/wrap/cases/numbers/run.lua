local m, support = require 'numbers', require 'support'
local fails, same = support.fails, support.same

local function refused(name, ctype, got, value)
   fails(string.format("bad argument #1 to '%s' (%s expected, got %s)", name, ctype, got),
         m[name], value)
end

for name, bounds in pairs {
   uchar = {0, 255}, byte = {0, 255}, char = {-128, 127}, short = {-32768, 32767},
   int = {-2 ^ 31, 2 ^ 31 - 1}, long = {-2 ^ 63, 2 ^ 53}, size = {0, 2 ^ 53},
   int8 = {-128, 127}, int16 = {-2 ^ 15, 2 ^ 15 - 1}, int32 = {-2 ^ 31, 2 ^ 31 - 1},
   uint8 = {0, 255}, uint16 = {0, 2 ^ 16 - 1}, uint32 = {0, 2 ^ 32 - 1}, uint64 = {0, 2 ^ 53},
   uint = {0, 2 ^ 32 - 1}, ushort = {0, 2 ^ 16 - 1}, int64 = {-2 ^ 63, 2 ^ 53}, ptrdiff = {-2 ^ 53, 2 ^ 53}, index = {-2 ^ 53, 2 ^ 53},
} do
   for _, value in ipairs(bounds) do
      same(m[name](value), value)
   end
   same(m[name](1), 1)
   fails('expected, got 1.5)', m[name], 1.5)
   fails('expected, got ', m[name], 0 / 0)
   fails('expected, got ', m[name], 1 / 0)
   fails('expected, got ', m[name], 2 ^ 64)
   fails(name .. ': invalid arguments: string \n', m[name], '3')
end
refused('uchar', 'unsigned char', '300', 300)
refused('byte', 'unsigned char', '-1', -1)
refused('int', 'int', '1099511627776', 1099511627776)
refused('uint8', 'uint8_t', '-1', -1)
refused('uint32', 'uint32_t', '4294967296', 4294967296)
refused('index', 'index', '1.9', 1.9)

same(m.float(0.5), 0.5)
refused('float', 'float', '1e+300', 1e300)
same(m.float(1 / 0), 1 / 0)
same(m.double(0.1), 0.1)
same(m.real(0.1), 0.1)
same(m.boolean(true), true)
same(m.boolean(false), false)
fails('boolean: invalid arguments: number \nexpected arguments: boolean', m.boolean, 1)

-- Every digit of a default is preserved; the index counts from 0 in C.
same(m.defaults(), '0.10000000000000001 123456789 246913578 6 inf 1')
same(m.defaults(2), '2 123456789 246913578 6 inf 1')
same(m.defaults(2, 3), '2 3 6 6 inf 1')
same(m.defaults(2, 3, 4, 5, false), '2 3 4 4 inf 0')
same(m.defaults(false), '0.10000000000000001 123456789 246913578 6 inf 0')
same(m.index_of_default(), 5)
same(m.last(), 2 ^ 64)

if math.type then
   same(math.type(m.long(3)), 'integer')
   same(m.long(math.maxinteger), math.maxinteger)
   same(m.int64(math.mininteger), math.mininteger)
   same(m.int(3.0), 3)
   same(math.type(m.double(3)), 'float')
end
