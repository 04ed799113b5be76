import intents_pointer as m
import numpy as np
from support import raises, readonly, same, swapped, unaligned

for one in (1, np.int8(1), np.int32(1), np.uint64(1), np.array(1), True):
    assert m.read(one) == 2
assert (m.out(), m.out()) == (1, 2)
assert m.out_starts_as() == 42
assert m.hidden(3) == 3 + 31 and m.hidden_null(3) == 3

# in out: the caller's value is unchanged, of any type
box = np.array(1, np.int32)
assert m.in_out(1) == m.in_out(box) == m.in_out(readonly(np.int32(1))) == 2
assert box == 1

# inplace and inout: only writable values are accepted
for name in ("inplace", "inout", "inplace_out", "inout_out"):
    bump = getattr(m, name)
    for box in (
        np.array(1, np.int32),
        unaligned(np.array(1, np.int32)),
        np.array([[0, 1]], np.int32)[0, 1, ...],
    ):
        returned = bump(box)
        same(box, np.array(2, np.int32))
        assert returned == (2 if name.endswith("_out") else None)
    view = np.arange(3, dtype=np.int32)
    bump(view[1:2].reshape(()))
    same(view, np.array([0, 2, 2], np.int32))

    where = f"{name}(): argument 'x':"
    for wrong, got in (
        (1, "int"),
        (np.int32(1), "numpy.int32"),
        ([1], "list"),
        (None, "None"),
        (np.array([1], np.int32), "an array of int32 and shape (1,)"),
    ):
        raises(
            TypeError,
            f"{where} wanted a 0-d array of int32, which can be written back to, got {got}",
            bump,
            wrong,
        )
    for dtype in ("int64", "uint32", "float32"):
        raises(
            TypeError,
            f"{where} wanted a 0-d array of exactly int32, got an array of {dtype} and shape ()",
            bump,
            np.array(1, dtype),
        )
    raises(
        TypeError,
        f"{where} wanted a 0-d array of exactly int32, got an array of int32 in swapped byte order and shape "
        "()",
        bump,
        swapped(np.array(1, np.int32)),
    )
    box = readonly(np.array(1, np.int32))
    raises(ValueError, f"{where} the array is read-only", bump, box)
    assert box == 1

box = np.array(1, np.int32)
assert m.inplace_or_five() == m.inplace_or_five(None) == 6
assert m.inplace_or_five(box) == 2 and box == 2
