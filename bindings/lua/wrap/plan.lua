-- Purpose: how a function chooses among its variants, as data: the C of the choice, and for each
-- list of arguments the reads and initialisations with their conditions.
-- Invariant: a plan depends only on the source of tests and declarations, and names arguments by
-- position; functions with the same source therefore share one.
-- Reason: scripts wrap hundreds of functions of a few shapes, and finding the variants is most of
-- the work.

local choice = require 'wrap.choice'
local conditions = require 'wrap.conditions'
local earliest = require 'wrap.earliest'
local shared = require 'wrap.shared'
local tests = require 'wrap.tests'
local text = require 'wrap.text'
local values = require 'wrap.values'
local variants = require 'wrap.variants'

local plan = {}

-- Plans by all that they depend on.
local known = {}

-- Stands for the C that refuses a call, at the end of a choice.
local REFUSAL = '\1'

local function without_refusal(out)
   return (table.concat(out.lines, '\n'):gsub(REFUSAL .. '$', ''))
end

-- The indices that the j-th argument may have are from the first of these to j.
local function first_indices(list)
   local first, required = {}, 0
   for j, arg in ipairs(list.visible) do
      first[j] = required + 1
      required = required + (arg.default == nil and 1 or 0)
   end
   return first
end

-- Everything that a plan depends on, in one string.
local function signature(lists, reader, is_shared)
   local parts, n = {is_shared and 'shared' or 'alone'}, 1
   for _, list in ipairs(lists) do
      local first = first_indices(list)
      for j, arg in ipairs(list.visible) do
         parts[n + 1] = arg.i
         parts[n + 2] = arg.default == nil and 'required' or 'optional'
         parts[n + 3] = list.declared[arg] or ''
         n = n + 3
         for idx = first[j], j do
            n = n + 1
            parts[n] = reader.text(arg, idx)
         end
      end
      n = n + 1
      parts[n] = list.vararg and 'list...' or 'list'
   end
   return table.concat(parts, '\0')
end

-- The reads and the initialisations: {place, index, condition} and {place, condition}.
local function steps(list, name)
   local ids, reads, inits = {}, {}, {}
   for k, variant in ipairs(list.variants) do
      ids[k] = variant.id
   end
   for j, arg in ipairs(list.visible) do
      local cells, order, absent, is_absent = {}, {}, {}, false
      for _, variant in ipairs(list.variants) do
         local idx = variant.at[arg]
         if not idx then
            absent[variant.id], is_absent = true, true
         else
            if not cells[idx] then
               cells[idx] = {}
               table.insert(order, idx)
            end
            cells[idx][variant.id] = true
         end
      end
      table.sort(order)
      for _, idx in ipairs(order) do
         table.insert(reads, {j, idx, conditions.is_in(name, cells[idx], ids)})
      end
      if is_absent then
         inits[j] = conditions.is_in(name, absent, ids) or true
      end
   end
   return {reads = reads, inits = inits, ids = ids}
end

-- For each list that is reached, the condition under which it is taken, given that those before are
-- not.
local function branches(all)
   local left, reached = {}, {}
   for k, list in ipairs(all) do
      if #list.ids > 0 then
         table.insert(reached, k)
         for _, id in ipairs(list.ids) do
            table.insert(left, id)
         end
      end
   end
   for n, k in ipairs(reached) do
      local set, rest = {}, {}
      for _, id in ipairs(all[k].ids) do
         set[id] = true
      end
      all[k].condition = n < #reached and conditions.is_in(all.name, set, left) or nil
      for _, id in ipairs(left) do
         if not set[id] then
            table.insert(rest, id)
         end
      end
      left = rest
   end
   return reached
end

local function is_simple(all)
   return #all == 1 or choice.is_row(all)
end

-- Lists that `positions` cannot handle.
local function are_hard(lists, reader)
   for _, list in ipairs(lists) do
      if list.vararg then
         return true
      end
   end
   return reader.names_others
end

-- The choice by variants, in `out`: the variable that has their number then.
local function write_variants(out, all)
   local atoms = {}
   for _, variant in ipairs(all) do
      for _, atom in ipairs(variant.atoms) do
         atoms[#atoms + 1] = atom
      end
   end
   local typed, declarations = tests.keep_types(atoms)
   for _, declaration in ipairs(declarations) do
      out:line('  ' .. declaration)
   end
   return choice.write(out, all, typed, REFUSAL)
end

-- The choice as a function of its own; nil if its tests set variables in ways that are not known.
local function share_variants(lists, all)
   local placed = values.of(all)
   if not placed then
      return nil
   end
   local out = text.new()
   write_variants(out, placed)
   local body = without_refusal(out):gsub('\n  if%(!variant%)\n%s*$', '')
   return shared.of_variants(lists, all, body)
end

local function share_places(ask, list, reader, first)
   local out = text.new()
   if earliest.write(out, ask, list, reader, first) then
      return shared.of_places(table.concat(out.lines, '\n'))
   end
end

-- The lists that a call can reach.
local function reached_of(lists)
   local reached = {}
   for k, list in ipairs(lists) do
      if #list.variants > 0 then
         table.insert(reached, k)
      end
   end
   return reached
end

local function make(ask, lists, reader, is_shared)
   local all = variants.of(lists, reader.of, variants.LIMIT)
   if reader.names_others then
      reader.unshare()
      all = variants.of(lists, reader.of, variants.LIMIT)
   end
   local out, made = text.new(), {}
   if #lists == 1 and not (all and is_simple(all)) then
      made.shared = is_shared and share_places(ask, lists[1], reader, first_indices(lists[1]))
      if made.shared then
         made.reached = {1}
         return made
      end
      made.is_earliest = earliest.write(out, ask, lists[1], reader, first_indices(lists[1]), REFUSAL)
   end
   if made.is_earliest then
      made.text = without_refusal(out)
      return made
   elseif not all or not (is_simple(all) or variants.are_few(lists) or are_hard(lists, reader)) then
      return {}
   end
   made.shared = is_shared and not is_simple(all) and share_variants(lists, all)
   if made.shared then
      made.reached = reached_of(lists)
      return made
   end
   made.name = write_variants(out, all)
   made.text = without_refusal(out)
   for k, list in ipairs(lists) do
      made[k] = steps(list, made.name)
   end
   made.reached = branches(made)
   return made
end

-- The plan for the lists: one with a function, `shared`, if there may be one; one that `is_earliest` if that
-- is how they are chosen; and one without `text` if there are too many variants.
function plan.of(ask, lists, reader, is_shared)
   local key = signature(lists, reader, is_shared)
   local found = known[key]
   if not found then
      found = make(ask, lists, reader, is_shared)
      known[key] = found
   end
   return found
end

return plan
