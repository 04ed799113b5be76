"""A waiting thread may be interrupted, at any moment: that admits no other thread, and leaves none
waiting."""

import random
import signal
import threading
import time

import threads as m


class Stop(Exception):
    pass


def stop(*_):
    raise Stop


def run():
    while not is_over:
        random.choice((box.work, m.work, m.text, lambda: m.Token().close()))()


signal.signal(signal.SIGALRM, stop)
box, is_over = m.Box(), False
runners = [threading.Thread(target=run, daemon=True) for _ in range(4)]
for runner in runners:
    runner.start()

stopped, end = 0, time.monotonic() + 1.5
while time.monotonic() < end:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0005, 0.008))
        try:
            while True:
                random.choice((box.work, m.work))()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Stop:
        stopped += 1
is_over = True
for runner in runners:
    runner.join(20)
    assert not runner.is_alive()
assert stopped > 20
assert box.work() == 1
