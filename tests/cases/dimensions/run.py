import inspect

import dimensions as m
import numpy as np
from support import raises, same

a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
same(m.matmul(a, b), a @ b)
same(m.matmul(b.T, a.T), b.T @ a.T)
assert str(inspect.signature(m.matmul)) == "(a, b, *, c=None)"
raises(
    ValueError,
    "matmul(): argument 'b': dimension 0 of shape (4, 3) is 4, but k is 3",
    m.matmul,
    a,
    b.T,
)
raises(TypeError, "matmul(a, b, *, c=None) takes 2 positional arguments, got 3", m.matmul, 2, a, b)
raises(
    TypeError, "matmul(a, b, *, c=None) got an unexpected keyword argument 'm'", m.matmul, a, b, m=2
)

for trace in (m.square, m.after, m.hidden_too, m.defaulted):
    assert trace(np.arange(9.0).reshape(3, 3)) == 12, trace
    assert trace(np.zeros((0, 0))) == 0
    raises(
        ValueError,
        f"{trace.__name__}(): argument 'a': dimension 1 of shape (2, 3) is 3, but n is 2",
        trace,
        a,
    )
assert m.defaulted(np.arange(9.0).reshape(3, 3), n=3) == 12
raises(
    ValueError,
    "defaulted(): argument 'a': dimension 0 of shape (3, 3) is 3, but n is 2",
    m.defaulted,
    np.zeros((3, 3)),
    2,
)

same(m.only_out(3), np.arange(3.0))
same(m.behind_pointers(a, [1, 2, 3]), a @ [1, 2, 3])
same(m.behind_pointers(np.asfortranarray(a), [1, 2, 3]), a @ [1, 2, 3])
raises(
    ValueError,
    "behind_pointers(): argument 'x': dimension 0 of shape (2,) is 2, but n is 3",
    m.behind_pointers,
    a,
    [1, 2],
)

small = np.zeros(255, np.int8)
assert m.narrow(small[:127]) == 127 and m.narrow_unsigned(small) == 255
raises(
    OverflowError,
    "narrow(): argument 'x': dimension 0 is 128, which is out of range for n (int8)",
    m.narrow,
    small[:128],
)
raises(
    OverflowError,
    "narrow_unsigned(): argument 'x': dimension 0 is 256, which is out of range for n (uint8)",
    m.narrow_unsigned,
    np.zeros(256, np.int8),
)
# Zeros that are never read take no memory.
large = np.zeros(2**31, np.int8)
assert m.narrow_int(large[:-1]) == 2**31 - 1
raises(
    OverflowError,
    f"narrow_int(): argument 'x': dimension 0 is {2**31}, which is out of range for n (int32)",
    m.narrow_int,
    large,
)

z = np.ones(3)
m.several([1, 2, 3], [4, 5, 6], z)
same(z, [5.0, 11.0, 19.0])
raises(
    ValueError,
    "several(): argument 'y': dimension 0 of shape (2,) is 2, but n is 3",
    m.several,
    [1, 2, 3],
    [4, 5],
    z,
)
raises(
    ValueError,
    "several(): argument 'z': dimension 0 of shape (3,) is 3, but n is 2",
    m.several,
    [1, 2],
    [4, 5],
    z,
)
same(z, [5.0, 11.0, 19.0])
