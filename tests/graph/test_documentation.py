"""Signatures and docstrings of functions."""

import inspect

import fishplate.graph as g
import numpy as np
import pytest

X, Y, S = g.vector("x"), g.vector("y"), g.scalar("s")

FUNCTIONS = [
    ([X], "(x)"),
    ([X, g.In(S, value=2.0)], "(x, s=2.0)"),
    ([g.In(S, value=2.0), X], "(s=2.0, *, x)"),
    ([X, g.In(S, value=2.0), Y, g.In(S * 1, name="t", value=3.0)], "(x, s=2.0, *, y, t=3.0)"),
    ([g.vector(), X], "(input_1, /, x)"),
    ([X, g.vector(), Y], "(x, input_2, /, y)"),
    ([X, g.In(Y, name="x")], "(input_1, input_2, /)"),
    ([g.In(X, name="lambda")], "(input_1, /)"),
    ([g.In(X, name="not a name"), Y], "(input_1, /, y)"),
    ([], "()"),
]


@pytest.mark.parametrize(("inputs", "wanted"), FUNCTIONS)
def test_signatures(inputs, wanted):
    f = g.function(inputs, g.constant(1.0), on_unused_input="ignore")
    assert str(inspect.signature(f)) == wanted


@pytest.mark.parametrize(("inputs", "wanted"), FUNCTIONS)
def test_calls_that_signatures_allow_are_accepted(inputs, wanted):
    f = g.function(inputs, g.constant(1.0), on_unused_input="ignore")
    args, keywords = [], {}
    for name, parameter in inspect.signature(f).parameters.items():
        value = 1.0 if name in "st" else np.ones(2)
        if parameter.kind is parameter.POSITIONAL_ONLY:
            args.append(value)
        else:
            keywords[name] = value
    inspect.signature(f).bind(*args, **keywords)
    assert f(*args, **keywords) == 1.0


def test_docstrings():
    total = g.shared(0.0, "total")
    f = g.function([X, g.In(S, value=2.0)], {"sum": X.sum() * S}, updates={total: S}, name="add")
    assert f.__doc__ == (
        "A compiled graph: add(x, s=2.0).\n\n"
        "Parameters\n----------\nx : float64[?]\ns : float64, optional\n\n"
        "Returns\n-------\ndict of:\n    'sum': float64\n\n"
        "Each call updates 1 shared variable."
    )
    assert "add(x, s=2.0)" in inspect.getdoc(f)
    nothing = g.function([], None, updates={total: total + 1})
    assert nothing.__doc__ == (
        "A compiled graph: function().\n\nEach call updates 1 shared variable."
    )
