"""Functions of C for NumPy arrays."""

from package_name._core import mean, smooth

__all__ = ["mean", "smooth"]
