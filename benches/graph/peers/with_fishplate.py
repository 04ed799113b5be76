"""Fishplate's graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fishplate.graph as g
import numpy as np
from expressions import FEATURES, Expressions, signature

from peers.user_op import SoftsignCode

EXPRESSIONS = Expressions(g)


class Softsign(SoftsignCode, g.Op):  # type: ignore[misc]
    __props__ = ()

    def make_node(self, x: Any) -> Any:
        return g.Apply(self, [x], [x.type()])


def inputs(name: str) -> list[Any]:
    made = []
    for number, text in enumerate(signature(name)):
        rank, _, dtype = text.partition(" ")
        made.append(getattr(g, rank)(f"a{number}", dtype=dtype or "float64"))
    return made


def function(name: str) -> Callable[..., Any]:
    arguments = inputs(name)
    if name == "descent":
        weights = g.shared(np.zeros(FEATURES))
        loss, after = EXPRESSIONS.step(*arguments, weights)
        return g.function(arguments, loss, updates=[(weights, after)])
    own = Softsign() if name == "userop" else getattr(EXPRESSIONS, name)
    return g.function(arguments, own(*arguments))
