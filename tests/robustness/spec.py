"""The model of a test function: C types, arguments, prototypes.

Nothing here uses Fishplate's implementation, only its interface language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Scalar:
    """A C type and the NumPy type it is."""

    c: str
    dtype_name: str

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.dtype_name)

    @property
    def kind(self) -> str:
        return self.dtype.kind

    @property
    def id(self) -> str:
        return re.sub(r"\W", "_", self.c)


SCALARS = [
    Scalar(c, name)
    for c, name in [
        ("_Bool", "bool"),
        ("signed char", "int8"),
        ("unsigned char", "uint8"),
        ("short", "int16"),
        ("unsigned short", "uint16"),
        ("int", "int32"),
        ("unsigned int", "uint32"),
        ("long", "int64"),
        ("unsigned long", "uint64"),
        ("long long", "int64"),
        ("unsigned long long", "uint64"),
        ("int8_t", "int8"),
        ("uint8_t", "uint8"),
        ("int16_t", "int16"),
        ("uint16_t", "uint16"),
        ("int32_t", "int32"),
        ("uint32_t", "uint32"),
        ("int64_t", "int64"),
        ("uint64_t", "uint64"),
        ("size_t", "uint64"),
        ("ptrdiff_t", "int64"),
        ("float", "float32"),
        ("double", "float64"),
        ("float _Complex", "complex64"),
        ("double _Complex", "complex128"),
    ]
]
BY_NAME = {scalar.c: scalar for scalar in SCALARS}
DOUBLE = BY_NAME["double"]
# Most arrays are of floating-point numbers, and so are most tests.
WEIGHTS = [4 if scalar.kind in "fc" else 1 for scalar in SCALARS]

READ = ("in",)
COPIED = ("in", "in out")
WRITTEN = ("inplace", "inout", "inplace out", "inout out")
EXCLUSIVE = ("inout", "inout out")
INPUTS = COPIED + WRITTEN
OUTPUTS = ("out", "in out", "inplace out", "inout out")


@dataclass(frozen=True)
class Arg:
    """One argument of a prototype."""

    name: str
    scalar: Scalar
    passing: str  # value, pointer, array
    intent: str = "in"
    shape: tuple[str, ...] = ()
    fortran: bool = False
    nullable: bool = False
    default: str | None = None
    is_dim: bool = False
    # For each axis the argument that passes its stride to C; None if elements are contiguous.
    strides: tuple[str | None, ...] = ()
    is_stride: bool = False

    @property
    def is_array(self) -> bool:
        return self.passing == "array"

    @property
    def is_input(self) -> bool:
        return self.intent in INPUTS

    @property
    def is_output(self) -> bool:
        return self.intent in OUTPUTS

    @property
    def is_written(self) -> bool:
        """The caller's own memory changes."""
        return self.intent in WRITTEN

    @property
    def order(self) -> Literal["C", "F"]:
        return "F" if self.fortran else "C"

    def declare(self) -> str:
        """As the interface has it."""
        words = []
        constant = self.intent == "in" and self.passing != "value"
        if not (constant or (self.passing == "value" and self.intent == "in")):
            words.append(self.intent)
        words += ["nullable"] * self.nullable + ["fortran"] * self.fortran + ["const"] * constant
        star = "*" if self.passing == "pointer" else ""
        brackets = "".join(f"[{dim}]" for dim in self.shape)
        default = "" if self.default is None else f" = {self.default}"
        return " ".join([*words, self.scalar.c, f"{star}{self.name}{brackets}{default}"])

    def c_type(self) -> str:
        """As the header has it."""
        if self.passing == "value":
            return self.scalar.c
        return f"{'const ' if self.intent == 'in' else ''}{self.scalar.c} *"


@dataclass(frozen=True)
class Proto:
    """One C function."""

    c_name: str
    args: tuple[Arg, ...]
    result: Scalar | None = None
    status: bool = False
    seed: int = 1
    fails: int = 4  # one call in so many returns an error

    def text(self) -> str:
        if self.status:
            result = "status int"
        else:
            result = self.result.c if self.result else "void"
        return f"{result} {self.c_name}({', '.join(arg.declare() for arg in self.args)})"

    def places(self, dim: Arg) -> list[tuple[Arg, int]]:
        """If shapes determine a dimension: it is bare there, and the array is the caller's."""
        if dim.default is not None or dim.nullable or dim.intent not in ("in", "hidden"):
            return []
        return [
            (arg, axis)
            for arg in self.args
            if arg.is_array and arg.is_input and arg.default is None
            for axis, text in enumerate(arg.shape)
            if text == dim.name
        ]

    def is_found(self, arg: Arg) -> bool:
        return not arg.is_array and arg.scalar.kind in "iu" and bool(self.places(arg))

    def shared(self) -> set[str]:
        """In a batch: the scalars that determine a shape, which all items share."""
        words = [text for a in self.args if a.is_array for text in (*a.shape, a.default or "")]
        shared: set[str] = set()
        while words:
            names = set(re.findall(r"[a-z]\w*", words.pop()))
            for arg in self.args:
                if not arg.is_array and arg.name in names - shared:
                    shared.add(arg.name)
                    words.append(arg.default or "")
        return shared

    def required(self) -> list[Arg]:
        return [a for a in self._given() if a.default is None and not a.nullable]

    def optional(self) -> list[Arg]:
        return [a for a in self._given() if a.default is not None or a.nullable]

    def buffers(self) -> list[Arg]:
        return [a for a in self.args if a.is_array and a.intent == "out"]

    def item_buffers(self, returns: tuple[str, ...] | None) -> list[Arg]:
        """In a batch: the buffers for the items' numbers. Any of them makes the call a batch."""
        outputs = [a for a in self.args if not a.is_array and a.intent == "out"]
        if self.result is not None:
            outputs.append(Arg("result", self.result, "value", "out"))
        takes_items = bool(self._given())
        return [a for a in outputs if takes_items and (returns is None or a.name in returns)]

    def _given(self) -> list[Arg]:
        return [a for a in self.args if a.is_input and not self.is_found(a)]


@dataclass(frozen=True)
class Function:
    """A function of the module."""

    name: str
    protos: tuple[Proto, ...]
    returns: tuple[str, ...] | None = None
    gil: str | None = None
    maps: bool = False
    threads: int | str | None = None
    # The kinds of each prototype, if specified.
    kinds: tuple[str, ...] = ()


@dataclass
class Suite:
    """A module."""

    name: str
    functions: list[Function] = field(default_factory=list)
