import gc

import cuda as m
import numpy as np
from dlpack import FastTensor, OldTensor, Tensor
from support import raises

CUDA = {"device_type": 2, "device_id": 1}
x = np.arange(4.0)

for kind in (Tensor, OldTensor, FastTensor):
    tensor = kind(x, **CUDA)
    assert m.total(tensor) == 6.0
    assert (tensor.exported, tensor.held) == (1, 0)
assert m.maybe() == 0.0 and m.maybe(Tensor(x, **CUDA)) == 6.0

# Written in place: nothing is copied.
a = np.asfortranarray(np.ones((2, 3)))
for kind in (Tensor, OldTensor, FastTensor):
    assert m.twice(kind(a, **CUDA)) is None
assert (a == 8).all()
y = np.zeros(4)
out = Tensor(y, **CUDA)
assert m.ramp(4, 2, y=out) is out and out.held == 0
assert (y == [0, 2, 4, 6]).all()
assert "used in place" in m.explain.total(Tensor(x, **CUDA)), m.explain.total(Tensor(x, **CUDA))

# Memory of the CPU, or of another device; and whatever would need a copy.
raises(
    TypeError,
    "total(): argument 'x': wanted an array of float64 on a CUDA device, got an array of float64 and shape (4,)",
    m.total,
    x,
)
raises(
    TypeError,
    "total(): argument 'x': wanted an array of float64 on a CUDA device, got list",
    m.total,
    [1.0],
)
raises(
    TypeError,
    "total(): argument 'x': wanted an array on a CUDA device, got Tensor on cpu:0",
    m.total,
    Tensor(x),
)
raises(
    TypeError,
    "total(): argument 'x': wanted an array on a CUDA device, got Tensor on rocm:0",
    m.total,
    Tensor(x, device_type=10),
)
raises(
    TypeError,
    "on_cpu(): argument 'x': wanted an array in the CPU's memory, got Tensor on cuda:1",
    m.on_cpu,
    Tensor(x, **CUDA),
)
refused = Tensor(np.float32([1, 2]), **CUDA)
raises(
    TypeError,
    "total(): argument 'x': wanted an array of exactly float64, got ...",
    m.total,
    refused,
)
strided = Tensor(np.zeros(8)[::2], **CUDA)
raises(
    ValueError,
    "total(): argument 'x': the array must be C-contiguous and aligned",
    m.total,
    strided,
)
raises(
    ValueError,
    "twice(): argument 'a': the array must be F-contiguous and aligned",
    m.twice,
    Tensor(np.zeros((2, 3)), **CUDA),
)
read_only = Tensor(np.ones((1, 1)), flags=1, **CUDA)
raises(ValueError, "twice(): argument 'a': the array is read-only", m.twice, read_only)
raises(
    TypeError,
    "ramp(): argument 'y': give an array to write to: none can be made on a CUDA device",
    m.ramp,
    4,
    2,
)
short = Tensor(np.zeros(3), **CUDA)
raises(ValueError, "ramp(): argument 'y': dimension 0 is 3, but must be 4", m.ramp, 4, 2, y=short)
gc.collect()
assert not any(tensor.held for tensor in (refused, strided, read_only, short))
