import inspect
import pydoc

import docs as m

assert m.__doc__.strip() == "Polynomials.\n\nA second paragraph."
assert m.evaluate.__name__ == "evaluate" and m.evaluate.__module__ == "docs"

signatures = {
    m.evaluate: "(coefficients, x=1.5)",
    m.derive: "(coefficients, *, derived=None)",
    m.everything: "(a, b, c, d, e=None, z=1.0, k=None, *, f=None)",
    m.overloaded: "(*args, **kwargs)",
}
for function, signature in signatures.items():
    assert str(inspect.signature(function)) == signature, inspect.signature(function)

assert (
    inspect.getdoc(m.evaluate)
    == """\
Evaluate a polynomial at `x`.

The coefficients begin with the constant one.

Parameters
----------
coefficients : array of float64, shape (n,)
x : float64, optional (default 1.5)

Returns
-------
result : float64"""
), inspect.getdoc(m.evaluate)

assert (
    inspect.getdoc(m.derive)
    == """\
Coefficients of the derivative.

Parameters
----------
coefficients : array of float64, shape (n,)
derived : array of float64, shape (max(n, 1) - 1,), optional: where to write the result

Returns
-------
derived : array of float64, shape (max(n, 1) - 1,)"""
), inspect.getdoc(m.derive)

assert (
    inspect.getdoc(m.everything)
    == """\
Parameters
----------
a : array of float64, shape (m, n), in Fortran order
b : array of float32, shape (n,), changed in place
c : array of int32, shape (2, m), contiguous, changed in place
d : int64
e : array of float64, shape (n,), optional
z : complex128, optional (default 1)
k : int32, optional (default sizeof(int))
f : array of float64, shape (m + n,), optional: where to write the result

Returns
-------
d : int64
f : array of float64, shape (m + n,)
result : int32"""
), inspect.getdoc(m.everything)

assert (
    inspect.getdoc(m.overloaded)
    == """\
Two ways.

Overloads, chosen by exact type first, then by safe cast, in order:

    overloaded(coefficients: float64[n], x: float64) -> float64
    overloaded() -> None"""
), inspect.getdoc(m.overloaded)

page = pydoc.render_doc(m, renderer=pydoc.plaintext)
for text in ("Polynomials.", "evaluate(coefficients, x=1.5)", "shape (n,)", "derive("):
    assert text in page, page

assert (
    inspect.getdoc(m.described)
    == """\
Evaluate.

Parameters
----------
coefficients : array of float64, shape (n,)
    The constant one first.
    At least one of them.
lambda_ : float64
    Where.

Returns
-------
result : float64
    The value."""
), inspect.getdoc(m.described)

assert (
    inspect.getdoc(m.described_output)
    == """\
Parameters
----------
coefficients : array of float64, shape (n,)
derived : array of float64, shape (max(n, 1) - 1,), optional: where to write the result

Returns
-------
derived : array of float64, shape (max(n, 1) - 1,)
    One less."""
), inspect.getdoc(m.described_output)

assert inspect.getdoc(m.described_overloads).endswith("""
    described_overloads() -> None

Parameters
----------
x
    Where.

Returns
-------
result
    The value."""), inspect.getdoc(m.described_overloads)
