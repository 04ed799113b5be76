"""The namespaces of a generated module, found by a function at hand.

Purpose: `explain(f, ...)`, `op(f, ...)` and `signature(f)`, next to the namespaces of the module.
Invariant: the module answers; nothing here knows what a call does.
Reason: functions are builtin functions and methods are method descriptors, which have no
attributes, so code that is handed a function needs a way to its module.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import BuiltinFunctionType, MethodDescriptorType, ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec

from fishplate import _pickling

if TYPE_CHECKING:
    from fishplate.graph.tensors.variable import TensorVariable

P = ParamSpec("P")


def explain(function: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> str:
    """Report what a call of a wrapped function would do, without calling C.

    `explain(stats.mean, x)` is `stats.explain.mean(x)`: which prototype would be called, and which
    arguments would be used in place, copied, cast or allocated. A method is that of the class,
    `Counter.next`, and takes the object first.
    """
    text: str = member("explain", function)(*args, **kwargs)
    return text


def op(
    function: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> TensorVariable | tuple[TensorVariable, ...]:
    """Make a call of a wrapped function a node of a graph.

    `op(stats.mean, x)` is `stats.op.mean(x)`, for variables of `fishplate.graph`, arrays and
    numbers.
    """
    results: TensorVariable | tuple[TensorVariable, ...] = member("op", function)(*args, **kwargs)
    return results


def signature(function: Callable[..., Any], /) -> str:
    """Get the core signature of a wrapped function, as of generalized ufuncs: `"(m,n),(n)->(m)"`.

    `signature(stats.mean)` is `stats.signature.mean`.
    """
    text: str = member("signature", function)
    return text


def member(topic: str, function: Any) -> Any:
    """The member of a module's namespace for a function or method of the module."""
    module, path = place(function)
    names = vars(module)
    # The interface may have the name of the namespace for something else.
    namespace = names.get(f"__{topic}__", names.get(topic))
    if type(namespace).__qualname__ != "about":
        raise TypeError(
            f"{topic}() wants a function of a module that Fishplate generated, or a method of one "
            f"of its classes, got {function!r}"
        )
    for name in path:
        namespace = getattr(namespace, name)
    return namespace


def place(function: Any) -> tuple[ModuleType, list[str]]:
    """The module of a function, and its name in there; an empty module for other objects."""
    if isinstance(function, BuiltinFunctionType) and isinstance(function.__self__, ModuleType):
        return function.__self__, [function.__name__]
    if isinstance(function, MethodDescriptorType):
        owner = function.__objclass__
        recipe = _pickling.recipes.get(owner)
        module = sys.modules.get(owner.__module__) if recipe is None else recipe.module()
        if module is not None:
            return module, [owner.__name__, function.__name__]
    return ModuleType("unknown"), []
