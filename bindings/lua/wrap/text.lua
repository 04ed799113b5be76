-- Purpose: a list of lines of C that grows.
-- Invariant: results of scripts are opaque; nothing but the indentation of their lines is changed, and
-- not even that if a line continues the one before.

local text = {}
text.__index = text

local PADS = {[0] = '', '  ', '    ', '      '}

function text.new()
   return setmetatable({lines = {}}, text)
end

function text:line(line)
   self.lines[#self.lines + 1] = line
end

local function is_blank(opaque)
   return not opaque:find('%S')
end

local function indented(indent, opaque)
   local pad = PADS[indent]
   if is_blank(opaque) then
      return false
   elseif not opaque:find('\n', 1, true) then
      return pad .. opaque
   end
   local continues = false
   return (opaque:gsub('([^\n]*)(\n?)', function(line, ending)
      local padded = (continues or is_blank(line)) and line or pad .. line
      continues = line:sub(-1) == '\\'
      return padded .. ending
   end))
end

-- True if it is clearly one statement, which needs no braces.
local function is_statement(opaque)
   return opaque:match('^[%w_ =%-%+%.%(%),"&%*<>%[%]]*;%s*$') ~= nil
          and not opaque:match('^%s*[%a_][%w_]*%s+[%a_%*]')
end

-- Caches results of a function of a string, for some of them: scripts have few different ones.
local function remembering(f)
   local known, count = {}, 0
   return function(opaque)
      local found = known[opaque]
      if found == nil then
         if count > 10000 then
            known, count = {}, 0
         end
         found = f(opaque)
         known[opaque], count = found, count + 1
      end
      return found
   end
end

local INDENTED = {}
for indent in pairs(PADS) do
   INDENTED[indent] = remembering(function(opaque)
      return indented(indent, opaque)
   end)
end
is_statement = remembering(is_statement)

-- Opaque text, indented; nothing for nil and for blanks.
function text:add(indent, opaque)
   local padded = opaque and INDENTED[indent](opaque)
   if padded then
      self.lines[#self.lines + 1] = padded
   end
end

-- A condition in front of opaque text.
function text:guarded(indent, condition, opaque)
   if not condition then
      return self:add(indent, opaque)
   elseif opaque == nil or is_blank(opaque) then
      return
   end
   local pad = PADS[indent]
   self:line(pad .. 'if(' .. condition .. ')')
   if is_statement(opaque) then
      return self:add(indent + 1, opaque)
   end
   self:line(pad .. '{')
   self:add(indent + 1, opaque)
   self:line(pad .. '}')
end

-- A C string.
function text.quoted(value)
   return '"' .. value:gsub('[%c"\\]', function(c)
      return c == '\n' and '\\n' or c:match('["\\]') and '\\' .. c
             or string.format('\\%03o', c:byte())
   end) .. '"'
end

-- A prime below 2^40: a step of the digest is exact in the numbers of each Lua.
local MODULUS = 1099511627689

-- Ten digits that tell the value from others.
function text.digest(value)
   local sum = 0
   for n = 1, #value do
      sum = (sum * 263 + value:byte(n)) % MODULUS
   end
   return string.format('%05x%05x', math.floor(sum / 2 ^ 20), sum % 2 ^ 20)
end

-- Tests joined by `&&`: on one line, or one a line if that is too long.
function text.all_of(tests, pad)
   local joined = table.concat(tests, ' && ')
   if #joined + #pad <= 88 or #tests < 2 then
      return joined
   end
   return table.concat(tests, '\n' .. pad .. '   && ')
end

return text
