-- Purpose: the time of a call: by hand, by `wrap`, and by the chain of the original.
-- Prints a line for each row: its name, and the nanoseconds of each.
-- Reason: the same C is faster or slower by some percent depending on where it is loaded. So each is
-- loaded several times, from copies of its file, and the best of them counts.
-- Usage: lua measure.lua FOLDER COPIES ROUNDS

local WAYS = {'hand', 'wrap', 'chain'}
local FOLDER, COPIES, ROUNDS = arg[1], tonumber(arg[2]), tonumber(arg[3])
local CALLS = 20000

local function rows(m)
   local t, u = m.new('torch.DoubleTensor', {1, 2}), m.new('torch.DoubleTensor', {3, 4})
   local add, norm, scaled, six, eight, many = m.add, m.norm, m.scaled, m.six, m.eight, m.many
   return {
      {'two numbers', function() for _ = 1, CALLS do add(1.5, 2.5) end end},
      {'a tensor', function() for _ = 1, CALLS do norm(t) end end},
      {'a tensor made', function()
         for _ = 1, 20 do
            for _ = 1, CALLS / 20 do scaled(t, 2) end
            collectgarbage()
         end
      end},
      {'six optional, two given', function() for _ = 1, CALLS do six(1, 2) end end},
      {'six optional, all given', function() for _ = 1, CALLS do six(1, 2, 3, 4, 5, 6) end end},
      {'eight variants, each in turn', function()
         for _ = 1, CALLS / 8 do
            eight(t, u, 1) eight(t, u, true) eight(t, 1, 1) eight(t, 1, true)
            eight(t, true, 1) eight(t, true, true) eight(1, 2, 3) eight(1, t, u)
         end
      end},
      {'eighteen variants, each in turn', function()
         for _ = 1, math.floor(CALLS / 18) do
            many(t, t, t) many(t, t, 1) many(t, t, true) many(t, 1, t) many(t, 1, 1) many(t, 1, true)
            many(t, true, t) many(t, true, 1) many(t, true, true) many(1, t, t) many(1, t, 1)
            many(1, t, true) many(1, 1, t) many(1, 1, 1) many(1, 1, true) many(1, true, t)
            many(1, true, 1) many(1, true, true)
         end
      end, math.floor(CALLS / 18) * 18},
      {'an error', function() for _ = 1, CALLS / 4 do pcall(add, 1, '2') end end, CALLS / 4},
   }
end

local all, best = {}, {}
for k, way in ipairs(WAYS) do
   all[k], best[k] = {}, {}
   for copy = 1, COPIES do
      local file = string.format('%s/%s_module.%d.so', FOLDER, way, copy)
      all[k][copy] = rows(assert(package.loadlib(file, 'luaopen_' .. way .. '_module'))())
   end
end

-- Garbage is collected at defined points; otherwise it would depend on earlier calls.
local function time(row)
   collectgarbage()
   collectgarbage('stop')
   local start = os.clock()
   row[2]()
   return (os.clock() - start) / (row[3] or CALLS) * 1e9
end

for _ = 1, ROUNDS do
   for i in ipairs(all[1][1]) do
      for copy = 1, COPIES do
         for k in ipairs(WAYS) do
            best[k][i] = math.min(best[k][i] or math.huge, time(all[k][copy][i]))
         end
      end
   end
end
for i, row in ipairs(all[1][1]) do
   print(string.format('%s\t%.2f\t%.2f\t%.2f', row[1], best[1][i], best[2][i], best[3][i]))
end
