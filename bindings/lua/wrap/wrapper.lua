-- Purpose: the C of one wrapper: declarations, the choice of a variant, and for each list of
-- arguments what is read, initialised, called and returned.
-- Invariant: callbacks are asked in the order in which their texts matter to each other: all
-- declarations, then tests, reading and initialising, then precall, the call and postcall. Each text
-- stands once, however many variants share it.

local callbacks = require 'wrap.callbacks'
local choice = require 'wrap.choice'
local conditions = require 'wrap.conditions'
local positions = require 'wrap.positions'
local tests = require 'wrap.tests'
local text = require 'wrap.text'
local unreached = require 'wrap.unreached'
local variants = require 'wrap.variants'

local wrapper = {}

-- What the C function is given, and how a list is shown in messages.
local function header(ask, list)
   list.declared, list.cargs = {}, {}
   local help = {}
   for _, arg in ipairs(list.args) do
      list.declared[arg] = ask:ask(arg, 'declare')
      local name = ask:ask(arg, 'helpname') or tostring(arg.name)
      if arg.returned then
         name = '*' .. name .. '*'
      end
      if arg.creturned then
         name = nil
      elseif arg.default ~= nil then
         name = not arg.invisible and '[' .. name .. ']' or nil
      end
      table.insert(help, name)
      if not arg.creturned then
         table.insert(list.cargs, ask:must(arg, 'carg'))
      end
   end
   list.help = table.concat(help, ' ')
end

-- A function that gives the tests of an argument at an index, asked for once.
local function test_reader(ask, lists)
   local known, declared = {}, {}
   local reader = {shares = true}
   for _, list in ipairs(lists) do
      for arg, declaration in pairs(list.declared) do
         declared[arg] = declaration
      end
   end
   function reader.of(arg, idx)
      local own = known[arg]
      if not own then
         own = {}
         known[arg] = own
      end
      if not own[idx] then
         own[idx] = tests.atoms(arg, idx, ask:must(arg, 'check', idx), declared[arg])
         for _, atom in ipairs(own[idx]) do
            reader.names_others = reader.names_others or atom.names_others
         end
      end
      return own[idx]
   end
   -- A test that looks at another argument's variable wants it set: none is set for another.
   function reader.unshare()
      for _, own in pairs(known) do
         for _, atoms in pairs(own) do
            for _, atom in ipairs(atoms) do
               atom.bare, atom.key = nil, atom.text
            end
         end
      end
   end
   return reader
end

local function choose(ask, lists)
   local reader = test_reader(ask, lists)
   local all = variants.of(lists, reader.of)
   if reader.names_others then
      reader.unshare()
      all = variants.of(lists, reader.of)
   end
   return all, reader
end

-- Reading and initialising: each cell, an argument at an index, once.
local function fill(out, ask, list, name, indent)
   local ids = {}
   for _, variant in ipairs(list.variants) do
      table.insert(ids, variant.id)
   end
   for _, arg in ipairs(list.visible) do
      local cells, order = {}, {}
      for _, variant in ipairs(list.variants) do
         local idx = variant.at[arg]
         if idx then
            if not cells[idx] then
               cells[idx] = {}
               table.insert(order, idx)
            end
            cells[idx][variant.id] = true
         end
      end
      table.sort(order)
      for _, idx in ipairs(order) do
         out:guarded(indent, conditions.is_in(name, cells[idx], ids), ask:ask(arg, 'read', idx))
      end
   end
   for _, arg in ipairs(list.args) do
      if arg.default ~= nil then
         local set, absent = {}, false
         for _, variant in ipairs(list.variants) do
            if not variant.at[arg] then
               set[variant.id], absent = true, true
            end
         end
         if absent then
            out:guarded(indent, conditions.is_in(name, set, ids), ask:ask(arg, 'init'))
         end
      end
   end
end

-- Slots of the stack that a C function has without asking (LUA_MINSTACK), less what helpers use.
local FREE_SLOTS = 12

local function call(out, ask, list, defaults, indent)
   local pad, returns, made = string.rep('  ', indent), 0, 0
   for _, arg in ipairs(list.args) do
      returns = returns + ((arg.returned or arg.creturned) and 1 or 0)
      made = made + (arg.default ~= nil and 1 or 0)
   end
   local cargs = {}
   for i = 1, #defaults do
      cargs[i] = string.format('default_arg%d', i)
   end
   for _, carg in ipairs(list.cargs) do
      table.insert(cargs, carg)
   end
   for _, arg in ipairs(list.args) do
      out:add(indent, ask:ask(arg, 'precall'))
   end
   local called = string.format('%s(%s);', list.cname, table.concat(cargs, ','))
   if list.creturned then
      called = ask:must(list.creturned, 'creturn') .. ' = ' .. called
   end
   out:add(indent, called)
   for _, arg in ipairs(list.args) do
      out:add(indent, ask:ask(arg, 'postcall'))
   end
   out:line(string.format('%sreturn %d;', pad, returns))
end

local function needs_stack(list)
   local slots = 0
   for _, arg in ipairs(list.args) do
      slots = slots + ((arg.returned or arg.creturned) and 1 or 0) + (arg.default ~= nil and 1 or 0)
   end
   return slots > FREE_SLOTS and slots + FREE_SLOTS or nil
end

local function body(out, ask, list, defaults, name, indent)
   local slots = needs_stack(list)
   if slots then
      out:line(string.format('%sluaL_checkstack(L, %d, "too many results");',
                             string.rep('  ', indent), slots))
   end
   if list.positions then
      positions.fill(out, ask, list, indent)
   else
      fill(out, ask, list, name, indent)
   end
   call(out, ask, list, defaults, indent)
end

-- Of several lists, the one that was chosen.
local function bodies(out, ask, lists, defaults, name)
   local ids, reached = {}, {}
   for _, list in ipairs(lists) do
      if #list.variants > 0 then
         table.insert(reached, list)
         for _, variant in ipairs(list.variants) do
            table.insert(ids, variant.id)
         end
      end
   end
   if #reached == 1 then
      return body(out, ask, reached[1], defaults, name, 1)
   end
   local left = ids
   for k, list in ipairs(reached) do
      local set, rest = {}, {}
      for _, variant in ipairs(list.variants) do
         set[variant.id] = true
      end
      local word = k == 1 and '  if(' or '  else if('
      local condition = conditions.is_in(name, set, left)
      out:line(k == #reached and '  else' or word .. condition .. ')')
      out:line('  {')
      body(out, ask, list, defaults, name, 2)
      out:line('  }')
      for _, id in ipairs(left) do
         if not set[id] then
            table.insert(rest, id)
         end
      end
      left = rest
   end
end

-- Gives the pieces of C.
function wrapper.write(interface, luaname, name, lists)
   local ask = callbacks.new(interface, luaname, lists)
   local out = text.new()
   out:line(string.format('static int %s(lua_State *L)', name))
   out:line('{')
   out:line('  int narg = lua_gettop(L);')
   local defaults = interface.defaultArguments
   for i, code in ipairs(defaults) do
      out:add(1, code(string.format('default_arg%d', i)))
   end
   local help = {}
   for k, list in ipairs(lists) do
      header(ask, list)
      help[k] = list.help
   end
   local all, reader = choose(ask, lists)
   for _, list in ipairs(lists) do
      for _, arg in ipairs(list.args) do
         if not all or #list.variants > 0 then
            out:add(1, list.declared[arg])
         end
      end
   end
   local refusal = string.format('return wrap_invalid(L, %s, %s);', text.quoted(luaname),
                                 text.quoted(table.concat(help, ' | ')))
   local variable
   if all then
      variable = choice.write(out, all, refusal)
   else
      variable = positions.write(out, ask, lists, reader, refusal)
   end
   bodies(out, ask, lists, defaults, variable)
   out:line('}')
   out:line('')
   if all then
      unreached.note(luaname, lists)
   end
   return out.lines
end

return wrapper
