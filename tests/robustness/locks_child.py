"""Scenarios of locks, each run by test_locks.py in a process of its own: its name is the argument.

Nothing here waits without an end: a process that hangs is killed, with the stack of each
thread printed.
"""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import warnings
from functools import partial, reduce

import left
import right

LIMIT = 60
NEVER = (
    "Thing.get(): deadlock: the {0} is in use by another thread, which waits for the {1}"
    " that this thread uses"
)
THINGS = NEVER.format("left.Thing", "left.Thing")
FORKED = "was in use by another thread when the process was forked"


def at_once(*works):
    """The result or the exception of each, run on a thread of its own."""
    outcomes = [None] * len(works)

    def run(k):
        try:
            outcomes[k] = works[k]()
        except Exception as error:
            outcomes[k] = error

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def ring(*steps):
    """Each (run, get) calls back, each on its thread, and all get at once."""
    gate = threading.Barrier(len(steps))

    def work(run, get):
        def called():
            gate.wait()
            return get()

        return lambda: run(called)

    return at_once(*(work(*step) for step in steps))


def broken(outcomes, *messages):
    """One of the calls has ended the cycle; the others succeeded."""
    errors = [one for one in outcomes if isinstance(one, Exception)]
    assert len(errors) == 1 and isinstance(errors[0], RuntimeError), outcomes
    assert str(errors[0]) in messages, errors[0]
    assert all(one == 7 for one in outcomes if one is not errors[0]), outcomes


def two_objects():
    for _ in range(50):
        a, b = left.Thing(7), left.Thing(7)
        broken(ring((a.run, b.get), (b.run, a.get)), THINGS)
        assert a.get() == b.get() == 7


def three_objects():
    for _ in range(50):
        a, b, c = (left.Thing(7) for _ in range(3))
        broken(ring((a.run, b.get), (b.run, c.get), (c.run, a.get)), THINGS)


def object_and_module():
    for _ in range(50):
        a = left.Thing(7)
        broken(
            ring((a.run, left.count), (left.run_alone, a.get)),
            NEVER.format("left.Thing", "module left"),
            NEVER.format("module left", "left.Thing").replace("Thing.get", "count"),
        )


def two_modules():
    for _ in range(50):
        a, b = left.Thing(7), right.Thing(7)
        broken(
            ring((a.run, b.get), (b.run, a.get)),
            NEVER.format("left.Thing", "right.Thing"),
            NEVER.format("right.Thing", "left.Thing"),
        )
        broken(
            ring((left.run_alone, right.count), (right.run_alone, left.count)),
            NEVER.format("module left", "module right").replace("Thing.get", "count"),
            NEVER.format("module right", "module left").replace("Thing.get", "count"),
        )


def at_random():
    """Any pattern of waiting: all threads end, and leave nothing locked."""
    things = [left.Thing(7) for _ in range(3)] + [right.Thing(7) for _ in range(3)]
    ended = []

    def nest(r, depth):
        thing = r.choice(things)
        if r.random() < 0.2:
            left.Piece(thing) if isinstance(thing, left.Thing) else right.Piece(thing)
        if depth == 0:
            return thing.get()
        if r.random() < 0.2:
            return r.choice([left, right]).run_alone(lambda: nest(r, depth - 1))
        return thing.run(lambda: nest(r, depth - 1))

    def work(seed):
        r = random.Random(seed)
        for _ in range(150):
            try:
                assert nest(r, 3) == 7
            except RuntimeError as error:
                assert "deadlock" in str(error), error
                ended.append(error)
        return 7

    sys.setswitchinterval(1e-5)
    # Whether threads would deadlock depends on the scheduler: in one of the rounds they must.
    for round_ in range(50):
        assert at_once(*(lambda k=k: work(k) for k in range(8 * round_, 8 * round_ + 8))) == [7] * 8
        assert all(thing.get() == 7 for thing in things)
        if ended:
            break
    assert ended
    gc.collect()
    assert left.pieces() == right.pieces() == 0


def releases():
    """Dropping an object or memory never waits: the thread that uses it releases it."""
    a, b = left.Thing(7), left.Thing(7)
    held = [left.Piece(b), left.Token(), left.memory(3)]
    gate = threading.Barrier(2)

    def in_a():
        gate.wait()
        time.sleep(0.2)  # the others wait for this object by now
        held.clear()
        return 7

    def in_b():
        gate.wait()
        return left.run_alone(a.get)

    assert at_once(lambda: a.run(in_a), lambda: b.run(in_b)) == [7, 7]
    assert left.pieces() == left.tokens() == left.memories() == 0
    # `close` does not wait either: it is closed at once, and released by the thread that is using
    # it.
    token = left.Token()
    thread = threading.Thread(target=left.nap, args=(2.0,))
    thread.start()
    time.sleep(0.3)
    token.close()
    assert token.closed and left.tokens() == 1 and thread.is_alive()
    thread.join()
    assert left.tokens() == 0


def interrupt():
    """Ctrl-C ends the waiting, and leaves the lock unchanged."""
    a = left.Thing(7)
    thread = threading.Thread(target=a.nap, args=(2.0,))
    thread.start()
    time.sleep(0.2)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        a.get()
    except KeyboardInterrupt:
        assert thread.is_alive()
    else:
        raise AssertionError("nothing interrupted it")
    thread.join()
    assert a.get() == 7


def limit():
    """Ends a child that hangs; the thread of `faulthandler` does not exist any more."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(10)


def forked(work):
    """Runs `work` in a child, which must succeed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            limit()
            work()
            code = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0, status


def refused(call):
    try:
        call()
    except RuntimeError as error:
        assert str(error).endswith("was in use by another thread when the process was forked"), (
            error
        )
        return str(error)
    raise AssertionError("not refused")


def napping(*naps):
    """Threads that are in C, and others that wait for them."""
    threads = [threading.Thread(target=nap, args=(1.0,)) for nap in naps for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    return threads


def fork():
    a, b = left.Thing(7), left.Thing(7)
    held = [left.Piece(a)]
    threads = napping(a.nap, left.nap)

    def work():
        message = refused(a.get)
        assert message == f"Thing.get(): this left.Thing {FORKED}"
        refused(a.get)
        refused(held[0].look)
        refused(lambda: a.both(b))
        assert b.get() == 7 and left.count() == 7 and left.run_alone(b.get) == 7
        assert at_once(b.get, left.count, left.Thing(7).get) == [7, 7, 7]
        # Threads of the child may have the ids of threads that are gone.
        assert all(isinstance(one, RuntimeError) for one in at_once(*[a.get] * 8))
        a.close()
        held.clear()
        gc.collect()

    forked(work)
    for thread in threads:
        thread.join()
    assert a.get() == 7 and left.count() == 7
    forked(lambda: [a.get(), left.count(), left.Piece(a).look()])


def fork_and_drop():
    """The first action of a child is to drop them."""
    held = [left.Thing(7), left.Token(), left.memory(3)]
    held.append(left.Piece(held[0]))
    threads = napping(held[0].nap, left.nap)
    forked(held.clear)
    held.clear()
    for thread in threads:
        thread.join()
    assert left.pieces() == left.tokens() == left.memories() == 0


def fork_in_callback():
    """The child returns through C, with the lock of its thread; the waiting threads are gone."""
    a = left.Thing(7)
    ends, waiting = [], threading.Thread(target=a.get)

    def called():
        waiting.start()
        time.sleep(0.2)
        ends.append(os.fork())
        if ends[0] == 0:
            limit()
        return a.get()

    assert a.run(called) == 7
    assert a.get() == 7 and left.run_alone(a.get) == 7
    assert at_once(a.get, a.get) == [7, 7]
    if ends[0] == 0:
        os._exit(0)
    waiting.join()
    assert os.waitpid(ends[0], 0)[1] == 0


def fork_amid_callbacks():
    """Calls of other threads, whose stacks are gone, are not in the list of the child."""
    over = threading.Event()

    def run(depth, wait=int):
        thing = left.Thing(7)

        def called():
            wait()
            return thing.get()

        # Functions of C use the stack, each another part of it.
        if depth % 3 == 1:
            return max(map(run, [depth - 1], [wait]))
        if depth % 3 == 2:
            return reduce(lambda _, more: run(more, wait), [depth - 1], 0)
        return thing.run(called if depth == 0 else lambda: run(depth - 1, wait))

    threads = [threading.Thread(target=run, args=(k, over.wait), daemon=True) for k in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    for _ in range(2):
        forked(lambda: [at_once(*[partial(run, k)] * 8) for k in range(40)])
    assert run(0) == 7
    over.set()
    for thread in threads:
        thread.join()


def fork_while_waiting():
    """A signal handler forks while its thread waits."""
    a = left.Thing(7)
    children = []

    def fork(*_):
        children.append(os.fork())
        if children[0] == 0:
            limit()

    signal.signal(signal.SIGALRM, fork)
    threads = napping(a.nap, left.nap)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        assert a.get() == 7 and children[0] > 0
    except RuntimeError as error:
        os._exit(0 if children == [0] and "forked" in str(error) and left.count() == 7 else 1)
    for thread in threads:
        thread.join()
    assert os.waitpid(children[0], 0)[1] == 0


def in_pool(k):
    thing = left.Thing(k)
    left.nap(0.001)
    return thing.run(thing.get) + left.count() - 7


def pools():
    """multiprocessing's pools by fork, while threads use the module."""
    over = threading.Event()

    def use():
        thing = left.Thing(1)
        while not over.is_set():
            thing.nap(0.002)
            left.nap(0.002)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(8):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                assert pool.map_async(in_pool, range(20)).get(20) == list(range(20))
    finally:
        over.set()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads, which is the point
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    globals()[sys.argv[1]]()
    print("done")
