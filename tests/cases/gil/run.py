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
