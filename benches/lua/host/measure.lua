-- The time of a call, by hand, as generated, by SWIG, and in LuaJIT also by its FFI:
-- `measure.lua ROUNDS LIBRARY` prints a line each: name, nanoseconds of each way; `refused` or `accepted` if the way does
-- not do with the arguments what the others do; nothing if it has no such call.
local fp = require 'fishplate'
local loops = require 'loops'
local rounds = tonumber(arg[1])
local WAYS = {'hand', 'module', 'SWIG', 'FFI'}

local x, m = fp.ones(10), fp.ones{3, 3}
local i = fp.ones(10, 'int64')
local CALLS = 200000

-- Each row has its name, the function, a call of it, and whether this call fails.
local rows = {
  {'two numbers', 'add', 'f(1.5, 2.5)'},
  {'a tensor of 10', 'total', 'f(x)'},
  {'a tensor of 10 made', 'ramp', 'f(10)'},
  {'six optional arguments, none given', 'six', 'f()'},
  {'six optional arguments, three given', 'six', 'f(1, nil, 3, nil, 5)'},
  {'eight variants: the first', 'pick', 'f(1.5)'},
  {'eight variants: a tensor of int64', 'pick', 'f(i)'},
  {'eight variants: the last', 'pick', 'f(m)'},
  {'an error', 'add', 'f(1, "2")', true},
}

-- The functions of each way, the values `x`, `m` and `i`, and its calls where they differ.
local modules = {
  hand = {require 'hand', x, m, i, {}},
  module = {require 'host', x, m, i, {}},
}

local swig = require 'swig'
local function filled(create, set, size)
  local array = create(size)
  for k = 0, size - 1 do set(array, k, 1) end
  return array
end
local doubles = filled(swig.new_doubles, swig.doubles_setitem, 10)
local integers = filled(swig.new_integers_of, swig.integers_of_setitem, 10)
modules.SWIG = {swig, doubles, doubles, integers, {
  ['a tensor of 10'] = 'f(10, x)',
  ['a tensor of 10 made'] = 'local y = all.new_doubles(10) f(10, y) all.delete_doubles(y)',
  ['eight variants: a tensor of int64'] = 'f(10, i)',
  ['eight variants: the last'] = 'f(3, 3, m)',
}}

local ffi = rawget(_G, 'jit') and require 'ffi'
if ffi then
  local C = ffi.load(arg[2])
  ffi.cdef 'double bench_add(double a, double b); double bench_total(size_t n, const double *x);'
  local functions = {add = C.bench_add, total = C.bench_total}
  modules.FFI = {functions, ffi.new('double[10]'), nil, nil, {
    ['a tensor of 10'] = 'f(10, x)',
    ['an error'] = false,
  }}
end

--- The loop of a row. A string in its place if the way has no such call, accepts a wrong one or refuses a right one.
local function prepare(module, row)
  local functions, calls = module[1], module[5]
  local f, call, fails = functions[row[2]], calls[row[1]], row[4]
  if not f or call == false then return '' end
  call = call or row[3]
  local values = {f, functions, module[2], module[3], module[4], pcall}
  local function made(body) return loops.make(body, {'f', 'all', 'x', 'm', 'i', 'pcall'}, values) end
  if pcall(made(call), 1) == (fails or false) then return fails and 'accepted' or 'refused' end
  return made(fails and call:gsub('^f%(', 'pcall(f, ') or call)
end

for _, row in ipairs(rows) do
  local runs, printed = {}, {row[1]}
  for k, way in ipairs(WAYS) do
    runs[k] = modules[way] and prepare(modules[way], row) or ''
    printed[k + 1] = runs[k]
  end
  -- Ways take turns, so that other processes slow all of them alike.
  for _ = 1, rounds do
    for k, run in ipairs(runs) do
      if type(run) == 'function' then
        local took, best = loops.time(run, CALLS), printed[k + 1]
        printed[k + 1] = type(best) == 'number' and math.min(best, took) or took
      end
    end
  end
  print(table.concat(printed, '\t'))
end
