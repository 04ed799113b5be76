-- What the scripts beside it share.
local fp = require 'fishplate'

local support = {}

-- The version decides what a number that is no double comes out as.
support.integers = math.type ~= nil
support.jit = rawget(_G, 'jit') ~= nil

--- Calls f, which must fail with exactly this message (behind its place in the script).
function support.raises(message, f, ...)
  local ok, said = pcall(f, ...)
  assert(not ok, 'no error: ' .. message)
  said = tostring(said):gsub('^[^ ]*%.lua:%d+: ', '')
  if said ~= message then
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

--- An integer by its digits, in whatever form this Lua holds it.
function support.digits(value)
  if type(value) == 'cdata' then return (tostring(value):gsub('U?LL$', '')) end
  if type(value) == 'number' then
    return (support.integers and math.type(value) == 'integer' and '%d' or '%.0f'):format(value)
  end
  return value
end

return support
