-- The time of a call, by hand and as generated, and in LuaJIT also by its FFI:
-- `measure.lua ROUNDS` prints a line each: name, nanoseconds of each way.
local fp = require 'fishplate'
local rounds = tonumber(arg[1])
local ways = {(require 'hand'), (require 'host')}

local x, m = fp.ones(10), fp.ones{3, 3}
local i = fp.ones(10, 'int64')
local CALLS = 200000

--- A loop over a call, of its own code, so that LuaJIT compiles each way separately.
local function loop(body)
  local text = 'local f, x, m, i, pcall = ... return function(n) for _ = 1, n do ' .. body .. ' end end'
  return assert((loadstring or load)(text))
end

local rows = {
  {'two numbers', 'add', 'f(1.5, 2.5)'},
  {'a tensor of 10', 'total', 'f(x)'},
  {'a tensor of 10 made', 'ramp', 'f(10)'},
  {'six optional arguments, none given', 'six', 'f()'},
  {'six optional arguments, three given', 'six', 'f(1, nil, 3, nil, 5)'},
  {'eight variants: the first', 'pick', 'f(1.5)'},
  {'eight variants: a tensor of int64', 'pick', 'f(i)'},
  {'eight variants: the last', 'pick', 'f(m)'},
  {'an error', 'add', 'pcall(f, 1, "2")'},
}

local ffi = rawget(_G, 'jit') and require 'ffi'
local by_ffi = {}
if ffi then
  local C = ffi.load(arg[2])
  ffi.cdef 'double bench_add(double a, double b); double bench_total(size_t n, const double *x);'
  local array = ffi.new('double[10]')
  by_ffi['two numbers'] = {'f(1.5, 2.5)', C.bench_add}
  by_ffi['a tensor of 10'] = {'f(10, x)', C.bench_total, array}
end

local function time(run)
  collectgarbage()
  local start = os.clock()
  run(CALLS)
  return (os.clock() - start) / CALLS * 1e9
end

for _, row in ipairs(rows) do
  local name, key, body = row[1], row[2], row[3]
  local runs, best = {}, {}
  for k, way in ipairs(ways) do runs[k] = loop(body)(way[key], x, m, i, pcall) end
  local foreign = by_ffi[name]
  if foreign then runs[3] = loop(foreign[1])(foreign[2], foreign[3]) end
  -- Ways take turns, so that other processes slow all of them alike.
  for _ = 1, rounds do
    for k, run in ipairs(runs) do best[k] = math.min(best[k] or math.huge, time(run)) end
  end
  print(table.concat({name, best[1], best[2], best[3]}, '\t'))
end
