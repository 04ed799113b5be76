import intents_vector as m
import numpy as np
from support import layouts, raises, readonly, same, strided

# Short ones are copied on the stack, long ones in allocated memory.
for n in (1, 3, 5000):
    start = np.arange(n) + 1.0
    weight = float(np.dot(start, start))
    after = start + 10 * np.arange(n)

    for layout, x in layouts(start):
        assert m.read(x) == weight, layout
        assert m.hidden(x) == 2 * weight, layout
        same(m.in_out(x), after)
        np.testing.assert_array_equal(x, start, layout)

        # inplace: the caller's memory changes, wherever it is
        y = next(y for name, y in layouts(start) if name == layout)
        assert m.inplace(y) is None
        np.testing.assert_array_equal(y, after, layout)
        y = next(y for name, y in layouts(start) if name == layout)
        returned = m.inplace_out(y)
        np.testing.assert_array_equal(y, after, layout)
        np.testing.assert_array_equal(returned, after, layout)
        assert not np.shares_memory(returned, y)

        # inout: in place, or refused
        for name in ("inout", "inout_out"):
            call, where = getattr(m, name), f"{name}(): argument 'x':"
            y = next(y for name, y in layouts(start) if name == layout)
            if "byte-swapped" in layout:
                raises(
                    TypeError,
                    f"{where} wanted an array of float64 in native byte order, got an "
                    f"array of float64 in swapped byte order and shape ({n},)",
                    call,
                    y,
                )
            elif layout == "unaligned":
                raises(ValueError, f"{where} the array must be aligned", call, y)
            elif not y.flags.c_contiguous:
                raises(ValueError, f"{where} the array must be C-contiguous", call, y)
            else:
                returned = call(y)
                np.testing.assert_array_equal(y, after)
                if name == "inout":
                    assert returned is None
                else:
                    same(returned, after)
                    assert not np.shares_memory(returned, y)
                continue
            np.testing.assert_array_equal(y, start, "a refused argument is unchanged")

    # Read-only and of another type: valid to read and to copy, not to write.
    fixed = readonly(start)
    assert m.read(fixed) == weight
    same(m.in_out(fixed), after)
    for dtype in ("int8", "uint16", "int64", "uint64", "float32", "float16", "bool"):
        other = np.ones(n, dtype)
        assert m.read(other) == m.read(strided(other)) == n * (n + 1) / 2
        same(m.in_out(other), 1 + 10.0 * np.arange(n))
    assert (
        m.read(start.tolist())
        == m.read(tuple(start.tolist()))
        == m.read(memoryview(start))
        == weight
    )
    same(m.in_out(start.tolist()), after)
    for name in ("inplace", "inout", "inplace_out", "inout_out"):
        call, where = getattr(m, name), f"{name}(): argument 'x':"
        raises(ValueError, f"{where} the array is read-only", call, fixed)
        raises(ValueError, f"{where} the array is read-only", call, readonly(strided(start)))
        raises(
            TypeError,
            f"{where} wanted an array of exactly float64, got an array of float32 and shape ({n},)",
            call,
            start.astype("float32"),
        )
        raises(
            TypeError,
            f"{where} wanted an array of float64, which can be written to, got list",
            call,
            start.tolist(),
        )
        raises(
            ValueError,
            f"{where} wanted a 1-D array, got an array of float64 and shape (1, {n})",
            call,
            start.reshape(1, n),
        )
    same(fixed, start)

    same(m.out(n), np.arange(n) * 1.0)

# No value is dropped on the way to C.
for name in ("read", "in_out"):
    call, where = getattr(m, name), f"{name}(): argument 'x':"
    for dtype in ("complex128", "longdouble", "str", "datetime64", "object"):
        x = np.zeros(2, dtype)
        got = np.dtype(dtype).type.__name__
        raises(
            TypeError,
            f"{where} wanted an array that casts safely to float64, got an array of "
            f"{got} and shape (2,)",
            call,
            x,
        )
    raises(TypeError, f"{where} wanted an array of float64, got str", call, "12")
    raises(TypeError, f"{where} wanted an array of float64, got None", call, None)
    raises(TypeError, f"{where} wanted an array of float64, got float", call, 1.0)
    raises(
        ValueError,
        f"{where} wanted a 1-D array, got an array of float64 and shape (2, 2)",
        call,
        np.zeros((2, 2)),
    )
    raises(ValueError, f"{where} ...inhomogeneous...", call, [[1.0], [1.0, 2.0]])
    raises(TypeError, f"{where} ...", call, [1.0, "2"])
    raises(TypeError, f"{where} ...", call, [1.0, 2j])
