"""Values for one parameter as callers write them: valid ones in all forms, and invalid ones."""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from random import Random

import numpy as np
from containers import dress
from layout import FORMS, Laid, lay_out, random_values
from model import Given
from spec import EXCLUSIVE, SCALARS, Arg

DTYPES = sorted({scalar.dtype_name for scalar in SCALARS})


class Sub(np.ndarray):
    """A subclass of ndarray."""


class Index:
    """An integer by protocol."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Real:
    """A real number by protocol."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value


@dataclass
class Shown(Given):
    """A value with the memory that must not change (or must, in `written`)."""

    laid: Laid | None = None


def castable(dtype: np.dtype, safely: bool) -> list[np.dtype]:
    """The other types that cast safely to this one, or those that do not."""
    return [
        np.dtype(name)
        for name in DTYPES
        if name != dtype.name and np.can_cast(name, dtype, "safe") == safely
    ]


def _wrong(
    value: object, *refused: type[BaseException], form: str, laid: Laid | None = None
) -> Shown:
    return Shown(value, None, refused, form, laid)


def dressed(r: Random, laid: Laid) -> object:
    """An array, now and then in another container. One of rank 0 is a number, not an array."""
    return dress(r, laid.array) if laid.array.ndim > 0 and r.random() < 0.3 else laid.array


# ---- Arrays --------------------------------------------------------------------------------------


def _read(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    dtype = arg.scalar.dtype
    form = r.choice([*FORMS, "list", "tuple", "cast", "cast", "readonly", "sub"])
    values = random_values(r, shape, dtype)
    if form in ("list", "tuple") and values.size and np.isfinite(values).all():
        nested = values.tolist()
        return Shown(nested if form == "list" else tuple(nested), values, (), form)
    sources = castable(dtype, True)
    if form == "cast" and sources:
        source = r.choice(sources)
        values = random_values(r, shape, source)
        laid = lay_out(
            r, values, r.choice(FORMS), swapped=r.random() < 0.2, unaligned=r.random() < 0.2
        )
        with np.errstate(all="ignore"):
            logical = values.astype(dtype)
        return Shown(laid.array, logical, (), f"cast from {source}", laid)
    if form == "sub":
        laid = lay_out(r, values, "exact", kind=lambda array: array.view(Sub))
        return Shown(laid.array, values, (), form, laid)
    return _written(r, arg, shape, readonly=form == "readonly")


def _written(r: Random, arg: Arg, shape: tuple[int, ...], *, readonly: bool = False) -> Shown:
    values = random_values(r, shape, arg.scalar.dtype)
    form = r.choice(FORMS)
    swapped, unaligned = r.random() < 0.15, r.random() < 0.15
    laid = lay_out(r, values, form, swapped=swapped, unaligned=unaligned)
    if readonly:
        laid.array.flags.writeable = False
    notes = f"{form}{' swapped' * swapped}{' unaligned' * unaligned}{' readonly' * readonly}"
    return Shown(dressed(r, laid), values, (), notes, laid)


def _exclusive(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    values = random_values(r, shape, arg.scalar.dtype)
    # As C expects it, with strides if C uses them.
    form = r.choice(["fortran" if arg.fortran else "exact", "items"])
    kind = (lambda array: array.view(Sub)) if r.random() < 0.1 else None
    laid = lay_out(r, values, form, kind=kind, core=len(shape), arg=arg)
    return Shown(dressed(r, laid), values, (), form, laid)


def array(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    """A valid array (as far as it alone determines that)."""
    if arg.intent in EXCLUSIVE:
        return _exclusive(r, arg, shape)
    if arg.is_written or arg.intent == "out":
        return _written(r, arg, shape)
    return _read(r, arg, shape)


def wrong_array(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    """An invalid array, or another object."""
    dtype = arg.scalar.dtype
    writes = arg.is_written or arg.intent == "out"
    choices = ["type", "rank", "str", "object", "number", "strings", "dates", "0-d"]
    choices += ["list", "readonly", "cast"] if writes else ["ragged", "range"]
    if arg.intent in EXCLUSIVE:
        choices += ["swapped", "unaligned"] + ["layout"] * (not any(arg.strides))
    form = r.choice(choices)
    values = random_values(r, shape, dtype)
    if form == "rank":
        other = values[None] if r.random() < 0.5 or values.ndim == 1 else values[0:1].ravel()
        laid = lay_out(r, np.array(other), "exact")
        return _wrong(dressed(r, laid), ValueError, form=form, laid=laid)
    if form == "0-d":
        laid = lay_out(r, random_values(r, (), dtype), "exact")
        return _wrong(laid.array, ValueError, form=form, laid=laid)
    if form == "readonly":
        laid = lay_out(r, values, "exact")
        laid.array.flags.writeable = False
        return _wrong(dressed(r, laid), ValueError, form=form, laid=laid)
    sources = castable(dtype, form == "cast")
    if form in ("cast", "type") and sources:
        laid = lay_out(r, random_values(r, shape, r.choice(sources)), r.choice(FORMS))
        return _wrong(dressed(r, laid), TypeError, form=f"{form} {laid.array.dtype}", laid=laid)
    if form == "list":
        return _wrong(values.tolist(), TypeError, form=form)
    if form == "ragged":
        return _wrong([[1, 2], [3]], ValueError, form=form)
    if form == "range" and dtype.kind in "iu":
        nested: object = [int(np.iinfo(dtype).max) + 1]
        for _ in shape[1:]:
            nested = [nested]
        return _wrong(nested, OverflowError, form=form)
    if form in ("layout", "swapped", "unaligned"):
        lay = "strided" if form == "layout" else "fortran" if arg.fortran else "exact"
        laid = lay_out(r, values, lay, swapped=form == "swapped", unaligned=form == "unaligned")
        flags = laid.array.flags
        contiguous = flags.f_contiguous if arg.fortran else flags.c_contiguous
        if not laid.array.dtype.isnative:
            return _wrong(dressed(r, laid), TypeError, form=form, laid=laid)
        if not (flags.aligned and contiguous):
            return _wrong(dressed(r, laid), ValueError, form=form, laid=laid)
    junk = {
        "object": object(),
        "number": 3,
        "strings": np.full(shape, "x"),
        "dates": np.zeros(shape, "M8[s]"),
    }
    return _wrong(junk.get(form, "text"), TypeError, form=form if form in junk else "str")


# ---- Scalars -------------------------------------------------------------------------------------


def scalar(r: Random, arg: Arg, value: int | None = None) -> Shown:
    """A valid number; `value`: this one."""
    dtype = arg.scalar.dtype
    logical = random_values(r, (), dtype) if value is None else np.array(value, dtype)
    if arg.is_written:
        laid = lay_out(r, logical, "exact", unaligned=r.random() < 0.15)
        return Shown(laid.array, logical, (), "0-d", laid)
    exact = logical[()]
    sources = castable(dtype, True)
    form = r.choice(["python", "python", "exact", "0-d", "cast", "index", "real", "swapped"])
    if form == "0-d" or (form == "swapped"):
        laid = lay_out(r, logical, "exact", swapped=form == "swapped", unaligned=r.random() < 0.2)
        return Shown(laid.array, logical, (), form, laid)
    # A 0-d bool is not an index; test_edges.py has a separate test for it.
    if form == "cast" and sources and value is None:
        source = random_values(r, (), r.choice(sources))
        with np.errstate(all="ignore"):
            cast = source.astype(dtype)
        return Shown(source[()], cast, (), f"cast from {source.dtype}")
    if form == "index" and dtype.kind in "iufc" and np.isfinite(exact) and exact == int(exact.real):
        whole = int(exact.real)
        return Shown(Index(whole), np.array(whole, dtype), (), form)
    if form == "real" and dtype.kind in "fc":
        number = float(exact.real)
        other: object = Real(number)
        if np.isfinite(number) and number != 0 and r.random() < 0.5:
            other = decimal.Decimal(number)
        return Shown(other, np.array(number, dtype), (), form)
    if form == "exact":
        return Shown(exact, logical, (), form)
    return Shown(exact.item(), logical, (), "python")


def wrong_scalar(r: Random, arg: Arg) -> Shown:
    """An invalid number, or another object."""
    dtype = arg.scalar.dtype
    if arg.is_written:
        logical = random_values(r, (), dtype)
        other = np.dtype("float64" if dtype != np.float64 else "float32")
        readonly = lay_out(r, logical, "exact")
        readonly.array.flags.writeable = False
        swapped = lay_out(r, logical, "exact", swapped=True)
        choices = [
            _wrong(1.5, TypeError, form="number"),
            _wrong(logical[()], TypeError, form="scalar"),
            _wrong(np.zeros((), other), TypeError, form=f"0-d {other}"),
            _wrong(np.zeros(1, dtype), TypeError, form="1-d"),
            _wrong(readonly.array, ValueError, form="readonly", laid=readonly),
        ]
        if not swapped.array.dtype.isnative:
            choices.append(_wrong(swapped.array, TypeError, form="swapped", laid=swapped))
        return r.choice(choices)
    choices = [
        _wrong("1", TypeError, form="str"),
        _wrong(b"1", TypeError, form="bytes"),
        _wrong([1], TypeError, form="list"),
        _wrong(np.zeros(1, dtype), TypeError, form="1-d"),
        _wrong(object(), TypeError, form="object"),
        _wrong(np.datetime64(3, "s"), TypeError, form="date"),
    ]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        for number in (int(info.max) + 1, int(info.min) - 1, 10**30, -(10**30)):
            choices.append(_wrong(number, OverflowError, form=str(number)))
            choices.append(_wrong(Index(number), OverflowError, form=f"index {number}"))
        choices += [_wrong(1.0, TypeError, form="float"), _wrong(1j, TypeError, form="complex")]
        choices.append(_wrong(np.float64(2), TypeError, form="np.float64"))
        choices.append(_wrong(np.array(2.0), TypeError, form="0-d float64"))
    elif dtype.kind == "b":
        choices += [_wrong(1, TypeError, form="int"), _wrong(0.0, TypeError, form="float")]
        choices.append(_wrong(np.int8(1), TypeError, form="np.int8"))
    else:
        choices.append(_wrong(10**400, OverflowError, form="10**400"))
        choices.append(_wrong(np.clongdouble(1), TypeError, form="np.clongdouble"))
        if dtype.kind == "f":
            choices.append(_wrong(1j, TypeError, form="complex"))
            choices.append(_wrong(np.complex64(1), TypeError, form="np.complex64"))
        if dtype.itemsize == 4 or dtype.name == "complex64":
            choices.append(_wrong(1e300, OverflowError, form="1e300"))
    return r.choice(choices)
