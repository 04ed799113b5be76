-- Purpose: the ways of calling a function: which argument stands at which index, for every number
-- of arguments, in the order in which they are tried.
-- Invariant: a variant is left out only if an earlier one takes every call that it would take.
-- Reason: optional arguments of one type make nearly all of their 2^k combinations unreachable:
-- given two of three numbers, the first two parameters have them. So combinations are not
-- enumerated. Value by value, the parameters that it may go to are looked at; of two with the same
-- test, the later one is hopeless if it is optional: everything that may follow it may follow the
-- earlier one, too. The remaining variants differ in their tests; of those that fit a call, the one that
-- takes the earliest parameters is also the one of the smallest number in binary, which is the
-- order of the original.

local tests = require 'wrap.tests'

local variants = {}

-- With more variants than this, positions are searched instead: see wrap/positions.lua.
variants.LIMIT = 32

-- So many of one list may be distinguished one by one; beyond that, the text would grow with combinations.
local FEW = 8

-- The number of combinations that are examined to find one.
local TRIED = 8

local function is_optional(arg)
   return arg.default ~= nil
end
variants.is_optional = is_optional

-- The number of a combination: a bit for each optional argument, the first the lowest.
local function number_of(visible, at)
   local number, bit = 0, 1
   for _, arg in ipairs(visible) do
      if is_optional(arg) then
         number = number + (at[arg] and bit or 0)
         bit = bit * 2
      end
   end
   return number
end

local function keys_of(atoms)
   local keys = {}
   for i, atom in ipairs(atoms) do
      keys[i] = atom.key
   end
   return table.concat(keys, '\0')
end

-- The variants of one list with `count` arguments, appended to `found`; false beyond the limit.
local function search(list, count, atoms_of, found, budget)
   local visible = list.visible
   -- Required and all arguments from the j-th on.
   local required, total = {[#visible + 1] = 0}, #visible
   for j = total, 1, -1 do
      required[j] = required[j + 1] + (is_optional(visible[j]) and 0 or 1)
   end
   local chosen, known, tried = {}, {}, 0
   local function place(j, idx)
      if idx > count then
         tried = tried + 1
         if #found >= budget or tried > TRIED * budget then
            return false
         end
         local at, all = {}, {tests.count(count, list.vararg)}
         for i = 1, count do
            at[chosen[i]] = i
            for _, atom in ipairs(atoms_of(chosen[i], i)) do
               table.insert(all, atom)
            end
         end
         -- Of several with the same tests, the first has the smallest number.
         local key = keys_of(all)
         if not known[key] then
            known[key] = true
            table.insert(found, {list = list, at = at, atoms = all, number = number_of(visible, at)})
         end
         return true
      end
      local left, seen = count - idx, {}
      for next_j = j + 1, total do
         local arg = visible[next_j]
         if left >= required[next_j + 1] and left <= total - next_j then
            local key = keys_of(atoms_of(arg, idx))
            if not (seen[key] and is_optional(arg)) then
               seen[key] = true
               chosen[idx] = arg
               if not place(next_j, idx + 1) then
                  return false
               end
            end
         end
         if not is_optional(arg) then
            break
         end
      end
      return true
   end
   return place(0, 1)
end

-- True if every call that passes `later` passes `earlier`.
local function covers(earlier, later)
   local passed = {}
   for _, atom in ipairs(later.atoms) do
      passed[atom.key] = true
   end
   local a, b = earlier.atoms[1], later.atoms[1]
   if not (a.narg == b.narg and (a.at_least or not b.at_least) or a.at_least and a.narg < b.narg) then
      return false
   end
   for i = 2, #earlier.atoms do
      if not passed[earlier.atoms[i].key] then
         return false
      end
   end
   return true
end

-- True if each of the lists has few.
function variants.are_few(lists)
   for _, list in ipairs(lists) do
      if #list.variants > FEW then
         return false
      end
   end
   return true
end

-- All variants of the lists, numbered, or nil if there are more than `limit`.
function variants.of(lists, atoms_of, limit)
   local all = {}
   for _, list in ipairs(lists) do
      local found, least = {}, 0
      for _, arg in ipairs(list.visible) do
         least = least + (is_optional(arg) and 0 or 1)
      end
      for count = least, #list.visible do
         if not search(list, count, atoms_of, found, limit) then
            return nil
         end
      end
      table.sort(found, function(a, b) return a.number < b.number end)
      list.variants = {}
      for _, variant in ipairs(found) do
         local reached = true
         for _, earlier in ipairs(all) do
            if covers(earlier, variant) then
               reached = false
               break
            end
         end
         if reached then
            table.insert(all, variant)
            table.insert(list.variants, variant)
            variant.id = #all
         end
      end
   end
   return #all <= limit and all or nil
end

return variants
