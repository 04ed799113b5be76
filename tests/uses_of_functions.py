"""Writes Python that uses each function and method of the modules in argv, in the namespaces.

Type checkers read its output."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any

HEAD = "from typing import Any, Protocol, assert_type"


def members(namespace: Any, path: str = "") -> Iterator[str]:
    """The functions and methods in a namespace: "mean", "Counter.next"."""
    for name in dir(namespace):
        member = getattr(namespace, name)
        if isinstance(member, str):
            yield path + name
        else:
            yield from members(member, f"{path}{name}.")


def main() -> None:
    print(HEAD)
    for name in sys.argv[1:]:
        print(f"import {name}")
        # A module without functions has no namespaces.
        namespace = vars(importlib.import_module(name)).get("signature")
        for member in members(namespace) if namespace is not None else ():
            print(f"assert_type({name}.signature.{member}, str)")
            print(f"assert_type({name}.explain.{member}(1, x=[2.0]), str)")
            print(f"assert_type({name}.op.{member}(1, x=[2.0]), Any)")


if __name__ == "__main__":
    main()
