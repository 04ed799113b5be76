"""Fishplate joins native array code to Python.

Point it at C functions, one annotated prototype each, and it makes a module that checks every
argument, copies only where the layout forces it, and turns every failure into an exception:

    >>> import fishplate
    >>> stats = fishplate.load("stats.toml")
    >>> f = fishplate.inline("double f(double x) { return x * x; }").f

What is built is kept in the user's cache, and found again as long as nothing has changed.
"""

from fishplate._errors import BuildError, BuildWarning, Diagnostic
from fishplate._modules import inline, load
from fishplate._native import VERSION as __version__

__all__ = ["BuildError", "BuildWarning", "Diagnostic", "__version__", "inline", "load"]
