-- The standard types: valid arguments, results, and every kind of default.
local wrap = require 'cwrap'
local interface = wrap.CInterface.new()

interface:print([[
#include "module.h"
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
typedef double real;
#define SAME(NAME, TYPE) static TYPE NAME(TYPE x) { return x; }
SAME(same_uchar, unsigned char)
SAME(same_char, char)
SAME(same_short, short)
SAME(same_int, int)
SAME(same_long, long)
SAME(same_size, size_t)
SAME(same_int64, int64_t)
SAME(same_ptrdiff, ptrdiff_t)
SAME(same_int8, int8_t)
SAME(same_int16, int16_t)
SAME(same_int32, int32_t)
SAME(same_uint8, uint8_t)
SAME(same_uint16, uint16_t)
SAME(same_uint32, uint32_t)
SAME(same_uint64, uint64_t)
SAME(same_uint, unsigned int)
SAME(same_ushort, unsigned short)
SAME(same_float, float)
SAME(same_double, double)
SAME(same_real, real)
SAME(same_boolean, int)
static const char *text_of(double a, int b, long c, long d, double e, int f)
{
  static char text[200];
  snprintf(text, sizeof text, "%.17g %d %ld %ld %.17g %d", a, b, c, d, e, f);
  return text;
}
static size_t last(void) { return (size_t)-1; }
]])

for _, row in ipairs {
   {'uchar', 'unsigned char'}, {'byte', 'byte', 'same_uchar'}, {'char', 'char'}, {'short', 'short'},
   {'int', 'int'}, {'long', 'long'}, {'size', 'size_t'}, {'int64', 'int64_t'},
   {'ptrdiff', 'ptrdiff_t'}, {'int8', 'int8_t'}, {'int16', 'int16_t'}, {'int32', 'int32_t'},
   {'uint8', 'uint8_t'}, {'uint16', 'uint16_t'}, {'uint32', 'uint32_t'}, {'uint64', 'uint64_t'},
   {'uint', 'unsigned int'}, {'ushort', 'unsigned short'}, {'float', 'float'}, {'double', 'double'}, {'real', 'real'},
   {'boolean', 'boolean'}, {'index', 'index', 'same_long'},
} do
   interface:wrap(row[1], row[3] or 'same_' .. row[1],
                  {{name = row[2]}, {name = row[2], creturned = true}})
end

-- A user's type for results.
interface.argtypes.text = {
   helpname = function() return 'text' end,
   declare = function(arg) return string.format('const char *arg%d = NULL;', arg.i) end,
   creturn = function(arg) return string.format('arg%d', arg.i) end,
   precall = function() end,
   postcall = function(arg) return string.format('lua_pushstring(L, arg%d);', arg.i) end,
}
interface:wrap('defaults', 'text_of', {
   {name = 'text', creturned = true},
   {name = 'double', default = 0.1},
   {name = 'int', default = 123456789},
   {name = 'long', default = function(arg) return string.format('(long)%s * 2', arg.args[3]:carg()) end},
   {name = 'index', default = '1 > 0 ? 7 : 8'},
   {name = 'double', default = 1 / 0, invisible = true},
   {name = 'boolean', default = true},
})
interface:wrap('index_of_default', 'same_long', {
   {name = 'index', default = 5},
   {name = 'index', creturned = true},
})
interface:wrap('last', 'last', {{name = 'size_t', creturned = true}})

interface:register('functions')
interface:print('int luaopen_numbers(lua_State *L) { NEW_MODULE(L, functions); return 1; }')
interface:tofile(arg[1])
