-- Purpose: the types that are a number or a boolean in Lua.
-- Invariant: no value is changed on the way: 1.9 is not an int, 300 not a byte, and "3" not a number.
-- A default that is a number is in the declaration; any other C is assigned by `init`.

local arguments = require 'wrap.arguments'
local defaults = require 'wrap.defaults'

local format = string.format
local number = {}

-- The methods of all numbers. `is_whole`: a default is an integer. It is at least `least`, and less than
-- `beyond`.
local function of(spec)
   local kind = {}

   -- Whether a default is the same number in C.
   local function fits(x)
      if x ~= x or x == math.huge or x == -math.huge then
         return not spec.is_whole
      end
      local is_within = not spec.beyond or x >= spec.least and x < spec.beyond
      return is_within and (not spec.is_whole or x % 1 == 0)
   end

   function kind.helpname()
      return spec.help
   end

   function kind.declare(arg)
      local text, is_number, x = defaults.text(arg)
      local value = spec.zero
      if x and not fits(x) then
         error(format('the default %s does not fit %s', tostring(x), spec.help), 0)
      end
      if is_number then
         value = spec.default(text, true)
      end
      return spec.ctype .. ' arg' .. arg.i .. ' = ' .. value .. ';'
   end

   function kind.check(_, idx)
      return format(spec.check, idx)
   end

   function kind.read(arg, idx)
      return 'arg' .. arg.i .. ' = ' .. spec.read(arg, idx) .. ';'
   end

   function kind.init(arg)
      local text, is_number = defaults.text(arg)
      if text and not is_number then
         return format('arg%d = %s;', arg.i, spec.default(text, false))
      end
   end

   function kind.carg(arg)
      return 'arg' .. arg.i
   end

   kind.creturn = kind.carg

   local function push(arg)
      local name = 'arg' .. arg.i
      return format(spec.push, name, name)
   end

   function kind.precall(arg)
      if arg.returned then
         return push(arg)
      end
   end

   function kind.postcall(arg)
      if arg.creturned then
         return push(arg)
      end
   end

   return kind
end

local IS_NUMBER = 'lua_type(L, %d) == LUA_TNUMBER'

local function itself(text)
   return text
end

-- The call of a reader in C, which names the function in its error.
local function reading(reader)
   return function(arg, idx)
      return reader .. '(L, ' .. idx .. ', ' .. arguments.quoted_name(arg) .. ')'
   end
end

-- The types for which lua_Integer may be too narrow.
local WIDE = {size_t = true, int64_t = true, uint32_t = true, uint64_t = true, ['unsigned int'] = true}

function number.integer(name, reader, least, beyond)
   return of {
      help = name, least = least, beyond = beyond, ctype = name, zero = '0', is_whole = true,
      check = IS_NUMBER, read = reading(reader), default = itself,
      push = WIDE[name] and 'wrap_pushwide(L, (lua_Number)%s, (lua_Integer)%s);'
             or 'lua_pushinteger(L, (lua_Integer)%s);',
   }
end

-- The smallest number that is not rounded down to the largest float is half a step above it.
local FLOAT = 2 ^ 128 - 2 ^ 103

function number.floating(name)
   local read
   if name == 'float' then
      read = reading('wrap_float')
   else
      local cast = name == 'real' and '(real)' or ''
      read = function(_, idx)
         return cast .. 'lua_tonumber(L, ' .. idx .. ')'
      end
   end
   return of {
      help = name, ctype = name, zero = '0',
      least = name == 'float' and -FLOAT or nil, beyond = name == 'float' and FLOAT or nil,
      check = IS_NUMBER, read = read, default = itself,
      push = 'lua_pushnumber(L, (lua_Number)%s);',
   }
end

number.boolean = of {
   help = 'boolean', ctype = 'int', zero = '0', is_whole = true,
   check = 'lua_isboolean(L, %d)',
   read = function(_, idx)
      return format('lua_toboolean(L, %d)', idx)
   end,
   default = itself,
   push = 'lua_pushboolean(L, %s);',
}

-- Counted from 1 in Lua and from 0 in C.
number.index = of {
   help = 'index', ctype = 'long', zero = '0', is_whole = true, least = -2 ^ 63, beyond = 2 ^ 63,
   check = IS_NUMBER,
   read = function(arg, idx)
      return reading('wrap_index')(arg, idx) .. ' - 1'
   end,
   default = function(text, is_number)
      if is_number then
         return defaults.literal(tonumber(text) - 1)
      end
      return format('(%s) - 1', text)
   end,
   push = 'lua_pushinteger(L, (lua_Integer)%s + 1);',
}

return number
