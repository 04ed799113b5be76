import random
import sys
import threading

import threads as m
from support import raises


def at_once(*calls, count=8, times=20):
    """The results of these calls, made by several threads, each in a random order."""
    results, start = [], threading.Barrier(count)

    def run():
        start.wait()
        for _ in range(times):
            results.append(random.choice(calls)())

    runners = [threading.Thread(target=run) for _ in range(count)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return max(results)


# One object is in one call at a time, by whatever function; several objects are in C at once.
a, b = m.Box(), m.Box()
assert at_once(a.work, a.part().work, m.Box.work.__get__(a)) == 1
m.forget()
assert at_once(a.work, b.work) == 1
assert m.most_at_once() > 1

# Two objects in one call, in either order, and one twice.
assert at_once(lambda: a.both(b), lambda: b.both(a), a.work, b.work) == 1
assert at_once(lambda: a.part().work(), lambda: b.part().both(a)) == 1
c = m.Box()
assert at_once(c.shared) > 1

# The module's other functions, and those with options of their own.
m.forget()
assert at_once(m.work, m.work_more) == 1
m.forget()
# `PYTHON_GIL=0` keeps a free-threaded Python from enabling the GIL for this module.
assert at_once(m.work_alone) == 1 or not getattr(sys, "_is_gil_enabled", lambda: True)()
m.forget()
assert at_once(m.work_freely) > 1


# Releasing memory and objects calls C as well, whatever held the last reference.
held = [[m.memory(3) for _ in range(160)], [m.Token() for _ in range(160)]]
m.forget()
at_once(
    lambda: m.work() - 1,
    lambda: len(m.text()),
    lambda: held[0].pop().size,
    lambda: held[1].pop().close() or 0,
)
assert m.most_at_once() == 1


# A thread that waits for an object retains it; it may be closed in the meantime, and is released by
# the last user.
def work_or_closed(box):
    try:
        box.work()
    except ValueError as error:
        assert str(error) == "Box.work(): argument 'b': this Box is closed"


for _ in range(20):
    d = m.Box()
    runners = [threading.Thread(target=work_or_closed, args=[d]) for _ in range(4)]
    for runner in runners:
        runner.start()
    d.close()
    for runner in runners:
        runner.join()
    raises(ValueError, "Box.work(): argument 'b': this Box is closed", d.work)
