-- Purpose: the table of types that every interface begins with.

local runtime = require 'wrap.runtime'
local number = require 'wrap.types.number'
local tensor = require 'wrap.types.tensor'

local types = {}

for _, row in ipairs {
   -- C type, its reader in C, bounds
   {'unsigned char', 'wrap_uchar', '0', 'UCHAR_MAX'},
   {'char', 'wrap_char', 'CHAR_MIN', 'CHAR_MAX'},
   {'short', 'wrap_short', 'SHRT_MIN', 'SHRT_MAX'},
   {'int', 'wrap_int', 'INT_MIN', 'INT_MAX'},
   {'long', 'wrap_long', 'LONG_MIN', 'LONG_MAX'},
   {'size_t', 'wrap_size', '0', '(lua_Integer)(SIZE_MAX / 2)'},
   {'int64_t', 'wrap_int64', 'INT64_MIN', 'INT64_MAX'},
   {'ptrdiff_t', 'wrap_ptrdiff', 'PTRDIFF_MIN', 'PTRDIFF_MAX'},
} do
   local name, reader = row[1], row[2]
   runtime.integer(reader, name, name, row[3], row[4])
   types[name] = number.integer(name, reader)
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
