local m = require("cplusplus_functions")
local raises = require("support").raises

local items = m.List()
items:add("a", 1)
items:add("bcd", 2)
items:add("ef", 3)
assert(items:sum(function(item) return item.weight end) == 6)
items:change(function(item) item.weight = item.weight * 2 end)
assert(items:sum(function(item) return item.weight end) == 12)
assert(items:find(function(item) return item ~= nil and item.name == "ef" end) == 2)
assert(items:find(function(item) return item == nil end) == -2)
assert(items:longest(function(item) return #item.name end) == "bcd")

-- An object is valid until the function returns.
local kept = {}
items:change(function(item) kept[#kept + 1] = item end)
raises("...this Item is closed", function() return kept[1].name end)

local seen = {}
assert(m.lines("a\n\nb", function(line, number)
    seen[number] = line
    return line ~= ""
end) == 2)
assert(seen[1] == "a" and seen[2] == "" and seen[3] == "b")
local count = m.table(function(values, index)
    if index == nil then assert(values.a[2] == 2) end
    return index or 0
end)
assert(count == 3)
assert(m.values(function(point, mode, text, numbers)
    assert(mode == m.Mode.second and text == "text")
    return point.x + point.y + numbers[1] + numbers[2]
end) == 10)
raises("...no", items.sum, items, function() error("no") end)
