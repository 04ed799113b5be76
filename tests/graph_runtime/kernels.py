"""Linked graphs written as the emitter writes them: plain C against `abi.h`, built and loaded."""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "crates" / "hosts" / "native" / "runtime"
ENTRY = ROOT / "bindings" / "python" / "entry"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden"]
# NaN and infinities stay right; only what nobody reads is given up.
FAST = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math"]

MODULE = """
#include <Python.h>
int fishplate_add_entry(PyObject *module);
static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fishplate_add_entry}, {0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_entry", NULL, 0, NULL, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__entry(void) { return PyModuleDef_Init(&module); }
"""


def run(command: list[str | Path]) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def write_runtime_header(folder: Path) -> None:
    """What generated modules include: the parts that the Python host puts together."""
    source = ROOT / "crates" / "hosts" / "python" / "src"
    text = (source / "lib.rs").read_text()
    parts = re.findall(r'include_str!\("([^"]+)"\)', text.split("concat!(", 1)[1].split(");", 1)[0])
    header = "\n".join((source / part).read_text() for part in parts)
    (folder / "fishplate_python.h").write_text(header)


def build_entry(folder: Path, compiler: str, *flags: str) -> Path:
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
    objects = [folder / "entry.o", folder / "runtime.o"]
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
    """What `on_error` gives in these tests."""

    def __init__(self, node: int, kind: str, text: str, operands: tuple):
        super().__init__(text)
        self.node, self.kind, self.text, self.operands = node, kind, text, operands


class Linker:
    """Compiles C text to graphs; equal texts once."""

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
    values = ", ".join(["out[%d]" % k for k in range(outputs)] + ["in[%d]" % k for k in range(len(inputs))])
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
static const fp_map map = {{7, {outputs}, {len(inputs)}, {ndim}, {cost}, operands, inner}};
{GRAPH}
{{
    void *const values[] = {{{values}}};
    return rt->map(call, &map, values);
}}
"""
