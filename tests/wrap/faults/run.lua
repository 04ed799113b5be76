-- Makes allocations fail at each moment of many calls: each time a plain error, and no leak.
local m = require 'faulty'
if jit then
   jit.off()
end

local function tensor(numbers)
   return m.new('torch.DoubleTensor', numbers)
end
local function index(numbers)
   return m.new('torch.LongTensor', numbers)
end

-- The name of a function, whether the call is right, and its arguments, made anew for each try.
local CALLS = {
   {'fill', true, function() return 3 end},
   {'fill', true, function() return tensor {1}, 3 end},
   {'fill', true, function() return tensor {1}, tensor {2}, tensor {3}, 3 end},
   {'fill', false, function() return tensor {1}, 'x' end},
   {'fill_own', true, function() return 3 end},
   {'pick', true, function() return tensor {1, 2}, index {2} end},
   {'pick', false, function() return tensor {1, 2} end},
   {'pick_both', true, function() return index {1}, index {2} end},
   {'same', true, function() return tensor {1} end},
   {'refuse', false, function() return 3 end},
   {'refuse', false, function() return 1.5 end},
   {'sum', true, function() return 1 end},
   {'sum', true, function() return 1, 2, 3, 4 end},
   {'sum', false, function() return 1, 2.5 end},
   {'sum', false, function() return {}, nil, true, print, tensor {}, 1 end},
   {'text', true, function() return 12 end},
   {'text', false, function() return 'x', 'y' end},
   {'variants', true, function() return tensor {1, 2}, index {1} end},
   {'variants', true, function() return 12, 3 end},
   {'variants', true, function() return tensor {1}, 3 end},
   {'variants', false, function() return tensor {1}, {} end},
   {'count', true, function() return 1, 2, 3 end},
   {'count', false, function() return 'x' end},
}

local pack = table.pack or function(...) return {n = select('#', ...), ...} end
local unpack = unpack or table.unpack

-- One attempt: true if memory ran out.
local function try(lua, torch, name, is_right, arguments)
   local given = pack(arguments())
   local got = pack(m.fault(lua, torch, m[name], unpack(given, 1, given.n)))
   if not got[1] then
      assert(got[2] == is_right, name .. ': ' .. tostring(got[3]))
   elseif not got[2] then
      assert(type(got[3]) == 'string' and (got[3]:find('not enough memory', 1, true) or not is_right), got[3])
   end
   return got[1]
end

local faults = 0
for _, call in ipairs(CALLS) do
   local name, is_right, arguments = unpack(call)
   for _, is_lua in ipairs {true, false} do
      local n, hit = -1, nil
      repeat
         n = n + 1
         hit = is_lua and try(n, -1, name, is_right, arguments) or not is_lua and try(-1, n, name, is_right, arguments)
         local alive = m.alive()
         assert(alive == 0, string.format('%s: %d tensors are left after fault %d of %s', name, alive, n,
                                          is_lua and 'Lua' or 'Torch'))
         faults = faults + (hit and 1 or 0)
         assert(n < 1000, 'memory runs out for ever')
      until not hit
   end
end
assert(faults > 60, 'only ' .. faults .. ' faults')

-- Memory does not grow from error to error.
local function errors(count)
   local x = tensor {1, 2}
   for _ = 1, count do
      pcall(m.fill, x, 'x')
      pcall(m.refuse, 3)
      pcall(m.sum, 1, 2.5)
      pcall(m.pick_both, index {1}, x)
   end
end
local function used()
   m.alive()
   return collectgarbage('count')
end
errors(100)
local before = used()
errors(10000)
local grown = used() - before
assert(grown < 16, grown .. ' KiB are left behind')
