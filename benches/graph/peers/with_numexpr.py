"""numexpr: expressions compiled before, as `NumExpr` objects, which cost less than `evaluate`. Its
reductions take no axis there, so these go through `evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numexpr as ne
import numpy as np

TEXTS: dict[str, tuple[str, str]] = {
    "scalar": ("xyz", "(x + y) * z"),
    "blend": ("xyz", "2*x*y + exp(-(z**2))"),
    "sum_squares": ("xy", "sum((x - y)**2)"),
}


FUNCTIONS = "exp log log1p tanh cosh arcsinh arccosh arctanh sin".split()


def _compiled(names: str, text: Any, kind: type = np.double) -> Callable[..., Any]:
    compiled: Callable[..., Any] = ne.NumExpr(text, [(name, kind) for name in names])
    return compiled


def chain_text() -> str:
    text = "x"
    for i in range(1, 6):
        text = f"abs(({text} + y)*x - {i / 8})"
    return text


def softmax(x: Any) -> Any:
    top = ne.evaluate("max(x, axis=1)")[:, None]
    e = ne.evaluate("exp(x - top)", {"x": x, "top": top})
    total = ne.evaluate("sum(e, axis=1)")[:, None]
    return ne.evaluate("e / total", {"e": e, "total": total}, out=e)


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "mean_rows": lambda x: ne.evaluate("sum(x, axis=1)") / x.shape[1],
    "max_rows": lambda x: ne.evaluate("max(x, axis=1)"),
    "mean_columns": lambda x: ne.evaluate("sum(x, axis=0)") / x.shape[0],
    "max_columns": lambda x: ne.evaluate("max(x, axis=0)"),
    "softmax": softmax,
}


def function(name: str) -> Callable[..., Any] | None:
    if name in TEXTS:
        return _compiled(*TEXTS[name])
    own = name.removesuffix("_float")
    if own in FUNCTIONS:
        return _compiled("x", f"{own}(x)", float if own != name else np.double)
    if name in ("blend_strided", "blend_row"):
        return function("blend")
    if name == "blend_float":
        return _compiled(*TEXTS["blend"], float)  # its name for float32
    if name == "blend_column":
        blend = _compiled(*TEXTS["blend"])
        return lambda x, y, z: blend(x, y[:, None], z)
    if name == "chain":
        return _compiled("xy", chain_text())
    if name == "userop":
        return None
    return REDUCTIONS.get(name)
