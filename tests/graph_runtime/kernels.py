"""Linked graphs written as the emitter writes them: plain C against `abi.h`, built and loaded."""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import os
import re
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "crates" / "graph-c" / "runtime"
ENTRY = ROOT / "bindings" / "python" / "entry"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden"]
# NaN and infinities stay right; only values that are never read may differ.
FAST = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"]

MODULE = """
#include <Python.h>
int fishplate_add_entry(PyObject *module);
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fishplate_add_entry},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_entry", NULL, 0, NULL, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__entry(void) { return PyModuleDef_Init(&module); }
"""


def run(command: list[str | Path]) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def write_runtime_header(folder: Path) -> None:
    """Writes the header that generated modules include: the parts that the Python host joins."""
    source = ROOT / "crates" / "hosts" / "python" / "src"
    parts = re.findall(r'"([^"]+\.h)"', (source / "runtime.rs").read_text())
    header = "\n".join((source / part).read_text() for part in parts)
    (folder / "fishplate_python.h").write_text(header)


def build_entry(folder: Path, compiler: str, *flags: str, objects: Sequence[Path] = ()) -> Path:
    """The entry as an extension module of its own."""
    write_runtime_header(folder)
    (folder / "module.c").write_text(MODULE)
    library = folder / "_entry.so"
    python = [f"-isystem{sysconfig.get_path('include')}", f"-isystem{np.get_include()}"]
    for source in [ENTRY / "entry.c", RUNTIME / "runtime.c"]:
        run(
            [compiler, *STRICT, *flags, f"-I{folder}", f"-I{RUNTIME}", *python]
            + ["-c", source, "-o", folder / f"{source.stem}.o"]
        )
    objects = [folder / "entry.o", folder / "runtime.o", *objects]
    run(
        [compiler, *flags, "-shared", "-fPIC", *python, folder / "module.c", *objects]
        + ["-o", library, "-lm", "-lpthread", "-ldl"]
    )
    return library


def load_entry(library: Path):
    spec = importlib.util.spec_from_file_location("_entry", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Failed(Exception):
    """The exception that `on_error` raises in these tests."""

    def __init__(self, node: int, kind: str, text: str, operands: tuple, inputs: tuple):
        super().__init__(text)
        self.node, self.kind, self.text = node, kind, text
        self.operands, self.inputs = operands, inputs


class Linker:
    """Compiles C source to graphs; equal source once."""

    def __init__(self, entry, folder: Path, compiler: str = "gcc", flags: tuple[str, ...] = ()):
        self.entry, self.folder = entry, folder
        self.compiler, self.flags = compiler, list(flags)
        self.counter = itertools.count()

    def library(self, text: str) -> Path:
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        path = self.folder / f"g{key}.so"
        if not path.exists():
            source = self.folder / f"g{key}.c"
            source.write_text('#include "abi.h"\n' + text)
            part = self.folder / f"g{key}.{os.getpid()}"
            run(
                [self.compiler, *STRICT, *FAST, *self.flags, f"-I{RUNTIME}", "-shared", source]
                + ["-o", part, "-lmvec", "-lm"]
            )
            part.rename(path)
        return path

    def link(self, text, inputs, outputs, name="f", symbol="graph", detail=None, **more):
        """A `Function` of a text that defines `graph`."""
        return self.entry.Function(
            self.library(text),
            symbol,
            name,
            tuple(inputs),
            tuple(outputs),
            tuple(more.pop("pointers", ())),
            Failed,
            detail,
            **more,
        )


# ---- As the emitter writes them -----------------------------------------------------------------

TYPES = {
    "bool": ("unsigned char", "FP_BOOL"),
    "int8": ("signed char", "FP_INT8"),
    "int16": ("short", "FP_INT16"),
    "int32": ("int", "FP_INT32"),
    "int64": ("long", "FP_INT64"),
    "uint8": ("unsigned char", "FP_UINT8"),
    "uint16": ("unsigned short", "FP_UINT16"),
    "uint32": ("unsigned", "FP_UINT32"),
    "uint64": ("unsigned long", "FP_UINT64"),
    "float32": ("float", "FP_FLOAT32"),
    "float64": ("double", "FP_FLOAT64"),
    "complex64": ("float _Complex", "FP_COMPLEX64"),
    "complex128": ("double _Complex", "FP_COMPLEX128"),
}
HEAD = """
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define EXPORT __attribute__((visibility("default")))
__attribute__((simd("notinbranch"), const)) double exp(double);
__attribute__((simd("notinbranch"), const)) float expf(float);
"""
GRAPH = """
EXPORT int graph(const fp_runtime *rt, fp_call *call, void *const *in, void *const *out,
                 void *const *pointers);
int graph(const fp_runtime *rt, fp_call *call, void *const *in, void *const *out,
          void *const *pointers)
"""


def operand(dtype: str, ndim: int, home: str = "0", reuse: int = 0) -> str:
    return f"{{{TYPES[dtype][1]}, {ndim}, {home}, {reuse}}}"


def map_text(expressions, inputs, ndim, homes=None, cost=16, reuse=0) -> str:
    """A graph of one map: `expressions` are (dtype, C of a, b, c...), `inputs` (dtype, rank)."""
    letters = "abcdefghij"
    loop, operands = [], []
    outputs = len(expressions)
    for k, (dtype, _) in enumerate(expressions):
        loop.append(f"{TYPES[dtype][0]} *o{k} = ({TYPES[dtype][0]} *)p[{k}];")
        home = homes[k] if homes else str(k)
        operands.append(operand(dtype, ndim, home, reuse))
    for k, (dtype, rank) in enumerate(inputs):
        kind = TYPES[dtype][0]
        at = outputs + k
        if rank == 0:
            loop.append(f"const {kind} {letters[k]} = *(const {kind} *)p[{at}];")
        else:
            loop.append(f"const {kind} *i{k} = (const {kind} *)p[{at}];")
        operands.append(operand(dtype, rank))
    body = []
    for k, (dtype, rank) in enumerate(inputs):
        if rank > 0:
            body.append(f"const {TYPES[dtype][0]} {letters[k]} = i{k}[i];")
    values = ", ".join(
        [f"out[{k}]" for k in range(outputs)] + [f"in[{k}]" for k in range(len(inputs))]
    )
    for k, (dtype, expression) in enumerate(expressions):
        body.append(f"o{k}[i] = ({TYPES[dtype][0]})({expression});")
    return f"""{HEAD}
static void inner(char *const *p, fp_size n)
{{
    fp_size i;
    {" ".join(loop)}
    _Pragma("GCC ivdep")
    for (i = 0; i < n; i++) {{
        {" ".join(body)}
    }}
}}
static const fp_operand operands[] = {{{", ".join(operands)}}};
static const fp_map map = {{7, {outputs}, {len(inputs)}, {ndim}, {cost}, operands, inner, 0, 0}};
{GRAPH}
{{
    void *const values[] = {{{values}}};
    return rt->map(call, &map, values);
}}
"""


def fold_text(
    result, state, begin, step, join, end, inputs, ndim, axes, *, keep=False, ordered=False,
    each=True, rank=None, home="0", no_identity="0", cost=8,
) -> str:  # fmt: skip
    """A graph of one fold of one output (dtype `result`).

    `state` declares the members of the accumulator; the other strings are C over `s->` (and of
    `o->` in `join`), of the elements a, b, c..., of `index`, `count` and `*to`.
    """
    letters = "abcdefghij"
    declare, declare_row, load = [], [], []
    for k, (dtype, r) in enumerate(inputs):
        kind = TYPES[dtype][0]
        declare.append(f"const {kind} *i{k} = (const {kind} *)p[{k}];")
        at = f"p[{k}] + (row == 0 ? 0 : row * steps[{k}])"
        declare_row.append(f"const {kind} *i{k} = (const {kind} *)(const void *)({at});")
        load.append(f"const {kind} {letters[k]} = i{k}[{'i' if r else '0'}];")
    if rank is None:
        rank = ndim if keep else ndim - bin(axes).count("1")
    operands = [operand(result, rank, home)] + [operand(*i) for i in inputs]
    values = ", ".join(["out[0]"] + [f"in[{k}]" for k in range(len(inputs))])
    body = " ".join(declare)
    return f"""{HEAD}
typedef struct {{ {state} }} states;
static void begin(char *state) {{ states *s = (states *)state; {begin} }}
static void fold(char *state, char *const *p, fp_size n, fp_size first)
{{
    states one = *(states *)state, *s = &one;
    fp_size i;
    {body}
    for (i = 0; i < n; i++) {{
        const fp_size index = first + i;
        {" ".join(load)} (void)index;
        {step}
    }}
    *(states *)state = one;
}}
static __attribute__((unused)) void
each(char *state, char *const *p, const fp_size *steps, fp_size n, fp_size first, fp_size rows)
{{
    fp_size i, row;
    for (row = 0; row < rows; row++) {{
        const fp_size index = first + row;
        {" ".join(declare_row)} (void)index;
        for (i = 0; i < n; i++) {{
            states *s = (states *)state + i;
            {" ".join(load)}
            {step}
        }}
    }}
}}
static void join(char *state, const char *from)
{{
    states *s = (states *)state;
    const states *o = (const states *)from;
    {join}
}}
static void end(char *const *p, const char *state, fp_size count)
{{
    const states *s = (const states *)state;
    {TYPES[result][0]} *to = ({TYPES[result][0]} *)p[0];
    (void)count;
    {end}
}}
static const fp_operand operands[] = {{{", ".join(operands)}}};
static const fp_fold description = {{
    5, 1, {len(inputs)}, {ndim}, {cost}, {axes}, {int(keep)}, {int(ordered)}, operands,
    sizeof(states), {no_identity}, begin, fold, {"each" if each else "0"}, join, end}};
{GRAPH}
{{
    void *const values[] = {{{values}}};
    return rt->fold(call, &description, values);
}}
"""


def sum_text(dtype, ndim, axes, **more) -> str:
    kind = TYPES[dtype][0]
    return fold_text(
        dtype, f"{kind} sum;", "s->sum = 0;", "s->sum += a;", "s->sum += o->sum;", "*to = s->sum;",
        [(dtype, ndim)], ndim, axes, **more,
    )  # fmt: skip


def mean_text(dtype, ndim, axes, **more) -> str:
    kind = TYPES[dtype][0]
    return fold_text(
        dtype, f"{kind} sum;", "s->sum = 0;", "s->sum += a;", "s->sum += o->sum;",
        f"*to = s->sum / ({kind})count;", [(dtype, ndim)], ndim, axes, **more,
    )  # fmt: skip


def min_text(dtype, ndim, axes, **more) -> str:
    kind = TYPES[dtype][0]
    return fold_text(
        dtype, f"{kind} best; fp_size seen;", "s->best = 0; s->seen = 0;",
        "if (!s->seen || a < s->best || a != a) { s->best = a; } s->seen = 1;",
        "if (o->seen && (!s->seen || o->best < s->best || o->best != o->best)) { *s = *o; }",
        "*to = s->best;", [(dtype, ndim)], ndim, axes, no_identity='"min"', **more,
    )  # fmt: skip


def argmin_text(dtype, ndim, axes, **more) -> str:
    kind = TYPES[dtype][0]
    return fold_text(
        "int64", f"{kind} best; fp_size at;", "s->best = 0; s->at = -1;",
        "if (s->at < 0 || a < s->best) { s->best = a; s->at = index; }",
        "if (o->at >= 0 && (s->at < 0 || o->best < s->best)) { *s = *o; }",
        "*to = s->at;", [(dtype, ndim)], ndim, axes, ordered=True,
        no_identity='"argmin"', **more,
    )  # fmt: skip


def softmax_text(dtype, ndim, inner) -> str:
    """Softmax over the last `inner` axes, and its maximum as a second output."""
    kind = TYPES[dtype][0]
    exp = "exp" if dtype == "float64" else "expf"
    return f"""{HEAD}
static void begin_max(char *state) {{ *({kind} *)state = ({kind})-__builtin_inf(); }}
static void run_max(char *const *p, fp_size n)
{{
    const {kind} *x = (const {kind} *)p[0];
    {kind} m = *({kind} *)p[1];
    fp_size i;
    for (i = 0; i < n; i++) {{ m = x[i] > m || x[i] != x[i] ? x[i] : m; }}
    *({kind} *)p[1] = m;
}}
static void begin_sum(char *state) {{ *({kind} *)state = 0; }}
static void run_exp(char *const *p, fp_size n)
{{
    const {kind} *restrict x = (const {kind} *)p[0];
    {kind} *restrict e = ({kind} *)p[1], m = *({kind} *)p[2];
    {kind} s[8] = {{0, 0, 0, 0, 0, 0, 0, 0}};
    fp_size i, k;
    for (i = 0; i < n; i++) {{ e[i] = {exp}(x[i] - m); }}
    for (i = 0; i + 8 <= n; i += 8) {{ for (k = 0; k < 8; k++) {{ s[k] += e[i + k]; }} }}
    for (; i < n; i++) {{ s[0] += e[i]; }}
    *({kind} *)p[3] += ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}}
static void run_scale(char *const *p, fp_size n)
{{
    const {kind} *restrict e = (const {kind} *)p[0];
    {kind} *restrict o = ({kind} *)p[2], by = 1 / *({kind} *)p[1];
    fp_size i;
    for (i = 0; i < n; i++) {{ o[i] = e[i] * by; }}
}}
static const fp_row_value maximum[] = {{{{FP_ROW_OPERAND, 2}}, {{FP_ROW_STATE, 0}}}};
static const fp_row_value exps[] = {{
    {{FP_ROW_OPERAND, 2}}, {{FP_ROW_BUFFER, 0}}, {{FP_ROW_STATE, 0}}, {{FP_ROW_STATE, 1}}}};
static const fp_row_value scale[] = {{
    {{FP_ROW_BUFFER, 0}}, {{FP_ROW_STATE, 1}}, {{FP_ROW_OPERAND, 0}}}};
static const fp_stage stages[] = {{
    {{maximum, 2, 0, begin_max, run_max}},
    {{exps, 4, 1, begin_sum, run_exp}},
    {{scale, 3, -1, 0, run_scale}}}};
static const unsigned char buffers[] = {{sizeof({kind}), 0}};
static const unsigned char states[] = {{sizeof({kind}), sizeof({kind}), 0}};
static const fp_row_result results[] = {{{{-1, 0}}, {{0, 0}}}};
static const fp_operand operands[] = {{
    {operand(dtype, ndim, "0")}, {operand(dtype, ndim - inner, "1")}, {operand(dtype, ndim)}}};
static const fp_rows rows = {{3, 2, 1, 1, {ndim}, 64, {inner}, operands, buffers, states, results,
                             3, stages, "max"}};
{GRAPH}
{{
    void *const values[] = {{out[0], out[1], in[0]}};
    return rt->rows(call, &rows, values);
}}
"""


def matmul_text(dtype, a, b, given=False) -> str:
    """a @ b; `given`: 2 * a @ b + 3 * c, written over a copy of c."""
    kind, code = TYPES[dtype]
    rank = max(a, b) if a > 1 and b > 1 else max(a, b) - 1
    if not given:
        return f"""{HEAD}
static const fp_matmul product = {{4, {code}, {a}, {b}, 0, 0}};
{GRAPH}
{{
    void *const values[] = {{out[0], in[0], in[1]}};
    return rt->matmul(call, &product, 0, 0, values);
}}
"""
    return f"""{HEAD}
static const fp_matmul product = {{4, {code}, {a}, {b}, FP_CALLER, 1}};
{GRAPH}
{{
    const {kind} alpha = 2, beta = 3;
    const fp_operand to = {operand(dtype, rank)};
    fp_size k;
    const fp_view *c = (const fp_view *)in[2];
    fp_view *o = (fp_view *)out[0];
    void *const values[] = {{out[0], in[0], in[1]}};
    for (k = 0; k < {rank}; k++) {{
        o->dims[k] = c->dims[k];
    }}
    return rt->make(call, 4, to, o) && rt->copy(call, 4, to, o, {rank}, c)
           && rt->matmul(call, &product, &alpha, &beta, values);
}}
"""


def take_text(dtype, ndim, indices, axis) -> str:
    kinds = ", ".join(
        [operand(dtype, ndim - 1 + indices), operand(dtype, ndim), operand("int64", indices)]
    )
    return f"""{HEAD}
static const fp_operand kinds[] = {{{kinds}}};
{GRAPH}
{{
    void *const values[] = {{out[0], in[0], in[1]}};
    return rt->take(call, 2, {axis}, kinds, values);
}}
"""


def mask_text(dtype, ndim, mask) -> str:
    kinds = ", ".join(
        [operand(dtype, ndim - mask + 1), operand(dtype, ndim), operand("bool", mask)]
    )
    return f"""{HEAD}
static const fp_operand kinds[] = {{{kinds}}};
{GRAPH}
{{
    void *const values[] = {{out[0], in[0], in[1]}};
    return rt->mask(call, 2, kinds, values);
}}
"""


def accumulate_text(dtype, ndim, axis, operator="+") -> str:
    kind = TYPES[dtype][0]
    return f"""{HEAD}
static const fp_operand kinds[] = {{{operand(dtype, ndim)}, {operand(dtype, ndim)}}};
static void
scan(char *to, const char *from, fp_size rows, fp_size n, fp_size width, fp_size first,
     fp_size last)
{{
    fp_size r, i, j;
    for (r = 0; r < rows; r++) {{
        {kind} *out = ({kind} *)to + r * n * width;
        const {kind} *x = (const {kind} *)from + r * n * width;
        for (i = 0; i < n; i++)
            for (j = first; j < last; j++)
                out[i * width + j] =
                    i == 0 ? x[j] : ({kind})(out[(i - 1) * width + j] {operator} x[i * width + j]);
    }}
}}
{GRAPH}
{{
    void *const values[] = {{out[0], in[0]}};
    return rt->accumulate(call, 2, {axis}, scan, kinds, values);
}}
"""


def put_text(dtype, ndim, axis, value, index, operator) -> str:
    """`value` is the rank of the value, `index` the dtype and rank of the places."""
    kind = TYPES[dtype][0]
    kinds = ", ".join(
        [operand(dtype, ndim), operand(dtype, ndim), operand(dtype, value), operand(*index)]
    )
    return f"""{HEAD}
static const fp_operand kinds[] = {{{kinds}}};
static void
put(char *to, fp_size along, fp_size width, const char *index, fp_size n, const char *value,
    fp_size step)
{{
    const long *at = (const long *)index;
    fp_size k, j;
    for (k = 0; k < n; k++)
        for (j = 0; j < width; j++)
            (({kind} *)to)[(at[k] < 0 ? at[k] + along : at[k]) * width + j] {operator}
                ((const {kind} *)value)[(k * width + j) * step];
}}
{GRAPH}
{{
    void *const values[] = {{out[0], in[0], in[1], in[2]}};
    return rt->put(call, 2, {axis}, put, kinds, values);
}}
"""
