-- Purpose: the C that chooses a variant: nested ifs, in which a test that several variants begin
-- with is made once for all of them.
-- Invariant: the first variant whose tests hold is taken, in the order of the list. Variants are
-- grouped over others only if no call can pass both.

local tests = require 'wrap.tests'
local text = require 'wrap.text'

local choice = {}

-- A test as it is executed here: of variants with the same test, the first sets the variable for all;
-- the type of a value is read once for several tests; and the tests that may have been executed before on the
-- way are remembered.
local function text_of(atom, holder, typed, remembered)
   if atom.type and typed[atom.idx] then
      return string.format('type%d == %s', atom.idx, atom.type)
   elseif atom.bare and holder ~= atom.arg then
      return (atom.bare:gsub('@', 'arg' .. holder.i))
   elseif remembered[atom.key] then
      local name = 'test' .. remembered[atom.key]
      return string.format('(%s < 0 ? (%s = (%s) != 0) : %s)', name, name, atom.text, name)
   end
   return atom.text
end

-- True for tests whose outcome may be remembered: they set nothing, and have a cost.
local function is_costly(atom, typed)
   return not (atom.arg or atom.sets or atom.narg or atom.type and typed[atom.idx])
end

-- In compilers' view, parentheses of their own mark `(a = b)` as intended, and nothing else.
local function alone(strings)
   local inner = #strings == 1 and strings[1]:match('^%((.*)%)$')
   if inner and strings[1]:match('^%b()$') and not inner:find('[^=!<>]=[^=]') then
      return {inner}
   end
   return strings
end

-- Variants that begin with the first one's next test, and the others, in order.
local function grouped(waiting)
   local first = waiting[1]
   local atom = first.atoms[first.next]
   local group, rest = {first}, {}
   for i = 2, #waiting do
      local variant = waiting[i]
      local own = variant.atoms[variant.next]
      local joins = atom and own and own.key == atom.key
      for _, passed in ipairs(joins and rest or {}) do
         local other = passed.atoms[passed.next]
         joins = joins and other ~= nil and tests.exclude(atom, other)
      end
      table.insert(joins and group or rest, variant)
   end
   return group, rest
end

-- The remaining variants, in groups, and whether no call can pass the first tests of two.
local function groups_of(waiting)
   local groups, heads, exclusive = {}, {}, true
   while #waiting > 0 do
      local group, rest = grouped(waiting)
      local head = group[1].atoms[group[1].next]
      for _, other in ipairs(heads) do
         exclusive = exclusive and head ~= nil and tests.exclude(head, other)
      end
      table.insert(groups, group)
      heads[#groups] = head or {}
      waiting = rest
   end
   return groups, heads, exclusive
end

-- The indices of which at least two of the tests want the type.
local function wanted_types(heads, typed)
   local wanted, indices = {}, {}
   for _, head in ipairs(heads) do
      local idx = head.type and not typed[head.idx] and head.idx
      if idx then
         wanted[idx] = (wanted[idx] or 0) + 1
         if wanted[idx] == 2 then
            table.insert(indices, idx)
         end
      end
   end
   return indices
end

-- Of tests that exclude each other, those for a Lua type first: they are the cheapest.
local function types_first(groups, heads)
   local ordered, firsts = {}, {}
   for _, is_type in ipairs {true, false} do
      for n, group in ipairs(groups) do
         if (heads[n].type ~= nil) == is_type then
            table.insert(ordered, group)
            table.insert(firsts, heads[n])
         end
      end
   end
   return ordered, firsts
end

-- How many further tests all variants of a group share.
local function shared_tests(group)
   local first, count = group[1], 0
   while true do
      local atom = first.atoms[first.next + count]
      for _, variant in ipairs(group) do
         local own = variant.atoms[variant.next + count]
         if not (atom and own and own.key == atom.key) then
            return count
         end
      end
      count = count + 1
      if #group == 1 and first.next + count > #first.atoms then
         return count
      end
   end
end

-- A variable and the test that last set it, on the way to a leaf.
local function inherit(holders)
   return setmetatable({}, {__index = holders})
end

-- Generates the tests of a group's first variant; returns their source. `setter` has the argument
-- whose variable holds the result of an argument's tests at an index, `last` the index from which a
-- variable was set last, `made` the tests that may have been executed before.
local function make(group, count, to, last, typed, made)
   local first, strings, setter = group[1], {}, to.setter
   for k = first.next, first.next + count - 1 do
      local atom = first.atoms[k]
      local holder = atom.arg
      if atom.bare then
         holder = setter[first][atom.idx] or atom.arg
         for _, variant in ipairs(group) do
            setter[variant][atom.idx] = holder
         end
      end
      if holder then
         last[holder] = atom.idx
      end
      if is_costly(atom, typed) then
         if made[atom.key] and not to.again[atom.key] then
            to.count = to.count + 1
            to.again[atom.key] = to.count
         end
         made[atom.key] = true
      end
      table.insert(strings, text_of(atom, holder, typed, to.remembered))
   end
   for _, variant in ipairs(group) do
      variant.next = variant.next + count
   end
   return strings
end

-- The statements of a variant once it is chosen: its arguments' variables hold the values that their tests found.
local function taken(variant, setter, last, name)
   local lines = {}
   -- From the last: a variable holds the value for a later argument.
   for idx = #variant.order, 1, -1 do
      local arg = variant.order[idx]
      local holder = setter[variant][idx]
      local sets = holder or variant.sets[idx]
      if sets and last[holder or arg] ~= idx then
         -- Another test has used the variable since.
         table.insert(lines, string.format('(void)(%s);', variant.sets[idx]))
      elseif holder and holder ~= arg then
         table.insert(lines, string.format('arg%d = arg%d;', arg.i, holder.i))
      end
   end
   if name then
      table.insert(lines, string.format('%s = %d;', name, variant.id))
   end
   return lines
end

local function of_single(variant)
   local strings = {}
   for _, atom in ipairs(variant.atoms) do
      table.insert(strings, atom.text)
   end
   return strings
end

local function count_of(set)
   local count = 0
   for _ in pairs(set) do
      count = count + 1
   end
   return count
end

local function copy(set)
   local copied = {}
   for key in pairs(set) do
      copied[key] = true
   end
   return copied
end

local function add_all(set, others)
   for key in pairs(others) do
      set[key] = true
   end
end

-- Writes the choice among the remaining variants into `to.out`. `typed` has the indices whose
-- type is in a variable; `made`, the tests that may have been executed before, has all of them afterwards.
local function write(to, waiting, indent, last, typed, made)
   local out, pad = to.out, string.rep('  ', indent)
   local groups, heads, exclusive = groups_of(waiting)
   typed = inherit(typed)
   for _, idx in ipairs(wanted_types(heads, typed)) do
      typed[idx] = true
      out:line(string.format('%sint type%d = lua_type(L, %d);', pad, idx, idx))
   end
   if exclusive then
      groups, heads = types_first(groups, heads)
   end
   local everywhere = {}
   for n, group in ipairs(groups) do
      local inner, within = inherit(last), copy(made)
      local strings = make(group, shared_tests(group), to, inner, typed, within)
      if n > 1 and not exclusive then
         table.insert(strings, 1, '!' .. to.name)
      end
      local word = n > 1 and exclusive and 'else ' or ''
      if #strings > 0 then
         out:line(pad .. word .. 'if(' .. text.all_of(alone(strings), pad) .. ')')
      elseif word ~= '' then
         out:line(pad .. 'else')
      end
      local nested = #strings > 0 or word ~= ''
      if #group == 1 then
         local body = taken(group[1], to.setter, inner, to.name)
         local braces = nested and #body > 1
         if braces then out:line(pad .. '{') end
         for _, line in ipairs(body) do
            out:line((nested and pad .. '  ' or pad) .. line)
         end
         if braces then out:line(pad .. '}') end
      else
         out:line(pad .. '{')
         write(to, group, indent + 1, inner, typed, within)
         out:line(pad .. '}')
      end
      if exclusive then
         -- A call that passes another group's first test has executed only the first test of this
         -- one.
         add_all(everywhere, within)
         made[heads[n].key or ''] = true
      else
         add_all(made, within)
      end
      -- Failed tests may have set variables.
      for arg, idx in pairs(inner) do
         last[arg] = idx
      end
   end
   add_all(made, everywhere)
end

local function prepare(all)
   local setter = {}
   for _, variant in ipairs(all) do
      variant.next = 1
      variant.order, variant.sets = {}, {}
      setter[variant] = {}
      for arg, idx in pairs(variant.at) do
         variant.order[idx] = arg
      end
      for _, atom in ipairs(variant.atoms) do
         if atom.arg then
            local before = variant.sets[atom.idx]
            variant.sets[atom.idx] = before and before .. ' && ' .. atom.text or atom.text
         end
      end
   end
   return setter
end

-- Variants of which each is the previous one with one more argument: they differ in the number of
-- arguments. Nil for others.
function choice.is_row(all)
   for k, variant in ipairs(all) do
      local before, first = all[k - 1], all[1].atoms[1]
      if first.at_least or variant.atoms[1].narg ~= first.narg + k - 1 then
         return false
      end
      for arg, idx in pairs(before and before.at or {}) do
         if variant.at[arg] ~= idx then
            return false
         end
      end
   end
   return #all > 0
end

-- One condition for a row of variants, and the first and the last number of arguments.
local function of_row(all)
   local least, most = all[1].atoms[1].narg, all[#all].atoms[1].narg
   local strings = {least == most and 'narg == ' .. least or 'narg <= ' .. most}
   if least > 0 and least < most then
      table.insert(strings, 1, 'narg >= ' .. least)
   end
   for _, atom in ipairs(all[#all].atoms) do
      if atom.idx and atom.idx <= least then
         table.insert(strings, atom.text)
      end
   end
   for idx = least + 1, most do
      local own = {}
      for _, atom in ipairs(all[#all].atoms) do
         if atom.idx == idx then
            table.insert(own, atom.text)
         end
      end
      local joined = table.concat(own, ' && ')
      if #own > 1 then
         joined = '(' .. joined .. ')'
      end
      table.insert(strings, string.format('(narg < %d || %s)', idx, joined))
   end
   return strings
end

-- Writes nested ifs into `out`: once to see which tests are made again, once more if some are.
local function written(out, all, typed)
   local to = {remembered = {}}
   repeat
      to = {out = text.new(), setter = prepare(all), name = 'variant', remembered = to.again or to.remembered,
            again = {}, count = 0}
      for n = 1, count_of(to.remembered) do
         to.out:line(string.format('  int test%d = -1;', n))
      end
      write(to, all, 1, {}, typed, {})
   until count_of(to.again) == count_of(to.remembered)
   for _, line in ipairs(to.out.lines) do
      out:line(line)
   end
end

-- Writes the choice into `out`, with `refusal` for calls that fit nothing, and numbers the
-- variants: the returned variable holds the number afterwards; nil if there is only one. `typed`
-- has the indices whose type is in a variable already.
function choice.write(out, all, typed, refusal)
   if choice.is_row(all) then
      for _, variant in ipairs(all) do
         variant.id = variant.atoms[1].narg
      end
      local strings = of_row(all)
      out:line('  if(!(' .. text.all_of(strings, '    ') .. '))')
      out:line('    ' .. refusal)
      return #all > 1 and 'narg' or nil
   elseif #all == 1 then
      out:line('  if(!(' .. text.all_of(of_single(all[1]), '    ') .. '))')
      out:line('    ' .. refusal)
      return nil
   end
   out:line('  int variant = 0;')
   written(out, all, typed)
   out:line('  if(!variant)')
   out:line('    ' .. refusal)
   return 'variant'
end

return choice
