local m = require 'cplusplus_returned'
local support = require 'support'
local raises = support.raises

local start = m.count()
local order = {'item', 'fresh', 'raw', 'same', 'find', 'node', 'no_node', 'items', 'nodes', 'owned', 'pointers'}
local function with(overrides)
  local given = {}
  for k, name in ipairs(order) do given[k] = overrides[name] end
  return m.Source((table.unpack or unpack)(given, 1, #order))
end

local function test()
  local source = with {}
  local shared, other, seen = m.Node('shared'), m.Node('other'), nil
  local mine = with {
    item = function(n) return m.Item('item ' .. n) end,
    fresh = function(name) if name ~= 'none' then return m.Special(name) end end,
    raw = function() return m.Item('made in Lua') end,
    same = function() return m.Item('kept') end,
    find = function(name) if name ~= 'none' then return m.Item('found ' .. name) end end,
    node = function(given) seen = given return shared end,
    no_node = function() return nil end,
    items = function(given) seen = given return {given[2], given[1], m.Item('last')} end,
    nodes = function(given) return {x = given.x, shared = shared} end,
    owned = function(given) return {given[1], m.Item('added')} end,
    pointers = function() return {m.Item('one'), m.Special('two')} end,
  }
  local mixed = m.Table(
    function(all) seen = all return all[1].name .. '+' .. all[2].name end,
    function(given, color) seen = color return {given[1], {x = 5, y = 6}, m.Point(7, 8)} end,
    function(given) return {[m.Color.red] = 1, [m.Color.green] = given[m.Color.green]} end,
    function(all) all[1].name = 'changed' return {all[1], m.Item('more')} end,
    function(n) if n < 3 then return n end return m.Item('many') end
  )
  assert(m.call_item(source, 3) == 'own3' and m.call_item(mine, 3) == 'item 3')
  assert(m.call_fresh(source, 'new') == 'new' and m.call_fresh(mine, 'new') == 'special new')
  assert(m.call_fresh(mine, 'none') == 'none')
  assert(m.call_raw(source) == 'raw' and m.call_raw(mine) == 'made in Lua')
  assert(m.call_same(source) == 'mine+' and m.call_same(mine) == 'kept+')
  assert(m.call_find(mine, {'a', 'none', 'b'}) == 'found a none found b ')
  assert(m.call_node(source, other).name == 'other' and m.call_node(mine, other).name == 'shared')
  assert(seen.name == 'other')
  seen.name = 'changed'
  assert(other.name == 'changed' and m.call_no_node(mine))
  local items = m.call_items(mine, {m.Item('a'), m.Item('b')})
  assert(#items == 3 and items[1].name == 'b' and items[3].name == 'last' and seen[1].name == 'a')
  local nodes = m.call_nodes(mine, {x = other})
  assert(nodes.x.name == 'changed' and nodes.shared.name == 'shared')
  local owned = m.call_owned(mine, 1)
  assert(owned[1] == 'given0' and owned[2] == 'added')
  assert(m.call_pointers(mine) == 'one special two ' and m.call_visit(mixed) == 'a+b')
  raises('...', function() return seen[1].name end)
  local corners = m.call_corners(mixed, {m.Point(1, 2)}, m.Color.green)
  assert(#corners == 3 and corners[1].y == 2 and corners[2].x == 5 and corners[3].y == 8 and seen == m.Color.green)
  local colors = m.call_colors(mixed)
  assert(colors[m.Color.red] == 1 and colors[m.Color.green] == 2)
  local all = m.call_extend(mixed)
  assert(#all == 2 and all[1].name == 'changed' and all[2].name == 'more')
  assert(m.call_either(mixed, 2) == 2 and m.call_either(mixed, 4).name == 'many')

  -- Owners.
  local item = m.Item('item')
  assert(m.call_item(with {item = function() return item end}, 1) == 'item' and item.name == 'item')
  local taken = with {fresh = function() return item end}
  assert(m.call_fresh(taken, '') == 'item')
  raises('...', function() return item.name end)
  raises('...', m.call_fresh, taken, '')
  local keeper, reader = m.Keeper(), with {same = function() return m.Item('kept') end}
  keeper:add(reader)
  keeper:take()
  collectgarbage()
  assert(keeper:name() == 'kept')
  local one = m.Item('one')
  local again = with {same = function() return one end}
  for _ = 1, 3 do m.call_same(again) end
  assert(one.name == 'one+++')
  raises("Source(): argument 'fresh' returned 'result': another object refers to this Item, which C takes over", m.call_fresh,
         with {fresh = function() return one end}, '')
  raises("Source(): argument 'raw' returned 'result': C cannot take over this Item, which the caller does not own", m.call_raw,
         with {raw = function() return source:same() end})

  -- Errors.
  local function fail() error('none', 0) end
  raises('none', m.call_item, with {item = fail}, 1)
  raises('none', m.call_fresh, with {fresh = fail}, '')
  raises('none', m.call_raw, with {raw = fail})
  raises('none', m.call_same, with {same = fail})
  raises('none', m.call_find, with {find = fail}, {'a', 'b'})
  raises('none', m.call_node, with {node = fail}, other)
  raises('none', m.call_items, with {items = fail}, {m.Item('a')})
  raises('none', m.call_owned, with {owned = fail}, 2)
  raises('none', m.call_pointers, with {pointers = fail})
  raises("Source(): argument 'item' returned 'result': wanted a Item, got 1", m.call_item,
         with {item = function() return 1 end}, 1)
  raises("Source(): argument 'items' returned 'result[2]': wanted a Item, got 1", m.call_items,
         with {items = function(all) return {all[1], 1} end}, {m.Item('a')})
  raises('...', m.call_owned, with {owned = function(all) return {all[1], all[1]} end}, 1)

  -- Functions.
  assert(m.map(m.Item('a'), function(given) return m.Item(given.name .. '!') end).name == 'a!')
  local reversed = m.map_all({m.Item('a'), m.Item('b')}, function(all) return {all[2], all[1]} end)
  assert(reversed[1].name == 'b' and reversed[2].name == 'a')
  assert(m.join({'a', 'b'}, function(sum, part) return sum .. part .. ';' end) == 'a;b;')
  assert(m.create(3, function(n) return m.Item('n' .. n) end) == 'n3' and m.create(3, function() end) == 'none')
  local chain = {a = m.Node('b'), b = m.Node('c')}
  assert(m.follow(m.Node('a'), function(node) return chain[node.name] end).name == 'c')
  local kept
  assert(m.describe(other, function(node) kept = node end) == 'changed')
  raises('...', function() return kept.name end)
  assert(m.area(function(color, given) return {given[1], {x = color, y = 3}} end) == 2 + 3)
  raises('none', m.map, m.Item('a'), fail)
  raises('none', m.survives, m.Item('a'), fail)
  raises('none', m.join, {'a', 'b'}, fail)
  raises('none', m.create, 1, fail)
end

test()
for _ = 1, 4 do collectgarbage() end -- an object that another one retains is collected after it
assert(m.count() == start, m.count())
