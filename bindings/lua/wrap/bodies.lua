-- Purpose: share code within a file: wrappers of one shape become calls of one C function, in which a
-- `switch` has the statements in which they differ.
-- Invariant: a wrapper does what it did before. Only whole statements, strings, and the types of variables that
-- other types can stand for may differ; everything else is equal to the letter.
-- Reason: a script for tensors has a wrapper for each function and each type, and compilers need as long for
-- the thousandth of them as for the first.

local macros = require 'wrap.macros'
local shapes = require 'wrap.shapes'
local text = require 'wrap.text'

local bodies = {}

-- The generated wrappers, by name: their C, as scripts may print it into the text of another interface.
local generated = {}

-- Remembers a wrapper for files that it will be in.
function bodies.note(wrapname, luaname, body)
   if wrapname:match('^[%w_]+$') then
      generated[wrapname] = generated[wrapname] or {}
      generated[wrapname][body] = luaname
   end
end

local HEAD = 'static int %s(lua_State *L)\n{\n'

-- The wrappers in the source that may be shared: where they are, and their shapes.
local function find(source)
   local found, from = {}, 1
   local scope_at = macros.scopes(source)
   while true do
      local start, open, name = source:find('static int ([%w_]+)%(lua_State %*L%)\n{\n', from)
      if not start then
         return found
      end
      from = open + 1
      for body, luaname in pairs(generated[name] or {}) do
         local last = open + #body
         local is_it = source:sub(open + 1, last + 2) == body .. '\n}'
         local shape = is_it and shapes.of(body, luaname)
         if shape then
            shape.name, shape.start, shape.last = name, start, last + 2
            shape.scope = scope_at(start)
            table.insert(found, shape)
            from = last
            break
         end
      end
   end
end

-- Those of one shape and one scope, in groups, each in the order of the source.
local function grouped(found)
   local groups, known = {}, {}
   for _, shape in ipairs(found) do
      local key = shape.scope .. '\0' .. shape.key
      if not known[key] then
         known[key] = {}
         table.insert(groups, known[key])
      end
      table.insert(known[key], shape)
   end
   return groups
end

-- For each place of the values the number of its value, counted from 0, and the values.
local function numbered(values)
   local numbers, distinct, known = {}, {}, {}
   for n, value in ipairs(values) do
      if not known[value] then
         table.insert(distinct, value)
         known[value] = #distinct - 1
      end
      numbers[n] = known[value]
   end
   return numbers, distinct
end

-- The parameters that select what is a member's own: one for all places that differ in the same way.
local function selectors()
   local known, all = {}, {}
   return all, function(values)
      local numbers, distinct = numbered(values)
      local key = table.concat(numbers, ' ')
      if not known[key] then
         table.insert(all, numbers)
         known[key] = 'which' .. #all
      end
      return known[key], distinct
   end
end

local function write_switch(out, selector, pad, distinct)
   out:line(pad .. 'switch(' .. selector .. ')')
   out:line(pad .. '{')
   for n, statement in ipairs(distinct) do
      local label = n < #distinct and string.format('case %d', n - 1) or 'default'
      out:line(string.format('%s  %s: %s%s', pad, label, statement, n < #distinct and ' break;' or ''))
   end
   out:line(pad .. '}')
end

local function each(group, n, part)
   local values = {}
   for m, shape in ipairs(group) do
      values[m] = part(shape.lines[n])
   end
   return values
end

local function are_equal(values)
   for n = 2, #values do
      if values[n] ~= values[1] then
         return false
      end
   end
   return true
end

-- The lines of the function that all of a group are.
local function shared_lines(group)
   local out, tables = text.new(), {}
   local all, select = selectors()
   local function word(values)
      if are_equal(values) then
         return values[1]
      end
      local selector, distinct = select(values)
      local key = selector .. '\0' .. table.concat(distinct, '\0')
      if not tables[key] then
         table.insert(tables, '  static const char *const text' .. #tables + 1 .. '[] = {\n    '
                              .. table.concat(distinct, ',\n    ') .. '\n  };')
         tables[key] = string.format('text%d[%s]', #tables, selector)
      end
      return tables[key]
   end
   local names = {}
   for m, shape in ipairs(group) do
      names[m] = shape.luaname
   end
   local function with_name(line)
      return (line:gsub(shapes.NAME, function() return word(names) end))
   end
   for n, first in ipairs(group[1].lines) do
      local plain = each(group, n, function(line) return line.plain end)
      if are_equal(plain) then
         local k = 0
         out:line(with_name(first.plain:gsub(shapes.STRING, function()
            k = k + 1
            return word(each(group, n, function(line) return line.strings[k] end))
         end)))
      elseif first.declared then
         out:line(first.declared)
      else
         local whole = each(group, n, function(line) return with_name(line.statement) end)
         local selector, distinct = select(whole)
         write_switch(out, selector, first.pad, distinct)
      end
   end
   return out.lines, tables, all
end

-- The function that a group becomes, its declaration, and a function for the wrapper of each member.
local function one_function(group)
   local lines, tables, all = shared_lines(group)
   local parameters = {'lua_State *L'}
   for n in ipairs(all) do
      table.insert(parameters, 'int which' .. n)
   end
   local name = 'wrap_body_' .. text.digest(group[1].name .. group[1].key)
   local head = string.format('static int %s(%s)', name, table.concat(parameters, ', '))
   local whole = {head, '{'}
   for _, list in ipairs {tables, lines} do
      for _, line in ipairs(list) do
         table.insert(whole, line)
      end
   end
   table.insert(whole, '}\n')
   return table.concat(whole, '\n'), head, function(m)
      local passed = {'L'}
      for n, numbers in ipairs(all) do
         passed[n + 1] = numbers[m]
      end
      return string.format(HEAD, group[m].name) .. string.format('  return %s(%s);\n}', name, table.concat(passed, ', '))
   end
end

-- The most that a function may have of the bytes of its wrappers, for them to be worth it.
local WORTH = 0.95

-- Writes the wrappers of a group, if that is worth it: the first after the declaration of the function, the
-- last after the function itself, which so may use all that the script has declared for any of them.
local function share(group)
   local whole, head, wrapper = one_function(group)
   local written, length, before = {}, 0, 0
   for m, shape in ipairs(group) do
      written[m] = wrapper(m)
      if m == 1 then
         written[m] = head .. ';\n' .. written[m]
      end
      if m == #group then
         written[m] = whole .. written[m]
      end
      length = length + #written[m]
      before = before + shape.last - shape.start + 1
   end
   if length < WORTH * before then
      for m, shape in ipairs(group) do
         shape.written = written[m]
      end
   end
end

-- The source with wrappers of one shape as one function.
function bodies.shared(source)
   local found, parts, from = find(source), {}, 1
   for _, group in ipairs(grouped(found)) do
      if #group > 1 then
         share(group)
      end
   end
   for _, shape in ipairs(found) do
      if shape.written then
         table.insert(parts, source:sub(from, shape.start - 1))
         table.insert(parts, shape.written)
         from = shape.last + 1
      end
   end
   table.insert(parts, source:sub(from))
   return table.concat(parts)
end

return bodies
