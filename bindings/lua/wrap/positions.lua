-- Purpose: the choice for functions with many optional arguments of several types, whose variants
-- are too many to be listed: the C finds the positions of the arguments itself.
-- Invariant: the same call gives the same result as the list of variants would; the text grows with
-- the arguments, and each test is made once.
-- Reason: `reached[j]` has bit i set if the first j arguments can take the first i values. Going back
-- from the end and leaving out each optional argument that can be left out, the last first, gives
-- the smallest combination in binary, which is the one that the original finds first.

local text = require 'wrap.text'

local positions = {}

-- Bits of the sets, less one for no value at all.
local MOST = 63

local function is_optional(arg)
   return arg.default ~= nil
end

-- The indices that the j-th visible argument may have.
local function range(list, j)
   local least = 1
   for i = 1, j - 1 do
      least = least + (is_optional(list.visible[i]) and 0 or 1)
   end
   return least, j
end

local function joined(atoms)
   local strings = {}
   for i, atom in ipairs(atoms) do
      strings[i] = atom.text
   end
   return table.concat(strings, ' && ')
end

-- The test of an argument again, if it sets the argument's variable.
local function again(atoms, test)
   for _, atom in ipairs(atoms) do
      if atom.arg then
         return '(void)(' .. test .. ');'
      end
   end
   return ''
end

-- The sets of indices at which tests hold, one for all arguments with the same tests: their names by
-- argument, and a list of {name, argument, the atoms at each index}.
local function sets_of(lists, most, reader)
   local names, sets, known = {}, {}, {}
   for _, list in ipairs(lists) do
      for _, arg in ipairs(list.visible) do
         local keys, all = {}, {}
         for idx = 1, most do
            all[idx] = reader.of(arg, idx)
            for _, atom in ipairs(all[idx]) do
               table.insert(keys, atom.key)
            end
         end
         local key = table.concat(keys, '\0')
         if not known[key] then
            known[key] = 'fits' .. #sets + 1
            table.insert(sets, {name = known[key], arg = arg, atoms = all})
         end
         names[arg] = known[key]
      end
   end
   -- Numbers first: other tests may make strings of them (tests.keep_types).
   local ordered = {}
   for _, is_first in ipairs {true, false} do
      for _, set in ipairs(sets) do
         if (joined(set.atoms[1]) == 'lua_type(L, 1) == LUA_TNUMBER') == is_first then
            table.insert(ordered, set)
         end
      end
   end
   return names, ordered
end

local function write_sets(out, ask, sets, most)
   for _, set in ipairs(sets) do
      local general = ask:anywhere(set.arg, 'check', 1, most, 'i')
      if general then
         out:line(string.format('  for(i = 1; i <= narg && i <= %d; i++)', most))
         out:line('    if(' .. general .. ')')
         out:line(string.format('      %s |= 1ULL << i;', set.name))
      else
         for idx, atoms in ipairs(set.atoms) do
            local all = {string.format('narg >= %d', idx), joined(atoms)}
            out:line('  if(' .. text.all_of(all, '  ') .. ')')
            out:line(string.format('    %s |= 1ULL << %d;', set.name, idx))
         end
      end
   end
end

local function write_list(out, list, names, number)
   local first = number == 1
   out:line(string.format('  if(%s%snarg <= %d)', first and '' or '!variant', first and '' or ' && ',
                          #list.visible))
   out:line('  {')
   out:line('    reached[0] = 1;')
   for j, arg in ipairs(list.visible) do
      local skipped = is_optional(arg) and string.format('reached[%d] | ', j - 1) or ''
      out:line(string.format('    reached[%d] = %s(reached[%d] << 1 & %s);', j, skipped, j - 1,
                             names[list.visible[j]]))
   end
   out:line(string.format('    if(reached[%d] >> narg & 1)', #list.visible))
   out:line('    {')
   if #list.visible > 0 then
      out:line('      int left = narg;')
   end
   for j = #list.visible, 1, -1 do
      local skipped = is_optional(list.visible[j])
                      and string.format('reached[%d] >> left & 1 ? 0 : ', j - 1) or ''
      out:line(string.format('      at[%d] = %sleft--;', j, skipped))
   end
   out:line(string.format('      variant = %d;', number))
   out:line('    }')
   out:line('  }')
end

-- Writes the choice into `out`: after it, `variant` is the number of the list.
function positions.write(out, ask, lists, reader, refusal)
   local most = 0
   for _, list in ipairs(lists) do
      most = math.max(most, #list.visible)
      if list.vararg then
         error(string.format('too many optional arguments before the vararg of %s', list.cname), 0)
      elseif reader.names_others then
         error(string.format('too many optional arguments of %s whose checks need each other',
                             list.cname), 0)
      end
   end
   if most > MOST then
      error(string.format('more than %d arguments', MOST), 0)
   end
   local names, sets = sets_of(lists, most, reader)
   out:line('  int i, variant = 0;')
   out:line(string.format('  int at[%d] = {0};', most + 1))
   out:line(string.format('  unsigned long long reached[%d];', most + 1))
   for _, set in ipairs(sets) do
      out:line(string.format('  unsigned long long %s = 0;', set.name))
   end
   write_sets(out, ask, sets, most)
   for k, list in ipairs(lists) do
      write_list(out, list, names, k)
   end
   out:line('  if(!variant)')
   out:line('    ' .. refusal)
end

local function both(first, second)
   return (first == '' or second == '') and first .. second or first .. '\n' .. second
end

-- Reads an argument at any of its indices.
local function read(out, ask, list, setting, j, indent)
   local arg = list.visible[j]
   local first, last = range(list, j)
   local place = string.format('at[%d]', j)
   local given = is_optional(arg) and place or nil
   local general = first < last and ask:anywhere(arg, 'read', first, last, place)
   local set = general and setting(arg, first, last, place)
   if set then
      return out:guarded(indent, given, both(set, general))
   end
   for idx = first, last do
      local here = first < last and string.format('%s == %d', place, idx) or given
      out:guarded(indent, here, both(setting(arg, idx, idx), ask:ask(arg, 'read', idx) or ''))
   end
end

-- Returns a function for the C that sets an argument's variable by its test, nil if there is no one C for all
-- indices: empty if the choice has left the variables set.
local function setting_by(ask, reader)
   return function(arg, first, last, place)
      if not reader then
         return ''
      elseif not place then
         return again(reader.of(arg, first), joined(reader.of(arg, first)))
      end
      local test = ask:anywhere(arg, 'check', first, last, place)
      return test and again(reader.of(arg, first), test)
   end
end

-- Reads and initialises the arguments of a list; without a reader of tests, their variables are set. `is_own`
-- is true if `at` is set by a function of its own, and so used.
function positions.fill(out, ask, list, reader, indent, is_own)
   local setting, place, before = setting_by(ask, reader), {}, #out.lines
   for j, arg in ipairs(list.visible) do
      place[arg] = j
      read(out, ask, list, setting, j, indent)
   end
   for _, arg in ipairs(list.args) do
      if is_optional(arg) then
         local absent = place[arg] and string.format('!at[%d]', place[arg]) or nil
         out:guarded(indent, absent, ask:ask(arg, 'init'))
      end
   end
   for n = before + 1, #out.lines do
      if out.lines[n]:find('at[', 1, true) then
         return
      end
   end
   if not is_own then
      -- Compilers warn if it is unused.
      out:add(indent, '(void)at;')
   end
end

return positions
