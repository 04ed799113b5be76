import gc

import numpy as np
import terminated as m
from support import raises

assert m.product([2, 3, 7]) == 42 and m.product([]) == 1
assert m.product(np.arange(1, 13, dtype=np.int32)[::2]) == 1 * 3 * 5 * 7 * 9 * 11
assert m.sum(np.arange(100.0)) == (4950, 100)
assert m.sum() == (0, 0) and m.sum(None) == (0, 0) and m.sum(np.empty(0)) == (0, 0)
raises(
    ValueError,
    "product(): argument 'x': wanted a 1-D array, got an array of int32 and shape (2, 2)",
    m.product,
    np.ones((2, 2), np.int32),
)

assert m.count([[1, 2, 3], [], np.ones(90, np.int16)[::2]]) == 3 + 45
assert m.count([]) == 0 and m.count([[]] * 50) == 0
assert m.count([np.ones(3, np.int16)] * 100) == 300
raises(RuntimeError, "count(): te_count returned status 2", m.count, [[1], [-2]])
raises(
    TypeError,
    "count(): argument 'rows[1]': wanted an array of int16, got str",
    m.count,
    [[1], "x"],
)

assert m.letters(["ab", "", "cde"]) == 5 and m.letters([]) == 0

# The object refers to copies, which it keeps.
rows = [np.arange(3.0), [10.0], np.ones(2000)]
table = m.Table(rows)
rows[0][:] = 9
del rows
gc.collect()
assert table.sum() == 3 + 2 * 10 + 3 * 2000
table.set([[5.0]])
assert table.sum() == 5
table.set([np.ones(1000)] * 20)
gc.collect()
assert table.sum() == 1000 * 210
raises(
    TypeError,
    "Table.set(): argument 'rows': wanted a sequence of arrays, got float",
    table.set,
    1.0,
)
assert table.sum() == 1000 * 210
table.close()
