"""Fishplate joins native array code to Python.

Point it at C functions, one annotated prototype each, and it makes a module that checks every
argument, copies only where the layout forces it, and turns every failure into an exception.
"""

from fishplate._native import VERSION as __version__

__all__ = ["__version__"]
