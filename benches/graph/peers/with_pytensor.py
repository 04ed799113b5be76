"""PyTensor, with its C linker and with Numba's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
from expressions import FEATURES, Expressions, signature
from pytensor.compile.mode import get_mode
from pytensor.graph.basic import Apply
from pytensor.link.c.op import COp
from pytensor.tensor.special import softmax

from peers.user_op import SoftsignCode

MODES = {"C": "CVM", "Numba": "NUMBA"}
EXPRESSIONS = Expressions(pt)


class Softsign(SoftsignCode, COp):  # type: ignore[misc]
    __props__ = ()

    def make_node(self, x: Any) -> Any:
        return Apply(self, [x], [x.type()])


def inputs(name: str) -> list[Any]:
    made = []
    for number, text in enumerate(signature(name)):
        rank, _, dtype = text.partition(" ")
        made.append(getattr(pt, rank)(f"a{number}", dtype=dtype or "float64"))
    return made


def function(name: str, linker: str) -> Callable[..., Any] | None:
    own: Any = None if name == "descent" else getattr(EXPRESSIONS, name)
    if name == "softmax":
        own = lambda x: softmax(x, axis=1)  # noqa: E731
    elif name == "userop":
        if linker == "Numba":
            return None
        own = Softsign()
    arguments, mode = inputs(name), get_mode(MODES[linker])
    if name == "descent":
        weights = pytensor.shared(np.zeros(FEATURES))
        loss, after = EXPRESSIONS.step(*arguments, weights)
        compiled = pytensor.function(arguments, loss, updates=[(weights, after)], mode=mode)
    else:
        compiled = pytensor.function(arguments, own(*arguments), mode=mode)
    # The documented way to call it quickly, for arguments that have the right types: arrays.
    compiled.trust_input = name != "scalar"
    return compiled
