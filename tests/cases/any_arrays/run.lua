local m = require("any_arrays")
local fishplate = require("fishplate")
local support = require("support")
local raises = support.raises

local function same(a, b)
    assert(a.dtype == b.dtype and a.ndim == b.ndim and a.size == b.size)
    for k = 1, a.ndim do assert(a.shape[k] == b.shape[k]) end
    assert(m.sum(a) == m.sum(b) and m.digits(a) == m.digits(b))
end

for _, dtype in ipairs({"int8", "int32", "float64", "float32", "int64"}) do
    for _, data in ipairs({
        fishplate.tensor({1, 2, 3}, dtype),
        fishplate.tensor({{1, 2, 3}, {4, 5, 6}}, dtype),
        fishplate.tensor({{{1}, {2}}}, dtype),
    }) do
        local box = m.Box()
        box:put(data)
        same(box:get(), data)
        same(m.doubled(data), m.double_both(data))
    end
end
assert(m.digits({{1, 2}, {3, 4}}) == 222 and m.sum({{1, 2}, {3, 4}}) == 10)
assert(m.mean({{1, 2}, {3, 4}}) == 3 and m.sum_fortran({{1, 2}, {3, 4.5}}) == 10.5)

local ramp = m.ramp({2, 3})
assert(ramp.dtype == "float32" and ramp.shape[1] == 2 and ramp.shape[2] == 3 and m.sum(ramp) == 15)

local x = fishplate.tensor({1, 2, 3}, "int32")
m.double_inplace(x)
m.double_inout(x)
m.reverse(x)
assert(x[1] == 12 and x[2] == 8 and x[3] == 4)

local wanted = "wanted a tensor of int8, int32, float64, float32, bool or int64, got "
raises("sum(): argument 'data': " .. wanted .. "a tensor of uint16 and shape {1}", m.sum, fishplate.tensor({1}, "uint16"))
raises("sum(): argument 'data': " .. wanted .. "string", m.sum, "text")
raises("double_inplace(): argument 'data': " .. wanted .. "table", m.double_inplace, {1})
raises("digits_of_three(): argument 'data': the tensor has 1 dimensions, but dims has 3 elements", m.digits_of_three, {1})
local box = m.Box()
box:put({1, 2, 3})
box:damage(109, 3)
same(box:get(), fishplate.tensor({1, 2, 3}))
box:damage(99, 3)
raises("Box.get(): argument 'data': the dtype that C reports is not int8, int32, float64, float32, bool or int64", box.get, box)
box:damage(102, -1)
raises("Box.get(): argument 'data': dimension 1 is negative (-1)", box.get, box)
raises("Box.get(): box_get returned status 3", m.Box().get, m.Box())

-- Fixed ranks, and output buffers.
assert(m.trace(fishplate.tensor({{1, 2}, {3, 4}}, "int8")) == 5 and m.trace({{0.5}}) == 0.5)
raises("trace(): argument 'data': ...2...", m.trace, {1, 2})
raises("trace(): argument 'data': " .. wanted .. "...", m.trace, fishplate.tensor({{1}}, "uint16"))
local row = fishplate.tensor({1, 2}, "int32")
m.double_row(row)
m.double_exactly(row)
assert(row[2] == 8 and m.doubled_row(row)[2] == 16 and row[2] == 8)
local counted = m.count_up(103, 3)
assert(counted.dtype == "float32" and counted[3] == 3)
local room = fishplate.tensor({0, 0, 0}, "int32")
m.count_up(101, 3, room)
assert(room[3] == 3 and m.copy(room).dtype == "int32")
raises("count_up(): argument 'data': ...", m.count_up, 101, 2, room)
raises("count_up(): argument 'data': the dtype that C reports is not ...", m.count_up, 7, 2)
