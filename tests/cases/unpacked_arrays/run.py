import numpy as np
import unpacked_arrays as m
from support import raises

at = np.zeros((2, 2))
result, characters = m.summarize(
    ["a", "bcd"], [[1, 2, 3], np.ones(9)[::3]], at, [0, 0], [2, 9], m.Way.SUM
)
assert result.tolist() == [5, 3] and characters == 4
at[1] = [1, 2]
result, _ = m.summarize(
    ["a", "b"], [[4.0], [5.0, 7.0]], at, [0, 0], [9, 9], m.Way.MEAN, scale=[2, 3]
)
assert result.tolist() == [8, 18 + 21]
assert m.summarize([], [], np.zeros((0, 2)), [], [], m.Way.SUM)[0].size == 0
many = 200
result, characters = m.summarize(
    ["x" * k for k in range(many)],
    [np.full(k + 1, 2.0) for k in range(many)],
    np.zeros((many, 2)),
    np.zeros(many),
    np.ones(many),
    m.Way.SUM,
)
assert result.tolist() == list(range(1, many + 1)) and characters == many * (many - 1) // 2

raises(
    RuntimeError,
    "summarize(): ua_summarize returned status 1",
    m.summarize,
    ["a"],
    [[]],
    [[0, 0]],
    [0],
    [0],
    m.Way.SUM,
)
raises(
    ValueError,
    "summarize(): argument 'data': dimension 0 of shape (1,) is 1, but n is 2",
    m.summarize,
    ["a", "b"],
    [[1.0]],
    at,
    [0, 0],
    [9, 9],
    m.Way.SUM,
)
raises(
    TypeError,
    "summarize(): argument 'name[1]': wanted a text (str), got int",
    m.summarize,
    ["a", 1],
    [[1.0], [1.0]],
    at,
    [0, 0],
    [9, 9],
    m.Way.SUM,
)

parts = [m.Part(1.0), m.Part(10.0), m.Part(100.0)]
rows = np.arange(6, dtype=np.float32).reshape(3, 2)
assert m.weigh(parts, rows) == 2 * (1 + 50 + 900)
parts[1].close()
raises(ValueError, "weigh(): argument 'part[1]': this Part is closed", m.weigh, parts, rows)

data = [np.arange(3.0), np.arange(8.0)[::2]]
m.scale(data, 3)
assert data[0].tolist() == [0, 3, 6] and data[1].tolist() == [0, 6, 12, 18]

assert m.areas([[0, 1, 3], [0, 2]], [[1, 1, 1], [0, 1]]).tolist() == [3, 1]
assert m.areas([], []).tolist() == []
raises(
    ValueError,
    "areas(): argument 'y[1]': dimension 0 of shape (1,) is 1, but n[1] is 2",
    m.areas,
    [[0, 1, 3], [0, 2]],
    [[1, 1, 1], [0]],
)

x, tags = m.shift([1.0, 2.0], [3, 4], 0.5)
assert x.tolist() == [1.5, 2.5] and tags == 7

# A hidden value is the same in all structs.
assert m.extent([1.0, 2.0]) == 6 and m.extent([]) == 0
assert m.extent_of_meshes([[1.0, 2.0], [], [3.0]]) == 6 and m.extent_of_one([1, 2, 3]) == 6
assert m.extent_of_triangles([[1, 2, 3], [4, 5, 6]]) == 21
raises(ValueError, "extent_of_triangles(): argument 'points': ...", m.extent_of_triangles, [[1, 2]])
