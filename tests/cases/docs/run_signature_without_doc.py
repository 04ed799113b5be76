"""A function without doc, parameters and outputs still has a signature."""

import inspect

import docs as m

assert str(inspect.signature(m.silent)) == "()"
assert not inspect.getdoc(m.silent)
