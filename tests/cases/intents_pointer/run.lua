local fp = require 'fishplate'
local m = require 'intents_pointer'
local s = require 'support'
local raises = s.raises

for _, one in ipairs{1, 1.0, fp.tensor(1, 'int8'), fp.tensor(1, 'int32'), fp.tensor(1, 'uint64'), fp.tensor(true)} do
  assert(m.read(one) == 2)
end
assert(m.out() == 1 and m.out() == 2)
assert(m.out_starts_as() == 42 and m.hidden(3) == 3 + 31 and m.hidden_null(3) == 3)

-- in out: the caller's value is unchanged, of any type
local box = fp.tensor(1, 'int32')
assert(m.in_out(1) == 2 and m.in_out(box) == 2 and box:item() == 1)

-- inplace and inout: only writable values are accepted
for _, name in ipairs{'inplace', 'inout', 'inplace_out', 'inout_out'} do
  local bump, returns = m[name], name:find('_out') ~= nil
  for _, box in ipairs{fp.tensor(1, 'int32'), fp.tensor({{0, 1}}, 'int32')[1]:slice(1, 2, 2):view{}} do
    local returned = bump(box)
    assert(box:item() == 2 and returned == (returns and 2 or nil), name)
  end
  local all = fp.tensor({0, 1, 2}, 'int32')
  bump(all:slice(1, 2, 2):view{})
  s.same(all, 'int32', {3}, {0, 2, 2})

  local where = name .. "(): argument 'x': wanted a tensor of rank 0 of exactly int32, which can be written back to, got "
  raises(where .. '1', bump, 1)
  raises(where .. 'table', bump, {1})
  raises(where .. 'nil', bump, nil)
  raises(where .. 'a tensor of int32 and shape {1}', bump, fp.tensor({1}, 'int32'))
  raises(where .. 'a tensor of int64 and shape {}', bump, fp.tensor(1, 'int64'))
  raises(name .. "(): argument 'x': uninitialised tensor", bump, fp.empty({}, 'int32'))
end

local five = fp.tensor(1, 'int32')
assert(m.inplace_or_five() == 6 and m.inplace_or_five(nil) == 6)
assert(m.inplace_or_five(five) == 2 and five:item() == 2)
