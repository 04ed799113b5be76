"""Random calls of a suite's functions as Lua, each with its expected outcome.

A script holds all calls; lua_calls.lua makes and checks them. The expected outcome is computed by
the model, which is independent of Lua.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import calls
import numpy as np
from layout import random_values
from model import Call, Given, Outcome
from present import castable
from spec import EXCLUSIVE, Arg, Function, Proto

LAYOUTS = ("C", "F", "strided", "negative")


@dataclass
class Shown(Given):
    """A value as Lua has it; for a tensor its elements and its layout."""

    lua: str = "nil"
    tensor: np.ndarray | None = None
    layout: str = "C"


# ---- Lua source
# -----------------------------------------------------------------------------------


def literal(value: np.generic) -> str:
    """A number as a script writes it, exactly."""
    kind = value.dtype.kind
    if kind == "b":
        return str(bool(value)).lower()
    if kind in "iu":
        digits = str(int(value))
        return digits if abs(int(value)) <= 1 << 53 else f"'{digits}'"
    if kind == "c":
        return f"fp.complex({literal(value.real)}, {literal(value.imag)})"
    number = float(value)
    if np.isnan(number):
        return "(0/0)"
    if np.isinf(number):
        return "math.huge" if number > 0 else "-math.huge"
    # Lua 5.1 treats the constants 0 and -0 as one.
    return "-1/math.huge" if number == 0 and np.signbit(number) else repr(number)


def _canonical(value: np.generic) -> str:
    """A number as lua_calls.lua prints it."""
    kind = value.dtype.kind
    if kind == "b":
        return str(bool(value)).lower()
    if kind in "iu":
        return str(int(value))
    if kind == "c":
        return f"{_canonical(value.real)} {_canonical(value.imag)}"
    number = float(value)
    if np.isnan(number):
        return "nan"
    return f"{number:.0f}" if number.is_integer() and abs(number) < 2**64 else f"{number:.17g}"


def _list(texts: list[str]) -> str:
    return "{" + ", ".join(texts) + "}"


def _flat(values: np.ndarray) -> str:
    return _list([literal(value) for value in values.ravel()])


def _nested(values: np.ndarray) -> str:
    if values.ndim == 0:
        return literal(values[()])
    return _list([_nested(np.asarray(value)) for value in values])


def _shape(values: np.ndarray) -> str:
    return _list([str(size) for size in values.shape])


def _laid(values: np.ndarray, layout: str) -> np.ndarray:
    """A NumPy array with the layout of the tensor."""
    if layout in ("C", "F") or values.ndim == 0:
        return np.array(values, order="F" if layout == "F" else "C")
    steps = tuple(slice(None, None, 2 if layout == "strided" else -1) for _ in values.shape)
    spread = [size * (2 if layout == "strided" else 1) for size in values.shape]
    return np.zeros(spread, values.dtype)[steps]


def _tensor(values: np.ndarray, layout: str, logical: np.ndarray | None) -> Shown:
    return Shown(_laid(values, layout), logical, (), f"{values.dtype} {layout}", "", values, layout)


def _other(lua: str, logical: np.ndarray | np.generic | None, form: str) -> Shown:
    return Shown(None, logical, (), form, lua)


def _wrong(shown: Shown) -> Shown:
    return replace(shown, logical=None, refused=(TypeError,))


# ---- Values for one parameter --------------------------------------------------------------------


def _array(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    dtype = arg.scalar.dtype
    values = random_values(r, shape, dtype)
    if arg.intent in EXCLUSIVE:
        return _tensor(values, "F" if arg.fortran else "C", values)
    if arg.intent == "out" and arg.default is None and r.random() < 0.2:
        return _other(f"fp.empty({_shape(values)}, '{dtype}')", values, "not filled")
    roll = r.random()
    if not (arg.is_written or arg.intent == "out"):
        if roll < 0.25 and values.size:
            return _other(_nested(values), values, "table")
        sources = castable(dtype, True)
        if roll < 0.5 and sources:
            values = random_values(r, shape, r.choice(sources))
            with np.errstate(all="ignore"):
                return _tensor(values, r.choice(LAYOUTS), values.astype(dtype))
    return _tensor(values, r.choice(LAYOUTS), values)


def _wrong_array(r: Random, arg: Arg, shape: tuple[int, ...]) -> Shown:
    dtype = arg.scalar.dtype
    writes = arg.is_written or arg.intent == "out"
    values = random_values(r, shape, dtype)
    deep = _tensor(values[None], "C", None)
    choices = [deep, *(_other(text, None, text) for text in ("3", "'text'", "false", "print"))]
    choices.append(_other("{{1, 2}, {3}}", None, "ragged"))
    sources = castable(dtype, writes)
    if sources:
        choices.append(_tensor(random_values(r, shape, r.choice(sources)), "C", None))
    if writes and values.size:
        choices.append(_other(_nested(values), None, "table"))
    if not writes and values.size and dtype.kind in "iu":
        text = _nested(np.full(shape, 0.5))
        choices.append(_other(text, None, "fractions"))
    if arg.intent != "out" and values.size:
        text = f"fp.empty({_shape(values)}, '{dtype}')"
        choices.append(_other(text, None, "not filled"))
    if arg.intent in EXCLUSIVE and not any(arg.strides):
        laid = _tensor(values, "strided", None)
        assert isinstance(laid.value, np.ndarray)
        if not laid.value.flags["F" if arg.fortran else "C"]:
            choices.append(laid)
    return _wrong(r.choice(choices))


def _scalar(r: Random, arg: Arg, value: int | None = None) -> Shown:
    dtype = arg.scalar.dtype
    logical = random_values(r, (), dtype) if value is None else np.array(value, dtype)
    if arg.is_written or r.random() < 0.2:
        return _tensor(logical, "C", logical)
    text = literal(logical[()])
    if dtype.kind in "iu" and text.lstrip("-").isdigit() and r.random() < 0.3:
        text += ".0"
    elif dtype.name in ("int64", "uint64") and text[0] != "'" and r.random() < 0.3:
        text = f"'{text}'"
    return _other(text, logical, "number")


def _wrong_scalar(r: Random, arg: Arg) -> Shown:
    dtype = arg.scalar.dtype
    if arg.is_written:
        other = np.zeros((), "float32" if dtype != np.float32 else "float64")
        choices = [_other("1", None, "number"), _tensor(other, "C", None)]
        return _wrong(r.choice([*choices, _tensor(np.zeros(1, dtype), "C", None)]))
    texts = ["'x'", "{1}", "print", "fp.zeros(1)"]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        texts += ["1.5", "(0/0)", "math.huge", "true", "1e300", f"{float(info.max) * 4 + 4:.17g}"]
        texts += ["-1" if dtype.kind == "u" else f"{float(info.min) * 4:.17g}"]
        texts += [f"'{int(info.max) + 1}'", f"'{int(info.min) - 1}'"]
    elif dtype.kind == "b":
        texts += ["1", "0", "'true'"]
    else:
        texts += ["true", "'1'"] + ["fp.complex(1, 2)"] * (dtype.kind == "f")
        texts += ["1e300"] * (dtype.name in ("float32", "complex64"))
    return _wrong(_other(r.choice(texts), None, "wrong"))


# ---- Calls ---------------------------------------------------------------------------------------


def _parameters(proto: Proto) -> list[Arg]:
    return [*proto.required(), *proto.optional(), *proto.buffers()]


def _values(r: Random, proto: Proto) -> dict[str, Given]:
    """A value for each parameter, perhaps one of them wrong."""
    dims = calls.random_dims(r, proto)
    parameters = _parameters(proto)
    spoil = r.choice(parameters).name if parameters and r.random() < 0.3 else None
    required = {arg.name for arg in proto.required()}
    given: dict[str, Given] = {}
    for arg in parameters:
        needed = arg.name in required or (arg.is_dim and dims[arg.name] != int(arg.default or 0))
        shape = calls.told_shape(proto, arg, dims) if arg.is_array else ()
        if arg.name == spoil:
            if arg.name in required and r.random() < 0.1:
                given[arg.name] = _wrong(_other("nil", None, "nil"))
            else:
                wrong = _wrong_array(r, arg, shape) if arg.is_array else _wrong_scalar(r, arg)
                given[arg.name] = wrong
        elif not needed and r.random() < 0.45:
            continue
        elif arg.is_array:
            if r.random() < 0.06:  # perhaps wrong: the model decides
                shape = (*shape[:-1], shape[-1] + 1)
            given[arg.name] = _array(r, arg, shape)
        else:
            given[arg.name] = _scalar(r, arg, dims[arg.name] if arg.is_dim else None)
    return given


def _chosen(r: Random, function: Function) -> tuple[dict[str, Given], Proto | None]:
    """Tensors for a function with several prototypes, and the one that they choose."""
    aim = r.choice(function.protos)
    dims = {"n": r.choice([0, 1, 2, 3]), "m": r.choice([1, 2, 2, 3])}
    layout = r.choice(LAYOUTS)
    given: dict[str, Given] = {}
    for arg in [*aim.required(), *aim.optional(), *aim.buffers()]:
        if arg not in aim.required() and r.random() < 0.6:
            continue
        dtype = arg.scalar.dtype
        if not function.kinds and r.random() < 0.3:
            dtype = np.dtype(r.choice(["float64", "float32", "complex128", "int64", "int32"]))
        values = random_values(r, tuple(dims[dim] for dim in arg.shape), dtype)
        own = layout if r.random() < 0.8 else r.choice(LAYOUTS)
        if arg.intent == "inout":
            own = "C"
        given[arg.name] = _tensor(values, own, values)
    proto = calls.select(function, given, list(given))
    for arg in proto.args if proto else ():
        shown = given.get(arg.name)
        if shown is not None:
            calls.cast(arg, shown)
    return given, proto


def _want(proto: Proto, given: dict[str, Given], outcome: Outcome) -> str:
    """The expected outcome of a call, as lua_calls.lua takes it."""
    order = [arg.name for arg in _parameters(proto)]
    if outcome.errors:
        names = {name or "" for _, name in outcome.errors}
        return f"errors = {_list([repr(name) for name in sorted(names)])}"
    results = []
    for name, result in zip(outcome.names, outcome.results, strict=True):
        arg = next((arg for arg in proto.args if arg.name == name), None)
        if result is None:
            results.append("'nil'")
        elif arg is None or not arg.is_array:
            results.append(repr(_canonical(np.asarray(result)[()])))
        elif arg.intent == "out" and name in given:
            results.append(str(order.index(name) + 1))
        else:
            values = np.asarray(result)
            flat = _list([repr(_canonical(value)) for value in values.ravel()])
            results.append(f"{{'{values.dtype}', {_shape(values)}, {flat}}}")
    return f"results = {_list(results)}"


def _text(number: int, function: Function, proto: Proto, given: dict[str, Given]) -> list[str]:
    """The beginning of a call: its arguments as locals."""
    story = {name: shown.form for name, shown in given.items()}
    protos = "\n".join(proto.text() for proto in function.protos)
    title = f"{number}: {protos}\n{story}".replace("]]", "] ]")
    lines = [f"call([[{title}]], function()"]
    for index, arg in enumerate(_parameters(proto)):
        shown = given.get(arg.name)
        assert shown is None or isinstance(shown, Shown)
        tensor = None if shown is None else shown.tensor
        if shown is None or tensor is None:
            lines.append(f"  local a{index} = {shown.lua if shown else 'nil'}")
        else:
            what = f"'{tensor.dtype}', {_shape(tensor)}, {_flat(tensor)}, '{shown.layout}'"
            lines.append(f"  local a{index}, b{index} = lay({what})")
    return lines


def call(r: Random, number: int, function: Function) -> tuple[str, str]:
    """A random call as Lua, and a word for its outcome."""
    proto: Proto | None = function.protos[0]
    assert proto is not None
    if len(function.protos) > 1 or function.kinds:
        given, chosen = _chosen(r, function)
        # The prototype determines the parameters; if none fits, the intended one does.
        fitting = [p for p in function.protos if set(given) <= {a.name for a in _parameters(p)}]
        proto = chosen or fitting[0]
        outcome = Outcome(errors=[(TypeError, None)])
        if chosen is not None:
            outcome = Call(chosen, given).run(function.returns)
    else:
        given = _values(r, proto)
        outcome = Call(proto, given).run(function.returns)
    parameters = _parameters(proto)
    arguments = [f"a{index}" for index in range(len(parameters))]
    if not outcome.errors and r.random() < 0.04:
        arguments.append("1")
        outcome = Outcome(errors=[(TypeError, None)])
    lines = _text(number, function, proto, given)
    packed = ", ".join([f"n = {len(arguments)}", *arguments])
    lines.append(f"  made('{function.name}', {{{packed}}}, {{{_want(proto, given, outcome)}}})")
    by_c = any(error is RuntimeError for error, _ in outcome.errors)
    for index, arg in enumerate(parameters):
        shown = given.get(arg.name)
        if not isinstance(shown, Shown) or shown.tensor is None:
            continue
        if by_c and arg.intent == "out" and arg.default is not None:
            continue  # filled before C was called, which then refused
        written = outcome.written.get(arg.name)
        values = shown.tensor if written is None else np.asarray(written)
        what = f"'{values.dtype}', {_shape(values)}, {_flat(values)}, '{shown.layout}'"
        lines.append(f"  holds('{arg.name}', b{index}, {what})")
    lines.append("end)")
    return "\n".join(lines), "refused" if outcome.errors else "fine"
