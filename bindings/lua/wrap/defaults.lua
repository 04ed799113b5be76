-- Purpose: the C of a `default`.
-- Invariant: a number keeps all its digits.

local defaults = {}

-- The number in C, with the fewest digits that reproduce it exactly.
function defaults.literal(x)
   if math.type and math.type(x) == 'integer' then
      if x == math.mininteger then
         return '(-9223372036854775807 - 1)'
      end
      return string.format('%d', x)
   elseif x ~= x then
      return '(wrap_inf - wrap_inf)'
   elseif x == math.huge or x == -math.huge then
      return x > 0 and 'wrap_inf' or '-wrap_inf'
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

-- True for C that is only a number.
local function is_number(text)
   return text:match('^%s*[-+]?%.?%d') ~= nil and tonumber(text) ~= nil
end

-- The default in C, whether it is only a number there, and that number; nil without a default.
function defaults.text(arg)
   local default = arg.default
   if default == nil then
      return nil
   end
   local kind = type(default)
   if kind == 'function' then
      default = default(arg)
      kind = type(default)
      if kind ~= 'string' and kind ~= 'number' then
         error('a default function must return a string of C, not a ' .. kind, 0)
      end
   end
   if kind == 'number' then
      local text = defaults.literal(default)
      return text, is_number(text), default
   elseif kind == 'boolean' then
      return default and '1' or '0', true
   elseif kind == 'string' then
      if not default:find('%S') then
         error('the default is empty', 0)
      elseif default:match('[^\n]*$'):gsub('"[^"]*"', ''):find('//', 1, true) then
         error('a comment in the default hides the rest of its line', 0)
      end
      local is_one = is_number(default)
      return default, is_one, is_one and tonumber(default) or nil
   end
   error('a default is a number, a string of C, a boolean or a function, not a ' .. kind, 0)
end

return defaults
