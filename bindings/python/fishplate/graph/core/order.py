"""The order in which nodes can be computed.

Purpose: the nodes on which variables depend, each after those that it needs.
Invariant: the traversal does not recurse, so the depth of a graph is not limited.
Reason: graphs, pictures and pickles all need the order; nodes themselves are pickled by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .nodes import Apply, Variable


def toposort(outputs: Iterable[Variable], inputs: Iterable[Variable] = ()) -> list[Apply]:
    """The nodes that compute `outputs` from `inputs`, each after those it needs.

    Raises
    ------
    ValueError
        If a node needs its own result.
    """
    given = set(inputs)
    done: set[Apply] = set()
    open_: set[Apply] = set()
    order: list[Apply] = []
    for output in outputs:
        if output in given or output.owner is None or output.owner in done:
            continue
        stack: list[tuple[Apply, Iterator[Variable]]] = [(output.owner, iter(output.owner.inputs))]
        open_.add(output.owner)
        while stack:
            node, rest = stack[-1]
            for variable in rest:
                owner = variable.owner
                if owner is None or variable in given or owner in done:
                    continue
                if owner in open_:
                    raise ValueError(f"the graph has a cycle: {owner.op} needs its own result")
                open_.add(owner)
                stack.append((owner, iter(owner.inputs)))
                break
            else:
                stack.pop()
                open_.remove(node)
                done.add(node)
                order.append(node)
    return order
