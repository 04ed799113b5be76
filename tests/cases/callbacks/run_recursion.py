"""Calls and callbacks within each other, without end."""

import callbacks as c
from support import raises

raises(
    RecursionError,
    "maximum recursion depth exceeded...",
    lambda: (lambda f: f(f))(lambda f: c.integrate(lambda x: f(f), 0.0, 1.0)),
)
