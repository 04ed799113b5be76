import gc
import threading
import weakref

import cplusplus_shared_virtual as m
from support import raises


class Mine(m.Node):
    def __init__(self, weight, label):
        super().__init__(weight)
        self.label = label

    def value(self):
        return 10 * super().value()

    def name(self, depth):
        return super().name(depth) + self.label


# C++ has the object alone, and with it the object of Python.
root = m.Node(1)
root.add(Mine(2, "a"))
root.add(m.Node(3, value=lambda: 0.5))
gc.collect()
assert m.count() == 3 and root.sum() == 21.5
mine = root.at(0)
assert type(mine) is Mine and mine.label == "a" and mine is root.at(0) and mine is root.all()[0]
assert root.first() is mine and mine.name(2) == "..nodea" and mine.value() == 20
assert mine.itself() is mine and type(root.at(1)) is m.Node and root.at(1).value() == 0.5
weak = weakref.ref(mine)
del mine
gc.collect()
assert weak() is not None and root.sum() == 21.5
root.clear()
gc.collect()
assert weak() is None and m.count() == 1

# Objects that know their std::shared_ptr, before C++ has one. A std::weak_ptr needs one of C++.
above = m.Node(0)
above.add(Mine(1, "top"))
top = above.at(0)
top.add(Mine(2, "x"))
assert top.at(0).up() is top and top.at(0).up().label == "top" and top.itself().itself() is top
alone = Mine(5, "alone")
assert alone.itself() is alone and alone.itself().label == "alone"
child = top.at(0)
del top, above, alone
gc.collect()
assert child.up() is None and m.count() == 2
assert child.combine(child) == 2 + 20
both = m.Node(4, combine=lambda other: other.value() + 1)
assert both.combine(child) == 21
del child, both, root
gc.collect()
assert m.count() == 0
raises(ValueError, "the weight is negative", Mine, -1, "")
assert m.count() == 0


# Classes that are abstract, errors, close().
class Add(m.Task):
    def __init__(self, what):
        super().__init__()
        self.what = what

    def run(self, x):
        return x + self.what


queue = m.Queue()
queue.push(Add(1))
queue.push_all([m.Twice(), Add(2), m.Task(run=lambda x: x * 10)])
assert queue.run(1) == 60 and queue.owners() == 1 and queue.last() is queue.last()
last = queue.last()
last.close()
raises(ValueError, "Task.run(): argument 'self': this Task is closed", last.run, 1)
assert queue.run(1) == 60
again = queue.last()
assert again is not last and again.run(2) == 20
del again, last
queue.push(Add("x"))
raises(TypeError, "unsupported operand type(s) for +: 'float' and 'str'", queue.run, 1)
queue.push(m.Task())
assert queue.size() == 6
one = Add(3)
queue.push(one)
queue.push(one)
assert queue.owners() == 2 and queue.last() is one
weak = weakref.ref(one)
del one
queue.drop_elsewhere()
gc.collect()
assert weak() is None and queue.last() is None
task = m.Task()
raises(RuntimeError, "tree::Task::run is pure virtual, and not overridden", task.run, 1)


# From several threads.
def work():
    mine = m.Queue()
    for k in range(200):
        mine.push(Add(k))
        mine.last().run(1)
        if k % 20 == 0:
            mine.drop_elsewhere()
    mine.close()


threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]

# C++ has it when Python ends.
m.set_registered(Add(5))
gc.collect()
assert m.run_registered(1) == 6
