local m = require("destroyed")
local s = require("support")

-- Every object of Lua that leads to the destroyed one is closed.
local world = m.World()
local one, two = world:create(1), world:create(2)
local same = world:find(1)
world:destroy(one)
assert(one:closed() and same:closed() and not two:closed() and m.alive() == 1)
s.raises("Item.id(): argument 'one': this Item is closed", one.id, one)
s.raises("Item.id(): argument 'one': this Item is closed", same.id, same)
s.raises("World.destroy(): argument 'one': this Item is closed", world.destroy, world, one)

-- A failure leaves it with the caller.
local elsewhere = m.World()
s.raises("World.destroy(): ds_destroy returned status 1", elsewhere.destroy, elsewhere, two)
assert(two:id() == 2)
elsewhere:close()

-- Retained values are released after it was destroyed: C calls back while it destroys it.
local ended = {}
two:notify(function(id) ended[#ended + 1] = id end)
two:weigh({0.5, 2.0})
collectgarbage()
assert(two:weight() == 0.5)
world:destroy(two)
assert(#ended == 1 and ended[1] == 2 and m.alive() == 0)

-- A method that destroys its object, and new objects at the same address.
for k = 1, 20 do
    local each = world:create(k)
    assert(each:id() == k)
    each:remove()
    assert(each:closed())
    s.raises("Item.remove(): argument 'one': this Item is closed", each.remove, each)
end
assert(m.alive() == 0)

-- Objects that were closed or are gone do not matter.
local kept = world:create(3)
world:find(3):close()
local closed = world:find(3)
closed:close()
kept:remove()

-- The world is released with the last object.
local last, other = world:create(4), world:find(4)
world = nil
collectgarbage()
assert(m.alive() == 1)
last:remove()
assert(m.alive() == 0 and other:closed())

-- Objects that are integers.
world = m.World()
local sound, next_one = world:play(), world:play()
local first = world:first()
assert(world:is_playing(first) == 1)
world:stop(sound)
assert(sound:closed() and first:closed() and not next_one:closed())
local used = "this Sound, which C takes over, is also used elsewhere"
s.raises("World.stop_all(): argument 'sounds[1]': " .. used, world.stop_all, world, {next_one, next_one})
world:stop_all({next_one, world:play()})
assert(next_one:closed())
world:close()
