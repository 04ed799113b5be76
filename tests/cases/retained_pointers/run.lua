local m = require("retained_pointers")
local Span = m.Span

local function collect()
    collectgarbage()
    collectgarbage()
    local waste = {}
    for n = 1, 100 do
        waste[n] = ("x"):rep(n) .. n
    end
    return waste
end

local function plan(k)
    local function f(x)
        return x + 100 * k
    end
    return {k, 1 + k, 2 + k}, {10 * k}, f, Span(k, 2 * k, 0), "metre" .. ("s"):rep(k)
end

local function data(k)
    return 0.5 * k, Span(0, 7 + k, 0), {("a"):rep(k), "bcd"}, {Span(1, 0, 0), Span(k, 0, 0)}, {k, 1}
end

local function expect(user, k)
    assert(user:at(0) == 3 + 3 * k + 5 + k)
    assert(user:at(1) == 10 * k and user:at(2) == -1)
    assert(user:at(3) == 0.5 * k and user:at(4) == 7 + k)
    assert(user:at(5) == k + 3 and user:at(6) == 1 + k and user:at(7) == k - 1)
    assert(user:at(9) == 2 * k and user:at(10) == 101 * k)
end

local user = m.User(plan(2))
user:set_data(data(2))
local waste = collect()
expect(user, 2)
assert(user:at(8) == 3 and user:at(8) == 4)
user:set(plan(3))
user:set_data(data(3))
waste = collect()
expect(user, 3)
