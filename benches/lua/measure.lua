-- Purpose: the time of a call: by hand, by `wrap`, and by the chain of the original.
-- Prints a line for each row: its name, and the nanoseconds of each.
-- Usage: lua measure.lua ROUNDS

local MODULES = {'hand', 'wrap', 'chain'}
local ROUNDS, CALLS = tonumber(arg[1]), 20000

local function rows(m)
   local t, u = m.new('torch.DoubleTensor', {1, 2}), m.new('torch.DoubleTensor', {3, 4})
   local add, norm, scaled, six, eight = m.add, m.norm, m.scaled, m.six, m.eight
   return {
      {'two numbers', function() for _ = 1, CALLS do add(1.5, 2.5) end end},
      {'a tensor', function() for _ = 1, CALLS do norm(t) end end},
      {'a tensor made', function() for _ = 1, CALLS do scaled(t, 2) end end},
      {'six optional, two given', function() for _ = 1, CALLS do six(1, 2) end end},
      {'six optional, all given', function() for _ = 1, CALLS do six(1, 2, 3, 4, 5, 6) end end},
      {'eight variants, each in turn', function()
         for _ = 1, CALLS / 8 do
            eight(t, u, 1) eight(t, u, true) eight(t, 1, 1) eight(t, 1, true)
            eight(t, true, 1) eight(t, true, true) eight(1, 2, 3) eight(1, t, u)
         end
      end},
      {'an error', function() for _ = 1, CALLS / 4 do pcall(add, 1, '2') end end, CALLS / 4},
   }
end

local all, best = {}, {}
for k, name in ipairs(MODULES) do
   all[k] = rows(require(name .. '_module'))
   best[k] = {}
end
for _ = 1, ROUNDS do
   for i = 1, #all[1] do
      for k = 1, #MODULES do
         collectgarbage()
         local start = os.clock()
         all[k][i][2]()
         local time = (os.clock() - start) / (all[k][i][3] or CALLS) * 1e9
         best[k][i] = math.min(best[k][i] or math.huge, time)
      end
   end
end
for i, row in ipairs(all[1]) do
   print(string.format('%s\t%.2f\t%.2f\t%.2f', row[1], best[1][i], best[2][i], best[3][i]))
end
