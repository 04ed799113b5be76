"""A function without doc, parameters and outputs has no signature: the docstring's end is trimmed, and
inspect wants the empty line after `--`."""

import inspect

import docs as m

assert str(inspect.signature(m.silent)) == "()"
assert not inspect.getdoc(m.silent)
