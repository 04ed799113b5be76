"""Errors of graphs.

Purpose: an exception from inside a graph keeps its type and names the node that raised it in a
note.
Invariant: values are described by dtype, shape and strides, never by their contents.
Reason: the node is created far from where it fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .core.nodes import Apply, Variable
from .core.places import Place


class MissingInputError(ValueError):
    """An output needs a variable that is not among the inputs."""


class UnusedInputError(ValueError):
    """An input that no output needs."""


class Operand(NamedTuple):
    """The known properties of an array that was not retained."""

    dtype: Any
    shape: tuple[int | None, ...]
    strides: tuple[int, ...] | None


def annotate(
    error: BaseException,
    node: Apply,
    index: int,
    inputs: Sequence[Any] | None = None,
    function: str | None = None,
) -> None:
    """Adds a note with the failing node to an exception.

    Parameters
    ----------
    error : BaseException
        The exception.
    node : Apply
        The node.
    index : int
        The index of the node in the order of evaluation.
    inputs : sequence of object, optional
        The values of its inputs, or their descriptions: an `Operand`, a class, None.
    function : str, optional
        The name of the linked function.
    """
    within = f" of {function}()" if function else ""
    lines = [f"In node {index}{within}: {node}"]
    for position, variable in enumerate(node.inputs):
        text = f"  input {position} ({variable}): {variable.type}"
        if inputs is not None and inputs[position] is not None:
            text += f", got {_layout(inputs[position])}"
        lines.append(text)
    lines.append(made_at(node.made_at))
    error.add_note("\n".join(lines))


def made_at(place: Place | None) -> str:
    """The place at which something was created, as the end of a message."""
    return "Made where it is not known" if place is None else f"Made at {place}"


def introduce(variable: Variable) -> str:
    """A variable and the place at which it was created."""
    place = variable.made_at
    return repr(variable) if place is None else f"{variable!r}, made at {place}"


def _layout(value: Any) -> str:
    if isinstance(value, (np.ndarray, Operand)):
        if not value.shape:
            return str(value.dtype)
        strides = "" if value.strides is None else f", strides {value.strides}"
        return f"{value.dtype}, shape {value.shape}{strides}"
    if isinstance(value, np.generic):
        return str(value.dtype)
    return value.__name__ if isinstance(value, type) else type(value).__name__
