-- Purpose: the C of one wrapper: declarations, the choice of a variant, and for each list of
-- arguments the reads, initialisations, the call and the results.
-- Invariant: callbacks run in the order in which their results depend on each other: all
-- declarations, then tests, reading and initialising, then precall, the call and postcall. Each
-- result is printed once, for any number of variants that share it.

local plan = require 'wrap.plan'
local positions = require 'wrap.positions'
local shared = require 'wrap.shared'
local tests = require 'wrap.tests'
local text = require 'wrap.text'
local unreached = require 'wrap.unreached'

local wrapper = {}

-- The arguments of the C function, and how a list is shown in messages.
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
      help[#help + 1] = name
      if not arg.creturned then
         list.cargs[#list.cargs + 1] = ask:must(arg, 'carg')
      end
   end
   list.help = table.concat(help, ' ')
end

-- The tests of an argument at an index, requested once: their source, and their parts.
local function test_reader(ask, lists)
   local strings, known, declared = {}, {}, {}
   local reader = {}
   for _, list in ipairs(lists) do
      for _, arg in ipairs(list.visible) do
         strings[arg], known[arg], declared[arg] = {}, {}, list.declared[arg]
      end
   end
   function reader.text(arg, idx)
      local own = strings[arg]
      if not own[idx] then
         own[idx] = ask:must(arg, 'check', idx)
      end
      return own[idx]
   end
   function reader.of(arg, idx)
      local own = known[arg]
      if not own[idx] then
         own[idx] = tests.atoms(arg, idx, reader.text(arg, idx), declared[arg])
         for _, atom in ipairs(own[idx]) do
            reader.names_others = reader.names_others or atom.names_others
         end
      end
      return own[idx]
   end
   -- A test that uses another argument's variable expects it to be set: none is set for another.
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

-- Reading and initialising: an argument at an index is one step, however many variants have it.
local function fill(out, ask, list, steps, indent)
   local place = {}
   for j, arg in ipairs(list.visible) do
      place[arg] = j
   end
   for _, step in ipairs(steps.reads) do
      out:guarded(indent, step[3], ask:ask(list.visible[step[1]], 'read', step[2]))
   end
   for _, arg in ipairs(list.args) do
      local absent = arg.default ~= nil and (not place[arg] or steps.inits[place[arg]])
      if absent then
         out:guarded(indent, absent ~= true and absent or nil, ask:ask(arg, 'init'))
      end
   end
end

-- Slots of the stack that a C function may use without a check (LUA_MINSTACK), less those of helpers.
local FREE_SLOTS = 12

local function check_stack(out, list, indent)
   local slots = 0
   for _, arg in ipairs(list.args) do
      slots = slots + ((arg.returned or arg.creturned) and 1 or 0) + (arg.default ~= nil and 1 or 0)
   end
   if slots > FREE_SLOTS then
      out:add(indent, string.format('luaL_checkstack(L, %d, "too many results");',
                                    slots + FREE_SLOTS))
   end
end

local function call(out, ask, list, defaults, indent)
   local returns, cargs = 0, {}
   for i = 1, #defaults do
      cargs[i] = string.format('default_arg%d', i)
   end
   for _, carg in ipairs(list.cargs) do
      cargs[#cargs + 1] = carg
   end
   for _, arg in ipairs(list.args) do
      returns = returns + ((arg.returned or arg.creturned) and 1 or 0)
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
   out:add(indent, string.format('return %d;', returns))
end

-- The lists that are reached, each under its condition; `write` writes one.
local function bodies(out, reached, condition_of, write)
   if #reached == 1 then
      return write(reached[1], 1)
   end
   for n, k in ipairs(reached) do
      local condition = condition_of(k)
      if n == #reached then
         out:line('  else')
      else
         out:line((n == 1 and '  if(' or '  else if(') .. condition .. ')')
      end
      out:line('  {')
      write(k, 2)
      out:line('  }')
   end
end

local function declare(out, lists, reached)
   for _, k in ipairs(reached) do
      for _, arg in ipairs(lists[k].args) do
         out:add(1, lists[k].declared[arg])
      end
   end
end

-- Sets the variables of arguments that the tests have found the values of. Those before the first optional one
-- have their places.
local function take_values(out, list, reader, indent)
   local place = '%d'
   for j, arg in ipairs(list.visible) do
      place = arg.default ~= nil and 'at[%d]' or place
      if reader.of(arg, j)[1].arg then
         out:add(indent, string.format('arg%d = values[' .. place .. '];', arg.i, j))
      end
   end
end

-- The call of the choice, a function of its own, and then the lists.
local function share(out, ask, lists, defaults, refusal, made, reader, named)
   local widest, passed = 0, {'L', 'narg'}
   for _, k in ipairs(made.reached) do
      widest = math.max(widest, #lists[k].visible)
   end
   declare(out, lists, made.reached)
   if made.shared.has_values then
      out:line(string.format('  void *values[%d] = {NULL};', widest + 1))
      table.insert(passed, 'values')
   end
   if not made.shared.is_table then
      out:line(string.format('  unsigned char at[%d] = {0};', widest + 1))
      table.insert(passed, 'at')
   end
   for _, value in ipairs(named.passed) do
      table.insert(passed, value)
   end
   local chosen = made.shared.is_table and 'at' or 'fits'
   out:line(made.shared.is_table and '  const unsigned char *at;' or '  int fits;')
   out:line(string.format('  %s = %s(%s);', chosen, named.name, table.concat(passed, ', ')))
   out:line('  if(!' .. chosen .. ')')
   out:line('    ' .. refusal)
   bodies(out, made.reached, function(k) return 'at[0] == ' .. k end, function(k, indent)
      check_stack(out, lists[k], indent)
      take_values(out, lists[k], reader, indent)
      positions.fill(out, ask, lists[k], nil, indent, true)
      call(out, ask, lists[k], defaults, indent)
   end)
end

-- Chooses a list and writes them all; returns the functions of their own, if there are any.
local function choose(out, ask, luaname, lists, defaults, refusal, scope)
   local reader = test_reader(ask, lists)
   local made = plan.of(ask, lists, reader, scope ~= nil)
   unreached.note(luaname, lists, reader)
   if made.shared then
      local named = shared.named(made.shared, scope)
      share(out, ask, lists, defaults, refusal, made, reader, named)
      return named.functions
   end
   if made.is_earliest then
      declare(out, lists, {1})
      out:line(made.text .. refusal)
      check_stack(out, lists[1], 1)
      positions.fill(out, ask, lists[1], nil, 1)
      call(out, ask, lists[1], defaults, 1)
      return
   end
   if made.text then
      declare(out, lists, made.reached)
      out:line(made.text .. refusal)
      bodies(out, made.reached, function(k) return made[k].condition end, function(k, indent)
         check_stack(out, lists[k], indent)
         fill(out, ask, lists[k], made[k], indent)
         call(out, ask, lists[k], defaults, indent)
      end)
      return
   end
   local all = {}
   for k in ipairs(lists) do
      all[k] = k
   end
   declare(out, lists, all)
   positions.write(out, ask, lists, reader, refusal)
   bodies(out, all, function(k) return 'variant == ' .. k end, function(k, indent)
      check_stack(out, lists[k], indent)
      positions.fill(out, ask, lists[k], reader, indent)
      call(out, ask, lists[k], defaults, indent)
   end)
end

-- Returns the body of the C function, and the functions that it calls, {name, C}.
-- `defaults` are the functions that declare default arguments. `scope` tells apart the macros of
-- the file at this place; it is nil if no function may be shared.
function wrapper.write(ask, luaname, lists, defaults, scope)
   local out = text.new()
   out:line('  int narg = lua_gettop(L);')
   for i, code in ipairs(defaults) do
      out:add(1, code(string.format('default_arg%d', i)))
   end
   local help = {}
   for k, list in ipairs(lists) do
      header(ask, list)
      help[k] = list.help
   end
   local refusal = string.format('return wrap_invalid(L, %s, %s);', text.quoted(luaname),
                                 text.quoted(table.concat(help, ' | ')))
   local functions = choose(out, ask, luaname, lists, defaults, refusal, scope)
   return table.concat(out.lines, '\n'), functions or {}
end

return wrapper
