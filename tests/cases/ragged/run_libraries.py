"""Ragged arrays of real libraries."""

import codecs

import numpy as np
import pyarrow as pa
import ragged as m
from support import raises, same

# Awkward misspells it, which only Python's development mode notices.
codecs.register_error("surrogatescape", codecs.strict_errors)
import awkward as ak  # noqa: E402

nested = [[1.0, 2.0, 3.0], [], [4.0, 5.0]]
deep = [[[1.0, 2.0], []], [], [[3.0]]]


def deeper(large):
    inner = (pa.large_list if large else pa.list_)(pa.float64())
    return pa.array(deep, (pa.large_list if large else pa.list_)(inner))


for make, kind in [
    (lambda lists: pa.array(lists, pa.list_(pa.float64())), pa.ListArray),
    (lambda lists: pa.array(lists, pa.large_list(pa.float64())), pa.LargeListArray),
    (ak.Array, ak.Array),
]:
    x = make(nested)
    same(m.sum(x), [6.0, 0.0, 9.0])
    same(m.sum(x[1:]), [0.0, 9.0])
    for given, wanted in [(x, nested), (x[1:], nested[1:]), (x[:0], [])]:
        squares = m.square(given)
        assert isinstance(squares, kind)
        assert squares.tolist() == [[a * a for a in one] for one in wanted]
        padded = m.pad(7, given)
        assert isinstance(padded, kind)
        assert padded.tolist() == [[7, *one, 7] for one in wanted]
    y = ak.Array(deep) if kind is ak.Array else deeper(kind is pa.LargeListArray)
    assert m.sum(y).tolist() == [[3, 0], [], [3]]
    assert m.square(y[1:]).tolist() == [[], [[9]]]
    assert m.pad([1, 2, 3], y).tolist() == [[[1, 1, 2, 1], [1, 1]], [], [[3, 3, 3]]]
    for missing in ([[1.0, None]], [[1.0], None]):
        raises(ValueError, "sum(): argument 'x': it has missing values", m.sum, make(missing))

# Whole lists of several kinds are one call's.
same(m.dot(ak.Array(nested), pa.array(nested)), [14.0, 0.0, 41.0])

# Values within an item: lists of one length.
points = [[[1.0, 2.0], [3.0, 0.0]], [], [[0.0, 9.0]]]
wanted = [[1.0, 0.0], [0.0, 0.0], [0.0, 9.0]]
fixed = pa.array(points, pa.list_(pa.list_(pa.float64(), 2)))
regular = ak.to_regular(ak.Array(points), axis=2)
for x in (fixed, regular):
    same(m.box(x)[0], wanted)
    same(m.box(x[1:])[0], wanted[1:])
low, _ = m.box(pa.array([points], pa.list_(pa.list_(pa.list_(pa.float64(), 2)))))
assert low.type == pa.list_(pa.list_(pa.float64(), 2)) and low.tolist() == [wanted]
low, _ = m.box(ak.to_regular(ak.Array([points]), axis=3))
assert low.tolist() == [wanted]

# Arrow's memory is never written to; Awkward's is, if the lists are contiguous in it.
raises(
    ValueError,
    "normalize(): argument 'x': the array is read-only",
    m.normalize,
    pa.array(nested),
)
x = ak.Array(nested)
m.normalize(x)
np.testing.assert_allclose(x[2], [4 / 9, 5 / 9])
raises(
    ValueError,
    "normalize(): argument 'x': its lists are not contiguous: C cannot write to them",
    m.normalize,
    x[[2, 0]],
)
same(m.sum(ak.Array(nested)[[2, 0]]), [9.0, 6.0])

# Options without missing values, empty lists of a type, strings.
same(m.sum(ak.from_arrow(pa.array(nested))), [6.0, 0.0, 9.0])
same(m.short_sum(ak.Array([[], []])), np.int32([0, 0]))
same(m.sum(ak.Array([[1, 2], [3, 4]])), [3.0, 7.0])
same(m.sum(ak.Array(np.ones((2, 3)))), [3.0, 3.0])
raises(TypeError, "sum(): argument 'x': its lists contain strings", m.sum, ak.Array(["ab", "c"]))
assert m.square(ak.Array([[1, 2], [3]])).tolist() == [[1, 4], [9]]

# Views of lists have offsets of another meaning.
views = pa.ListViewArray.from_arrays(
    pa.array([0, 2], pa.int32()), pa.array([2, 1], pa.int32()), pa.array([1.0, 2, 3])
)
raises(
    ValueError,
    "sum(): argument 'x': pyarrow.lib.ListViewArray has 2 lists, but 2 offsets where there must be one more",
    m.sum,
    views,
)
