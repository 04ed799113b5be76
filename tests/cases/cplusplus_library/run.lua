local m = require 'cplusplus_library'
local fishplate = require 'fishplate'
local raises = require('support').raises

local thrown = {
  [0] = 'invalid xx', 'domain', 'range', 'overflow', 'std::bad_alloc', 'naïve \255', ('y'):rep(508) .. '…', 'parse', 'error',
  'lib::not_a_std_exception', 'int', 'text', 'an exception that is not a std::exception', '',
}

assert(m.fail(99) == 0)
local strided = fishplate.zeros({3, 2}):select(2, 1)
for what = 0, #thrown do
  for _ = 1, 20 do
    raises(thrown[what], m.fail, what)
    raises(thrown[what], m.fail_released, what, strided)
    raises(thrown[what], m.around, what)
  end
end
raises('before', m.around, 100)
raises('behind', m.around, 102)
assert(m.around(101) == 2)
raises('anyway', m.throw_anyway)

assert(m.area(2.5) == 18.75)
assert(m.largest({1.5, 0.5}) == 1.5)
raises('nothing is largest of nothing', m.largest, fishplate.zeros(0))
assert(m.pair(4) == 7 and m.twice(3) == 6)
assert(m.norm({3, 4}) == 5)
raises('norm of NaN', m.norm, {0 / 0})

m.check(7)
m.check(3)
raises('check(): code -1 of a library', m.check, -1)
raises('parse', m.check, 9)
raises('check_plain(): lib::check returned status 7', m.check_plain, 7)

assert(m.judge(5) == 5)
raises('judge(): as bad as can be', m.judge, 7)
raises('judge_plain(): lib::judge returned status 5', m.judge_plain, 5)

-- Also through frames of Lua itself, and in coroutines.
local co = coroutine.wrap(function() return pcall(m.fail, 2) end)
assert(not co())
for _ = 1, 10000 do assert(not pcall(m.fail_released, 2, strided)) end
