-- Purpose: what a `default` is in C.
-- Invariant: a number keeps all its digits.

local defaults = {}

-- The number in C, with as few digits as give it back exactly.
function defaults.literal(x)
   if math.type and math.type(x) == 'integer' then
      if x == math.mininteger then
         return '(-9223372036854775807 - 1)'
      end
      return string.format('%d', x)
   elseif x ~= x then
      return '(HUGE_VAL - HUGE_VAL)'
   elseif x == math.huge or x == -math.huge then
      return x > 0 and 'HUGE_VAL' or '-HUGE_VAL'
   elseif x == 0 and 1 / x < 0 then
      return '-0.0'
   elseif x == math.floor(x) and math.abs(x) < 2 ^ 63 then
      return string.format('%.0f', x)
   end
   for digits = 15, 16 do
      local text = string.format('%.' .. digits .. 'g', x)
      if tonumber(text) == x then
         return text
      end
   end
   return string.format('%.17g', x)
end

-- True for C that is nothing but a number.
function defaults.is_number(text)
   return text:match('^%s*[-+]?%.?%d') ~= nil and tonumber(text) ~= nil
end

-- The default in C, or nil where there is none.
function defaults.text(arg)
   local default = arg.default
   if type(default) == 'function' then
      default = default(arg)
      if type(default) ~= 'string' and type(default) ~= 'number' then
         error('a default function must return a string of C, not a ' .. type(default), 0)
      end
   end
   if default == nil then
      return nil
   elseif type(default) == 'boolean' then
      return default and '1' or '0'
   elseif type(default) == 'number' then
      return defaults.literal(default)
   elseif type(default) == 'string' then
      return default
   end
   error('a default is a number, a string of C, a boolean or a function, not a '
         .. type(default), 0)
end

return defaults
