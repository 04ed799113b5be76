"""DLPack tensors made by hand, which count how often they are exported and deleted."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

READ_ONLY, IS_COPIED = 1, 2
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class DLTensor(ctypes.Structure):
    """The tensor itself."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Unversioned(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


class ExchangeAPI(ctypes.Structure):
    """DLPackExchangeAPI."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("give", ctypes.c_void_p),
        ("take", ctypes.c_void_p),
        ("look", ctypes.c_void_p),
        ("current_stream", ctypes.c_void_p),
    ]


# A capsule keeps the address of its name only.
API_NAME = b"dlpack_exchange_api"


def new_capsule(address: int, name: bytes, destructor: Any = None) -> Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(address, name, destructor and ctypes.cast(destructor, ctypes.c_void_p))


is_valid = ctypes.pythonapi.PyCapsule_IsValid
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
is_valid.argtypes = pointer_of.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
pointer_of.restype = ctypes.c_void_p


class Maker:
    """Exports of one array; any field of the tensor may be overridden."""

    def __init__(self, array: Any, *, flags: int = 0, major: int = 1, **fields: Any) -> None:
        self.array = np.asanyarray(array)
        self.flags, self.major, self.fields = flags, major, fields
        self.exported = self.deleted = 0
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.delete)
        self.capsule_names = {Versioned: b"dltensor_versioned", Unversioned: b"dltensor"}
        self.destructors = {
            kind: ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(self.destructor(name))
            for kind, name in self.capsule_names.items()
        }
        self.alive: dict[int, Any] = {}

    @property
    def held(self) -> int:
        """Exports that have not been deleted yet."""
        return self.exported - self.deleted

    def delete(self, address: int) -> None:
        del self.alive[address]
        self.deleted += 1

    def destructor(self, name: bytes) -> Any:
        def destroy(capsule: int) -> None:
            # One that has not been consumed.
            if is_valid(capsule, name):
                self.delete(pointer_of(capsule, name))

        return destroy

    def export(self, kind: type[Any]) -> int:
        """The address of a new export."""
        array, managed = self.array, kind()
        tensor, fields = managed.tensor, dict(self.fields)
        shape = (ctypes.c_int64 * max(array.ndim, 1))(*array.shape)
        size = array.itemsize
        strides = (ctypes.c_int64 * max(array.ndim, 1))(*(s // size for s in array.strides))
        tensor.data = array.ctypes.data
        tensor.device_type, tensor.ndim, tensor.lanes = 1, array.ndim, 1
        tensor.code, tensor.bits = CODES[array.dtype.kind], 8 * size
        tensor.shape, tensor.strides = shape, strides
        if fields.pop("null_strides", False):
            tensor.strides = None
        if (offset := fields.pop("byte_offset", 0)) != 0:
            tensor.data, tensor.byte_offset = array.ctypes.data - offset, offset
        managed.deleter = ctypes.cast(self.deleter, ctypes.c_void_p)
        for name, value in fields.items():
            setattr(tensor if hasattr(tensor, name) else managed, name, value)
        if kind is Versioned:
            managed.major, managed.minor, managed.flags = self.major, 1, self.flags
        address = ctypes.addressof(managed)
        self.alive[address] = (managed, shape, strides)
        self.exported += 1
        return address

    def capsule(self, kind: type[Any]) -> Any:
        name = self.capsule_names[kind]
        return new_capsule(self.export(kind), name, self.destructors[kind])


class Tensor(Maker):
    """A tensor by DLPack alone."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.fields.get("device_type", 1), self.fields.get("device_id", 0)

    def __dlpack__(self, *, max_version: tuple[int, int] | None = None) -> Any:
        assert max_version is not None and max_version[0] == 1
        return self.capsule(Versioned)


class OldTensor(Tensor):
    """One from before DLPack 1.0."""

    def __dlpack__(self) -> Any:  # type: ignore[override]
        return self.capsule(Unversioned)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
def _give(tensor: FastTensor, out: Any) -> int:
    tensor.given += 1
    out[0] = tensor.export(Versioned)
    return 0


_api = ExchangeAPI(1, 3, None, None, ctypes.cast(_give, ctypes.c_void_p).value)
_newer = ExchangeAPI(2, 0, ctypes.addressof(_api))


class FastTensor(Maker):
    """A tensor by the exchange API alone."""

    given = 0
    __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(_api), API_NAME)


class NewerTensor(FastTensor):
    """One of a library that supports a later exchange API as well."""

    __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(_newer), API_NAME)
