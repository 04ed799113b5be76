-- A default keeps all its digits: C receives the number in the script.
local literal = require('wrap.defaults').literal

local function same(x)
   local text = literal(x)
   assert(tonumber(text) == x, text)
   assert(not text:find('e') or #text <= 24, text)
end
for _, x in ipairs {0, 1, -1, 123456789, 2 ^ 31, -2 ^ 31, 2 ^ 53, 2 ^ 53 - 1, 2 ^ 62, 0.1, 1 / 3, 1e-5, 1e300, -1e-300,
                    4.9406564584124654e-324, 1.7976931348623157e308, 2 ^ 64, 1e22, 100000.5} do
   same(x)
   same(-x)
end
math.randomseed(1)
for _ = 1, 2000 do
   same((math.random() - 0.5) * 10 ^ math.random(-300, 300))
   same(math.random(-1000000000, 1000000000))
end
assert(literal(0.1) == '0.1' and literal(123456789) == '123456789' and literal(1e15) == '1000000000000000')
