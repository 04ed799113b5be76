local m = require("cplusplus_destroyed")
local s = require("support")

-- The object is closed, with every object of Lua that leads to it, and what was borrowed from them.
local world = m.World()
local body = world:create("a")
local again, same, fixture = world:at(0), world:all()[1], world:at(0):fixture()
local other = world:create("b")
assert(body:name() == "a" and again:name() == "a" and same:name() == "a" and fixture:area() == 1)
world:destroy(body)
assert(world:count() == 1 and m.count_alive() == 1)
assert(body:closed() and again:closed() and same:closed() and fixture:closed() and not other:closed())
local gone = "Body.name(): argument 'self': this Body "
s.raises(gone .. "is closed", body.name, body)
s.raises(gone .. "is closed", again.name, again)
s.raises("World.destroy(): argument 'body': this Body is closed", world.destroy, world, body)
s.raises("World.destroy(): argument 'body': this Body is closed", world.destroy, world, again)
assert(other:name() == "b")

-- nil is not an object.
world:destroy()
world:destroy(nil)

-- A failure of C leaves it with the caller; the other objects of Lua are closed.
again = world:at(0)
s.raises("World.destroy_if(): sim::World::destroy_if returned status 1", world.destroy_if, world, other, false)
assert(other:name() == "b" and again:closed())
again = world:at(0)
world:destroy_if(other, true)
assert(other:closed() and again:closed() and m.count_alive() == 0)

-- After an exception it is not known whether the object exists.
body = world:create("c")
s.raises("it is needed", world.destroy_checked, world, body, true)
assert(body:closed())
world:destroy(world:at(0))

-- Arrays of them.
local all = {}
for k = 0, 3 do all[k + 1] = world:create(tostring(k)) end
local used = "this Body, which C takes over, is also used elsewhere"
local where = "World.destroy_all(): argument 'all[1]': "
s.raises(where .. used, world.destroy_all, world, {all[1], world:at(0)})
s.raises("World.replace(): argument 'old': " .. used, world.replace, world, all[2], all[2])
s.raises("World.replace(): argument 'old': " .. used, world.replace, world, all[2], world:at(1))
assert(m.count_alive() == 4 and all[4]:name() == "3")
world:destroy_all({all[1], all[2]})
world:replace(all[3], all[4])
assert(all[1]:closed() and all[2]:closed() and all[3]:closed() and not all[4]:closed())
world:destroy_all(world:all())
assert(all[4]:closed() and m.count_alive() == 0)

-- An object that another one refers to, or whose memory a tensor views, is not destroyed.
body = world:create("d")
local joint = m.Joint(world:at(0))
local needed = "World.destroy(): argument 'body': another object refers to this Body, which C takes over"
s.raises(needed, world.destroy, world, body)
assert(joint:name() == "d")
joint:close()
local view = world:at(0):view()
s.raises("World.destroy(): argument 'body': a tensor views memory of this Body, which C takes over", world.destroy, world, body)
assert(view[1] == 1)
view = nil
collectgarbage()
world:destroy(body)
assert(m.count_alive() == 0)

-- Classes that are related: the address of a base is another one.
local ball = world:create_ball("e")
local tagged
body, tagged = world:at(0), world:ball(0)
assert(ball:name() == "e" and body:name() == "e" and ball:get_tag() == 7 and tagged.radius == 2)
world:destroy(body)
assert(ball:closed() and tagged:closed() and body:closed())
ball = world:create_ball("f")
body = world:at(0)
world:destroy(ball)
assert(ball:closed() and body:closed() and m.count_alive() == 0)

-- In a callback, also the object that it receives.
local seen = {}
local first, second, third = world:create("g"), world:create("h"), world:create("i")
world:visit(function(one)
    seen[#seen + 1] = one:name()
    if one:name() == "h" then world:destroy(one) end
end)
assert(table.concat(seen) == "ghi")
assert(not first:closed() and second:closed() and not third:closed())

-- An object that was borrowed from a world retains it.
world = nil
collectgarbage()
assert(third:name() == "i" and m.count_alive() == 2)
first, second, third = nil, nil, nil
seen, all, again, same, fixture, other, ball, body, tagged, joint = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
collectgarbage()
collectgarbage()
assert(m.count_alive() == 0, m.count_alive())

-- A method may destroy what was borrowed from its object, or the object itself.
world = m.World()
body = world:create("j")
world:clear()
assert(body:closed() and not world:closed() and world:count() == 0)
s.raises("World.finish(): sim::World::finish returned status 1", world.finish, world, true)
world:create("k")
collectgarbage()
collectgarbage()
world:finish()
assert(world:closed() and m.count_alive() == 0)
