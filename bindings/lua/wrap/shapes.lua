-- Purpose: the shape of a wrapper's C: its lines, without what may differ between wrappers that are one function.
-- Invariant: two wrappers with one key are equal but for statements of their own, strings, and the types of
-- variables for which a wider type gives the same results.

local text = require 'wrap.text'

local shapes = {}

-- Stand for the name in messages, and for any other string.
shapes.NAME, shapes.STRING = '\1', '\2'

-- C whose meaning depends on the function that it is in, or that lines cannot be told of.
local function is_fixed(body)
   for _, word in ipairs {'static', 'goto', 'switch', 'case', 'for', 'while', 'do', 'sizeof', '__func__', '__LINE__', 'asm'} do
      if body:find(word, 1, true) and body:find('%f[%w_]' .. word .. '%f[^%w_]') then
         return true
      end
   end
   return body:find('[#\\\1-\8]') or body:find('//', 1, true) or body:find('/*', 1, true)
      or body:find("'\"'", 1, true)
end

-- The wider types that stand for these.
local WIDER = {
   ['unsigned char'] = 'long', char = 'long', short = 'long', int = 'long', long = 'long',
   float = 'double', double = 'double',
}

-- True if C that is a number is the same one in the type and in the wider type.
local function is_exact(ctype, value)
   local number = tonumber(value)
   return number ~= nil and (ctype == WIDER[ctype] or number % 1 == 0 and number >= 0 and number <= 127)
end

-- The variables of which more is done than setting, comparing and passing on, which any pointer allows.
local function taken_apart(body)
   local names, rest = {}, body:gsub('\n  [%a_][%w_]* %*arg%d+ = NULL;', '\n')
   for name in rest:gmatch('%f[%w_](arg%d+)%s*[%-%+%[]') do
      names[name] = true
   end
   for name in rest:gmatch('[%*&%+%-]%s*%(*%s*(arg%d+)%f[^%w_]') do
      names[name] = true
   end
   return names
end

-- True if all values that are assigned are those of our readers, which fit the type, or exact.
local function is_read(body, name, ctype)
   for value in body:gmatch('%f[%w_]' .. name .. ' = ([^;]*);') do
      if not (value:find('^wrap_') or is_exact(ctype, value)) then
         return false
      end
   end
   return not body:find('&%s*' .. name .. '%f[^%w_]')
end

-- The declaration of a variable with a type that others can have, too.
local function declared(body, line, apart)
   local name = line:match('^  [%a_][%w_]* %*(arg%d+) = NULL;$')
   if name then
      return not apart[name] and '  void *' .. name .. ' = NULL;'
   end
   local ctype, value
   ctype, name, value = line:match('^  ([%a ]+) (arg%d+) = ([^;]*);$')
   local wider = WIDER[ctype]
   if wider and is_exact(ctype, value) and (ctype == 'double' or is_read(body, name, ctype)) then
      return string.format('  %s %s = %s;', wider, name, value)
   end
end

-- A statement that may be one of a `switch`, in the form that it has in the key.
local function statement_of(line, before)
   if not (before:find('[;{}]%s*$') or before:find('^%s*if%(') or before:find('^%s*else') or before:find('^%s*&& ')) then
      return nil
   end
   local pad, target = line:match('^(%s*)(%a[%w_]*) = [^;{}]*;$')
   if target and (target:match('^arg%d+$') or target == 'at' or target == 'fits') then
      return pad, target .. ' ='
   end
   local name, arguments
   pad, name, arguments = line:match('^(%s*)([%a_][%w_]*)(%b());$')
   if not name or name == 'if' or name == 'return' or name:find('^lua_') then
      return nil
   elseif name:find('^luaT_') then
      -- The class is last.
      return pad, name .. (arguments:match('^(.*),') or arguments)
   end
   return pad, 'call'
end

-- The shape; nil for a wrapper without one.
function shapes.of(body, luaname)
   if is_fixed(body) then
      return nil
   end
   local name, lines, keys, before = text.quoted(luaname), {}, {}, '{'
   local apart = taken_apart(body)
   for line in (body .. '\n'):gmatch('([^\n]*)\n') do
      local strings = {}
      local plain = line:gsub('"[^"]*"', function(literal)
         if literal == name then
            return shapes.NAME
         end
         table.insert(strings, literal)
         return shapes.STRING
      end)
      local made = {plain = plain, strings = strings, declared = declared(body, line, apart) or nil}
      local pad, kind = statement_of(plain, before)
      if pad then
         made.pad = pad
         made.statement = line:gsub('"[^"]*"', function(literal)
            return literal == name and shapes.NAME or nil
         end):sub(#pad + 1)
      end
      table.insert(lines, made)
      table.insert(keys, made.declared or pad and pad .. kind or plain)
      before = line:find('%S') and line or before
   end
   return {luaname = name, lines = lines, key = table.concat(keys, '\n')}
end

return shapes
