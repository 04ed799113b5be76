-- Purpose: the choice for one list of arguments in which each value goes to the first argument that
-- takes it: the C looks at the arguments once, in order.
-- Invariant: the same call gives the same result as the list of variants would; the text grows with
-- the arguments, and each test is made at most once.
-- Reason: a value that two optional arguments could take loses nothing in the earlier one, as the
-- later one then may stay out. Only a required argument must not lose its value to an optional one
-- before it: so their tests have to exclude each other, or else none after it may be optional, as
-- then the last values are for the required ones.

local tests = require 'wrap.tests'
local text = require 'wrap.text'
local values = require 'wrap.values'

local earliest = {}

local function is_optional(arg)
   return arg.default ~= nil
end

local function key_of(atoms)
   local keys = {}
   for i, atom in ipairs(atoms) do
      keys[i] = atom.key
   end
   return table.concat(keys, '\0')
end

local function some(a, b, holds)
   for _, one in ipairs(a) do
      for _, other in ipairs(b) do
         if holds(one, other) then
            return true
         end
      end
   end
   return false
end

local function same_key(one, other)
   return one.key == other.key
end

-- Numbers that a test converts to strings need more care: see tests.keep_types.
local function spoils(atoms)
   for _, atom in ipairs(atoms) do
      if atom.text:find('lua_to%l*string') then
         return true
      end
   end
end

-- True if no optional argument could take the value of the next required one.
local function is_safe(list, reader, first)
   for j, arg in ipairs(list.visible) do
      local p = j - 1
      while not is_optional(arg) and p > 0 and is_optional(list.visible[p]) do
         local own, others = reader.of(arg, first[j]), reader.of(list.visible[p], first[j])
         if not some(own, others, tests.exclude) then
            return false
         end
         p = p - 1
      end
   end
   return true
end

-- The tests of the arguments from the `from`-th on, with `i` for the index; nil if one has none.
local function general(ask, list, first, from)
   local all = {}
   for j = from, #list.visible do
      local arg = list.visible[j]
      local found = ask:anywhere(arg, 'check', first[j], j, 'i')
      if not found then
         return nil
      end
      all[j] = tests.atoms(arg, 'i', found, list.declared[arg])
   end
   return all
end

-- For each of these the last one before it with the same tests; nil if some share only a part.
local function same_before(all, from, to)
   local same = {}
   for j = from, to do
      for p = j - 1, from, -1 do
         if key_of(all[j]) == key_of(all[p]) then
            same[j] = same[j] or p
         elseif some(all[j], all[p], same_key) then
            return nil
         end
      end
   end
   return same
end

-- The condition that `i` has moved since the test of argument `p` was considered.
local function moved(p, j)
   local taken = {}
   for between = p, j - 1 do
      taken[#taken + 1] = string.format('at[%d]', between)
   end
   local joined = table.concat(taken, ' || ')
   return #taken > 1 and '(' .. joined .. ')' or joined
end

-- Their source; preceded by a test that there is a value, if nothing is known about it.
local function texts_of(atoms, is_there)
   local strings = {}
   for n, atom in ipairs(atoms) do
      strings[n] = atom.text
   end
   if not is_there and not tests.is_known(atoms[1]) then
      table.insert(strings, 1, 'i <= narg')
   end
   return strings
end

-- How many arguments there are before the first optional one, and after the last; nil if there are
-- required ones in between.
local function edges(visible)
   local leading, trailing, count = 0, 0, #visible
   while leading < count and not is_optional(visible[leading + 1]) do
      leading = leading + 1
   end
   while trailing < count and not is_optional(visible[count - trailing]) do
      trailing = trailing + 1
   end
   for j = leading + 1, count - trailing do
      if not is_optional(visible[j]) then
         trailing = nil
         break
      end
   end
   return leading, trailing
end

-- The tests of the leading arguments; in a function of its own, those that leave their results in `values`.
local function fixed_of(list, reader, leading, is_shared)
   local fixed = {string.format('narg >= %d', leading)}
   for j = 1, leading do
      local atoms = reader.of(list.visible[j], j)
      for _, atom in ipairs(is_shared and values.placed(atoms) or atoms) do
         table.insert(fixed, atom.text)
      end
   end
   return fixed
end

-- Declares `i`, the index of the first argument after the leading ones. If those do not fit, it is beyond
-- all values, or a function of its own returns.
local function write_start(out, visible, fixed, leading, is_shared)
   if is_shared then
      out:line(string.format('  int i = %d;', leading + 1))
      if leading > 0 then
         out:line('  if(!(' .. text.all_of(fixed, '    ') .. '))')
         out:line('    return 0;')
      end
      return
   end
   local start = '1'
   if leading > 0 then
      start = string.format('%s ? %d : narg + 2', text.all_of(fixed, '          '), leading + 1)
   end
   out:line(string.format('  int at[%d] = {0}, i = %s;', #visible + 1, start))
end

-- Writes the end: the conditions of a call that fits, or their opposite, which refuses a call.
local function write_end(out, fits, refused, refusal, is_shared)
   if is_shared then
      out:line('  return ' .. table.concat(fits, ' && ') .. ';')
      return
   end
   out:line('  if(' .. table.concat(refused, ' || ') .. ')')
   out:line('    ' .. refusal)
end

-- The tests of the arguments after the leading ones, which leave their results in `values`; nil if one cannot.
local function placed(all, from, to)
   local made = {}
   for j = from, to do
      made[j] = values.placed(all[j], 'i')
      if not made[j] then
         return nil
      end
   end
   return made
end

local function are_placed(list, reader, leading)
   for j = 1, leading do
      if not values.placed(reader.of(list.visible[j], j)) then
         return false
      end
   end
   return true
end

-- Writes the choice into `out`; `first` are the first indices of the arguments. After it, `at[j]`
-- is the index of the j-th of them, or 0. False, with nothing written, for other lists. Without a
-- `refusal` it is the body of a function of its own.
function earliest.write(out, ask, list, reader, first, refusal)
   local is_shared = refusal == nil
   local visible = list.visible
   local leading, trailing = edges(visible)
   for j, arg in ipairs(visible) do
      for idx = first[j], j do
         if spoils(reader.of(arg, idx)) or reader.names_others then
            return false
         end
      end
   end
   local is_counted = not is_safe(list, reader, first)
   if list.vararg or leading == #visible or is_counted and not trailing then
      return false
   end
   local all = general(ask, list, first, leading + 1)
   local same = all and same_before(all, leading + 1, is_counted and #visible - trailing or #visible)
   if not same then
      return false
   end
   if is_shared then
      all = are_placed(list, reader, leading) and placed(all, leading + 1, #visible)
      if not all then
         return false
      end
   end
   write_start(out, visible, fixed_of(list, reader, leading, is_shared), leading, is_shared)
   local fits, refused = {'i == narg + 1'}, {'i != narg + 1'}
   for j = leading + 1, #visible do
      local strings = texts_of(all[j], is_counted)
      if same[j] then
         table.insert(strings, 1, moved(same[j], j))
      end
      if is_counted and is_optional(visible[j]) then
         table.insert(strings, 1, trailing == 1 and 'i < narg' or string.format('i <= narg - %d', trailing))
      elseif is_counted and is_optional(visible[j - 1]) then
         table.insert(strings, 1, trailing == 1 and 'i == narg' or string.format('i == narg - %d', trailing - 1))
      elseif is_counted then
         table.insert(strings, 1, string.format('at[%d]', j - 1))
      end
      if not is_optional(visible[j]) then
         table.insert(fits, string.format('at[%d]', j))
         table.insert(refused, string.format('!at[%d]', j))
      end
      out:line('  if(' .. text.all_of(strings, '  ') .. ')')
      out:line(string.format('    at[%d] = i++;', j))
   end
   if is_counted then
      fits, refused = {string.format('at[%d]', #visible)}, {string.format('!at[%d]', #visible)}
   end
   write_end(out, fits, refused, refusal, is_shared)
   return true
end

return earliest
