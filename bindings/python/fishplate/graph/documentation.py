"""Signatures and docstrings of functions.

Purpose: the signature and the docstring that `inspect` and `help` show of a compiled graph.
Invariant: a call that the signature allows binds its arguments in the same way.
Reason: separate from the function, since most are never asked for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from inspect import Parameter
from keyword import iskeyword
from typing import Any

from .signature import Form, In, Out, Signature


def signature_of(signature: Signature) -> inspect.Signature:
    """The signature for `inspect`.

    Inputs up to the last one that cannot be a keyword are positional only; after one with a
    default, those that have none are keyword only.
    """
    inputs = signature.inputs
    names = [given.name or "" for given in inputs]
    last = max((k for k, name in enumerate(names) if not _is_keyword(name, names)), default=-1)
    parameters: list[Parameter] = []
    kind: Any = Parameter.POSITIONAL_ONLY
    for index, given in enumerate(inputs):
        before = parameters[-1].default if parameters else Parameter.empty
        if index == last + 1:
            kind = Parameter.POSITIONAL_OR_KEYWORD
        if index > last and before is not Parameter.empty and not given.has_value:
            kind = Parameter.KEYWORD_ONLY
        name = names[index] if _is_keyword(names[index], names) else f"input_{index + 1}"
        default = given.value if given.has_value else Parameter.empty
        parameters.append(Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def _is_keyword(name: str, names: Sequence[str]) -> bool:
    return name.isidentifier() and not iskeyword(name) and names.count(name) == 1


def docstring(signature: Signature, outputs: Sequence[Out], form: Form, updated: int) -> str:
    """The docstring: inputs and results with their types."""
    lines = [f"A compiled graph: {signature}."]
    if signature.inputs:
        lines += ["", "Parameters", "----------", *_parameters(signature.inputs)]
    if outputs:
        kinds = [str(out.variable.type) for out in outputs]
        if form.kind == "dict":
            kinds = [f"{key!r}: {kind}" for key, kind in zip(form.keys, kinds, strict=True)]
        alone = form.kind == "one"
        lines += ["", "Returns", "-------", *(kinds if alone else [f"{form.kind} of:"])]
        lines += [] if alone else [f"    {kind}" for kind in kinds]
    if updated:
        lines += ["", f"Each call updates {updated} shared variable{'s' if updated > 1 else ''}."]
    return "\n".join(lines)


def _parameters(inputs: Sequence[In]) -> Iterator[str]:
    for index, given in enumerate(inputs):
        note = ", optional" if given.has_value else ""
        yield f"{given.name or f'input {index + 1}'} : {given.variable.type}{note}"
