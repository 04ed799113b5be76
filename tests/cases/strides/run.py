import numpy as np
import strides as m
from support import raises, same, unaligned

x = np.arange(1.0, 25.0)
for view in (
    x,
    x[::3],
    x[3:20:5],
    x[::-2],
    x[:1][::-1],
    x[:0],
    np.broadcast_to(2.0, (4,)),
    unaligned(x)[::2],
):
    assert m.sum(view) == view.sum(), view
    lies = view.strides[0] >= 8 and view.flags.aligned and len(view) > 1 or view.flags.c_contiguous
    assert ("used in place" in m.explain.sum(view)) == bool(lies), view.strides
assert m.sum([1, 2, 3]) == 6.0

a = np.arange(48.0).reshape(6, 8)
for view in (a, a[:, :5], a[::2, 2:], a[:, ::2], a.T, a[1:2], a[:, 1:2], a[::-1]):
    assert m.corner(view) == view[-1, -1]
assert "used in place" in m.explain.corner(a[::2, 2:])
assert "copied" in m.explain.corner(a[:, ::2])

f = np.ones((6, 8), np.float32)
assert m.step2(f) == 8001 and m.step2(f[::2, ::3]) == 16003
assert m.step2(f[:1, ::3]) == 24003 or m.step2(f[:1, ::3]) > 0
assert m.step2(f.T) == 6001  # columns are closer than rows: packed
assert m.step2(f[:, 0][:, None][:, [0, 0]]) == 2001

same(m.ramp(4), [0.0, 1.0, 2.0, 3.0])
buffer = np.full(8, 9.0)
m.ramp(4, y=buffer[::2])
same(buffer, [0.0, 9.0, 1.0, 9.0, 2.0, 9.0, 3.0, 9.0])
m.shift(buffer[1::2])
same(buffer[1::2], [0.0, 1.0, 2.0, 3.0])
raises(ValueError, "shift(): argument 'y': the array must be C-contiguous", m.shift, buffer[::-1])

g = np.ones((6, 8), order="F")
assert m.columns(g) == 6 and m.columns(g[:3]) == 6 and m.columns(g[:, ::2]) == 12
assert m.columns(np.ones((6, 8))) == 6
