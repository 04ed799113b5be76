"""Writes Python that uses the attributes of each function and method of the modules in argv.

Type checkers read its output. It also compares the parameters of methods with those in stubs:
there a method is a variable, whose calls stubtest does not compare."""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

HEAD = "from typing import Any, Protocol, assert_type"


def uses(path: str) -> Iterator[str]:
    yield f"assert_type({path}.signature, str)"
    yield f"assert_type({path}.__name__, str)"
    yield f"assert_type({path}.explain(1, x=[2.0]), str)"
    yield f"assert_type({path}.op(1, x=[2.0]), Any)"


def methods_of_stub(module) -> dict[str, list[ast.stmt]]:
    """The calls of each method, by "Class.method"."""
    stub = Path(module.__file__).with_name(f"{module.__name__.split('.')[-1]}.pyi")
    return {
        f"{of.name}.{method.name}": method.body
        for node in ast.parse(stub.read_text()).body
        if isinstance(node, ast.ClassDef) and node.name == "_unbound"
        for of in node.body
        for method in of.body
    }


def compare(function, calls: list[ast.stmt]) -> None:
    """Compares the parameters after the object; those of overloads are `*args` in Python."""
    names = list(inspect.signature(function).parameters)
    for call in calls if len(calls) == 1 else ():
        stated = [one.arg for one in call.args.args[1:] + call.args.kwonlyargs]
        assert stated[1:] == names[1:], (function, stated, names)


def main() -> None:
    print(HEAD)
    for name in sys.argv[1:]:
        print(f"import {name}")
        module = importlib.import_module(name)
        stated = methods_of_stub(module)
        for own, value in list(vars(module).items()):
            if type(value).__qualname__ == "function":
                print(*uses(f"{name}.{own}"), sep="\n")
            for method, function in list(vars(value).items()) if isinstance(value, type) else ():
                if type(function).__qualname__ != "method":
                    continue
                compare(function, stated.pop(f"{own}.{method}"))
                print(f"def {name.replace('.', '_')}_{own}_{method}(box: {name}.{own}) -> None:")
                for path in (f"{name}.{own}.{method}", f"box.{method}", f"box.{method}.__func__"):
                    print(*(f"    {line}" for line in uses(path)), sep="\n")
        assert not stated, stated


if __name__ == "__main__":
    main()
