-- Purpose: tests that leave what they find in `values`, by its index, and not in the variables of
-- arguments: the C of a choice then names no argument, and functions share it.
-- Invariant: the tests have the outcomes of those that they were made from, and their keys.
-- Reason: an argument's variable is a pointer that its test sets from one call, such as
-- `(arg1 = luaT_toudata(L, 1, "torch.Tensor"))`. At the end of a choice, the last test of a value was that
-- of the argument that it was chosen for.

local tests = require 'wrap.tests'

local values = {}

-- Surrounds the parts of a test in which shared choices may differ: a class, the function that reads a field
-- of a tensor, and the number that is wanted there.
local CLASS, READER, NUMBER = '\2', '\3', '\4'

local function is_class(text)
   return text:match('^"[^"]*"$') or text:match('^[%a_][%w_]*$') or text:match('^[%a_][%w_]*%([%a_][%w_]*%)$')
end

-- The call of luaT with the class marked, if that is one.
local function with_class(call)
   local before, class = call:match('^(luaT_toudata%(L, %w+, )(.*)%)$')
   if class and is_class(class) then
      return before .. CLASS .. class .. CLASS .. ')'
   end
   return call
end

-- A test of a field, such as the rank, by a function that differs by the type; nil for others.
local function of_field(atom, place)
   local field, number = atom.bare:match('^%(@%->([%a_][%w_]*) == (%d+)%)$')
   if field then
      local reader = string.format('((%s)value)->%s', atom.pointer, field)
      return string.format('(%s%s%s(values[%s]) == %s%s%s)', READER, reader, READER, place, NUMBER, number, NUMBER)
   end
end

-- One test, for the value at `place`; nil if that is not possible. `found` has the indices of which a test
-- has been made.
local function placed(atom, place, found)
   if not atom.arg then
      return atom
   elseif not (atom.bare and atom.pointer) then
      return nil
   end
   local made = {idx = atom.idx, key = atom.key, type = atom.type, sets = true, passing = tests.passing(atom)}
   local call = atom.bare:match('^%(@ = ([%a_][%w_]*%b())%)$')
   if call then
      found[atom.idx] = true
      made.text = string.format('(values[%s] = %s%s)', place, atom.pointer:find('const') and '(void *)' or '',
                                with_class(call))
      return made
   elseif not found[atom.idx] or atom.bare:find('[^=!<>]=[^=]') or atom.bare:find('[%+%-&][%+%-&]?@')
      or atom.bare:find('@[%+%-][%+%-]') then
      return nil
   end
   made.text = of_field(atom, place)
   if not made.text then
      local value = string.format('((%s)values[%s])', atom.pointer, place)
      made.text = atom.bare:gsub('@', function() return value end)
   end
   return made
end

-- All of these tests, at an index or at the variable `place`; nil if that is not possible.
function values.placed(atoms, place)
   local all, found = {}, {}
   for n, atom in ipairs(atoms) do
      local made = placed(atom, place or atom.idx, found)
      if not made then
         return nil
      end
      all[n] = made
   end
   return all
end

-- The variants with such tests; nil if that is not possible.
function values.of(all)
   local made = {}
   for n, variant in ipairs(all) do
      local atoms = values.placed(variant.atoms)
      if not atoms then
         return nil
      end
      made[n] = setmetatable({atoms = atoms}, {__index = variant})
   end
   return made
end

-- The C with parameters for what may differ: their declarations, and what a wrapper passes. A reader is
-- passed as a table with its C.
function values.parameters(text)
   local declarations, passed = {}, {}
   local function parameter(mark, declaration, name)
      local known, count = {}, 0
      text = text:gsub(mark .. '([^' .. mark .. ']*)' .. mark, function(value)
         if not known[value] then
            count = count + 1
            known[value] = name .. count
            table.insert(declarations, string.format(declaration, known[value]))
            table.insert(passed, mark == READER and {reader = value} or value)
         end
         return known[value]
      end)
   end
   parameter(CLASS, 'const void *%s', 'class')
   parameter(READER, 'long (*%s)(void *)', 'field')
   parameter(NUMBER, 'long %s', 'wanted')
   return text, declarations, passed
end

return values
