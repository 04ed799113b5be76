-- The functions that the scripts of lua_calls.py call: they make calls and check the results.
-- Reason: numbers are compared as strings with all their digits, so that nothing depends on the type that holds them.

local fp = require 'fishplate'
local support = require 'support'

local checks = {}

--- A tensor of these elements, in this layout, and the tensor of all the memory that contains it.
function checks.lay(dtype, shape, flat, layout)
  local t
  if #shape == 0 then
    t = fp.tensor(flat[1], dtype)
  elseif #flat == 0 then
    t = fp.zeros(shape, dtype)
  else
    t = fp.tensor(flat, dtype):view(shape)
  end
  if layout == 'C' or #shape == 0 then return t, t end
  if layout == 'F' then
    local transposed = t:t():copy()
    return transposed:t(), transposed
  end
  local step, wide, slices = layout == 'strided' and 2 or -1, {}, {}
  for k, n in ipairs(shape) do
    wide[k] = n * math.abs(step)
    slices[k] = n == 0 and {} or {step > 0 and 1 or wide[k], step > 0 and wide[k] or 1, step}
  end
  local memory = fp.zeros(wide, dtype)
  local view = memory[slices]
  if #flat > 0 then view:assign(t) end
  return view, memory
end

--- A number with all its digits, in whatever form this Lua represents it.
local function canonical(value)
  if type(value) == 'table' then return canonical(value.re) .. ' ' .. canonical(value.im) end
  if type(value) ~= 'number' then return tostring(support.digits(value)) end
  if value ~= value then return 'nan' end
  if support.integers and math.type(value) == 'integer' then return ('%d'):format(value) end
  -- A double may be an element of int64, which has no exponent.
  if value % 1 == 0 and math.abs(value) < 2 ^ 64 then return ('%.0f'):format(value) end
  return ('%.17g'):format(value)
end

local function elements(t)
  local out = {}
  for value in t:elements() do out[#out + 1] = canonical(value) end
  return table.concat(out, ', ')
end

local function same(what, got, wanted)
  if got ~= wanted then error(('%s: got %s, wanted %s'):format(what, tostring(got), tostring(wanted)), 0) end
end

--- Such a tensor has this memory.
function checks.holds(name, memory, ...)
  local _, wanted = checks.lay(...)
  same('memory of ' .. name, elements(memory), elements(wanted))
end

local function check_result(k, got, wanted, arguments)
  local what = 'result ' .. k
  if type(wanted) == 'number' then
    if not rawequal(got, arguments[wanted]) then error(what .. ' is not the buffer', 0) end
  elseif type(wanted) == 'string' then
    same(what, canonical(got), wanted)
  else
    same('dtype of ' .. what, got.dtype, wanted[1])
    same('shape of ' .. what, table.concat(got.shape, ' '), table.concat(wanted[2], ' '))
    same(what, elements(got), table.concat(wanted[3], ', '))
  end
end

local function check_error(name, said, arguments)
  said = tostring(said)
  if not said:find(name .. '(', 1, true) then error('no function in ' .. said, 0) end
  for _, argument in ipairs(arguments) do
    if argument == '' or said:find("argument '" .. argument .. "'", 1, true) then return end
  end
  error(('%s names none of %s'):format(said, table.concat(arguments, ' ')), 0)
end

--- Calls a function of the module: `wanted` has its results, or the arguments that may be named as wrong.
function checks.made(module, name, arguments, wanted)
  local function pack(...) return {n = select('#', ...), ...} end
  local got = pack(pcall(module[name], (unpack or table.unpack)(arguments, 1, arguments.n)))
  if wanted.errors then
    if got[1] then error('no error', 0) end
    return check_error(name, got[2], wanted.errors)
  end
  if not got[1] then error(tostring(got[2]), 0) end
  same('number of results', got.n - 1, #wanted.results)
  for k, result in ipairs(wanted.results) do check_result(k, got[k + 1], result, arguments) end
end

return checks
