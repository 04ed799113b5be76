-- Purpose: runs options and a script as the `lua` command does: `arg` and `...` are its arguments,
-- an error is shown with its traceback. Returns the error, or nil, and the unreachable calls in the
-- generated wrappers.

local script, explain, arguments, before = ...

-- Scripts concatenate strings and end: compiling them takes longer than running them.
jit.off()

-- Modules in C need the symbols of another Lua.
package.cpath = ''
package.loadlib = nil

arg = {[-2] = 'fishplate', [-1] = 'lua', [0] = script}
for i = 1, #arguments do
   arg[i] = arguments[i]
end

local unreached = {}
if explain then
   unreached = require('wrap.unreached').explain()
end

local function told(message)
   if type(message) ~= 'string' then
      local meta = getmetatable(message)
      if not (type(meta) == 'table' and meta.__tostring) then
         message = string.format('(error object is a %s value)', type(message))
      end
      message = tostring(message)
   end
   return debug.traceback(message, 2)
end

-- Runs a chunk that was loaded, or returns why it was not; returns its error.
local function run(chunk, problem, ...)
   if not chunk then
      return problem
   end
   local values = {n = select('#', ...), ...}
   local done, message = xpcall(function() return chunk(unpack(values, 1, values.n)) end, told)
   return not done and message or nil
end

for _, step in ipairs(before) do
   local message
   if step.option == 'e' then
      message = run(loadstring(step.text, '=(command line)'))
   elseif step.option == 'l' then
      message = run(function() _G[step.text] = require(step.text) end)
   else
      print(jit.version)
   end
   if message then
      return message, unreached
   end
end

if not script then
   return nil, unreached
end
local chunk, problem = loadfile(script ~= '-' and script or nil)
return run(chunk, problem, unpack(arguments)), unreached
