-- Purpose: choices as C functions of their own, which the wrappers of a file share, whatever tensors and
-- names they have.
-- Invariant: the name of such a function is a digest of its C, so that the source of several interfaces can
-- be joined in one file: a function is there once, by its guard.
-- Reason: most of what a long script needs are a few choices, again for each function and each type.

local text = require 'wrap.text'
local values = require 'wrap.values'

local shared = {}

-- The row of a table for a variant: the number of its list, and the index of each argument, or 0.
local function row(variant, number, width)
   local cells = {number}
   for j = 2, width do
      cells[j] = 0
   end
   for j, arg in ipairs(variant.list.visible) do
      cells[j + 1] = variant.at[arg] or 0
   end
   return '    {' .. table.concat(cells, ', ') .. '}'
end

local function rows(all, numbers, width)
   local lines = {}
   for n, variant in ipairs(all) do
      lines[n] = row(variant, numbers[variant.list], width)
   end
   return table.concat(lines, ',\n')
end

local function with_use_of_state(body)
   return body:find('%f[%w_]L%f[^%w_]') and body or '  (void)L;\n' .. body
end

-- The function around the body, for `#define`s and includes that are summed up in `scope`.
local function finish(kind, body, last)
   local made, declarations, passed = values.parameters(body)
   local parameters = {'lua_State *L', 'int narg'}
   if made:find('values[', 1, true) then
      table.insert(parameters, 'void **values')
   end
   if last then
      table.insert(parameters, last)
   end
   for _, declaration in ipairs(declarations) do
      table.insert(parameters, declaration)
   end
   return {
      head = kind, parameters = '(' .. table.concat(parameters, ', ') .. ')\n{\n', text = with_use_of_state(made),
      has_values = parameters[3] == 'void **values', passed = passed,
   }
end

-- The function for variants: it gives the row of a table, or NULL. `body` sets `variant`.
function shared.of_variants(lists, all, body)
   local width, numbers = 1, {}
   for k, list in ipairs(lists) do
      width, numbers[list] = math.max(width, #list.visible + 1), k
   end
   local whole = string.format('  static const unsigned char places[][%d] = {\n%s\n  };\n%s\n'
                              .. '  return variant ? places[variant - 1] : NULL;\n',
                              width, rows(all, numbers, width), body)
   local made = finish('static const unsigned char *', whole)
   made.is_table = true
   return made
end

-- The function that sets `at`, and gives whether the call fits.
function shared.of_places(body)
   return finish('static int ', body .. '\n', 'unsigned char *at')
end

-- A function for a field: `wrap_field_...`.
local function reader_of(value, scope)
   local name = 'wrap_field_' .. text.digest(scope .. value)
   return {name, string.format('static long %s(void *value)\n{\n  return %s;\n}', name, value)}
end

-- In a file whose macros are distinguished by `scope`: its name, the arguments for it, and it and the functions
-- that are arguments, {name, C}, in the order in which they are needed.
function shared.named(made, scope)
   made.known = made.known or {}
   local found = made.known[scope]
   if not found then
      local rest = made.parameters .. made.text .. '}'
      local name = 'wrap_choice_' .. text.digest(scope .. made.head .. rest)
      found = {name = name, passed = {}, functions = {{name, made.head .. name .. rest}}}
      for n, value in ipairs(made.passed) do
         if type(value) == 'table' then
            local reader = reader_of(value.reader, scope)
            table.insert(found.functions, reader)
            value = reader[1]
         end
         found.passed[n] = value
      end
      made.known[scope] = found
   end
   return found
end

return shared
