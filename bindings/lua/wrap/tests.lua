-- Purpose: the tests that choose among variants. A type's `check` is opaque C; only its source
-- is known.
-- Invariant: two tests with one key have the same outcome. They have the same text, or differ in
-- nothing but the name of the variable that they set, which then has one declaration.

local tests = {}

-- `a && b` is two tests if there is no weaker operator; nil otherwise.
local function split(text)
   local parts, depth, from, i = {}, 0, 1, 1
   while i <= #text do
      local c = text:sub(i, i)
      if c == '"' or c == "'" then
         -- Skips a literal.
         repeat
            i = i + (text:sub(i, i) == '\\' and 2 or 1)
         until i > #text or text:sub(i, i) == c
      elseif c == '(' or c == '[' or c == '{' then
         depth = depth + 1
      elseif c == ')' or c == ']' or c == '}' then
         depth = depth - 1
      elseif depth == 0 then
         local two = text:sub(i, i + 1)
         if two == '&&' then
            table.insert(parts, text:sub(from, i - 1))
            from, i = i + 2, i + 1
         elseif two == '==' or two == '!=' or two == '<=' or two == '>=' then
            i = i + 1
         elseif two == '||' or c == '?' or c == ',' or c == '=' or c == '/' then
            return nil
         end
      end
      i = i + 1
   end
   table.insert(parts, text:sub(from))
   return parts
end

-- As the operand of `&&`, whatever operators are in it.
local function enclosed(text)
   return '(' .. text .. (text:find('//', 1, true) and '\n)' or ')')
end

local function trimmed(text)
   return (text:gsub('^%s+', ''):gsub('%s+$', ''))
end

-- The text with the argument's own variable taken out, if it sets that and no other.
local function without_variable(text, arg)
   local own, is_own = 'arg' .. arg.i, not text:find('@', 1, true)
   local bare = text:gsub('%f[%w_]arg%d+[%w_]*', function(word)
      is_own = is_own and word == own
      return '@'
   end)
   return is_own and bare or nil
end

-- The declaration of the argument's variable with the name taken out, if it is a plain one, and the same of
-- a pointer that is NULL first.
local function declaration(arg, declared)
   local first = declared and declared:match('^%s*([^;]*);')
   if not first or first:find('[%[%(,]') then
      return nil
   end
   local pattern = '^([%a_][%w_%s%*]-)%f[%w_]arg' .. arg.i .. '%f[^%w_]'
   local ctype = first:match(pattern)
   if not ctype then
      return nil
   end
   ctype = trimmed(ctype)
   return ctype, first:match('%*%s*arg' .. arg.i .. '%s*=%s*NULL%s*$') and ctype
end

-- Tests for nothing but Lua's type: the type by the macro.
local TYPES = {
   ['lua_isboolean'] = 'LUA_TBOOLEAN',
   ['lua_istable'] = 'LUA_TTABLE',
   ['lua_isfunction'] = 'LUA_TFUNCTION',
   ['lua_isnil'] = 'LUA_TNIL',
}

local function type_of(part, idx)
   local at, kind = part:match('^lua_type%(L, (%w+)%) == (LUA_T%u+)$')
   if not at then
      local macro
      macro, at = part:match('^(lua_is%l+)%(L, (%w+)%)$')
      kind = TYPES[macro]
   end
   return at == tostring(idx) and kind or nil
end

-- The tests that a check consists of, as atoms:
--    key      equal for tests that are the same
--    text     the C
--    bare     the C with `@` for the variable that it sets, if it sets only its own
--    arg      the argument, if the text names variables
--    pointer  the C type of the variable, if it is a pointer that is NULL before the tests
--    type    the Lua type, if it tests for that and nothing else
--    names_others   true if it names those of other arguments
function tests.atoms(arg, idx, text, declared)
   local atoms, chain = {}, nil
   for _, part in ipairs(split(text) or {enclosed(text)}) do
      part = trimmed(part)
      local atom = {text = part, idx = idx, key = part, type = type_of(part, idx)}
      if part:find('%f[%w_]arg%d') then
         local bare = without_variable(part, arg)
         local ctype, pointer
         if bare then
            ctype, pointer = declaration(arg, declared)
         end
         atom.arg, atom.pointer = arg, pointer
         if ctype then
            -- The result of the test depends on who set the variable.
            chain = (chain or idx .. ' ' .. ctype) .. ' ' .. bare
            atom.bare, atom.key = bare, chain
         elseif not bare then
            atom.names_others = true
         end
      end
      table.insert(atoms, atom)
   end
   return atoms
end

-- The sets of Lua types that pass a test whose C is known.
local KNOWN = {
   ['lua_isnumber'] = {number = true, string = true},
   ['lua_isstring'] = {number = true, string = true},
   ['LUA_TNIL'] = {['nil'] = true},
   ['LUA_TBOOLEAN'] = {boolean = true},
   ['LUA_TNUMBER'] = {number = true},
   ['LUA_TSTRING'] = {string = true},
   ['LUA_TTABLE'] = {table = true},
   ['LUA_TFUNCTION'] = {['function'] = true},
}

local TENSORS = {Byte = true, Char = true, Short = true, Int = true, Long = true, Float = true,
                 Double = true}

-- The values that pass a test: a set of Lua types and of Torch's classes, or nil if that is not known.
function tests.passing(atom)
   if atom.passing == nil then
      local text, found = atom.bare or atom.text, false
      local known = KNOWN[atom.type or text:match('^([%w_]+)%(L, %w+%)$')]
      if known then
         found = known
      else
         local class = text:match('^%(@ = luaT_toudata%(L, %w+, torch_(%a+)Tensor_id%)%)$')
                       or text:match('^%(@ = luaT_toudata%(L, %w+, "torch%.(%a+)Tensor"%)%)$')
         if TENSORS[class] then
            found = {[class] = true}
         end
      end
      atom.passing = found
   end
   return atom.passing
end

-- True if it is known which values pass, and so that no absent value does.
function tests.is_known(atom)
   return tests.passing(atom) ~= false
end

-- True if no call can pass both.
function tests.exclude(a, b)
   if a.narg and b.narg then
      if a.at_least and b.at_least then
         return false
      elseif a.at_least then
         return b.narg < a.narg
      elseif b.at_least then
         return a.narg < b.narg
      end
      return a.narg ~= b.narg
   elseif a.narg or b.narg or a.idx ~= b.idx then
      return false
   end
   local some, others = tests.passing(a), tests.passing(b)
   if not (some and others) then
      return false
   end
   for kind in pairs(some) do
      if others[kind] then
         return false
      end
   end
   return true
end

-- `lua_tostring`, which many checks call, converts a number in place. For later tests to see a
-- number, they read its original type: returns the indices whose type is stored, and the
-- declarations that store it, and makes the atoms read these.
function tests.keep_types(all)
   local spoiled, kept, declarations = {}, {}, {}
   for _, atom in ipairs(all) do
      for idx in atom.text:gmatch('lua_tol?string%(L, (%d+)') do
         spoiled[tonumber(idx)] = true
      end
   end
   for _, atom in ipairs(all) do
      local idx = atom.idx
      if spoiled[idx] and atom.type == 'LUA_TNUMBER' then
         if not kept[idx] then
            kept[idx] = true
            table.insert(declarations, string.format('int type%d = lua_type(L, %d);', idx, idx))
         end
         atom.text = string.format('type%d == LUA_TNUMBER', idx)
      end
   end
   return kept, declarations
end

-- The test for the number of arguments.
function tests.count(narg, at_least)
   local text = string.format('narg %s %d', at_least and '>=' or '==', narg)
   return {key = text, text = text, narg = narg, at_least = at_least}
end

return tests
