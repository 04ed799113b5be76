-- Purpose: a list of lines of C that grows.
-- Invariant: what scripts return is opaque; nothing but the indentation of its lines is changed, and
-- not even that where a line continues the one before.

local text = {}
text.__index = text

local PADS = {[0] = '', '  ', '    ', '      '}

function text.new()
   return setmetatable({lines = {}}, text)
end

function text:line(line)
   self.lines[#self.lines + 1] = line
end

-- Opaque text, indented; nothing for nil and for blanks.
function text:add(indent, opaque)
   if opaque == nil or not opaque:find('%S') then
      return
   end
   local pad = PADS[indent]
   if opaque:find('\n', 1, true) then
      local continues = false
      opaque = opaque:gsub('([^\n]*)(\n?)', function(line, ending)
         local padded = (continues or not line:find('%S')) and line or pad .. line
         continues = line:sub(-1) == '\\'
         return padded .. ending
      end)
      self:line(opaque)
   else
      self:line(pad .. opaque)
   end
end

-- A condition in front of opaque text, or of what `body` adds.
function text:guarded(indent, condition, opaque)
   if not condition then
      return self:add(indent, opaque)
   elseif opaque == nil or not opaque:find('%S') then
      return
   end
   local pad = PADS[indent]
   self:line(pad .. 'if(' .. condition .. ')')
   -- One statement needs no braces, if it is clear that it is one.
   if opaque:match('^[%w_ =%-%+%.%(%),"&%*<>%[%]]*;%s*$')
      and not opaque:match('^%s*[%a_][%w_]*%s+[%a_%*]') then
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

-- Tests joined by `&&`: one line, or one each where that is too long.
function text.all_of(tests, pad)
   local joined = table.concat(tests, ' && ')
   if #joined + #pad <= 88 or #tests < 2 then
      return joined
   end
   return table.concat(tests, '\n' .. pad .. '   && ')
end

return text
