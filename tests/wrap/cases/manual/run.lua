local m, support = require 'manual', require 'support'
local fails, same = support.fails, support.same

local x = m.new('torch.DoubleTensor', {0, 0, 0})
same(m.numel(x), 3)
same(m.cos(0), 1)
same(m.get(m.cos(x)), {1, 1, 1})

-- The tensor argument is also the result.
local y = m.new('torch.DoubleTensor', {})
assert(rawequal(m.cos(y, x), y))
same(m.get(y), {1, 1, 1})

fails('numel: invalid arguments: number \nexpected arguments: DoubleTensor', m.numel, 1)
fails('numel: invalid arguments: no arguments provided\nexpected arguments: DoubleTensor', m.numel)
fails('cos: invalid arguments: FloatTensor \nexpected arguments: [*DoubleTensor*] DoubleTensor | double',
      m.cos, m.new('torch.FloatTensor', {1}))
fails('cos: invalid arguments: nil boolean number string table userdata ??? DoubleTensor \n',
      m.cos, nil, true, 1, '1', {}, io.stdout, print, x)
-- A string is not a number, and nil is not absent.
fails('cos: invalid arguments: string \n', m.cos, '3')
fails('cos: invalid arguments: DoubleTensor nil \n', m.cos, x, nil)
-- A message of any length is complete.
local many = {}
for i = 1, 100 do many[i] = x end
fails(('DoubleTensor '):rep(100) .. '\nexpected', m.numel, (unpack or table.unpack)(many))

x, y, many = nil, nil, nil
same(m.alive(), 0)
