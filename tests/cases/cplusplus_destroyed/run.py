import gc

import cplusplus_destroyed as m
from support import raises

# The object is closed, with every object of Python that leads to it, and what was borrowed from them.
world = m.World()
body = world.create("a")
again, same, fixture = world.at(0), world.all()[0], world.at(0).fixture()
other = world.create("b")
assert (body.name(), again.name(), same.name(), fixture.area()) == ("a", "a", "a", 1)
world.destroy(body)
assert world.count() == 1 and m.count_alive() == 1
assert body.closed and again.closed and same.closed and fixture.closed and not other.closed
gone = "Body.name(): argument 'self': this Body "
raises(ValueError, f"{gone}is closed", body.name)
raises(ValueError, f"{gone}is closed", again.name)
raises(ValueError, "...this Fixture is closed", fixture.area)
raises(ValueError, "...this Body is closed", world.destroy, body)
raises(ValueError, "...this Body is closed", world.destroy, again)
body.close()
assert other.name() == "b"

# None is not an object.
world.destroy()
world.destroy(None)

# A failure of C leaves it with the caller; the other objects of Python are closed.
again = other.world().at(0)
raises(
    RuntimeError,
    "World.destroy_if(): sim::World::destroy_if returned status 1",
    world.destroy_if,
    other,
    False,
)
assert other.name() == "b" and again.closed
again = world.at(0)
world.destroy_if(other, True)
assert other.closed and again.closed and m.count_alive() == 0

# After an exception it is not known whether the object exists.
body = world.create("c")
raises(RuntimeError, "it is needed", world.destroy_checked, body, True)
assert body.closed
world.destroy(world.at(0))

# Arrays of them.
all_ = [world.create(str(k)) for k in range(4)]
used = "this Body, which C takes over, is also used elsewhere"
where = "World.destroy_all(): argument 'all[0]'"
raises(RuntimeError, f"{where}: {used}", world.destroy_all, [all_[0], world.at(0)])
raises(RuntimeError, f"World.replace(): argument 'old': {used}", world.replace, all_[1], all_[1])
raises(
    RuntimeError, f"World.replace(): argument 'old': {used}", world.replace, all_[1], world.at(1)
)
assert m.count_alive() == 4 and [one.name() for one in all_] == ["0", "1", "2", "3"]
world.destroy_all(all_[:2])
world.replace(all_[2], all_[3])
assert [one.closed for one in all_] == [True, True, True, False]
world.destroy_all(world.all())
assert all_[3].closed and m.count_alive() == 0

# An object that another one refers to, or whose memory an array views, is not destroyed.
body = world.create("d")
joint = m.Joint(world.at(0))
needed = "World.destroy(): argument 'body': another object refers to this Body, which C takes over"
raises(RuntimeError, needed, world.destroy, body)
assert joint.name() == "d"
joint.close()
view = world.at(0).view()
viewed = "World.destroy(): argument 'body': an array views memory of this Body, which C takes over"
raises(BufferError, viewed, world.destroy, body)
assert list(view) == [1, 2, 3]
del view
world.destroy(body)
assert m.count_alive() == 0

# Classes that are related: the address of a base is another one.
ball = world.create_ball("e")
body, tagged = world.at(0), world.ball(0)
assert (ball.name(), body.name(), ball.get_tag(), tagged.radius) == ("e", "e", 7, 2)
world.destroy(body)
assert ball.closed and tagged.closed and body.closed
raises(ValueError, "...this Ball is closed", lambda: ball.radius)
ball = world.create_ball("f")
body = world.at(0)
world.destroy(ball)
assert ball.closed and body.closed and m.count_alive() == 0


# In a callback, also the object that it receives.
def visit(one, world=world):
    seen.append(one.name())
    if one.name() == "h":
        world.destroy(one)
        raises(ValueError, "...this Body is closed", one.name)


seen = []
first, second, third = (world.create(name) for name in "ghi")
world.visit(visit)
assert seen == ["g", "h", "i"]
assert [one.closed for one in (first, second, third)] == [False, True, False]

# An object that was borrowed from a world retains it.
del world, visit
assert third.name() == "i" and m.count_alive() == 2
del first, second, third
gc.collect()  # without the GIL, functions such as `visit` are only freed so
assert m.count_alive() == 0, m.count_alive()

# A method may destroy what was borrowed from its object, or the object itself.
world = m.World()
body, fixture = world.create("j"), world.at(0).fixture()
view = world.at(0).view()
raises(BufferError, "...", world.clear)
del view
world.clear()
assert body.closed and fixture.closed and not world.closed and world.count() == 0
raises(RuntimeError, "World.finish(): sim::World::finish returned status 1", world.finish, True)
assert world.create("k").name() == "k"
world.finish()
assert world.closed and m.count_alive() == 0
raises(
    ValueError, "World.count(): argument 'self': this World was consumed: C owns it", world.count
)
