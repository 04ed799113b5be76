-- Common helpers of the scripts next to it.
local fp = require 'fishplate'

local support = {}

-- The version determines the result for a number that a double cannot represent.
support.integers = math.type ~= nil
support.jit = rawget(_G, 'jit') ~= nil

--- Whether a string matches a message, in which `...` stands for any string.
local function says(said, message)
  if said == message then return true end
  local pattern = message:gsub('%.%.%.', '\0'):gsub('[%^%$%(%)%%%.%[%]%*%+%-%?]', '%%%0')
  return message:find('...', 1, true) ~= nil and said:find('^' .. pattern:gsub('%z', '.*') .. '$') ~= nil
end

--- Collects all garbage: finalizers of the first cycle may leave more.
function support.collect()
  collectgarbage()
  collectgarbage()
end

--- Calls f, which must fail with exactly this message (after its place in the script).
function support.raises(message, f, ...)
  local ok, said = pcall(f, ...)
  assert(not ok, 'no error: ' .. message)
  said = tostring(said):gsub('^[^ ]*%.lua:%d+: ', '')
  if not says(said, message) then
    error(('\nsaid:   %s\nwanted: %s'):format(said, message), 2)
  end
end

local function flat(value, out)
  if type(value) == 'table' and value.re == nil then
    for _, v in ipairs(value) do flat(v, out) end
  else
    out[#out + 1] = tostring(value):gsub('%.0$', '')
  end
  return out
end

--- The tensor has this dtype, shape and these elements, as nested tables.
function support.same(t, dtype, shape, elements)
  assert(fp.is_tensor(t), 'no tensor')
  local function say(what, got, wanted)
    if got ~= wanted then error(('%s: got %s, wanted %s'):format(what, got, wanted), 3) end
  end
  say('dtype', t.dtype, dtype)
  say('shape', table.concat(t.shape, ' '), table.concat(shape, ' '))
  say('elements', table.concat(flat(t:totable(), {}), ' '), table.concat(flat(elements, {}), ' '))
end

--- These elements in every layout that memory can have, each writable and fresh: name, tensor.
function support.layouts(elements, dtype)
  local plain = fp.tensor(elements, dtype)
  local function spread(step, from)
    local shape, slices = {}, {}
    for k, n in ipairs(plain.shape) do
      shape[k] = n * math.abs(step)
      slices[k] = {step > 0 and 1 or shape[k], step > 0 and shape[k] or 1, step}
      if n == 0 then slices[k] = {} end
    end
    return fp.zeros(shape, plain.dtype)[slices]:assign(from)
  end
  local made = {
    {'C-contiguous', plain:copy()},
    {'F-contiguous', plain:t():copy():t()},
    {'strided', spread(2, plain)},
    {'negative strides', spread(-1, plain)},
    {'negative strides with gaps', spread(-3, plain)},
  }
  local k = 0
  return function()
    k = k + 1
    if made[k] then return made[k][1], made[k][2] end
  end
end

--- Whether all elements of two tensors are the same, whatever their layouts.
function support.equal(a, b)
  return a:copy():equal(fp.tensor(b, a.dtype))
end

--- An integer by its digits, in whatever form this Lua represents it.
function support.digits(value)
  if type(value) == 'cdata' then return (tostring(value):gsub('U?LL$', '')) end
  if type(value) == 'number' then
    return (support.integers and math.type(value) == 'integer' and '%d' or '%.0f'):format(value)
  end
  return value
end

return support
