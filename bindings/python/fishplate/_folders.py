"""The folders of the package for compilers and build systems."""

from __future__ import annotations

import os

__all__ = ["get_cmake_dir", "get_include", "get_pkgconfig_dir"]

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """The folder for the compiler's `-I`: it contains `fishplate/python.h` and `python.hpp`."""
    return os.path.join(_PACKAGE, "include")


def get_cmake_dir() -> str:
    """The folder for `Fishplate_DIR`, or for CMAKE_PREFIX_PATH: `find_package(Fishplate)`."""
    return os.path.join(_PACKAGE, "cmake")


def get_pkgconfig_dir() -> str:
    """The folder for PKG_CONFIG_PATH: Meson's `dependency('fishplate')`."""
    return os.path.join(_PACKAGE, "pkgconfig")


OPTIONS = {
    "--include-dir": get_include,
    "--cmake-dir": get_cmake_dir,
    "--pkgconfig-dir": get_pkgconfig_dir,
}
"""The options of the command, each with the function whose result it prints."""
