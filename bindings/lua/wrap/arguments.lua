-- Purpose: reads the (cname, arguments) pairs of one `wrap`, reports every wrong use, and sets in each
-- argument its type and the fields that callbacks use: `i`, `args`, `__metatable`.
-- Invariant: nothing is written to an argument before all lists were found to be valid, so a list
-- that was refused can be corrected and wrapped again.

local text = require 'wrap.text'

local arguments = {}

-- The Lua name, as a C string, of the function that a list of arguments is for: types put it into
-- messages. Stored outside of the lists, since all of their fields are the script's own.
local functions = setmetatable({}, {__mode = 'k'})

function arguments.quoted_name(arg)
   return functions[arg.args] or '"?"'
end

-- How messages of `wrap` name a place.
function arguments.place(luaname, lists, k, i, arg)
   local where = #lists > 1 and string.format(' of list %d', k) or ''
   local kind = type(arg) == 'table' and arg.name or type(arg)
   return string.format("function '%s', argument %d%s (%s)", luaname, i, where, tostring(kind))
end

local function is_visible(arg)
   return not arg.invisible and not arg.creturned
end

local function is_count(value)
   local number = tonumber(value)
   return number ~= nil and number >= 0 and number == math.floor(number)
end

-- The mistake in one argument on its own, or nil.
local function complaint(arg, argtypes)
   if type(arg) ~= 'table' then
      return 'an argument is a table with a field `name`'
   elseif arg.name == nil then
      return 'the field `name` is missing'
   elseif argtypes[arg.name] == nil then
      return 'unknown type ' .. tostring(arg.name) .. '; interface.argtypes has no such field'
   elseif arg.creturned and arg.default ~= nil then
      return 'what the C function returns cannot have a default (creturned)'
   elseif arg.creturned and arg.returned then
      return 'returned and creturned exclude each other'
   elseif arg.invisible and arg.default == nil then
      return 'an invisible argument must have a default'
   elseif arg.dim ~= nil and tostring(arg.name):match('Tensor$') and not is_count(arg.dim) then
      return '`dim` is the number of dimensions, not ' .. tostring(arg.dim)
   end
end

local function is_vararg(arg, argtypes)
   if arg.vararg ~= nil then
      return arg.vararg
   end
   return argtypes[arg.name].vararg
end

-- Checks the arguments of one list against each other.
local function check_list(args, argtypes, seen, fail)
   local creturned, last
   if args.name ~= nil then
      fail(1, args, string.format("each argument is a table of its own: {{name = '%s'}}", tostring(args.name)))
   end
   for i in pairs(args) do
      if type(i) == 'number' and i > 1 and args[i - 1] == nil then
         fail(i - 1, nil, 'an argument is a table with a field `name`')
      end
   end
   for i, arg in ipairs(args) do
      local mistake = complaint(arg, argtypes)
      if mistake then
         fail(i, arg, mistake)
      end
      if seen[arg] then
         fail(i, arg, 'this table stands for another argument, too; make one for each')
      end
      seen[arg] = true
      if arg.creturned then
         if creturned then
            fail(i, arg, string.format('a C function returns one value, and argument %d is it',
                                       creturned))
         end
         creturned = i
      end
      if is_visible(arg) then
         last = i
      end
   end
   for i, arg in ipairs(args) do
      if is_vararg(arg, argtypes) and not arg.creturned then
         if arg.invisible or arg.default ~= nil then
            fail(i, arg, 'a vararg is neither optional nor invisible')
         elseif i ~= last then
            fail(i, arg, 'a vararg must be the last argument')
         end
      end
   end
end

local function prepare(luaname, list, argtypes, offset)
   functions[list.args] = text.quoted(luaname)
   for i, arg in ipairs(list.args) do
      arg.i = i + offset
      arg.args = list.args
      setmetatable(arg, {__index = argtypes[arg.name]})
      arg.__metatable = argtypes[arg.name]
      if arg.creturned then
         list.creturned = arg
      elseif not arg.invisible then
         table.insert(list.visible, arg)
      end
   end
   local last = list.visible[#list.visible]
   list.vararg = last ~= nil and last.vararg and true or false
end

-- True for C that can be called: a name, also of a field or by a macro as in Torch, `TH_(abs)`, or an expression in
-- parentheses.
local function is_function(cname)
   local rest, is_name = cname:match('^%s*(.-)%s*$'), nil
   repeat
      is_name = rest:match('^%b()') or rest:match('^[%a_][%w_]*')
      if not is_name then
         return false
      end
      rest = rest:sub(#is_name + 1):match('^%s*(.*)$')
      while rest:match('^%b()') or rest:match('^%b[]') do
         rest = rest:match('^%b()%s*(.*)$') or rest:match('^%b[]%s*(.*)$')
      end
      local after = rest:match('^::%s*(.*)$') or rest:match('^%->%s*(.*)$') or rest:match('^%.%s*(.*)$')
      local joined = after ~= nil
      rest = after or rest
   until not joined
   return rest == ''
end

-- The lists, in order: `cname`, `args`, those that Lua passes (`visible`), the one that C returns
-- (`creturned`), and whether the last takes any number of values (`vararg`).
function arguments.read(luaname, argtypes, given)
   if type(luaname) ~= 'string' then
      error('wrap: the Lua name must be a string, not a ' .. type(luaname), 0)
   end
   if given.n == 0 or given.n % 2 ~= 0 then
      error(string.format("function '%s': wrap takes the name of a C function and its list of "
                          .. 'arguments, once or more', luaname), 0)
   end
   local lists, seen = {}, {}
   for k = 1, given.n / 2 do
      lists[k] = {cname = given[2 * k - 1], args = given[2 * k], visible = {}}
   end
   for k, list in ipairs(lists) do
      if type(list.cname) ~= 'string' then
         error(string.format("function '%s': the C name of list %d must be a string, not a %s",
                             luaname, k, type(list.cname)), 0)
      elseif not list.cname:find('%S') then
         error(string.format("function '%s': the C name of list %d is empty", luaname, k), 0)
      elseif not is_function(list.cname) then
         error(string.format("function '%s': '%s' is not the name of a C function", luaname, list.cname), 0)
      elseif type(list.args) ~= 'table' then
         error(string.format("function '%s': the arguments of %s must be a table, not a %s",
                             luaname, list.cname, type(list.args)), 0)
      end
      check_list(list.args, argtypes, seen, function(i, arg, mistake)
         error(arguments.place(luaname, lists, k, i, arg) .. ': ' .. mistake, 0)
      end)
   end
   local offset = 0
   for _, list in ipairs(lists) do
      prepare(luaname, list, argtypes, offset)
      offset = offset + #list.args
   end
   return lists
end

return arguments
