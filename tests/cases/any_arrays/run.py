"""Arrays of every rank and dtype go to C and come back; the code is that of the dtype."""

import any_arrays
import numpy as np
from support import raises, same

DTYPES = (np.int8, np.int32, np.float64, np.float32, np.bool_, np.int64)
SHAPES = ((), (3,), (2, 3), (2, 1, 4), (0,), (2, 0, 3), (1, 2, 1, 2, 1, 2))

for dtype in DTYPES:
    for shape in SHAPES:
        count = int(np.prod(shape))
        data = (np.arange(count).reshape(shape) % 2).astype(dtype)
        box = any_arrays.Box()
        box.put(data)
        same(box.get(), data)
        assert any_arrays.sum(data) == count // 2
        digits = int("".join(map(str, (len(shape), *shape))))
        assert any_arrays.digits(data) == digits

# Other layouts are copied for C, and so is the other byte order.
matrix = np.arange(12, dtype=np.int32).reshape(3, 4)
box = any_arrays.Box()
for data in (
    matrix.T,
    matrix[:, ::2],
    matrix[::-1],
    matrix.astype(">i4"),
    np.asfortranarray(matrix),
):
    box.put(data)
    same(box.get(), np.array(data, np.int32))
column = np.array([[1.5, 2], [3, 4]])
assert any_arrays.sum_fortran(column[:, 1]) == 6 and any_arrays.sum_fortran(column) == 10.5

# Lists and numbers have the dtype that NumPy gives them; containers have their own.
for value, dtype in (
    ([[1, 2], [3, 4]], np.int64),
    (2.5, np.float64),
    ([True, False], np.bool_),
    ([], np.float64),
):
    box.put(value)
    same(box.get(), np.array(value, dtype))
box.put(memoryview(np.array([1, 2], np.int8)))
same(box.get(), np.array([1, 2], np.int8))
box.put(np.float32(3))
same(box.get(), np.array(3, np.float32))

# Memory of the caller.
for dtype in (np.int8, np.int32, np.int64, np.float32, np.float64):
    data = np.arange(6).reshape(2, 3).astype(dtype)
    same(any_arrays.doubled(data), (2 * np.arange(6).reshape(2, 3)).astype(dtype))
    assert data[1, 2] == 5
    any_arrays.double_inplace(data[:, ::2])
    assert data.tolist() == [[0, 1, 4], [6, 4, 10]]
    any_arrays.double_inout(data)
    assert data.tolist() == [[0, 2, 8], [12, 8, 20]]
    same(any_arrays.double_both(data[0]), np.array([0, 4, 16], dtype))
    any_arrays.reverse(data)
    assert data.tolist() == [[20, 8, 12], [16, 4, 0]]
view = memoryview(bytearray(np.arange(3, dtype=np.int8).tobytes())).cast("b")
any_arrays.double_inplace(view)
assert view.tolist() == [0, 2, 4]

# Any rank, of one dtype.
assert any_arrays.mean(np.float64(3)) == 3 and any_arrays.mean([[1, 2], [3, 4]]) == 3
assert any_arrays.mean(np.ones((2, 2, 2), np.float32)) == 11 / 8
same(any_arrays.ramp([2, 3]), np.arange(6, dtype=np.float32).reshape(2, 3))
same(any_arrays.ramp([]), np.array(0, np.float32))

# Values that do not fit.
wanted = "wanted an array of int8, int32, float64, float32, bool or int64, got "
for value, got in (
    (np.zeros(2, np.uint16), "an array of uint16 and shape (2,)"),
    (np.zeros((1, 2), np.complex128), "an array of complex128 and shape (1, 2)"),
    (np.zeros(1, np.float16), "an array of float16 and shape (1,)"),
    (np.zeros(1, "M8[s]"), "an array of datetime64 and shape (1,)"),
    ("text", "str"),
    (None, "NoneType"),
    ({}, "dict"),
):
    got = got if value is not None else "None"
    raises(TypeError, f"sum(): argument 'data': {wanted}{got}", any_arrays.sum, value)
raises(
    TypeError,
    "sum_reals(): argument 'data': wanted an array of float64 or float32, got list",
    any_arrays.sum_reals,
    [1, 2],
)
raises(
    TypeError,
    f"double_inplace(): argument 'data': {wanted.replace(', got ', '')}, which can be written to, got list",
    any_arrays.double_inplace,
    [1.0],
)
read_only = np.zeros(2)
read_only.flags.writeable = False
raises(
    ValueError,
    "double_inplace(): argument 'data': the array is read-only",
    any_arrays.double_inplace,
    read_only,
)
raises(
    ValueError,
    "double_inout(): argument 'data': the array must be C-contiguous",
    any_arrays.double_inout,
    matrix.T,
)
raises(
    ValueError,
    "digits_of_three(): argument 'data': the array has 2 dimensions, but dims has 3 elements",
    any_arrays.digits_of_three,
    [[1]],
)
assert any_arrays.digits_of_three([[[1]]]) == 3111
raises(
    OverflowError,
    "Box.put(): argument 'data': dimension 0 is 40000, which is out of range for dims (int16)",
    box.put,
    np.zeros(40000, np.int8),
)
raises(RuntimeError, "Box.put(): box_put returned status 1", box.put, np.zeros((1,) * 9))

# Reports of C are checked.
box.put(np.arange(3.0))
box.damage(109, 3)  # another code of the same dtype
same(box.get(), np.arange(3.0))
names = "int8, int32, float64, float32, bool or int64"
box.damage(99, 3)
raises(TypeError, f"Box.get(): argument 'data': the dtype that C reports is not {names}", box.get)
box.damage(102, -1)
raises(ValueError, "Box.get(): argument 'data': dimension 0 is negative (-1)", box.get)
raises(RuntimeError, "Box.get(): box_get returned status 3", any_arrays.Box().get)

# Fixed ranks.
for dtype in (np.int8, np.int32, np.float32, np.float64, np.int64, bool):
    values = np.ones((3, 2), dtype)
    assert any_arrays.trace(values) == 2 == any_arrays.trace(values.T)
    assert any_arrays.trace(values[::2]) == 2
assert any_arrays.trace([[1, 2], [3, 4]]) == 5 and any_arrays.trace([[0.5]]) == 0.5
raises(
    ValueError,
    "trace(): argument 'data': wanted a 2-D array, got ...",
    any_arrays.trace,
    [1.0, 2.0],
)
raises(
    TypeError,
    f"trace(): argument 'data': wanted an array of {names}, got ...",
    any_arrays.trace,
    [["x"]],
)
raises(
    TypeError,
    f"trace(): argument 'data': wanted an array of {names}, got ...",
    any_arrays.trace,
    np.ones((2, 2), np.uint16),
)
row = np.arange(3, dtype=np.int32)
any_arrays.double_row(row)
any_arrays.double_exactly(row)
same(row, np.array([0, 4, 8], np.int32))
gaps = np.arange(6.0)
any_arrays.double_row(gaps[::2])
same(gaps, np.array([0, 1, 4, 3, 8, 5.0]))
same(any_arrays.doubled_row([1, 2]), np.array([2, 4]))
same(any_arrays.count_up(101, 3), np.array([1, 2, 3], np.int32))
same(any_arrays.count_up(103, 2), np.array([1, 2], np.float32))
same(any_arrays.copy(np.array([1.5, 2], np.float32)), np.array([1.5, 2], np.float32))
raises(
    TypeError,
    f"count_up(): argument 'data': the dtype that C reports is not {names}",
    any_arrays.count_up,
    7,
    2,
)

# Output buffers, of fixed and of any rank.
buffer = np.zeros(3, np.int32)
assert any_arrays.count_up(101, 3, data=buffer) is buffer and buffer.tolist() == [1, 2, 3]
wide = np.zeros(6, np.int32)
assert any_arrays.count_up(101, 3, data=wide[::2]).tolist() == [1, 2, 3] and wide.tolist() == [
    1,
    0,
    2,
    0,
    3,
    0,
]
raises(
    ValueError,
    "count_up(): argument 'data': ...",
    any_arrays.count_up,
    101,
    3,
    data=np.zeros(2, np.int32),
)
raises(TypeError, "count_up(): argument 'data': ...", any_arrays.count_up, 101, 3, data=np.zeros(3))
box = any_arrays.Box()
box.put(np.arange(6.0).reshape(2, 3))
room = np.zeros((2, 3))
assert box.get(data=room) is room and room.tolist() == [[0, 1, 2], [3, 4, 5]]
raises(ValueError, "Box.get(): argument 'data': ...", box.get, data=np.zeros((3, 2)))
raises(TypeError, "Box.get(): argument 'data': ...", box.get, data=np.zeros((2, 3), np.int32))
ramp = np.zeros((2, 2), np.float32)
assert any_arrays.ramp([2, 2], x=ramp) is ramp and ramp.tolist() == [[0, 1], [2, 3]]
