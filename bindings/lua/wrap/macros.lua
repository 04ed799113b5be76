-- Purpose: whether two places of a text are under the same directives of the preprocessor, so that C at one of
-- them means the same at the other.
-- Invariant: the pieces that `wrap` adds itself are not counted, wherever a script prints them.

local text = require 'wrap.text'

local macros = {}

-- The start and the end of each of our own pieces, as a pattern and as text.
local OWN, OWN_END = '^%s*#ifndef (WRAP_%u[%w_]*_DEFINED)%s*$', '#endif /* %s */'

-- The lines around a piece.
function macros.guard(name)
   local guard = name:upper() .. '_DEFINED'
   return '#ifndef ' .. guard .. '\n#define ' .. guard, string.format(OWN_END, guard)
end

-- Calls `see(line, from, to)` for each line with a `#`, with those that continue it.
local function each_directive(source, see)
   local at = source:find('#', 1, true)
   while at do
      local from, to = at, source:find('\n', at, true) or #source + 1
      while from > 1 and source:sub(from - 1, from - 1) ~= '\n' do
         from = from - 1
      end
      while source:sub(to - 1, to - 1) == '\\' and to <= #source do
         to = source:find('\n', to + 1, true) or #source + 1
      end
      local line = source:sub(from, to - 1)
      if line:find('^%s*#') then
         see(line, from, to)
      end
      at = source:find('#', to, true)
   end
end

-- Identifies the directives before the end of the interface's text.
function macros.scope(interface)
   local txt, state = interface.txt, interface.__scope
   if not state or state.count > #txt then
      state = {count = 0, digest = ''}
      interface.__scope = state
   end
   for n = state.count + 1, #txt do
      each_directive(tostring(txt[n]), function(line)
         local own = line:match(OWN)
         if state.own then
            state.own = line ~= string.format(OWN_END, state.own) and state.own or nil
         elseif own then
            state.own = own
         else
            state.digest = text.digest(state.digest .. line)
         end
      end)
   end
   state.count = #txt
   return state.digest
end

-- A function that gives the digest of the directives before a place of the source, for ascending places.
function macros.scopes(source)
   local found, own, sum, n = {}, nil, '', 1
   each_directive(source, function(line, from)
      local guard = line:match(OWN)
      if own then
         own = line ~= string.format(OWN_END, own) and own or nil
      elseif guard then
         own = guard
      else
         sum = text.digest(sum .. line)
         table.insert(found, {from, sum})
      end
   end)
   return function(place)
      while found[n + 1] and found[n + 1][1] < place do
         n = n + 1
      end
      return found[n] and found[n][1] < place and found[n][2] or ''
   end
end

-- The source without generated pieces that are in it before, outside of all conditions.
function macros.without_repeated(source)
   local kept, next_from, depth, seen, own = {}, 1, 0, {}, nil
   each_directive(source, function(line, from, to)
      local guard = not own and line:match(OWN)
      if guard then
         own = {guard = guard, from = from}
      elseif own and line == string.format(OWN_END, own.guard) then
         if seen[own.guard] then
            table.insert(kept, source:sub(next_from, own.from - 1))
            next_from = to + 1
         elseif depth == 0 then
            seen[own.guard] = true
         end
         own = nil
      elseif not own then
         local word = line:match('^%s*#%s*(%a+)')
         if word and word:match('^if') then
            depth = depth + 1
         elseif word == 'endif' then
            depth = depth - 1
         end
      end
   end)
   table.insert(kept, source:sub(next_from))
   return table.concat(kept)
end

return macros
