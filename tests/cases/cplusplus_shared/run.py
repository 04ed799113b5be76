import gc
import threading

import cplusplus_shared as m
from support import raises

# C++ keeps a reference after Python has ended its own, and the reverse.
scene, circle = m.Scene(), m.Circle(2)
assert m.live() == 1 and m.uses(circle) == 2  # Python's, and the argument
assert scene.add(circle) == 1 and m.uses(circle) == 3
circle.factor = 2
del circle
gc.collect()
assert m.live() == 1
again = scene.at(0)
assert type(again) is m.Shape and again.area() == 24 and m.uses(again) == 3
same = scene.at(0)
same.factor = 1
assert again.factor == 1 and m.uses(same) == 4
same.close()
raises(ValueError, "Shape.area(): argument 'self': this Shape is closed", same.area)
assert m.uses(again) == 3
scene.clear()
assert m.live() == 1 and m.uses(again) == 2 and again.area() == 12
again.close()
assert m.live() == 0
raises(IndexError, "...", scene.at, 0)
assert scene.largest() is None

# Through each base, with the same owner.
circle = m.Circle(1)
assert m.name_of(circle) == "circle" and m.name_of(None) == "nothing"
assert m.name_of(m.Named("name" * 20)) == "name" * 20
assert m.total([circle, circle, m.Circle(2)]) == 18 and m.uses(circle) == 2
raises(TypeError, "total(): argument 'shapes[1]': wanted a Shape, got int", m.total, [circle, 3])
scene.add(circle)
scene.add(m.Circle(3))
assert scene.largest().area() == 27
raises(ValueError, "the radius is negative", m.Circle, -1)
raises(ValueError, "the radius is negative", m.unique, -1)

# Objects that C++ returns in other ways are shared, too.
first, second = m.both(1)
made = [m.unique(1), m.raw(2), m.found(3), m.grown(circle, 3), first, second]
assert m.found(-1) is None and [one.area() for one in made] == [3, 12, 27, 48, 3, 12]
for one in made:
    assert m.uses(one) == 2
    scene.add(one)
    one.close()
assert m.live() == 8
del made, first, second, one, circle
gc.collect()
assert m.live() == 8
scene.close()
assert m.live() == 0

# Objects that know their owner, and one that has none.
node = m.Node(1)
node.link(m.Node(2))
assert node.sum() == 3 and node.itself().sum() == 3
reference = node.reference()
m.Node(5).link(reference)
del node
gc.collect()
assert reference.sum() == 3
raises(
    ValueError,
    "an argument is a part of another object, and no std::shared_ptr owns it",
    reference.link,
    m.spare(),
)
del reference


# From several threads.
def work():
    scene = m.Scene()
    for k in range(300):
        circle = m.Circle(k)
        scene.add(circle)
        scene.at(k // 2).area()
    scene.clear()


threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
gc.collect()
assert m.live() == 0
