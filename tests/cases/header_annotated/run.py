import header_annotated as m
import numpy as np
from support import raises, same

assert m.__doc__ == "Everything that a header can say."
assert m.mean.__doc__.startswith("Arithmetic mean of `x`.\n\n- `z`: nothing\n\nParameters\n")
assert "\n    the samples,\n    at least one\n" in m.mean.__doc__
assert m.mean.__doc__.endswith("\n    their mean")
assert m.shift.__doc__.startswith("Adds `by` to `x`,\nin place.\n")
assert "plain comment" not in m.ramp.__doc__
assert not any(hasattr(m, name) for name in ("version", "each", "ha_version", "ha_mean"))

assert m.mean([1, 2, 6]) == 3
x = np.arange(4.0)
m.shift(x[::2])
same(x, np.array([0.5, 1, 2.5, 3]))
m.shift(x, by=1)
assert x[3] == 4
same(m.ramp(2), np.array([0.0, 1, 2]))
same(m.ramp(2, -1), np.array([2.0, 1, 0]))
raises(RuntimeError, "ramp(): ha_ramp returned status 1", m.ramp, 13)
same(m.scaled(np.ones(2)), np.full(2, 2.0))
same(m.scaled(np.ones(2, np.float32)), np.full(2, 2, np.float32))
assert m.range([3, 1, 2]) == (3.0, 1.0)
assert m.trace([[1, 2], [3, 4]]) == 305
assert m.weighted([1, 2]) == 3
assert m.weighted([1, 2], w=[10, 1]) == 12
hits = np.array([1, 2, 3], np.int32)
assert m.count(hits, 4) == 10 and hits.tolist() == [2, 3, 4]
assert m.lambda_(2) == -2
assert m.sum([1, 2]) == 3
assert m.edition() == "1.2" and m.name() == "a" and m.name("xyz") == "x" and m.name("") is None
same(m.stairs(3), np.arange(3.0))
same(m.fill(2), np.arange(2.0))
assert m.total(b"\1\2") == 3 and m.letters(5) == "ab"
x = np.arange(3.0)
assert np.shares_memory(m.tail(x), x)
assert m.walk(lambda x: (x * [3, 1], 1)) == 231
message = "walk(): argument 'step' returned 'y': dimension 0 of shape (3,) is 3, but must be 2"
raises(ValueError, message, m.walk, lambda x: ([1, 2, 3], 1))
