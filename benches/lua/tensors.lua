-- The time of operations on tensors, of torch7 and of Fishplate in one Lua state: `tensors.lua ROUNDS` prints a line
-- each: name, the best of torch7's rounds and of Fishplate's in nanoseconds, and the medians of both.
--
-- torch7 loads itself with a package `paths`, of which it uses `require` only, and with its tests.
package.preload.paths = function() paths = {require = require} end
package.preload['torch.test'] = function() end

local loops = require 'loops'
require 'torch'
local fp = require 'fishplate'
local rounds = tonumber(arg[1])
local ffi = rawget(_G, 'jit') and require 'ffi'
local LARGE = 1000000
local SECONDS = 0.01 -- of one way in a round, so that the clock's resolution does not matter

local function list_of(count)
  local list = {}
  for k = 1, count do list[k] = k end
  return list
end
local nested = {}
for k = 1, 10 do nested[k] = list_of(10) end
local function element(tensor, k) return tensor[k] end

-- The arguments of both, by their name in the code of the rows.
local NAMES = {
  'lib', 'x', 'm', 'thousand', 'large', 'small', 'other', 'square', 'list', 'nested', 'element', 'pcall',
  'ffi', 'array', 'address',
}
local array = ffi and ffi.new('double[10]', list_of(10))
local address = ffi and tonumber(ffi.cast('intptr_t', array))
local function values(lib, new, large, small, square)
  return {
    lib, new(list_of(10)), new(nested), new(list_of(1000)), large(), small(), large(), square(),
    list_of(1000), nested, element, pcall, ffi, array, address,
  }
end
local WAYS = {
  values(torch, torch.DoubleTensor,
    function() return torch.range(1, LARGE) end,
    function() return torch.range(1, LARGE):float() end,
    function() return torch.range(1, LARGE):view(1000, 1000):t() end),
  values(fp, fp.tensor,
    function() return fp.range(1, LARGE) end,
    function() return fp.range(1, LARGE, 1, 'float32') end,
    function() return fp.range(1, LARGE):view{1000, 1000}:t() end),
}

-- Each row has its name, the code of torch7, and that of Fishplate if it differs. `result` is compared; if its elements
-- are not initialised, its length.
local rows = {
  {'an uninitialised tensor of 10', 'result = lib.DoubleTensor(10)', 'result = lib.empty(10)'},
  {'zeros, 10', 'result = lib.zeros(10)'},
  {'a tensor from a table of 10 x 10', 'result = lib.DoubleTensor(nested)', 'result = lib.tensor(nested)'},
  {'a tensor from a table of 1,000', 'result = lib.DoubleTensor(list)', 'result = lib.tensor(list)'},
  {'a table from a tensor of 1,000', 'result = thousand:totable()'},
  {'`x[3]`', 'result = x[3]'},
  {'`x[3] = 1.5`', 'x[3] = 1.5 result = x'},
  {'`m[2][3]`', 'result = m[2][3]'},
  {'`m[{2, 3}]`', 'result = m[{2, 3}]'},
  {'`m[{2, 3}] = 1.5`', 'm[{2, 3}] = 1.5 result = m'},
  {'an error: `x[11]`', 'result = pcall(element, x, 11)'},
  {'the length: `x:size(1)`, `#x`', 'result = x:size(1)', 'result = #x'},
  {'a row: `m[2]`', 'result = m[2]'},
  {'a column: `m:select(2, 3)`', 'result = m:select(2, 3)'},
  {'a part: `x[{{2, 5}}]`', 'result = x[{{2, 5}}]'},
  {
    'a part: `x:narrow(1, 2, 4)`, `x:slice(1, 2, 5)`',
    'result = x:narrow(1, 2, 4)', 'result = x:slice(1, 2, 5)',
  },
  {'`m:t()`', 'result = m:t()'},
  {'`x:view(2, 5)`, `x:view{2, 5}`', 'result = x:view(2, 5)', 'result = x:view{2, 5}'},
  {'`m[2] = 0`', 'm[2] = 0 result = m'},
  {'fill, 10', 'result = x:fill(2)'},
  {'fill, 1,000,000', 'result = other:fill(2)'},
  {'a copy of 10', 'result = x:clone()', 'result = x:copy()'},
  {'a copy of 1,000,000', 'result = large:clone()', 'result = large:copy()'},
  {'a copy to another tensor, 1,000,000', 'result = other:copy(large)', 'result = other:assign(large)'},
  {
    'the same from a transposed matrix',
    'other:copy(square) result = other', 'other:view{1000, 1000}:assign(square) result = other',
  },
  {'float64 to float32, 1,000,000', 'result = large:float()', "result = large:copy('float32')"},
  {'float32 to float64, 1,000,000', 'result = small:double()', "result = small:copy('float64')"},
  {'1,000 tensors of 1,000, and a collection', 'for _ = 1, 1000 do result = lib.zeros(1000) end collectgarbage()'},
}
if ffi then
  rows[#rows + 1] = {
    'an element by a pointer of the FFI',
    'result = x:data()[1]', "result = ffi.cast('double *', x:pointer())[1]",
  }
  rows[#rows + 1] = {
    'a tensor on an array of the FFI; in torch7 on its address',
    'result = lib.DoubleTensor(lib.DoubleStorage(10, address))', 'result = lib.from_buffer(array)',
  }
end

--- A result that can be compared: tensors as nested tables, or as their length.
local function plain(result)
  if torch.isTensor(result) then
    return result:totable()
  elseif fp.is_tensor(result) then
    return result.filled and result:totable() or #result
  end
  return result
end

local function is_equal(a, b)
  if type(b) == 'number' and type(a) == 'table' then return #a == b end
  if type(a) ~= 'table' or type(b) ~= 'table' then return a == b end
  for k = 1, math.max(#a, #b) do
    if a[k] == nil or b[k] == nil or not is_equal(a[k], b[k]) then return false end
  end
  return true
end

for _, row in ipairs(rows) do
  local runs, times = {}, {{}, {}}
  for way = 1, 2 do
    runs[way] = loops.make(row[way + 1] or row[2], NAMES, WAYS[way])
  end
  if not is_equal(plain(runs[1](1)), plain(runs[2](1))) then error('results differ: ' .. row[1]) end
  local count = 1
  while loops.time(runs[1], count) * count < SECONDS * 1e9 do count = 2 * count end
  -- The ways take turns, so that other processes slow both of them.
  for _ = 1, rounds do
    for way = 1, 2 do table.insert(times[way], loops.time(runs[way], count)) end
  end
  local printed = {row[1]}
  for way = 1, 2 do
    table.sort(times[way])
    printed[1 + way] = times[way][1]
    printed[3 + way] = times[way][math.floor(#times[way] / 2) + 1]
  end
  print(table.concat(printed, '\t'))
end
