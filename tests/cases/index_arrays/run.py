import index_arrays as m
import numpy as np
from support import raises


def where(function, argument):
    return f"{function}(): argument '{argument}': "


def csr(dtype):
    indptr = np.array([0, 2, 2, 3], dtype)
    return 3, indptr, np.array([0, 3, 1], dtype), np.array([1.0, 2, 5])


# Both types of indices; every value is checked before C sees it.
x = np.array([1.0, 10, 100, 1000])
for dtype in (np.int32, np.int64):
    rows, indptr, indices, data = csr(dtype)
    assert m.matvec(rows, indptr, indices, data, x).tolist() == [2001, 0, 50]
    assert m.matvec(rows, indptr.tolist(), indices.tolist(), data, x).tolist() == [2001, 0, 50]
    strided = np.repeat(indices, 2)[::2]
    assert m.matvec(rows, indptr, strided, data, x).tolist() == [2001, 0, 50]

rows, indptr, indices, data = csr(np.int32)
of = where("matvec", "indptr")
raises(
    ValueError,
    of + "element 0 is 1, but offsets begin with 0",
    m.matvec,
    3,
    indptr + 1,
    indices,
    data,
    x,
)
raises(
    ValueError,
    of + "element 2 is 1, less than the one before it, 2",
    m.matvec,
    3,
    np.int32([0, 2, 1, 3]),
    indices,
    data,
    x,
)
raises(
    ValueError,
    of + "element 3 is -1, less than the one before it, 2",
    m.matvec,
    3,
    np.int32([0, 2, 2, -1]),
    indices,
    data,
    x,
)
raises(
    ValueError,
    of + "dimension 0 of shape (4,) is 4, but m + 1 is 5",
    m.matvec,
    4,
    indptr,
    indices,
    data,
    x,
)
of = where("matvec", "indices")
raises(
    ValueError,
    of + "dimension 0 of shape (2,) is 2, but indptr[m] is 3",
    m.matvec,
    3,
    indptr,
    indices[:2],
    data,
    x,
)
raises(
    ValueError,
    of + "element 1 is 4, but an index is from 0 to 3: n is 4",
    m.matvec,
    3,
    indptr,
    np.int32([0, 4, 1]),
    data,
    x,
)
raises(
    ValueError,
    of + "element 2 is -1, but an index is from 0 to 3: n is 4",
    m.matvec,
    3,
    indptr,
    np.int32([0, 3, -1]),
    data,
    x,
)
raises(
    ValueError,
    of + "element 0 is 0, but there is nothing to index: n is 0",
    m.matvec,
    3,
    indptr,
    indices,
    data,
    x[:0],
)
raises(
    ValueError,
    where("matvec", "data") + "dimension 0 of shape (2,) is 2, but indptr[m] is 3",
    m.matvec,
    3,
    indptr,
    indices,
    data[:2],
    x,
)
raises(
    ValueError,
    where("matvec", "indptr") + "an array of offsets has one element at least",
    m.matvec,
    -1,
    indptr[:0],
    indices[:0],
    data[:0],
    x,
)
none = np.zeros(0)
assert m.matvec(0, [0], np.int32([]), none, none).tolist() == []
large = np.arange(100_001, dtype=np.int32)
ones, many = np.ones(100_000), np.zeros(100_000, np.int32)
assert (m.matvec(100_000, large, many, ones, x) == 1).all()
many[77_777] = 9
raises(
    ValueError,
    of + "element 77777 is 9, but an index is from 0 to 3: n is 4",
    m.matvec,
    100_000,
    large,
    many,
    ones,
    x,
)

# Without rules, the size itself.
of = where("sizes_alone", "ai")
assert m.sizes_alone(2, [0, 1, 2], [7, 8]) == 8
raises(
    ValueError,
    of + "dimension 0 of shape (3,) is 3, but ap[n] is 2",
    m.sizes_alone,
    2,
    [0, 1, 2],
    [7, 8, 9],
)
raises(
    ValueError,
    of + "dimension 0 of shape (2,) is 2, but ap[n] is -2",
    m.sizes_alone,
    2,
    [0, 1, -2],
    [7, 8],
)
for n in (3, -1):
    raises(
        ValueError,
        of + "dimension 0 (ap[n]) overflowed, divided by zero or was read beyond an array",
        m.sizes_alone,
        n,
        [0, 1, 2],
        [7, 8],
    )

# Sizes of results, and hidden values.
assert m.expand([0, 2, 2, 3]).tolist() == [0, 0, 2]
assert m.expand([0]).tolist() == []
raises(
    ValueError,
    where("expand", "indptr") + "element 1 is -2, less than the one before it, 0",
    m.expand,
    [0, -2],
)
assert m.ends(np.uint8([3, 9, 200])) == 197
raises(
    OverflowError,
    where("ends", "first") + "its value overflowed, divided by zero or was read beyond an array",
    m.ends,
    np.uint8([]),
)
assert m.beyond(1, [0, 2], [1.0, 2]) == 2
assert m.huge([2], [1.0, 2]) == 2
raises(
    ValueError,
    where("huge", "x") + "dimension 0 (ap[0]) overflowed, ...",
    m.huge,
    np.uint64([2**63]),
    [1.0],
)

# Indices in arrays of any rank and type; other bases.
assert m.gather(x, [3, 0]).tolist() == [1000, 1]
raises(
    ValueError,
    where("gather", "idx") + "element 0 is -1, but an index is from 0 to 3: n is 4",
    m.gather,
    x,
    np.int16([-1, 0]),
)
assert m.area(x, np.uint32([[1, 2, 3], [4, 4, 4]])) == 3111
bad = np.uint32([[1, 2, 3], [4, 4, 5]])
for area in (m.area, m.area_columns):
    name = area.__name__
    raises(
        ValueError,
        where(name, "triangles") + "element (1, 2) is 5, but an index is from 1 to 4: n is 4",
        area,
        x,
        bad,
    )
    raises(
        ValueError,
        where(name, "triangles") + "element (0, 1) is 0, ...",
        area,
        x,
        np.uint32([[1, 0, 3]]),
    )
    assert area(x, np.zeros((0, 3), np.uint32)) == 0
assert m.fortran_rows(1, 2, [1, 2, 4], [1, 2, 3]) == 6
assert m.fortran_rows(1, 2, [1, 2, 4]) == 0
raises(
    ValueError,
    where("fortran_rows", "starts") + "element 0 is 0, but offsets begin with 1",
    m.fortran_rows,
    1,
    2,
    [0, 2, 4],
)
raises(
    ValueError,
    where("fortran_rows", "picks")
    + "element 1 is 0, but an index is from 1 to 3: starts[n] - base is 3",
    m.fortran_rows,
    1,
    2,
    [1, 2, 4],
    [1, 0, 3],
)

# A refused call has changed nothing.
p = np.int32([2, 0, 1])
m.permute(p, [1, 2, 0])
assert p.tolist() == [0, 1, 2]
m.permute(p)
assert p.tolist() == [0, 0, 0]
p[1] = 3
raises(
    ValueError,
    where("permute", "p") + "element 1 is 3, but an index is from 0 to 2: n is 3",
    m.permute,
    p,
)
assert p.tolist() == [0, 3, 0]

# Every width: values that compare differently with and without a sign.
good = [np.int8([1]), np.uint8([1]), np.uint16([1]), np.uint64([1]), np.uint16([0, 2, 2])]
assert m.bytes_of(2, *good) == 2
for position, name, wrong, shown in [
    (0, "i", np.int8([1, -1]), "-1"),
    (1, "j", np.uint8([1, 255]), "255"),
    (2, "k", np.uint16([1, 65535]), "65535"),
    (3, "l", np.uint64([1, 2**63 - 1]), str(2**63 - 1)),
    (3, "l", np.uint64([1, 2**64 - 1]), "larger than any size"),
]:
    values = list(good)
    values[position] = wrong
    raises(
        ValueError,
        where("bytes_of", name) + f"element 1 is {shown}, but an index is from 0 to 1: n is 2",
        m.bytes_of,
        2,
        *values,
    )
raises(
    ValueError,
    where("bytes_of", "o") + "element 2 is 1, less than the one before it, 65535",
    m.bytes_of,
    2,
    *good[:4],
    np.uint16([0, 65535, 1]),
)
raises(
    ValueError,
    where("bytes_of", "i") + "element 0 is 1, but there is nothing to index: n is -3",
    m.bytes_of,
    -3,
    *good,
)

# Sizes from the fields of an object.
v = m.Vec(3)
v.set([1.0, 2, 3])
assert v.get().tolist() == [1, 2, 3] and v.twice().tolist() == [1, 1, 2, 2, 3, 3]
raises(
    ValueError,
    "Vec.set(): argument 'x': dimension 0 of shape (2,) is 2, but v->n is 3",
    v.set,
    [1.0, 2],
)
v.close()
raises(ValueError, "...", v.get)
