"""A suite as files: the interface, a header, and C whose effect `model.py` can predict.

Every C function computes a digest of its arguments (each element times its place in memory, so that
a wrong order or stride is detected), then changes its writable arguments, and computes its outputs
from the digest.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from spec import SCALARS, Arg, Function, Proto, Suite

PRELUDE = r"""
#include <math.h>

static uint64_t of_real(double v)
{
    return isfinite(v) ? (uint64_t)(int64_t)fmod(2.0 * v, 1048576.0) : 7u;
}
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* Where the i-th element in C's order is; a step of -1: close to what lies within. */
__attribute__((unused)) static long
place(long i, int rank, const long *dims, const long *steps, int fortran)
{
    long at = 0, close = 1;
    for (int k = 0; k < rank; k++) {
        int axis = fortran ? k : rank - 1 - k;
        long step = steps[axis] < 0 ? close : steps[axis];
        at += i % dims[axis] * step;
        i /= dims[axis];
        close = step * dims[axis];
    }
    return at;
}

/* How often C was called: a test may ask whether a failed call got this far. */
static _Thread_local long calls_made;
long calls(void) { return calls_made; }
"""


def _helpers() -> str:
    """`term_T` (a value's part of the digest), `make_T` (a value of a digest), `bump_T` (x + 1)."""
    lines = []
    for scalar in {scalar.id: scalar for scalar in SCALARS}.values():
        t, name = scalar.c, scalar.id
        term, make, bump = {
            "b": ("(uint64_t)v", f"({t})(d % 2)", f"({t})!v"),
            "i": ("(uint64_t)(int64_t)v", f"({t})(d % 100)", f"({t})((uint64_t)v + 1u)"),
            "u": ("(uint64_t)v", f"({t})(d % 100)", f"({t})((uint64_t)v + 1u)"),
            "f": ("of_real(v)", f"({t})((double)(d % 1000) / 2)", "v + 1"),
            "c": (
                "of_real(__real__ v) + 3 * of_real(__imag__ v)",
                f"({t})((double)(d % 1000) / 2) + ({t})((double)(d % 77) / 4) * 1.0iF",
                "v + 1",
            ),
        }[scalar.kind]
        unused = "__attribute__((unused)) static"
        lines += [
            f"{unused} uint64_t term_{name}({t} v) {{ return {term}; }}",
            f"{unused} {t} make_{name}(uint64_t d) {{ return {make}; }}",
            f"{unused} {t} bump_{name}({t} v) {{ return {bump}; }}",
        ]
    return "\n".join(lines)


def _c_dim(text: str, proto: Proto) -> str:
    """A dimension in C; measures become the dimensions they measure."""
    by_name = {arg.name: arg for arg in proto.args}

    def measured(match: re.Match[str]) -> str:
        shape = by_name[match[2]].shape
        if match[1] == "size":
            text = "*".join(f"({dim})" for dim in shape)
        else:
            text = shape[int(match[3] or 0)]
        return f"({_c_dim(text, proto)})"

    text = re.sub(r"\b(len|shape|size)\((\w+)(?:, (\d))?\)", measured, text)
    text = text.replace("min(", "MIN(").replace("max(", "MAX(")
    return re.sub(r"\b([nmk])\b", r"dim_\1", text)


def _element(arg: Arg) -> str:
    """The i-th element of an array, in C's order."""
    if not any(arg.strides):
        return f"{arg.name}[i]"
    lies = f"{len(arg.shape)}, dims_{arg.name}, steps_{arg.name}, {int(arg.fortran)}"
    return f"{arg.name}[place(i, {lies})]"


def _digest(index: int, arg: Arg) -> list[str]:
    if arg.is_stride:
        return []
    weight = index + 1
    term = f"term_{arg.scalar.id}"
    if arg.passing == "value":
        return [f"acc += {weight}u * {term}({arg.name});"]
    if arg.intent == "out" and arg.default is None:
        return []  # its memory is not initialised
    if arg.is_array:
        add = (
            f"for (long i = 0; i < size_{arg.name}; i++) "
            f"acc += {weight}u * (uint64_t)(i % 13 + 1) * {term}({_element(arg)});"
        )
    else:
        add = f"acc += {weight}u * {term}(*{arg.name});" if arg.intent != "out" else ""
    if arg.nullable:
        return [f"if ({arg.name} == NULL) acc += {99 * weight}u;", f"else {{ {add} }}"]
    return [add]


def _change(index: int, arg: Arg) -> list[str]:
    if arg.passing == "value" or arg.intent == "in":
        return []
    bump, make = f"bump_{arg.scalar.id}", f"make_{arg.scalar.id}"
    if arg.intent == "out":
        if arg.is_array:
            return [
                f"for (long i = 0; i < size_{arg.name}; i++) "
                f"{_element(arg)} = {make}(acc + {index}u + 3u * (uint64_t)i);"
            ]
        return [f"*{arg.name} = {make}(acc + {index}u);"]
    if arg.is_array:
        at = _element(arg)
        loop = f"for (long i = 0; i < size_{arg.name}; i++) {at} = {bump}({at});"
    else:
        loop = f"*{arg.name} = {bump}(*{arg.name});"
    return [f"if ({arg.name} != NULL) {{ {loop} }}" if arg.nullable else loop]


def declaration(proto: Proto) -> str:
    result = "int" if proto.status else (proto.result.c if proto.result else "void")
    args = ", ".join(f"{arg.c_type()} {arg.name}" for arg in proto.args) or "void"
    return f"{result} {proto.c_name}({args})"


def definition(proto: Proto) -> str:
    lines = [f"uint64_t acc = {proto.seed}u;", "calls_made++;"]
    for arg in proto.args:
        if arg.is_dim:
            star = "*" if arg.passing == "pointer" else ""
            lines.append(f"const long dim_{arg.name} = (long){star}{arg.name};")
            lines.append(f"(void)dim_{arg.name};")
    for arg in proto.args:
        if arg.is_array:
            size = " * ".join(f"(long)({_c_dim(dim, proto)})" for dim in arg.shape)
            lines.append(f"const long size_{arg.name} = {size};")
            lines.append(f"(void)size_{arg.name};")
        if any(arg.strides):
            dims = ", ".join(f"(long)({_c_dim(dim, proto)})" for dim in arg.shape)
            steps = ", ".join(f"(long){step or -1}" for step in arg.strides)
            lines.append(f"const long dims_{arg.name}[] = {{{dims}}};")
            lines.append(f"const long steps_{arg.name}[] = {{{steps}}};")
    for index, arg in enumerate(proto.args):
        lines += _digest(index, arg)
    if proto.status:
        lines.append(f"if (acc % {proto.fails} == 0) return (int)(acc % 7) + 1;")
    for index, arg in enumerate(proto.args):
        lines += _change(index, arg)
    if proto.status:
        lines.append("return 0;")
    elif proto.result:
        lines.append(f"return make_{proto.result.id}(acc + 1000u);")
    body = "\n".join(f"    {line}" for line in lines if line)
    return f"{declaration(proto)}\n{{\n{body}\n}}\n"


def _toml_function(function: Function) -> str:
    texts = [proto.text() for proto in function.protos]
    lines = [f"[function.{function.name}]"]
    if function.kinds:
        both = zip(function.kinds, texts, strict=True)
        lines += [f"proto.{kind} = {json.dumps(text)}" for kind, text in both]
    else:
        lines.append(f"proto = {json.dumps(texts)}")
    if function.maps:
        lines.append('ellipses = "..."')
    if function.threads is not None:
        lines.append(f"threads = {json.dumps(function.threads)}")
    if function.returns is not None:
        lines.append(f"returns = {json.dumps(list(function.returns))}")
    if function.gil is not None:
        lines.append(f"gil = {json.dumps(function.gil)}")
    return "\n".join(lines) + "\n"


def write(suite: Suite, folder: Path, cflags: tuple[str, ...] = ("-O1",)) -> Path:
    """Writes the suite's three files; returns the interface."""
    folder.mkdir(parents=True, exist_ok=True)
    protos = [proto for function in suite.functions for proto in function.protos]
    includes = "#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n"
    header = "".join(f"{declaration(proto)};\n" for proto in protos) + "long calls(void);\n"
    (folder / f"{suite.name}.h").write_text(f"#pragma once\n{includes}{header}")
    body = "\n".join(definition(proto) for proto in protos)
    (folder / f"{suite.name}.c").write_text(
        f'#include "{suite.name}.h"\n{PRELUDE}\n{_helpers()}\n\n{body}'
    )
    module = {
        "name": suite.name,
        "headers": [f"{suite.name}.h"],
        "sources": [f"{suite.name}.c"],
        "libraries": ["m"],
        "cflags": list(cflags),
    }
    lines = ["[module]"] + [f"{key} = {json.dumps(value)}" for key, value in module.items()]
    functions = "\n".join(_toml_function(function) for function in suite.functions)
    interface = folder / f"{suite.name}.toml"
    interface.write_text(
        "\n".join(lines) + f'\n\n{functions}\n[function.calls]\nproto = "long calls(void)"\n'
    )
    return interface
