"""Random functions, each with any features of prototypes."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from spec import BY_NAME, DOUBLE, INPUTS, SCALARS, WEIGHTS, Arg, Function, Proto, Scalar, Suite

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


def random_dim(r: Random, names: list[str], required: list[Arg], bare: bool) -> str:
    """A dimension; `required` are arrays that are never optional, whose properties may be used."""
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
    if required:
        array = r.choice(required)
        forms += [
            f"len({array.name})",
            f"shape({array.name}, {len(array.shape) - 1})",
            f"size({array.name})",
        ]
    return r.choice(forms)


def random_array(r: Random, name: str, dims: list[str], required: list[Arg]) -> Arg:
    intent = r.choices(
        ["in", "inplace", "inout", "out", "hidden", "in out", "inplace out", "inout out"],
        [8, 3, 3, 4, 1, 2, 1, 1],
    )[0]
    rank = r.choices([1, 2, 3, 4], [5, 4, 2, 1])[0]
    is_input = intent in INPUTS
    shape = tuple(random_dim(r, dims, required, is_input) for _ in range(rank))
    arg = Arg(name, random_scalar(r), "array", intent, shape, fortran=r.random() < 0.25)
    if r.random() < 0.2:
        strides = tuple(r.choice([f"{name}s{axis}", None]) for axis in range(rank))
        arg = replace(arg, strides=strides)
    roll = r.random()
    if is_input and roll < 0.12:
        return replace(arg, nullable=True)
    if (is_input and roll < 0.2) or (not is_input and roll < 0.25):
        return replace(arg, default=r.choice(LITERALS[arg.scalar.kind]))
    return arg


def random_plain(r: Random, name: str, dims: list[str]) -> Arg:
    """A scalar by value or by address."""
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
    required: list[Arg] = []
    for letter in "abcde"[: r.randint(1, 5)]:
        if r.random() < 0.65:
            args.append(random_array(r, letter, dims, required))
            if args[-1].is_input and not args[-1].nullable and args[-1].default is None:
                required.append(args[-1])
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
    for array in list(args):
        for axis, name in enumerate(array.strides):
            if name is not None:
                scalar = BY_NAME[r.choice(["long", "ptrdiff_t", "int"])]
                default = f"stride({array.name}, {axis})"
                arg = Arg(name, scalar, "value", "hidden", default=default, is_stride=True)
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


def random_kinds(r: Random, name: str) -> Function:
    """Prototypes of one function for arrays of different layouts."""
    shape = ("n", "m")
    intent = r.choice(["in", "inplace", "in out"])
    args = [Arg(dim, BY_NAME["long"], "value", is_dim=True) for dim in shape]
    args.append(Arg("x", r.choice(SCALARS), "array", intent, shape))
    if r.random() < 0.5:
        args.append(Arg("v", DOUBLE, "array", "in", ("m",)))
    if r.random() < 0.5:
        args.append(Arg("y", DOUBLE, "array", "out", shape))
    kinds = r.sample(["C", "Fortran", "Strided"], r.choice([1, 2, 3, 3]))
    protos = []
    for index, kind in enumerate(kinds):
        fortran = kind == "Fortran" or (kind == "Strided" and r.random() < 0.3)
        own = tuple(replace(a, fortran=fortran and len(a.shape) > 1) for a in args)
        protos.append(Proto(f"{name}_{index}", own, DOUBLE, seed=r.randint(1, 10**6)))
    return Function(name, tuple(protos), kinds=tuple(kinds))


def random_function(r: Random, name: str) -> Function:
    roll = r.random()
    if roll < 0.1:
        return random_overloads(r, name)
    if roll < 0.17:
        return random_kinds(r, name)
    proto = random_proto(r, f"{name}_c")
    maps = r.random() < 0.35
    outputs = [arg.name for arg in proto.args if arg.is_output] + ["result"] * bool(proto.result)
    returns = None
    if outputs and r.random() < 0.15:
        returns = tuple(r.sample(outputs, r.randint(1, len(outputs))))
    gil = r.choice([None, None, None, "hold", "release"])
    if not maps:
        return Function(name, (proto,), returns, gil)
    # If one item fails, the call does: most should not.
    proto = replace(proto, fails=23)
    return Function(name, (proto,), returns, gil, maps=True, threads=r.choice([None, 2, "all"]))


def random_suite(name: str, seed: int, count: int) -> Suite:
    """A module of random functions; the same seed gives the same module."""
    r = Random(seed)
    return Suite(name, [random_function(r, f"f{index}") for index in range(count)])
