-- Loops over the code of a call, and the time of a call.
local loops = {}

--- A function of a count that executes `body` that often, and returns the last value of `result`. It has code of its
--- own, so that LuaJIT compiles each separately. `names` are those of `values` in the body.
function loops.make(body, names, values)
  local text = 'local ' .. table.concat(names, ', ') .. ' = ...\n'
    .. 'return function(n) local result for _ = 1, n do ' .. body .. ' end return result end'
  return assert((loadstring or load)(text))((table.unpack or unpack)(values, 1, #names))
end

--- Nanoseconds of processor time for each of `count` calls, loop included.
function loops.time(run, count)
  collectgarbage()
  local start = os.clock()
  run(count)
  return (os.clock() - start) / count * 1e9
end

return loops
