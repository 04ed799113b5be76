"""DLPack: every field of a tensor is honoured, and each export is deleted once, whatever happens."""

import ctypes
import sys

import containers as m
import numpy as np
from dlpack import IS_COPIED, READ_ONLY, FastTensor, Maker, NewerTensor, OldTensor, Tensor
from support import raises, same, unaligned

KINDS = (Tensor, OldTensor, FastTensor, NewerTensor)
where = "total(): argument 'x':"
write = "scale(): argument 'x':"


def refused(tensor, exception, text, function, *args, **kwargs):
    """The call is refused, nothing is changed, and nothing leaks."""
    before = tensor.array.tobytes(), sys.getrefcount(tensor)
    raises(exception, text, function, *args, **kwargs)
    assert (tensor.array.tobytes(), sys.getrefcount(tensor)) == before
    assert tensor.held == 0


# ---- Read --------------------------------------------------------------------------------------------

for kind in KINDS:
    values = np.arange(12.0).reshape(3, 4)
    for array in (values, np.asfortranarray(values), values[::-1, ::2], values.T, values[:0]):
        x = kind(array)
        count = sys.getrefcount(x)
        assert m.weigh(x) == m.weigh(array)
        assert (x.exported, x.deleted) == (1, 1), "deleted as soon as the call is done"
        assert sys.getrefcount(x) == count
    assert m.total(kind(np.arange(5, dtype=np.int16))) == 10, "by a safe cast"
    assert m.total(kind(np.arange(5, dtype=np.float16))) == 10
    assert m.truths(kind([True, False])) == 1
    assert m.octets(kind(np.arange(5, dtype=np.uint8))) == 10
    same(m.conjugate(kind(np.array([1j, 2.0]))), [-1j, 2 + 0j])
    same(m.conjugate(kind(np.array([1j], np.complex64))), [-1j])

    # The offset counts bytes, and no strides mean C-contiguous.
    assert m.total(kind(np.arange(5.0), byte_offset=4096)) == 10
    assert m.weigh(kind(values, null_strides=True)) == m.weigh(values)
    assert m.total(kind(unaligned(np.arange(5.0)))) == 10
    assert m.total(kind(np.zeros(0), data=None)) == 0
    # The stride of a dimension that is not stepped along means nothing.
    lone = kind(np.ones((1, 3)))
    lone.array = np.lib.stride_tricks.as_strided(lone.array, strides=(2**62, 8))
    assert m.weigh(lone) == 3
    # A deleter may be missing.
    eternal = kind([1.0, 2.0], deleter=None)
    assert m.total(eternal) == 3 and eternal.held == 1
    # Pinned and managed memory is the CPU's as well.
    for device in (3, 11, 13):
        assert m.total(kind([1.0, 2.0], device_type=device)) == 3

# ---- Refused -----------------------------------------------------------------------------------------

for kind in KINDS:
    name = kind.__name__
    for fields, shown in {
        (("code", 4), ("bits", 16)): "bfloat16",
        (("code", 2), ("bits", 128)): "float128",
        (("code", 0), ("bits", 4)): "int4",
        (("code", 6), ("bits", 1)): "bool1",
        (("code", 10), ("bits", 8)): "float8_e4m3fn",
        (("code", 17), ("bits", 4)): "float4_e2m1fn",
        (("code", 77), ("bits", 8)): "DLPack's type 77 of bits 8",
        (("lanes", 4),): "float64x4",
        (("lanes", 0),): "float64x0",
    }.items():
        x = kind([1.0, 2.0], **dict(fields))
        refused(
            x, TypeError, f"{where} wanted an array of float64, got {name} of {shown}", m.total, x
        )
    x = kind([1.0, 2.0], ndim=-1)
    refused(x, ValueError, f"{where} a DLPack tensor of -1 dimensions", m.total, x)
    x = kind([1.0, 2.0], ndim=65)
    refused(x, ValueError, f"{where} a DLPack tensor of 65 dimensions", m.total, x)
    x = kind([1.0, 2.0], data=None)
    refused(x, ValueError, f"{where} a DLPack tensor without memory", m.total, x)
    for shape in ((2**62, 2), (-1, 2), (2**63 - 1, 2**63 - 1)):
        x = kind(np.zeros((1, 1)), shape=(ctypes.c_int64 * 2)(*shape))
        refused(x, ValueError, "weigh(): argument 'a': ...", m.weigh, x)
    x = kind(np.zeros((2, 2)), strides=(ctypes.c_int64 * 2)(2**62, 1))
    text = "weigh(): argument 'a': a DLPack tensor whose dimension 0 has no valid size or stride"
    refused(x, ValueError, text, m.weigh, x)
    x = kind(np.ones(3))
    refused(
        x,
        ValueError,
        "weigh(): argument 'a': wanted a 2-D array, got an array of float64 and shape (3,)",
        m.weigh,
        x,
    )
    x = kind([1j])
    refused(
        x,
        TypeError,
        f"{where} wanted an array that casts safely to float64, "
        "got an array of complex128 and shape (1,)",
        m.total,
        x,
    )
    # The export is deleted as well where another argument is refused.
    x = kind([1.0, 2.0])
    refused(x, TypeError, "two(): argument 'y': ...", m.two, x, [1.0])
    refused(x, ValueError, "two(): argument 'y': dimension ...", m.two, x, np.zeros(3))
    assert x.exported == 2

x = Tensor([1.0], major=2)
text = f"{where} wanted a tensor of DLPack 1, got one of DLPack 2"
refused(x, TypeError, text, m.total, x)

# ---- Devices -----------------------------------------------------------------------------------------

DEVICES = {
    2: "cuda:1",
    4: "opencl:1",
    5: "device 5:1",
    8: "metal:1",
    10: "rocm:1",
    18: "trn:1",
    99: "device 99:1",
}
wanted = "wanted an array in the CPU's memory, got"
for kind in KINDS:
    for device, shown in DEVICES.items():
        x = kind([1.0, 2.0], device_type=device, device_id=1)
        text = f"{where} {wanted} {kind.__name__} on {shown}"
        refused(x, TypeError, text, m.total, x)
        refused(x, TypeError, text.replace("total", "scale"), m.scale, x)
        # This is checked before anything is exported.
        assert x.exported == (0 if kind in (Tensor, OldTensor) else 2)


class OnDevice(Tensor):
    """One that would rather copy than refuse."""

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("it was asked for an array")


x = OnDevice([1.0, 2.0], device_type=2, device_id=0)
refused(x, TypeError, f"{where} {wanted} OnDevice on cuda:0", m.total, x)
refused(x, TypeError, "kind(): no overload takes (OnDevice on cuda:0); it takes:...", m.kind, x)


class Untold(Maker):
    """One without `__dlpack_device__`: the tensor determines the device."""

    def __dlpack__(self, max_version=None):
        return Tensor.__dlpack__(self, max_version=max_version)


x = Untold([1.0, 2.0], device_type=2)
refused(x, TypeError, f"{where} {wanted} Untold on cuda:0", m.total, x)
assert x.exported == 1 and m.total(Untold([1.0, 2.0])) == 3

# ---- Written to --------------------------------------------------------------------------------------

for kind in (Tensor, FastTensor, NewerTensor):
    x = kind(np.arange(4.0))
    assert m.scale(x) is None and m.scale_here(x) is None
    same(x.array, np.arange(4.0) * 4)
    assert m.ramp(4, x=x) is x, "the tensor itself comes back"
    same(x.array, np.arange(4.0))
    same(m.scaled(x), np.arange(4.0) * 2)
    assert (x.exported, x.held) == (4, 0)
    gaps = np.arange(6.0)
    m.scale(kind(gaps[::-2]), -1)
    same(gaps, [0.0, -1.0, 2.0, -3.0, 4.0, -5.0])
    columns = kind(np.ones((2, 3)))
    m.scale_columns(columns)
    same(columns.array, [[1.0] * 3, [2.0] * 3])
    off = kind(unaligned(np.ones(2)))
    m.scale(off)
    np.testing.assert_array_equal(off.array, [2, 2])
    text = "scale_here(): argument 'x': the array must be aligned"
    refused(off, ValueError, text, m.scale_here, off)

    # Neither read-only memory nor a copy of the producer's own is written to.
    for flags in (READ_ONLY, IS_COPIED, READ_ONLY | IS_COPIED):
        x = kind([1.0, 2.0], flags=flags)
        assert m.total(x) == 3
        text = f"{write} {kind.__name__} gives no memory that can be written to"
        refused(x, ValueError, text, m.scale, x)
        refused(x, ValueError, text.replace("scale", "ramp"), m.ramp, 2, x=x)
    x = kind(np.ones(2, np.float32))
    text = f"{write} wanted an array of exactly float64, got an array of float32 and shape (2,)"
    refused(x, TypeError, text, m.scale, x)
# Before DLPack 1.0 it is unknown whether memory is writable.
x = OldTensor([1.0, 2.0])
refused(x, ValueError, f"{write} OldTensor gives no memory that can be written to", m.scale, x)

# ---- Mistakes of producers ---------------------------------------------------------------------------


class Odd(Tensor):
    """A tensor whose methods return what they should not."""

    returns: object = None
    device: object = (1, 0)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, max_version=None):
        if isinstance(self.returns, type):
            raise self.returns("no such luck")
        return self.returns


x = Odd([1.0])
text = f"{where} Odd.__dlpack__() did not return a new DLPack capsule"
refused(x, TypeError, text, m.total, x)
used = Tensor([1.0])
x.returns = used.__dlpack__(max_version=(1, 0))
assert m.total(x) == 1 and used.held == 0
refused(x, TypeError, text, m.total, x)
assert used.deleted == 1, "a capsule is taken from once"
for error in (BufferError, ValueError, TypeError):
    x.returns = error
    refused(x, error, f"{where} no such luck", m.total, x)
x.returns = RuntimeError
refused(x, RuntimeError, "no such luck", m.total, x)
for device in (None, (1,), 3):
    x.device = device
    refused(x, TypeError, f"{where} Odd.__dlpack_device__() did not return a pair", m.total, x)
x.device = (2**32 + 1, 0)
refused(x, TypeError, f"{where} {wanted} Odd on device -1:0", m.total, x)
x.device = ("cpu", 0)
refused(x, TypeError, f"{where} 'str' object cannot be interpreted as an integer", m.total, x)


class NoAPI(Tensor):
    """An attribute that DLPack does not define."""

    __dlpack_c_exchange_api__ = None


assert m.total(NoAPI([1.0, 2.0])) == 3


class Cleared(FastTensor):
    """Deleters may run while an exception propagates."""

    def delete(self, address):
        try:
            int("nonsense")
        except ValueError:
            super().delete(address)


x = Cleared([1.0, 2.0])
refused(x, TypeError, "two(): argument 'y': ...", m.two, x, "text")

# ---- Overloads ---------------------------------------------------------------------------------------

for kind in KINDS:
    assert m.kind(kind(np.zeros(1, np.uint8))) == 2
    assert m.kind(kind(np.zeros(1, np.int32))) == 3
    assert m.kind(kind(np.zeros(1, np.float32))) == 4
    x = kind(np.zeros((2, 2)))
    assert m.kind(x) == 5 and x.held == 0
    x = kind([1j])
    refused(x, TypeError, f"kind(): no overload takes ({kind.__name__}); it takes:...", m.kind, x)
for kind in (Tensor, FastTensor):
    x = kind(np.ones(2, np.float32))
    m.clear(x)
    same(x.array, np.zeros(2, np.float32))
