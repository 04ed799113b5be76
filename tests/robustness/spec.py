"""What a test function is: C types, arguments, prototypes; and random ones.

Nothing here knows how Fishplate works: only what its interface language says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from random import Random
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
# Where most arrays are, most tests are.
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

    def text(self) -> str:
        if self.status:
            result = "status int"
        else:
            result = self.result.c if self.result else "void"
        return f"{result} {self.c_name}({', '.join(arg.declare() for arg in self.args)})"

    def places(self, dim: Arg) -> list[tuple[Arg, int]]:
        """Where shapes tell a dimension: it is bare there, and the array is the caller's."""
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

    def required(self) -> list[Arg]:
        return [a for a in self._given() if a.default is None and not a.nullable]

    def optional(self) -> list[Arg]:
        return [a for a in self._given() if a.default is not None or a.nullable]

    def buffers(self) -> list[Arg]:
        return [a for a in self.args if a.is_array and a.intent == "out"]

    def _given(self) -> list[Arg]:
        return [a for a in self.args if a.is_input and not self.is_found(a)]


@dataclass(frozen=True)
class Function:
    """A function of the module."""

    name: str
    protos: tuple[Proto, ...]
    returns: tuple[str, ...] | None = None
    gil: str | None = None


@dataclass
class Suite:
    """A module."""

    name: str
    functions: list[Function] = field(default_factory=list)


# ---- Random ones --------------------------------------------------------------------------------

DIM_TYPES = ["size_t", "long", "int", "short", "int64_t", "unsigned int", "uint8_t", "ptrdiff_t"]
LITERALS = {
    "b": ["0", "1"],
    "i": ["0", "3", "-2", "100"],
    "u": ["0", "7", "100"],
    "f": ["0", "2.5", "-1", "1e3"],
    "c": ["0", "1.5", "-2"],
}


def random_scalar(r: Random) -> Scalar:
    return r.choices(SCALARS, WEIGHTS)[0]


def random_dim(r: Random, names: list[str], told: list[Arg], bare: bool) -> str:
    """A dimension; `told` are arrays that are always there and may be measured."""
    roll = r.random()
    if bare and roll < 0.75:
        return r.choice(names)
    if roll < 0.82:
        return r.choice(["1", "2", "3"])
    name, other = r.choice(names), r.choice(names)
    forms = [
        name,
        f"{name}+1",
        f"2*{name}",
        f"{name}*{other}",
        f"{name}+{other}",
        f"{name}-1",
        f"min({name}, 2)",
        f"max({name}, {other})",
        f"({name}+1)/2",
        f"{name} % 3",
    ]
    if told:
        array = r.choice(told)
        forms += [
            f"len({array.name})",
            f"shape({array.name}, {len(array.shape) - 1})",
            f"size({array.name})",
        ]
    return r.choice(forms)


def random_array(r: Random, name: str, dims: list[str], told: list[Arg]) -> Arg:
    intent = r.choices(
        ["in", "inplace", "inout", "out", "hidden", "in out", "inplace out", "inout out"],
        [8, 3, 3, 4, 1, 2, 1, 1],
    )[0]
    rank = r.choices([1, 2, 3, 4], [5, 4, 2, 1])[0]
    is_input = intent in INPUTS
    shape = tuple(random_dim(r, dims, told, is_input) for _ in range(rank))
    arg = Arg(name, random_scalar(r), "array", intent, shape, fortran=r.random() < 0.25)
    roll = r.random()
    if is_input and roll < 0.12:
        return replace(arg, nullable=True)
    if (is_input and roll < 0.2) or (not is_input and roll < 0.25):
        return replace(arg, default=r.choice(LITERALS[arg.scalar.kind]))
    return arg


def random_plain(r: Random, name: str, dims: list[str]) -> Arg:
    """A scalar by value or behind a pointer."""
    scalar = random_scalar(r)
    passing = r.choices(["value", "pointer"], [3, 2])[0]
    intents = ["in", "hidden"]
    weights = [5, 1]
    if passing == "pointer":
        intents += ["inplace", "inout", "out", "in out", "inplace out", "inout out"]
        weights = [3, 1, 2, 2, 3, 2, 1, 1]
    arg = Arg(name, scalar, passing, r.choices(intents, weights)[0])
    if arg.intent == "out":
        return arg
    roll = r.random()
    if passing == "pointer" and arg.is_input and roll < 0.2:
        return replace(arg, nullable=True)
    if arg.intent == "hidden" or roll < 0.35:
        default = r.choice(LITERALS[scalar.kind])
        if scalar.kind in "iuf" and r.random() < 0.3:
            default = f"{r.choice(dims)} + 1"
        return replace(arg, default=default)
    return arg


def random_proto(r: Random, c_name: str) -> Proto:
    dims = r.sample(["n", "m", "k"], r.randint(1, 3))
    args: list[Arg] = []
    told: list[Arg] = []
    for letter in "abcde"[: r.randint(1, 5)]:
        if r.random() < 0.65:
            args.append(random_array(r, letter, dims, told))
            if args[-1].is_input and not args[-1].nullable and args[-1].default is None:
                told.append(args[-1])
        else:
            args.append(random_plain(r, letter, dims))
    words = " ".join(text for arg in args for text in (*arg.shape, arg.default or ""))
    for dim in dims:
        if re.search(rf"\b{dim}\b", words):
            passing = "pointer" if r.random() < 0.1 else "value"
            default = r.choice(["1", "2"]) if r.random() < 0.05 else None
            scalar = BY_NAME[r.choice(DIM_TYPES)]
            arg = Arg(dim, scalar, passing, default=default, is_dim=True)
            args.insert(r.randint(0, len(args)), arg)
    status = r.random() < 0.15
    result = None if status or r.random() < 0.5 else random_scalar(r)
    return Proto(c_name, tuple(args), result, status, seed=r.randint(1, 10**6))


def random_overloads(r: Random, name: str) -> Function:
    """Prototypes that differ in the type of their arrays and numbers, or in their rank."""
    choices = [BY_NAME[c] for c in ("double", "float", "double _Complex", "long", "int", "_Bool")]
    intent = r.choice(["in", "inplace", "inout", "in out"])
    protos = []
    for index, scalar in enumerate(r.sample(choices, r.randint(2, 4))):
        rank = r.choice([0, 1, 1, 2])
        if rank == 0:
            args = [Arg("x", scalar, "value")]
        else:
            shape = ("n", "m")[:rank]
            args = [Arg(dim, BY_NAME["long"], "value", is_dim=True) for dim in shape]
            args.append(Arg("x", scalar, "array", intent, shape))
            args.append(Arg("y", scalar, "array", "out", shape))
        if r.random() < 0.3:
            args.append(Arg("s", scalar, "value", default="1"))
        protos.append(Proto(f"{name}_{index}", tuple(args), DOUBLE, seed=r.randint(1, 10**6)))
    return Function(name, tuple(protos))


def random_function(r: Random, name: str) -> Function:
    if r.random() < 0.12:
        return random_overloads(r, name)
    proto = random_proto(r, f"{name}_c")
    outputs = [arg.name for arg in proto.args if arg.is_output] + ["result"] * bool(proto.result)
    returns = None
    if outputs and r.random() < 0.15:
        returns = tuple(r.sample(outputs, r.randint(1, len(outputs))))
    return Function(name, (proto,), returns, r.choice([None, None, None, "hold", "release"]))


def random_suite(name: str, seed: int, count: int) -> Suite:
    """A module of random functions; the same seed gives the same module."""
    r = Random(seed)
    return Suite(name, [random_function(r, f"f{index}") for index in range(count)])
