"""Random programs that run on NumPy's arrays and on variables alike.

Purpose: unforeseen graphs, of every op, dtype, rank and layout of arguments.
Invariant: a seed makes one program, without operations that NumPy refuses or does in float16.
Reason: values are compared exactly as long as they are exact (`exact`), and else by size.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import fishplate.graph as g
import numpy as np
from support import DTYPES

ONE = (
    "negative absolute square floor ceil trunc conj logical_not real imag isnan isfinite sign "
    "invert signbit"
).split()
TWO = (
    "add subtract multiply maximum minimum fmax fmin less less_equal greater equal not_equal "
    "logical_and logical_xor logical_or bitwise_or bitwise_and bitwise_xor floor_divide mod fmod "
    "left_shift right_shift copysign"
).split()
ORDERED = set("maximum minimum fmax fmin less less_equal greater max min".split())
SMOOTH = "exp tanh sin sqrt log1p arctan cos cbrt expm1 reciprocal".split()
# Operations on values that are not exact: no jumps.
CONTINUOUS = set("negative absolute square conj real imag add subtract multiply".split())
NUMBERS = [2, 3, -1, 0, 1, 2.0, 3.0, True, 2 + 1j]
LARGEST = 2**20  # products and sums of such floats are exact, or nearly


class Unfit(Exception):
    """A step that is not valid here."""


class Step(NamedTuple):
    """One instruction: `function(m, *operands)`, where `m` is `numpy` or `fishplate.graph`."""

    text: str
    function: Callable[..., Any]
    operands: list[int]
    exact: bool


class RandomProgram:
    """Arguments, steps, and NumPy's value of each.

    Parameters
    ----------
    seed : int
        The seed of everything.
    length : int
        How many steps.
    arguments : int
        How many arguments.
    """

    def __init__(self, seed: int, length: int = 12, arguments: int = 3) -> None:
        self.random = Random(seed)
        self.normal = np.random.default_rng(seed)
        self.sizes = self.random.choice([[3], [1, 3], [2, 3], [0, 3], [4, 1], [17], [5, 33], [40]])
        self.arguments = [self._argument() for _ in range(arguments)]
        self.arguments.append(np.asarray(self.random.randrange(-4, 5)))
        self.values = [array.astype(array.dtype.newbyteorder("=")) for array in self.arguments]
        self.exact = [True] * len(self.values)
        self.steps: list[Step] = []
        for _ in range(20 * length):
            if len(self.steps) < length:
                self._try()

    def _argument(self) -> np.ndarray[Any, Any]:
        random = self.random
        dtype = np.dtype(random.choice(DTYPES))
        shape = tuple(random.choice(self.sizes) for _ in range(random.choice([0, 1, 2, 2, 3, 5])))
        while np.prod(shape, dtype=int) > 2_000:
            shape = shape[1:]
        low, high = {"b": (0, 2), "u": (0, 6)}.get(dtype.kind, (-5, 6))
        array = np.asarray(self.normal.integers(low, high, shape))
        if dtype.kind == "c":
            array = array + 1j * self.normal.integers(low, high, shape)
        array = np.asarray(array.astype(dtype))
        if array.size and random.random() < 0.2 and dtype.kind != "b":
            place = tuple(random.randrange(size) for size in shape)
            odd = [np.nan, np.inf, -np.inf, -0.0]
            if dtype.kind in "iu":
                odd = [np.iinfo(dtype).max, np.iinfo(dtype).min]
            array[place] = random.choice(odd)
        return self._laid_out(array)

    def _laid_out(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The same values (or, repeated, some of them) in another layout."""
        kind = self.random.randrange(9 if array.ndim else 2)
        if kind == 1:
            return array.astype(array.dtype.newbyteorder())
        if kind == 2:
            return np.asfortranarray(array)
        if kind == 3:
            every = tuple(slice(None, None, 2) for _ in array.shape)
            wide = np.zeros([2 * size for size in array.shape], array.dtype)
            wide[every] = array
            return wide[every]
        if kind == 4:
            back = tuple(slice(None, None, self.random.choice([1, -1])) for _ in array.shape)
            return np.ascontiguousarray(array[back])[back]
        if kind == 5:
            order = self.random.sample(range(array.ndim), array.ndim)
            return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
        if kind == 6 and array.size:
            unaligned = np.empty(array.nbytes + 1, "u1")[1:].view(array.dtype).reshape(array.shape)
            unaligned[...] = array
            return unaligned
        if kind == 7 and array.size:
            first = array.take([0], self.random.randrange(array.ndim))
            return np.broadcast_to(first, array.shape)
        if kind == 8:
            array.flags.writeable = False
        return array

    def _try(self) -> None:
        """One step more, if a random one is valid."""
        name = self.random.choice(KINDS)
        try:
            step = getattr(self, f"_{name}")()
            operands = [self.values[i] for i in step.operands]
            if np.prod([max(one.size, 1) for one in operands], dtype=float) > 1e6:
                return
            with np.errstate(all="ignore"):
                value = np.asarray(step.function(np, *operands))
            _check_loop(step, operands)
        except (Unfit, TypeError, ValueError, IndexError, OverflowError):
            return
        if value.size <= 20_000 and value.ndim <= 7 and _is_small(value):
            self.steps.append(step)
            self.values.append(value)
            self.exact.append(step.exact)

    # The parts of steps.

    def _pick(self, **need: bool) -> tuple[int, np.ndarray[Any, Any]]:
        """One of the values, rather a late one; with `ranked` not of rank 0, and so on."""
        last = len(self.values)
        first = max(0, last - 8) if self.random.random() < 0.7 else 0
        number = self.random.randrange(first, last)
        value = self.values[number]
        if (
            (need.get("ranked") and not value.ndim)
            or (need.get("exact") and not self.exact[number])
            or (need.get("real") and value.dtype.kind == "c")
            or (need.get("floating") and value.dtype.kind != "f")
            or (need.get("finite") and not np.isfinite(value).all())
        ):
            raise Unfit
        return number, value

    def _step(
        self, text: str, function: Callable[..., Any], *operands: int, exact: bool = True
    ) -> Step:
        return Step(text, function, list(operands), exact and all(self.exact[i] for i in operands))

    def _axis(self, value: np.ndarray[Any, Any]) -> int:
        return self.random.randrange(-value.ndim, value.ndim)

    def _axes(self, value: np.ndarray[Any, Any]) -> Any:
        if not value.ndim or self.random.random() < 0.2:
            return None
        if self.random.random() < 0.5:
            return self._axis(value)
        return tuple(self.random.sample(range(value.ndim), self.random.randrange(value.ndim + 1)))

    def _index(self, value: np.ndarray[Any, Any]) -> tuple[Any, ...]:
        random, items = self.random, []
        for size in value.shape:
            chance = random.random()
            bounds = [None, None, 0, 1, -1, size, -size, size + 3, -size - 3, size // 2]
            if chance < 0.15 and size:
                items.append(random.randrange(-size, size))
            elif chance < 0.65:
                step = random.choice([None, 1, 1, 2, -1, -2, 3, -3])
                items.append(slice(random.choice(bounds), random.choice(bounds), step))
            elif chance < 0.75:
                return (*items, Ellipsis)
            else:
                items.append(slice(None))
        return tuple(items)

    # The kinds of steps.

    def _one(self) -> Step:
        name = self.random.choice(ONE)
        a, _ = self._pick(exact=name not in CONTINUOUS)
        return self._step(name, lambda m, x: getattr(m, name)(x), a)

    def _two(self) -> Step:
        name = self.random.choice(TWO)
        need = {"exact": name not in CONTINUOUS, "real": name in ORDERED}
        (a, _), (b, _) = self._pick(**need), self._pick(**need)
        return self._step(name, lambda m, x, y: getattr(m, name)(x, y), a, b)

    _two_again = _two

    def _number(self) -> Step:
        name, number = self.random.choice(TWO[:20]), self.random.choice(NUMBERS)
        first = self.random.random() < 0.4
        a, _ = self._pick(exact=name not in CONTINUOUS, real=name in ORDERED)
        if name in ORDERED and isinstance(number, complex):
            raise Unfit

        def function(m: Any, x: Any) -> Any:
            return getattr(m, name)(number, x) if first else getattr(m, name)(x, number)

        return self._step(f"{name} {number}", function, a)

    def _power(self) -> Step:
        power = self.random.randrange(5)
        a, value = self._pick()
        if value.dtype.kind == "b":
            raise Unfit  # NumPy's dtype is another where the power is 2
        return self._step(f"power {power}", lambda m, x: x**power, a)

    def _smooth(self) -> Step:
        name = self.random.choice(SMOOTH)
        a, value = self._pick(real=True)
        if name in ("sin", "cos") and not np.all(np.abs(np.nan_to_num(value.astype(float))) < 1e3):
            raise Unfit
        if name == "reciprocal" and value.dtype.kind in "iu" and not value.all():
            raise Unfit  # NumPy's integer for infinity depends on the processor
        return self._step(name, lambda m, x: getattr(m, name)(x), a, exact=False)

    def _divide(self) -> Step:
        (a, _), (b, _) = self._pick(), self._pick()
        return self._step("true_divide", lambda m, x, y: x / y, a, b, exact=False)

    def _reduce(self) -> Step:
        name = self.random.choice("sum prod min max any all".split())
        a, value = self._pick(exact=name in ("prod", "any", "all"), real=name in ORDERED)
        axes, keep = self._axes(value), self.random.random() < 0.5

        def function(m: Any, x: Any) -> Any:
            return getattr(m, name)(x, axis=axes, keepdims=keep)

        return self._step(f"{name} {axes} {keep}", function, a)

    _reduce_again = _reduce

    def _find(self) -> Step:
        name, keep = self.random.choice(["argmin", "argmax"]), self.random.random() < 0.5
        a, value = self._pick(exact=True, real=True, ranked=True)
        axis = self._axis(value) if self.random.random() < 0.7 else None

        def function(m: Any, x: Any) -> Any:
            return getattr(m, name)(x, axis=axis, keepdims=keep)

        return self._step(f"{name} {axis} {keep}", function, a)

    def _moment(self) -> Step:
        name, keep = self.random.choice(["mean", "var", "std"]), self.random.random() < 0.5
        a, value = self._pick()
        axes = self._axes(value)

        def function(m: Any, x: Any) -> Any:
            return getattr(m, name)(x, axis=axes, keepdims=keep)

        return self._step(f"{name} {axes} {keep}", function, a, exact=False)

    def _softmax(self) -> Step:
        a, value = self._pick(floating=True, ranked=True)
        axis = self._axis(value)

        def function(m: Any, x: Any) -> Any:
            e = m.exp(x - m.max(x, axis, keepdims=True))
            return e / m.sum(e, axis, keepdims=True)

        return self._step(f"softmax {axis}", function, a, exact=False)

    def _subscript(self) -> Step:
        a, value = self._pick()
        index = self._index(value)
        if self.random.random() < 0.3:
            index = (None, *index)
        return self._step(f"index {index}", lambda m, x: x[index], a)

    _subscript_again = _subscript

    def _bound(self) -> Step:
        """A slice whose bound is computed."""
        (a, _), (b, bound) = self._pick(ranked=True), self._pick()
        if bound.ndim or bound.dtype.kind not in "iu" or abs(int(bound)) > 50:
            raise Unfit
        which = self.random.randrange(4)

        def function(m: Any, x: Any, n: Any) -> Any:
            return [x[n:], x[:n], x[n::-1], x[..., :n:2]][which]

        return self._step(f"bound {which}", function, a, b)

    def _take(self) -> Step:
        a, value = self._pick(ranked=True)
        axis = self.random.randrange(value.ndim)
        size, shape = value.shape[axis], self.random.choice([(0,), (3,), (2, 2), (1,)])
        places = self.normal.integers(-size, size, shape)
        if self.random.random() < 0.5:
            return self._step(f"take {axis}", lambda m, x: m.take(x, places, axis), a)
        index = (*[slice(None)] * axis, places)
        return self._step(f"fancy {axis}", lambda m, x: x[index], a)

    def _mask(self) -> Step:
        a, _ = self._pick(ranked=True, exact=True)
        return self._step("mask", lambda m, x: x[m.not_equal(x, 0)], a)

    def _replace(self) -> Step:
        (a, value), (b, part) = self._pick(ranked=True), self._pick()
        index, adds = self._index(value), self.random.random() < 0.5
        if not np.can_cast(part.dtype, value.dtype, "same_kind"):
            raise Unfit

        def function(m: Any, x: Any, y: Any) -> Any:
            if m is g:
                return (g.inc_subtensor if adds else g.set_subtensor)(x[index], y)
            made = x.copy()
            if adds:
                made[index] += y
            else:
                made[index] = y
            return made

        return self._step(f"replace {index} {adds}", function, a, b)

    def _put(self) -> Step:
        (a, value), (b, part) = self._pick(ranked=True), self._pick()
        if not np.can_cast(part.dtype, value.dtype, "same_kind"):
            raise Unfit
        adds, axis = self.random.random() < 0.5, self.random.randrange(value.ndim)
        places = self.normal.integers(-value.shape[axis], value.shape[axis], 3)
        index, masks = (*[slice(None)] * axis, places), self.random.random() < 0.3

        def function(m: Any, x: Any, y: Any) -> Any:
            where = m.not_equal(x, 0) if masks else index
            if m is g:
                return (g.inc_subtensor if adds else g.set_subtensor)(x[where], y)
            made = x.copy()
            if adds:
                if not np.can_cast(np.add(made[where], y).dtype, made.dtype, "same_kind"):
                    raise Unfit  # np.add.at casts it
                np.add.at(made, where, y)
            else:
                made[where] = y
            return made

        return self._step(f"put {axis} {adds} {masks}", function, a, b)

    def _accumulate(self) -> Step:
        a, value = self._pick(ranked=True, exact=True)
        axis = self.random.choice([None, *range(value.ndim)])
        return self._step(f"accumulate {axis}", lambda m, x: m.cumsum(x, axis), a)

    def _reshape(self) -> Step:
        a, value = self._pick()
        if not value.size:
            raise Unfit
        ends = (value.shape[0], value.shape[-1]) if value.ndim else (1, 1)
        shape = self.random.choice(
            [(-1,), (1, -1), (ends[0], -1), (-1, ends[1]), value.shape[::-1]]
        )
        return self._step(f"reshape {shape}", lambda m, x: x.reshape(shape), a)

    def _axes_about(self) -> Step:
        a, value = self._pick()
        order = self.random.sample(range(value.ndim), value.ndim)
        if self.random.random() < 0.6 and order:
            return self._step(f"transpose {order}", lambda m, x: x.transpose(order), a)
        axis = self.random.randrange(-value.ndim - 1, value.ndim + 1)
        return self._step(f"expand {axis}", lambda m, x: m.expand_dims(x, axis), a)

    def _join(self) -> Step:
        (a, value), (b, _) = self._pick(), self._pick()
        if value.ndim and self.random.random() < 0.5:
            axis = self._axis(value)
            return self._step(f"join {axis}", lambda m, x, y: m.concatenate([x, y, x], axis), a, b)
        axis = self.random.randrange(-value.ndim - 1, value.ndim + 1)
        return self._step(f"stack {axis}", lambda m, x, y: m.stack([x, y], axis), a, b)

    def _product(self) -> Step:
        (a, _), (b, _) = self._pick(finite=True), self._pick(finite=True)
        which = self.random.randrange(4)

        def function(m: Any, x: Any, y: Any) -> Any:
            if which == 0:
                return m.dot(x, y)
            return m.matmul(x.T if which == 1 else x, y.T if which == 2 else y)

        return self._step(f"product {which}", function, a, b)

    def _gemm(self) -> Step:
        (a, _), (b, _), (c, _) = (self._pick(finite=True) for _ in range(3))
        return self._step("gemm", lambda m, x, y, z: 2 * m.matmul(x, y) + z * 3, a, b, c)

    def _outer(self) -> Step:
        (a, _), (b, _) = self._pick(), self._pick()
        return self._step("outer", lambda m, x, y: m.outer(x, y), a, b)

    def _where(self) -> Step:
        (a, _), (b, _), (c, _) = self._pick(exact=True), self._pick(), self._pick()
        return self._step("where", lambda m, x, y, z: m.where(x, y, z), a, b, c)

    def _clip(self) -> Step:
        a, value = self._pick(real=True)
        low, high = self.random.choice([(0, 3), (None, 2), (1, None), (2, 1)])
        if value.dtype.kind == "b":
            raise Unfit
        return self._step(f"clip {low} {high}", lambda m, x: m.clip(x, low, high), a)

    def _cast(self) -> Step:
        dtype = np.dtype(self.random.choice(DTYPES))
        a, value = self._pick(exact=dtype.kind in "biu")
        if dtype.kind in "iu" and value.dtype.kind in "fc":
            # Casting a value that does not fit is undefined.
            low = 0 if dtype.kind == "u" else -100
            if not (
                np.isfinite(value).all() and (value.real >= low).all() and (value.real < 100).all()
            ):
                raise Unfit
        return self._step(f"cast {dtype}", lambda m, x: x.astype(dtype), a)

    def _repeat(self) -> Step:
        a, value = self._pick()
        shape = (2, *value.shape)
        return self._step("broadcast_to", lambda m, x: m.broadcast_to(x, shape), a)

    # Programs on variables.

    def variables(self, static: bool) -> list[Any]:
        """Variables for the arguments, with their sizes or without."""
        return [
            g.tensor(f"x{k}", a.dtype.newbyteorder("="), a.shape if static else (None,) * a.ndim)
            for k, a in enumerate(self.arguments)
        ]

    def apply(self, inputs: list[Any]) -> list[Any]:
        """The variables that the steps compute: these, and one for each step."""
        made = list(inputs)
        for step in self.steps:
            made.append(step.function(g, *(made[i] for i in step.operands)))
        return made

    def wanted(self) -> list[int]:
        """Which values are results: some, and always the last."""
        chosen = Random(len(self.steps) + self.values[0].size)
        last = len(self.values) - 1
        return [k for k in range(last) if chosen.random() < 0.3] + [last]

    def check(self, results: list[Any], numbers: list[int]) -> None:
        """Compares results with NumPy's values of these numbers."""
        for number, result in zip(numbers, results, strict=True):
            try:
                _compare(np.asarray(result), self.values[number], self.exact[number])
            except AssertionError as error:
                error.add_note(f"value {number}\n{self}")
                raise

    def __str__(self) -> str:
        lines = [f"{k}: {a.dtype} {a.shape} {a.strides}" for k, a in enumerate(self.arguments)]
        for k, step in enumerate(self.steps, len(self.arguments)):
            value = self.values[k]
            lines.append(f"{k}: {step.text} of {step.operands}: {value.dtype} {value.shape}")
        return "\n".join(lines)


KINDS = (
    "one two two_again number power smooth divide reduce reduce_again find moment softmax "
    "subscript subscript_again bound take mask replace put accumulate reshape axes_about join "
    "product gemm outer "
    "where clip cast repeat"
).split()


def _check_loop(step: Step, operands: list[np.ndarray[Any, Any]]) -> None:
    """No float16: graphs compute in float32 there."""
    ufunc = getattr(np, step.text.split()[0], None)
    if not isinstance(ufunc, np.ufunc):
        return
    kinds: list[Any] = [value.dtype for value in operands]
    kinds += [float] * (ufunc.nin - len(kinds))
    if any(dtype == np.float16 for dtype in ufunc.resolve_dtypes((*kinds, None))):
        raise Unfit


def _is_small(value: np.ndarray[Any, Any]) -> bool:
    if value.dtype == np.float16:
        return False
    return value.dtype.kind not in "fc" or not (np.abs(value[np.isfinite(value)]) >= LARGEST).any()


def _compare(got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], exact: bool) -> None:
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    if exact or wanted.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, wanted)
        return
    close = 2e-3 if wanted.dtype in (np.float32, np.complex64) else 1e-8
    size = np.max(np.abs(wanted[np.isfinite(wanted)]), initial=1.0)
    np.testing.assert_allclose(got, wanted, rtol=close, atol=close * size)
