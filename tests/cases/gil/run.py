import threading

import gil
import numpy as np

small, large = np.zeros(10), np.zeros(1_000_000)
assert gil.held(small) == gil.held(large) == 1
assert gil.released(small) == gil.released(large) == 0
assert gil.auto(small) == gil.written_auto(small) == 1
assert gil.auto(large) == gil.written_auto(large) == 0
assert gil.no_arrays() == 1 and gil.no_arrays_released() == 0
assert gil.overloaded() == gil.overloaded(small) == 0
assert gil.auto(large[::2]) == 0 and gil.auto(np.zeros(1_000_000, np.float32)) == 0

# The work that a function states.
assert gil.little(small) == gil.little(large) == 1
assert gil.much(np.zeros(4)) == 0 and gil.much(np.zeros(3)) == 1 and gil.much(large) == 0
assert gil.asked(small) == gil.asked(small, times=409) == gil.asked(small, times=-5) == 1
assert gil.asked(small, times=410) == gil.asked(small, times=2**31 - 1) == 0
assert gil.each(small) == 1 and gil.each(np.zeros(4096)) == 0
assert gil.each(np.zeros((409, 10))).all() and not gil.each(np.zeros((410, 10))).any()
assert gil.each_asked(small, 1) == 1 and gil.each_asked(small, 4096) == 0
assert not gil.each_asked(np.zeros((2, 10)), [1, 2]).any()

# Many threads at once, with arrays that are created and dropped while the GIL is released.
wrong = []


def work():
    for n in range(300):
        x = np.zeros(5000 + n)
        if gil.auto(x) or gil.released(x[::2]) or not gil.held(x):
            wrong.append(n)


threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong
