-- The effect of each intent on a matrix that C expects in its own order, or in Fortran's ("C" or "F").
local fp = require 'fishplate'
local s = require 'support'
local raises = s.raises

return function(m, order)
  local function contiguous(a)
    if order == 'C' then return a.is_contiguous end
    return a:t().is_contiguous
  end

  local function matrix(rows, columns, element)
    local made = {}
    for i = 0, rows - 1 do
      made[i + 1] = {}
      for j = 0, columns - 1 do made[i + 1][j + 1] = element(i, j) end
    end
    return made
  end

  -- {1, 4} and {4, 1} are contiguous both ways; {60, 50} is too large for a copy on the stack.
  for _, shape in ipairs{{2, 3}, {1, 4}, {4, 1}, {60, 50}} do
    local rows, columns = shape[1], shape[2]
    local weight = 0
    local start = matrix(rows, columns, function(i, j)
      weight = weight + (i + 1) * (10 * j + 1) * (1 + i + 100 * j)
      return 1 + i + 100 * j
    end)
    local count = matrix(rows, columns, function(i, j) return 10 * i + j end)
    local after = matrix(rows, columns, function(i, j) return 1 + 11 * i + 101 * j end)

    local made = m.out(rows, columns)
    assert(s.equal(made, count) and contiguous(made))
    for layout, a in s.layouts(start) do
      assert(m.read(a) == weight and m.hidden(a) == 2 * weight, layout)
      local changed = m.in_out(a)
      assert(s.equal(changed, after) and contiguous(changed) and s.equal(a, start), layout)
    end
    for layout, a in s.layouts(start) do
      assert(select('#', m.inplace(a)) == 0 and s.equal(a, after), layout)
    end
    for layout, a in s.layouts(start) do
      local returned = m.inplace_out(a)
      assert(s.equal(a, after) and s.equal(returned, after), layout)
      returned:fill(0)
      assert(s.equal(a, after), layout)
    end
    for _, name in ipairs{'inout', 'inout_out'} do
      for layout, a in s.layouts(start) do
        if contiguous(a) then
          local returned = m[name](a)
          assert(s.equal(a, after) and (returned == nil) == (name == 'inout'), layout)
        else
          raises(("%s(): argument 'a': the tensor must be %s-contiguous"):format(name, order), m[name], a)
          assert(s.equal(a, start), 'a refused argument is unchanged')
        end
      end
    end

    for _, dtype in ipairs{'int16', 'uint64', 'float32'} do
      local other = fp.tensor(start, dtype)
      assert(m.read(other) == weight and m.read(other:t():copy():t()) == weight)
      assert(s.equal(m.in_out(other), after))
    end
    assert(m.read(start) == weight and s.equal(m.in_out(start), after) and contiguous(m.in_out(start)))
    for _, name in ipairs{'inplace', 'inout', 'inplace_out', 'inout_out'} do
      local call, where = m[name], name .. "(): argument 'a': "
      raises(where .. ('wanted a tensor of exactly float64, got a tensor of int64 and shape {%d, %d}')
        :format(rows, columns), call, fp.tensor(start, 'int64'))
      raises(where .. 'wanted a tensor of float64, which can be written to, got table', call, start)
      raises(where .. 'wanted a 2-D tensor, got a tensor of float64 and shape {3}', call, fp.zeros(3))
    end
  end

  -- A part of a larger matrix, a transposed one, and one that goes backwards.
  local base = fp.range(0, 19):view{4, 5}
  for _, a in ipairs{base[{{2, 3}, {2, 4}}], base:t(), base[{{-1, 1, -2}, {-1, 1, -2}}]} do
    local wanted, count = a:copy(), m.out(a.shape[1], a.shape[2])
    for i = 1, a.shape[1] do
      for j = 1, a.shape[2] do wanted:set(i, j, wanted:get(i, j) + count:get(i, j)) end
    end
    assert(s.equal(m.in_out(a), wanted))
  end
  m.inplace(base[{{2, 3}, {2, 4}}])
  assert(base[{1, 1}] == 0 and base[{2, 2}] == 6 and base[{3, 4}] == 13 + 12 and base[{3, 5}] == 14)
end
