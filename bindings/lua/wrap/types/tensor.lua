-- Purpose: the Torch tensor types, on luaT.
-- Invariant: a tensor that a wrapper creates belongs to the Lua stack from then on, so that a later
-- error frees it; a tensor that is only read is never written to.
-- Reason: `init` may leave a new tensor on the stack only if `precall` will not push it again. Scripts
-- replace either of them, with or without calling ours. So this is detected: see `pushes_itself`.

local format, concat = string.format, table.concat
local tensor = {}

-- Arguments whose precall was seen to call ours.
local called = setmetatable({}, {__mode = 'k'})

function tensor.of(spec)
   local kind = {}
   local id = spec.id

   local function call(name, ...)
      return format(spec.call, name) .. '(' .. concat({...}, ', ') .. ')'
   end

   local function name(arg)
      return 'arg' .. arg.i
   end

   local function push(arg)
      return format('luaT_pushudata(L, arg%d, %s);', arg.i, id)
   end

   -- Makes a tensor that belongs to the stack.
   local function own(arg, made)
      return format('wrap_own(L, arg%d, %s, %s);', arg.i, made, id)
   end

   -- Points to a tensor that another value owns: the expression in C, or nil.
   local function pointee(arg)
      local default = arg.default
      if type(default) == 'number' then
         local other = arg.args[default]
         if type(other) ~= 'table' or other == arg then
            error(format('the default %s is not another argument of this list', default), 0)
         end
         return other:carg()
      elseif type(default) == 'function' then
         default = default(arg)
      end
      if type(default) == 'string' then
         return default
      elseif default ~= true and default ~= nil then
         error('the default of a tensor is true, the index of another argument, or C', 0)
      end
   end

   -- True if the precall of a script pushes a new tensor without us.
   local function pushes_itself(arg)
      if arg.precall == kind.precall then
         return false
      end
      called[arg] = nil
      pcall(arg.precall, arg)
      return not called[arg]
   end

   function kind.helpname(arg)
      return arg.dim and format('%s~%dD', spec.help, arg.dim) or spec.help
   end

   function kind.declare(arg)
      local text = format('%s *arg%d = NULL;', spec.ctype, arg.i)
      if arg.returned then
         text = text .. format('\nint arg%d_idx = 0;', arg.i)
      end
      return text
   end

   function kind.check(arg, idx)
      local text = format('(arg%d = luaT_toudata(L, %d, %s))', arg.i, idx, id)
      if arg.dim then
         text = text .. format(' && (arg%d->nDimension == %d)', arg.i, arg.dim)
      end
      return text
   end

   function kind.read(arg, idx)
      local text = {}
      if spec.is_index and not arg.noreadadd then
         if not arg.returned then
            text[1] = own(arg, call('newClone', name(arg)))
            text[2] = format('lua_replace(L, %d);', idx)
         end
         text[#text + 1] = call('add', name(arg), name(arg), '-1') .. ';'
      end
      if arg.returned then
         text[#text + 1] = format('arg%d_idx = %d;', arg.i, idx)
      end
      return concat(text, '\n')
   end

   function kind.init(arg)
      local other = pointee(arg)
      if other then
         return format('arg%d = %s;', arg.i, other)
      end
      if pushes_itself(arg) then
         return format('arg%d = %s;', arg.i, call('new'))
      end
      local text = own(arg, call('new'))
      if arg.returned then
         text = text .. format('\narg%d_idx = lua_gettop(L);', arg.i)
      end
      return text
   end

   function kind.carg(arg)
      return name(arg)
   end

   kind.creturn = kind.carg

   function kind.precall(arg)
      called[arg] = true
      if not arg.returned then
         return nil
      end
      local given = format('lua_pushvalue(L, arg%d_idx);', arg.i)
      local is_new = arg.default ~= nil and pointee(arg) == nil
      if arg.default == nil or is_new and arg.init == kind.init then
         return given
      end
      local text = {format('if(arg%d_idx)', arg.i), '  ' .. given, 'else'}
      if is_new then
         text[4] = '  ' .. push(arg)
      else
         text[4] = '{'
         text[5] = '  ' .. push(arg)
         text[6] = '  ' .. call('retain', name(arg)) .. ';'
         text[7] = '}'
      end
      return concat(text, '\n')
   end

   function kind.postcall(arg)
      local text = {}
      if spec.is_index and (arg.creturned or arg.returned) then
         text[1] = call('add', name(arg), name(arg), '1') .. ';'
      end
      if arg.creturned then
         text[#text + 1] = push(arg)
         text[#text + 1] = format('if(arg%d)\n  %s;', arg.i, call('retain', name(arg)))
      end
      return concat(text, '\n')
   end

   return kind
end

return tensor
