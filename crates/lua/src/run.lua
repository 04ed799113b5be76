-- Purpose: runs a script as the `lua` command does: `arg` and `...` are its arguments, an error is
-- told with its traceback.
-- Gives what went wrong, or nil, and what no call can reach in the wrappers that were made.

local script, explain, arguments = ...

-- Scripts put text together and end: compiling them takes longer than running them.
jit.off()

-- Modules in C want the symbols of a Lua that is not this one.
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

local chunk, problem = loadfile(script ~= '-' and script or nil)
if not chunk then
   return problem, unreached
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

local done, message = xpcall(function() return chunk(unpack(arguments)) end, told)
return not done and message or nil, unreached
