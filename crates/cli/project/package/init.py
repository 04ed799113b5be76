"""Functions of C for NumPy arrays."""

from @PACKAGE@._core import mean, smooth

__all__ = ["mean", "smooth"]
