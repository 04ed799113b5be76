"""A process of its own: imports a tool, makes graphs of so many operations, and calls each once.

It prints how long the import took, without NumPy's own; how long it took from there to the
last result; and the sum of the results. A tool that has a cache keeps it in the folder given.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from expressions import Expressions, evaluated, written

Values = list[Any]
Run = Callable[[int, Values, Path], Any]

LENGTH = 1000
SMALL = 0  # instead of operations: `2*x*y + exp(-z**2)`


def arguments(ops: int) -> Values:
    generator = np.random.default_rng(0)
    return [generator.random(LENGTH) for _ in range(3 if ops == SMALL else 2)]


def expression(xp: Any, ops: int) -> Callable[..., Any]:
    blend: Callable[..., Any] = Expressions(xp).blend
    return blend if ops == SMALL else lambda *inputs: evaluated(inputs, ops)


def symbolic(module: str, ops: int, values: Values) -> tuple[Any, list[Any], Any]:
    """The module, and in its own variables the graph's inputs and output."""
    xp = importlib.import_module(module)
    inputs = [xp.vector(name, dtype="float64") for name in ("x", "y", "z")[: len(values)]]
    return xp, inputs, expression(xp, ops)(*inputs)


def with_fishplate(ops: int, values: Values, cache: Path) -> Any:
    g, inputs, output = symbolic("fishplate.graph", ops, values)
    return g.function(inputs, output)(*values)


def with_pytensor(mode: str) -> Run:
    def run(ops: int, values: Values, cache: Path) -> Any:
        from pytensor import function
        from pytensor.compile.mode import get_mode

        _, inputs, output = symbolic("pytensor.tensor", ops, values)
        return function(inputs, output, mode=get_mode(mode))(*values)

    return run


def with_jax(ops: int, values: Values, cache: Path) -> Any:
    import jax

    return jax.jit(expression(jax.numpy, ops))(*values).block_until_ready()


def assignments(ops: int, exp: str) -> list[tuple[str, str]]:
    """The body of the loop: pairs of target and expression, which are valid in C and in Python."""
    if ops == SMALL:
        return [("out[i]", f"2 * x[i] * y[i] + {exp}(-(z[i] * z[i]))")]
    inputs = [("v0", "x[i]"), ("v1", "y[i]")]
    return [*inputs, *written(ops), ("out[i]", f"v{ops + 1}")]


def with_numba(ops: int, values: Values, cache: Path) -> Any:
    """A loop from a file, as Numba caches only functions that are in one."""
    lines = [f"{name} = {text}" for name, text in assignments(ops, "math.exp")]
    text = "import math\nimport numpy as np\nfrom numba import njit\n\n\n@njit(cache=True)\n"
    text += f"def compiled({', '.join('xyz'[: len(values)])}):\n    out = np.empty_like(x)\n"
    text += "    for i in range(x.size):\n"
    text += "".join(f"        {line}\n" for line in lines) + "    return out\n"
    file = cache / f"compiled_by_numba_{ops}.py"
    if not file.exists():
        file.write_text(text)
    sys.path.insert(0, str(cache))
    return importlib.import_module(file.stem).compiled(*values)


def with_numexpr(ops: int, values: Values, cache: Path) -> Any:
    import numexpr as ne

    if ops == SMALL:
        return ne.evaluate("2*x*y + exp(-(z**2))", dict(zip("xyz", values, strict=True)))
    signature = [(name, np.double) for name in "xy"]
    return ne.NumExpr(evaluated([ne.E.x, ne.E.y], ops), signature)(*values)


def with_numpy(ops: int, values: Values, cache: Path) -> Any:
    return expression(np, ops)(*values)


def with_c(level: str) -> Run:
    """The C compiler itself, on one loop in a file without headers."""

    def run(ops: int, values: Values, cache: Path) -> Any:
        lines = [
            f"{name} = {text}" if "[" in name else f"double {name} = {text}"
            for name, text in assignments(ops, "exp")
        ]
        text = (
            "double exp(double);\n"
            "void f(long n, const double *restrict x, const double *restrict y,\n"
            "       const double *restrict z, double *restrict out)\n{\n    (void)z;\n"
            "    for (long i = 0; i < n; i++) {\n"
            + "".join(f"        {line};\n" for line in lines)
            + "    }\n}\n"
        )
        source, library = cache / f"f{ops}.c", cache / f"f{ops}.so"
        if not library.exists():
            source.write_text(text)
            flags = [level, "-march=native", "-fPIC", "-shared"]
            command = [os.environ.get("CC", "cc"), *flags, source, "-lm", "-o", library]
            subprocess.run(list(map(str, command)), check=True)
        out = np.empty(LENGTH)
        addresses = [each.ctypes.data for each in (*values[:2], values[-1], out)]
        function = ctypes.CDLL(str(library)).f
        function.argtypes = [ctypes.c_long, *[ctypes.c_void_p] * 4]
        function(LENGTH, *addresses)
        return out

    return run


# By tool the module imported before the clock starts, and the function that makes the result.
TOOLS: dict[str, tuple[str | None, Run]] = {
    "Fishplate": ("fishplate.graph", with_fishplate),
    "cc -O3": (None, with_c("-O3")),
    "cc -O1": (None, with_c("-O1")),
    "PyTensor C": ("pytensor.tensor", with_pytensor("CVM")),
    "PyTensor Numba": ("pytensor.tensor", with_pytensor("NUMBA")),
    "JAX": ("jax.numpy", with_jax),
    "Numba": ("numba", with_numba),
    "numexpr": ("numexpr", with_numexpr),
    "NumPy": (None, with_numpy),
}
CACHING = ("Fishplate", "cc -O3", "PyTensor C", "PyTensor Numba", "JAX", "Numba")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("ops", type=int, nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    chosen = parser.parse_args()
    module, result = TOOLS[chosen.tool]
    # Operators build graphs by nested calls.
    sys.setrecursionlimit(100_000)
    start = time.perf_counter()
    if module is not None:
        importlib.import_module(module)
    imported = time.perf_counter()
    values = [result(ops, arguments(ops), chosen.cache) for ops in chosen.ops]
    done = time.perf_counter()
    times = {"import": imported - start, "first": done - imported}
    total = sum(float(np.asarray(value).sum()) for value in values)
    print(json.dumps({**times, "sum": total}))


if __name__ == "__main__":
    main()
