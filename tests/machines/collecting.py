"""Runs a script with garbage collections before each assertion.

PyPy releases objects at collections only.
"""

from __future__ import annotations

import ast
import gc
import sys
from pathlib import Path

# An object that C holds for another one is released by a later collection than that.
ROUNDS = 4


class Collections(ast.NodeTransformer):
    """Inserts a call before each assertion."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        (call,) = ast.parse("__collect__()").body
        return [ast.copy_location(call, node), node]


def collect() -> None:
    for _ in range(ROUNDS):
        gc.collect()


sys.argv = sys.argv[1:]
path = Path(sys.argv[0])
sys.path[0] = str(path.parent)
tree = ast.fix_missing_locations(Collections().visit(ast.parse(path.read_text(), str(path))))
names = {"__name__": "__main__", "__file__": str(path), "__collect__": collect}
exec(compile(tree, path, "exec"), names)
