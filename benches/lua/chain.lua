-- Purpose: wrappers as the original writes them: a complete test for each variant and each
-- combination of optional arguments, one after the other. For comparison only: with the types of
-- the caller, so that only the dispatch differs. Returns a function that replaces CInterface.wrap.

local function visible(arg)
   return not arg.creturned and not arg.invisible
end

local function add(out, text)
   if text and text:find('%S') then
      table.insert(out, text)
   end
end

local function prepare(args, offset, types)
   for i, arg in ipairs(args) do
      arg.i, arg.args, arg.__metatable = i + offset, args, types[arg.name]
      setmetatable(arg, {__index = types[arg.name]})
   end
end

local function declare(out, args)
   local help, cargs, created = {}, {}, nil
   for _, arg in ipairs(args) do
      add(out, arg:declare())
      local name = arg.returned and '*' .. arg:helpname() .. '*' or arg:helpname()
      if arg.creturned then
         created = arg
      else
         table.insert(cargs, arg:carg())
         if not arg.invisible then
            table.insert(help, arg.default ~= nil and '[' .. name .. ']' or name)
         end
      end
   end
   return table.concat(help, ' '), cargs, created
end

-- One combination: `number` has a bit for each optional argument, the first the lowest.
local function combination(out, args, number, set, word)
   local given, absent, vararg = {}, {}, false
   for _, arg in ipairs(args) do
      if visible(arg) then
         local present = true
         if arg.default ~= nil then
            present = number % 2 == 1
            number = math.floor(number / 2)
         end
         table.insert(present and given or absent, arg)
         vararg = vararg or arg.vararg
      elseif arg.invisible then
         table.insert(absent, arg)
      end
   end
   table.insert(out, string.format('%s(narg %s %d', word, vararg and '>=' or '==', #given))
   for idx, arg in ipairs(given) do
      table.insert(out, '&& (' .. arg:check(idx) .. ')')
   end
   table.insert(out, ')\n{')
   add(out, set)
   for idx, arg in ipairs(given) do
      add(out, arg:read(idx))
   end
   for _, arg in ipairs(absent) do
      add(out, arg:init())
   end
   table.insert(out, '}')
end

local function call(out, cname, args, cargs, created)
   local returns = 0
   for _, arg in ipairs(args) do
      add(out, arg:precall())
      returns = returns + ((arg.returned or arg.creturned) and 1 or 0)
   end
   table.insert(out, string.format('%s%s(%s);', created and created:creturn() .. ' = ' or '', cname,
                                   table.concat(cargs, ',')))
   for _, arg in ipairs(args) do
      add(out, arg:postcall())
   end
   table.insert(out, string.format('return %d;', returns))
end

return function(interface, luaname, ...)
   local given, out, lists, help, offset = {...}, interface.txt, {}, {}, 0
   local name = interface:luaname2wrapname(luaname)
   table.insert(interface.registry, {name = luaname, wrapname = name})
   table.insert(out, string.format('static int %s(lua_State *L)\n{\nint narg = lua_gettop(L);', name))
   table.insert(out, 'int argset = 0;')
   for k = 1, #given, 2 do
      prepare(given[k + 1], offset, interface.argtypes)
      offset = offset + #given[k + 1]
      local list = {cname = given[k], args = given[k + 1]}
      list.help, list.cargs, list.created = declare(out, list.args)
      table.insert(lists, list)
      table.insert(help, list.help)
   end
   local word = 'if'
   for k, list in ipairs(lists) do
      local optional = 0
      for _, arg in ipairs(list.args) do
         optional = optional + (visible(arg) and arg.default ~= nil and 1 or 0)
      end
      for number = 0, 2 ^ optional - 1 do
         combination(out, list.args, number, string.format('argset = %d;', k), word)
         word = 'else if'
      end
   end
   table.insert(out, string.format('else\nreturn wrap_invalid(L, "%s", "%s");', luaname,
                                   table.concat(help, ' | ')))
   for k, list in ipairs(lists) do
      table.insert(out, string.format('if(argset == %d)\n{', k))
      call(out, list.cname, list.args, list.cargs, list.created)
      table.insert(out, '}')
   end
   table.insert(out, 'return 0;\n}\n')
end
