"""The expected outcome of a call, computed with NumPy from the spec alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from spec import Arg, Proto

U64 = np.uint64
MASK = (1 << 64) - 1


@dataclass
class Given:
    """The argument for one parameter, and the value that C must see."""

    value: object
    # As C must see it; None for NULL, an absent value or one that is refused.
    logical: np.ndarray | np.generic | None = None
    refused: tuple[type[BaseException], ...] = ()
    form: str = ""


@dataclass
class Outcome:
    """The expected outcome of a call: results and written arguments, or one of these errors."""

    results: list[object] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the results
    written: dict[str, np.ndarray] = field(default_factory=dict)
    errors: list[tuple[type[BaseException], str | None]] = field(default_factory=list)
    c_called: bool = False
    # The first item of a batch that fails; those before it are done.
    failed: tuple[int, ...] | None = None


class _CInt(int):
    """Integer arithmetic as C does it in dimensions."""

    def __add__(self, other: int) -> _CInt:
        return _CInt(int(self) + int(other))

    def __sub__(self, other: int) -> _CInt:
        return _CInt(int(self) - int(other))

    def __mul__(self, other: int) -> _CInt:
        return _CInt(int(self) * int(other))

    def __truediv__(self, other: int) -> _CInt:
        quotient = abs(int(self)) // abs(int(other))
        return _CInt(quotient if (int(self) < 0) == (int(other) < 0) else -quotient)

    def __mod__(self, other: int) -> _CInt:
        return self - (self / other) * other

    __rmul__ = __mul__
    __radd__ = __add__


def evaluate(text: str, dims: dict[str, int], shapes: dict[str, tuple[int, ...]]) -> int:
    """A dimension's or a default's integer value."""
    names: dict[str, object] = {name: _CInt(value) for name, value in dims.items()}
    names |= {
        "min": min,
        "max": max,
        "len": lambda array: _CInt(shapes[array][0]),
        "shape": lambda array, axis: _CInt(shapes[array][axis]),
        "size": lambda array: _CInt(int(np.prod(shapes[array], dtype=object))),
    }
    quoted = re.sub(r"\b(len|shape|size)\((\w+)", r"\1('\2'", text)
    return int(eval(quoted, {"__builtins__": {}}, names))  # our own text


# ---- The effect of the generated C ---------------------------------------------------------------


def _of_real(values: np.ndarray) -> np.ndarray:
    wide = values.astype(np.float64)
    finite = np.isfinite(wide)
    safe = np.where(finite, wide, 0.0)
    digits = np.fmod(2.0 * safe, 1048576.0).astype(np.int64).astype(U64)
    return np.where(finite, digits, U64(7))


def _terms(values: np.ndarray) -> np.ndarray:
    kind = values.dtype.kind
    if kind == "i":
        return values.astype(np.int64).view(U64)
    if kind in "bu":
        return values.astype(U64)
    if kind == "f":
        return _of_real(values)
    total: np.ndarray = _of_real(values.real) + U64(3) * _of_real(values.imag)
    return total


def _digest_of(values: np.ndarray) -> int:
    terms = _terms(np.ascontiguousarray(values))
    places = np.arange(terms.size, dtype=U64) % U64(13) + U64(1)
    return int((terms * places).sum(dtype=U64)) if terms.size else 0


def _make(digest: int, dtype: np.dtype) -> object:
    digest &= MASK
    if dtype.kind == "b":
        return dtype.type(digest % 2)
    if dtype.kind in "iu":
        return dtype.type(digest % 100)
    real = digest % 1000 / 2
    return dtype.type(real if dtype.kind == "f" else complex(real, digest % 77 / 4))


def _bump(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "b":
        return ~values
    with np.errstate(all="ignore"):
        bumped: np.ndarray = (values + values.dtype.type(1)).astype(values.dtype)
    return bumped


# ---- A call --------------------------------------------------------------------------------------


class Call:
    """One call of one prototype, with the arguments by name."""

    def __init__(self, proto: Proto, given: dict[str, Given]) -> None:
        self.proto = proto
        self.given = given
        self.dims: dict[str, int] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.values: dict[str, np.ndarray | None] = {}
        self.outcome = Outcome()

    def _refuse(self, exception: type[BaseException], name: str | None) -> None:
        self.outcome.errors.append((exception, name))

    def _array(self, arg: Arg) -> np.ndarray | None:
        """The value of an array argument, if any."""
        given = self.given.get(arg.name)
        return None if given is None or given.logical is None else np.asarray(given.logical)

    def _find_dims(self) -> None:
        for arg in self.proto.args:
            if not arg.is_dim:
                continue
            if self.proto.is_found(arg):
                places = [
                    (array, values.shape[axis])
                    for array, axis in self.proto.places(arg)
                    if (values := self._array(array)) is not None
                ]
                sizes = {size for _, size in places}
                self.dims[arg.name] = min(sizes, default=0)
                if len(sizes) > 1:
                    # Any of them may be the wrong one, and all that depends on it.
                    for array in self.proto.args:
                        self._refuse(ValueError, array.name)
                info = np.iinfo(arg.scalar.dtype)
                if any(not info.min <= size <= info.max for size in sizes):
                    for array, _ in places:
                        self._refuse(OverflowError, array.name)
            else:
                given = self.given.get(arg.name)
                if given is not None and given.logical is not None:
                    self.dims[arg.name] = int(np.asarray(given.logical)[()])
                else:
                    self.dims[arg.name] = int(arg.default or 0)
            self.values[arg.name] = np.array(self.dims[arg.name]).astype(arg.scalar.dtype)

    def _shape_of(self, arg: Arg) -> tuple[int, ...]:
        return tuple(evaluate(text, self.dims, self.shapes) for text in arg.shape)

    def _take_arrays(self) -> None:
        for arg in self.proto.args:
            values = self._array(arg) if arg.is_array and arg.is_input else None
            if arg.is_array:
                self.shapes[arg.name] = (0,) * len(arg.shape) if values is None else values.shape
        for arg in self.proto.args:
            if not arg.is_array:
                continue
            values = self._array(arg)
            given = self.given.get(arg.name)
            if given is not None and given.refused and arg.is_input:
                continue
            if values is None and arg.nullable:
                self.values[arg.name] = None
                continue
            shape = self._shape_of(arg)
            if values is None or arg.intent == "out":
                if any(size < 0 for size in shape):
                    self._refuse(ValueError, arg.name)
                    continue
            if values is not None and values.shape != shape:
                self._refuse(ValueError, arg.name)
            if values is None or arg.intent == "out":
                fill = self._scalar_default(arg) if arg.default else arg.scalar.dtype.type(0)
                values = np.full(shape, fill, arg.scalar.dtype)
            self.values[arg.name] = values

    def _scalar_default(self, arg: Arg) -> object:
        text = arg.default or "0"
        if re.search("[a-z(]", text.replace("e", "")):
            value = evaluate(text, self.dims, self.shapes)
            if arg.scalar.kind in "iu":
                info = np.iinfo(arg.scalar.dtype)
                if not info.min <= value <= info.max:
                    self._refuse(OverflowError, arg.name)
                    return arg.scalar.dtype.type(0)
            return arg.scalar.dtype.type(value)
        return arg.scalar.dtype.type(float(text))

    def _take_scalars(self) -> None:
        for arg in self.proto.args:
            if arg.is_array or arg.is_dim or arg.is_stride:
                continue
            given = self.given.get(arg.name)
            if given is not None and given.logical is not None:
                self.values[arg.name] = np.asarray(given.logical).astype(arg.scalar.dtype)
            elif arg.nullable:
                self.values[arg.name] = None
            else:
                self.values[arg.name] = np.asarray(self._scalar_default(arg))

    def run(self, returns: tuple[str, ...] | None) -> Outcome:
        for arg in self.proto.args:
            given = self.given.get(arg.name)
            for exception in given.refused if given is not None else ():
                self._refuse(exception, arg.name)
        for exception in self.given["result"].refused if "result" in self.given else ():
            self._refuse(exception, "result")
        # If there are several mistakes, the message may be about any of them.
        self._find_dims()
        self._take_scalars()
        self._take_arrays()
        if not self.outcome.errors:
            self._effect(returns)
        return self.outcome

    def _digest(self) -> int:
        acc = self.proto.seed
        for index, arg in enumerate(self.proto.args):
            unset = arg.intent == "out" and (arg.default is None or not arg.is_array)
            if unset or arg.is_stride:
                continue
            values = self.values[arg.name]
            if values is None:
                acc += 99 * (index + 1)
            else:
                acc += (index + 1) * _digest_of(values.ravel(order=arg.order))
        return acc & MASK

    def _effect(self, returns: tuple[str, ...] | None) -> None:
        self.outcome.c_called = True
        acc = self._digest()
        if self.proto.status and acc % self.proto.fails == 0:
            self._refuse(RuntimeError, None)
            return
        outputs: dict[str, object] = {}
        for index, arg in enumerate(self.proto.args):
            values = self.values.get(arg.name)
            if arg.passing == "value" or arg.intent == "in" or values is None:
                pass
            elif arg.intent == "out" and arg.is_array:
                made = [_make(acc + index + 3 * i, arg.scalar.dtype) for i in range(values.size)]
                flat = np.array(made, arg.scalar.dtype)
                values = flat.reshape(values.shape, order=arg.order)
            elif arg.intent == "out":
                values = np.asarray(_make(acc + index, arg.scalar.dtype))
            else:
                values = _bump(values)
            if arg.is_output:
                outputs[arg.name] = values
            given = self.given.get(arg.name)
            if given is not None and given.logical is not None and values is not None:
                if arg.is_written or arg.intent == "out":
                    self.outcome.written[arg.name] = values
        if self.proto.result is not None:
            outputs["result"] = _make(acc + 1000, self.proto.result.dtype)
            if "result" in self.given and self.given["result"].logical is not None:
                self.outcome.written["result"] = np.asarray(outputs["result"])
        names = list(outputs) if returns is None else [n for n in returns if n in outputs]
        self.outcome.names = names
        self.outcome.results = [outputs[name] for name in names]
