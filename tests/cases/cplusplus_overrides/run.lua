local m = require 'cplusplus_overrides'
local support = require 'support'
local raises = support.raises

local source = m.Source()
local function with(...) return m.Source(...) end
assert(m.call_name(with(function() return 'f' end)) == '<f>' and m.call_name(source) == '<source>')
local named = with(nil, function(prefix) return {prefix, 'c', ''} end)
local names = m.call_names(named, 'p')
assert(#names == 3 and names[1] == 'p' and names[2] == 'c' and names[3] == '' and m.first_name(named) == 'p')
local valued = with(nil, nil, function(all) return {#all, #all[1]} end)
assert(m.sum(valued, {'abc', 'd'}) == 5)
local mapped = with(nil, nil, nil, function(given) return {x = {given.x[2], 7}} end)
local columns = m.call_columns(mapped, {x = {1, 2}})
assert(columns.x[1] == 2 and columns.x[2] == 7)
local finding = with(nil, nil, nil, nil, function(key, index) if key == 'k' then return index or -1 end end)
assert(m.call_find(finding, 'k', 4) == 4 and m.call_find(finding, 'k') == -1 and m.call_find(finding, 'n', 4) == nil)
local text, number = m.call_pair(with(nil, nil, nil, nil, nil, function(given) return {given[2], given[1]} end))
assert(text == 'three' and number == 3)
local either = with(nil, nil, nil, nil, nil, nil, nil, function(given) return type(given) == 'string' and 1 or 'one' end)
assert(m.call_either(either, 'x') == 1 and m.call_either(either, 1) == 'one')
local all = m.call_extend(with(nil, nil, nil, nil, nil, nil, nil, nil, nil, function(all) return {all[1], 'more'} end))
assert(#all == 2 and all[1] == 'first' and all[2] == 'more')

raises('none', m.first_name, with(nil, function() error('none', 0) end))
raises("Source(): argument 'names' returned 'result[2]': wanted a string, got 1", m.first_name,
       with(nil, function() return {'', 1} end))
raises("Source(): argument 'name' returned 'result': wanted a string, got nil", m.call_name, with(function() end))
raises("Source(): argument 'name' returned 'result': wanted a string, got nil", m.forgiving, with(function() end))

-- Lua runs on the thread of the call only.
local elsewhere = "Source(): argument 'name': C called it on another thread or in another call, where Lua cannot run"
raises(elsewhere, m.in_thread, with(function() return 'f' end))
local reader = m.Reader()
reader:add(with(function() return 'f' end))
raises(elsewhere, reader.read, reader)
assert(m.in_thread(source) == 'source!')

-- References and views.
local labels = m.Labels(function() return 'long title' end, function() return 'cm' end, nil,
                        function(n) return {1, 2, n} end, function() return {a = 7} end)
assert(m.call_labels(labels, m.Labels()) == 'long titleowncmmown' and m.call_sizes(labels) == 7)
assert(m.call_row(labels) == 3 + 3 * 3 + 3)
raises('none', m.call_labels, m.Labels(function() error('none', 0) end), labels)
