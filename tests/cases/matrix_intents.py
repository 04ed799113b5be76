"""The effect of each intent on a matrix that C expects in its own order, or in Fortran's."""

import numpy as np
from support import layouts, raises, readonly, same, strided


def check(m, order):
    """`m` is the case's module, `order` the layout that its C functions expect: "C" or "F"."""

    def contiguous(a):
        return a.flags.c_contiguous if order == "C" else a.flags.f_contiguous

    # (1, 4) and (4, 1) are contiguous both ways; (60, 50) is too large for a copy on the stack.
    for shape in ((2, 3), (1, 4), (4, 1), (60, 50)):
        i, j = np.indices(shape)
        count = 10.0 * i + j
        start = 1.0 + i + 100.0 * j
        weight = float(np.sum((i + 1) * (10 * j + 1) * start))
        after = start + count

        made = m.out(*shape)
        same(made, count)
        assert contiguous(made)
        for layout, a in layouts(start):
            assert m.read(a) == weight, layout
            assert m.hidden(a) == 2 * weight, layout
            changed = m.in_out(a)
            same(changed, after)
            assert contiguous(changed)
            np.testing.assert_array_equal(a, start, layout)

            b = next(b for name, b in layouts(start) if name == layout)
            assert m.inplace(b) is None
            np.testing.assert_array_equal(b, after, layout)
            b = next(b for name, b in layouts(start) if name == layout)
            returned = m.inplace_out(b)
            np.testing.assert_array_equal(b, after, layout)
            np.testing.assert_array_equal(returned, after, layout)
            assert not np.shares_memory(returned, b)

            for name in ("inout", "inout_out"):
                call, where = getattr(m, name), f"{name}(): argument 'a':"
                b = next(b for name, b in layouts(start) if name == layout)
                if "byte-swapped" in layout:
                    raises(
                        TypeError,
                        f"{where} wanted an array of float64 in native byte order, got an "
                        f"array of float64 in swapped byte order and shape {shape}",
                        call,
                        b,
                    )
                elif layout == "unaligned":
                    raises(ValueError, f"{where} the array must be aligned", call, b)
                elif not contiguous(b):
                    raises(ValueError, f"{where} the array must be {order}-contiguous", call, b)
                else:
                    returned = call(b)
                    np.testing.assert_array_equal(b, after)
                    if name == "inout":
                        assert returned is None
                    else:
                        same(returned, after)
                        assert not np.shares_memory(returned, b)
                    continue
                np.testing.assert_array_equal(b, start, "a refused argument is unchanged")

        fixed = readonly(start)
        assert m.read(fixed) == weight
        same(m.in_out(fixed), after)
        for dtype in ("int16", "uint64", "float32", "float16", "bool"):
            other = np.asfortranarray(start.astype(dtype))
            assert m.read(other) == m.read(strided(other)) == m.read(other.astype("float64"))
            same(m.in_out(other), other.astype("float64") + count)
        assert m.read(start.tolist()) == weight
        for name in ("inplace", "inout", "inplace_out", "inout_out"):
            call, where = getattr(m, name), f"{name}(): argument 'a':"
            raises(ValueError, f"{where} the array is read-only", call, fixed)
            raises(
                TypeError,
                f"{where} wanted an array of exactly float64, got an array of int64 and shape {shape}",
                call,
                start.astype("int64"),
            )
            raises(
                TypeError,
                f"{where} wanted an array of float64, which can be written to, got list",
                call,
                start.tolist(),
            )
            raises(
                ValueError,
                f"{where} wanted a 2-D array, got an array of float64 and shape (3,)",
                call,
                np.zeros(3),
            )

    # A part of a larger matrix, a transposed one, and one that repeats a row.
    base = np.arange(20.0).reshape(4, 5)
    for a in (base[1:3, 1:4], base.T, base[::-2, ::-1], np.broadcast_to(base[0], (3, 5))):
        same(m.in_out(a), a + m.out(*a.shape))
    part = base[1:3, 1:4]
    m.inplace(part)
    assert base[0, 0] == 0 and base[1, 1] == 6 and base[2, 3] == 13 + 12 and base[2, 4] == 14
