-- Wrong use of `wrap`: error messages, and no leaks.
local wrap = require 'cwrap'
local support = require 'support'
local fails, same = support.fails, support.same

local interface = wrap.CInterface.new()
interface:print('/* before */')
interface:wrap('good', 'good', {{name = 'int'}})
local before, registered = interface:tostring(), #interface.registry

local function wrong(message, ...)
   fails(message, interface.wrap, interface, ...)
   same(interface:tostring(), before)
   same(#interface.registry, registered)
end

wrong("function 'f', argument 2 (duoble): unknown type duoble", 'f', 'f', {{name = 'int'}, {name = 'duoble'}})
wrong("function 'f', argument 1 of list 2 (int): an invisible argument must have a default",
      'f', 'f', {{name = 'int'}}, 'g', {{name = 'int', invisible = true}})
wrong("function 'f', argument 2 (int): a C function returns one value, and argument 1 is it",
      'f', 'f', {{name = 'int', creturned = true}, {name = 'int', creturned = true}})
wrong("function 'f', argument 1 (int): what the C function returns cannot have a default",
      'f', 'f', {{name = 'int', creturned = true, default = 1}})
wrong("function 'f', argument 1 (int): returned and creturned exclude each other",
      'f', 'f', {{name = 'int', creturned = true, returned = true}})
wrong("function 'f', argument 1 (int): a vararg must be the last argument",
      'f', 'f', {{name = 'int', vararg = true}, {name = 'int'}})
wrong("function 'f', argument 1 (int): a vararg is neither optional nor invisible",
      'f', 'f', {{name = 'int', vararg = true, default = 1}})
wrong("function 'f', argument 1 (table): the field `name` is missing", 'f', 'f', {{}})
wrong("function 'f', argument 1 (number): an argument is a table", 'f', 'f', {3})
local arg = {name = 'int'}
wrong("function 'f', argument 2 (int): this table stands for another argument, too", 'f', 'f', {arg, arg})
wrong("function 'f': wrap takes the name of a C function and its list of arguments", 'f')
wrong("function 'f': wrap takes the name of a C function and its list of arguments", 'f', 'f')
wrong("function 'f': the arguments of f must be a table, not a nil", 'f', 'f', nil)
wrong("function 'f': the C name of list 1 must be a string, not a table", 'f', {}, {})
for _, cname in ipairs {'my abs', 'abs(', 'abs)', '3abs', 'abs;', 'a-b', 'a.', 'a::', '"abs"', 'abs\n(', 'a/*', 'é'} do
   wrong("function 'f': '" .. cname .. "' is not the name of a C function", 'f', 'good', {{name = 'int'}}, cname, {})
end
for _, cname in ipairs {'abs', ' abs ', 'TH_(abs)', 'TH_CONCAT(a, b)(c)', 'ns::f', 'table->f', 'table.of[3]', '(*pointer)'} do
   wrap.CInterface.new():wrap('f', cname, {{name = 'int'}})
end
wrong('the Lua name must be a string, not a nil', nil, 'f', {})
wrong("function 'f', argument 1 (int): declare: a default is a number, a string of C, a boolean or a function, not a table",
      'f', 'f', {{name = 'int', default = {}}})
wrong("function 'f', argument 1 (int): declare: a default function must return a string of C, not a boolean",
      'f', 'f', {{name = 'int', default = function() return true end}})
wrong("function 'f', argument 1 (DoubleTensor): init: the default 3 is not another argument of this list",
      'f', 'f', {{name = 'DoubleTensor', default = 3}})
wrong("function 'f', argument 1 (DoubleTensor): init: the default of a tensor is true",
      'f', 'f', {{name = 'DoubleTensor', default = false}})
for _, x in ipairs {1.5, 2 ^ 40, -2 ^ 31 - 1, 0 / 0, 1 / 0, -1 / 0, '1.5'} do
   wrong("function 'f', argument 1 (int): declare: the default " .. tostring(x) .. ' does not fit int',
         'f', 'f', {{name = 'int', default = x}})
end
for name, x in pairs {byte = 256, char = 300, short = 2 ^ 15, uint8_t = -1, uint32_t = 2 ^ 32, int64_t = 2 ^ 63,
                      float = 1e39, index = 0.5, boolean = 0.5} do
   wrong('does not fit', 'f', 'f', {{name = name, default = x}})
end
wrong("function 'a b': wrapper_a b is not a name in C", 'a b', 'f', {{name = 'int'}})
wrong('is not a name in C', 'a"b', 'f', {{name = 'int'}})
wrong("function 'good': it is wrapped twice", 'good', 'good', {{name = 'int'}})
fails('register: a b is not a name in C', interface.register, interface, 'a b')
wrong('my own mistake', 'f', 'f', {{name = 'int', check = function() interface:print('lost'); error('my own mistake') end}})
wrong("function 'f', argument 1 (int): check: it gave nothing", 'f', 'f', {{name = 'int', check = function() end}})
wrong("function 'f', argument 1 (int): check: it gave a table, not a string",
      'f', 'f', {{name = 'int', check = function() return {} end}})
interface.argtypes.empty = {helpname = function() return 'empty' end}
wrong("function 'f', argument 1 (empty): declare: the type has no such function", 'f', 'f', {{name = 'empty'}})
interface.argtypes.empty = nil

-- The place in the message is the script's.
local _, said = pcall(function() interface:wrap('f', 'f', {{name = 'duoble'}}) end)
assert(said:find('wrong_use.lua:%d+: function'), said)

-- Of alternatives, one is compiled; an empty string is not one.
do
   local either = wrap.CInterface.new()
   either:print('#ifdef FAST')
   either:wrap('f', 'fast_f', {{name = 'int'}})
   either:print('#else')
   either:wrap('f', 'f', {{name = 'int'}})
   either:print('#endif')
   either:clearhistory()
   either:wrap('f', 'f', {{name = 'int'}})
   function either:luaname2wrapname(name)
      return 'lab_(' .. name .. ')'
   end
   either:wrap('f', 'f', {{name = 'int'}})
end

-- Mistakes that would result in invalid C.
wrong("each argument is a table of its own: {{name = 'int'}}", 'f', 'f', {name = 'int'})
wrong("function 'f', argument 1 (nil): an argument is a table", 'f', 'f', {nil, {name = 'int'}})
wrong("function 'f': the C name of list 1 is empty", 'f', ' ', {{name = 'int'}})
wrong('the default is empty', 'f', 'f', {{name = 'int', default = ' '}})
wrong('a comment in the default hides the rest of its line', 'f', 'f', {{name = 'int', default = '1 // one'}})
for _, dim in ipairs({-1, 1.5, 'two', false}) do
   wrong('`dim` is the number of dimensions, not ' .. tostring(dim), 'f', 'f', {{name = 'DoubleTensor', dim = dim}})
end
fails('wrap: it is called with a colon, interface:wrap(...)', interface.wrap, 'f', 'f', {{name = 'int'}})
fails('register: static is not a name in C', interface.register, interface, 'static')
do
   local own = wrap.CInterface.new()
   own:wrap('a', 'f', {{name = 'int', default = '2'}, {name = 'DoubleTensor', dim = '2'}})
   own:register('list')
   fails('register: list is the name of a wrapper or of another list', own.register, own, 'list')
   fails('register: wrapper_a is the name of a wrapper', own.register, own, 'wrapper_a')
   own:register('other_list')
   function own:luaname2wrapname() return 'while' end
   fails('while is not a name in C', own.wrap, own, 'b', 'f', {{name = 'int'}})
end

-- A refused list can be corrected, and the script's own keys stay.
local list = {{name = 'int', mine = 'kept'}, {name = 'duoble'}}
fails('unknown type', interface.wrap, interface, 'f', 'f', list)
same(rawget(list[1], 'i'), nil)
list[2].name = 'double'
interface:wrap('f', 'f', list)
same(list[1].mine, 'kept')
same(list[2].i, 2)
assert(list[1].args == list and list[1].__metatable == wrap.types.int)

fails('tofile: cannot write', interface.tofile, interface, '/no/such/folder/file.c')
fails('tofile: the name of the file must be a string, not nil', interface.tofile, interface)
fails('print: the text must be a string, not a table', interface.print, interface, {})
