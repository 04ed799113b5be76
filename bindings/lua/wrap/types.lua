-- Purpose: the table of types that every interface begins with.

local runtime = require 'wrap.runtime'
local number = require 'wrap.types.number'
local tensor = require 'wrap.types.tensor'

local types = {}

for _, row in ipairs {
   -- C type, its reader in C, bounds there; those of a default, if it is as wide as anywhere
   {'unsigned char', 'wrap_uchar', '0', 'UCHAR_MAX', 0, 2 ^ 8},
   {'unsigned short', 'wrap_ushort', '0', 'USHRT_MAX', 0, 2 ^ 16},
   {'unsigned int', 'wrap_uint', '0', 'UINT_MAX', 0, 2 ^ 32},
   {'char', 'wrap_char', 'CHAR_MIN', 'CHAR_MAX', -2 ^ 7, 2 ^ 8},
   {'short', 'wrap_short', 'SHRT_MIN', 'SHRT_MAX', -2 ^ 15, 2 ^ 15},
   {'int', 'wrap_int', 'INT_MIN', 'INT_MAX', -2 ^ 31, 2 ^ 31},
   {'long', 'wrap_long', 'LONG_MIN', 'LONG_MAX', -2 ^ 63, 2 ^ 63},
   {'size_t', 'wrap_size', '0', '(lua_Integer)(SIZE_MAX / 2)', 0, 2 ^ 63},
   {'ptrdiff_t', 'wrap_ptrdiff', 'PTRDIFF_MIN', 'PTRDIFF_MAX', -2 ^ 63, 2 ^ 63},
   {'int8_t', 'wrap_int8', 'INT8_MIN', 'INT8_MAX', -2 ^ 7, 2 ^ 7},
   {'int16_t', 'wrap_int16', 'INT16_MIN', 'INT16_MAX', -2 ^ 15, 2 ^ 15},
   {'int32_t', 'wrap_int32', 'INT32_MIN', 'INT32_MAX', -2 ^ 31, 2 ^ 31},
   {'int64_t', 'wrap_int64', 'INT64_MIN', 'INT64_MAX', -2 ^ 63, 2 ^ 63},
   {'uint8_t', 'wrap_uint8', '0', 'UINT8_MAX', 0, 2 ^ 8},
   {'uint16_t', 'wrap_uint16', '0', 'UINT16_MAX', 0, 2 ^ 16},
   {'uint32_t', 'wrap_uint32', '0', 'UINT32_MAX', 0, 2 ^ 32},
   -- No Lua has larger integers.
   {'uint64_t', 'wrap_uint64', '0', '(lua_Integer)(UINT64_MAX / 2)', 0, 2 ^ 63},
} do
   local name, reader = row[1], row[2]
   runtime.integer(reader, name, name, row[3], row[4])
   types[name] = number.integer(name, reader, row[5], row[6])
end
runtime.integer('wrap_index', 'long', 'index', 'LONG_MIN + 1', 'LONG_MAX')

types.byte = types['unsigned char']
types.index = number.index
types.boolean = number.boolean
for _, name in ipairs {'real', 'float', 'double'} do
   types[name] = number.floating(name)
end

for _, name in ipairs {'Byte', 'Char', 'Short', 'Int', 'Long', 'Float', 'Double'} do
   local class = name .. 'Tensor'
   types[class] = tensor.of {
      help = class,
      ctype = 'TH' .. class,
      id = string.format('torch_%s_id', class),
      call = 'TH' .. class .. '_%s',
   }
end
types.Tensor = tensor.of {
   help = 'Tensor',
   ctype = 'THTensor',
   id = 'torch_(Tensor_id)',
   call = 'THTensor_(%s)',
}
types.IndexTensor = tensor.of {
   help = 'LongTensor',
   ctype = 'THLongTensor',
   id = 'torch_LongTensor_id',
   call = 'THLongTensor_%s',
   is_index = true,
}

return types
