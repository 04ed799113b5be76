"""Fishplate's graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fishplate.graph as g
from expressions import SIGNATURES, Expressions

from peers.user_op import SoftsignCode

EXPRESSIONS = Expressions(g)


class Softsign(SoftsignCode, g.Op):  # type: ignore[misc]
    __props__ = ()

    def make_node(self, x: Any) -> Any:
        return g.Apply(self, [x], [x.type()])


def inputs(name: str) -> list[Any]:
    made = []
    for number, text in enumerate(SIGNATURES[name]):
        rank, _, dtype = text.partition(" ")
        made.append(getattr(g, rank)(f"a{number}", dtype=dtype or "float64"))
    return made


def function(name: str) -> Callable[..., Any]:
    own: Any = getattr(EXPRESSIONS, name)
    if name == "userop":
        own = Softsign()
    arguments = inputs(name)
    compiled: Callable[..., Any] = g.function(arguments, own(*arguments))
    return compiled
