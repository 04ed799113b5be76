"""Pictures in SVG.

Purpose: draw a graph, and bar charts, for notebooks.
Invariant: a node is below all that it needs; the picture is self-contained, without scripts or
fonts.
Reason: a simple built-in layout, so that nothing has to be installed to see a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from ..core.nodes import Constant, Variable
from ..core.order import toposort
from .printing import leaf_text, outputs_of

_CHARACTER = 6.6  # about the width of one at 11 px
_HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 34, 18, 34, 12
_STYLE = (
    "text{font:11px sans-serif;text-anchor:middle;fill:#222}"
    ".t{fill:#777;font-size:9px}.e{fill:none;stroke:#999}"
    ".op{fill:#e8f0fe;stroke:#4a6fa5}.in{fill:#fff;stroke:#555}"
    ".const{fill:#f6f6f6;stroke:#bbb}.out{fill:#e9f7ec;stroke:#3d8b57;stroke-width:2}"
)


class _Box:
    """The box of a node, an input or an output."""

    def __init__(self, kind: str, text: str, type_: str, needs: Sequence[_Box]) -> None:
        self.kind = kind
        self.text = text if len(text) <= 30 else text[:29] + "…"
        self.type = type_
        self.needs = list(needs)
        self.layer: int = 1 + max((box.layer for box in needs), default=-1)
        self.width = max(40.0, 14 + _CHARACTER * max(len(self.text), 0.8 * len(self.type)))
        self.x = 0.0

    @property
    def y(self) -> float:
        """The upper edge."""
        return _MARGIN + self.layer * (_HEIGHT + _GAP_Y)

    @property
    def middle(self) -> float:
        """The middle, from the left."""
        return self.x + self.width / 2


def svg(shown: Any) -> str:
    """A graph as a picture.

    Parameters
    ----------
    shown : Variable, sequence of Variable, or Function
        The graph, by its outputs or as a function.
    """
    boxes = _boxes(outputs_of(shown))
    layers: dict[int, list[_Box]] = {}
    for box in boxes:
        layers.setdefault(box.layer, []).append(box)
    width = _place([layers[layer] for layer in sorted(layers)])
    height = 2 * _MARGIN + len(layers) * (_HEIGHT + _GAP_Y) - _GAP_Y
    parts = [_edge(need, box) for box in boxes for need in box.needs]
    parts.extend(_drawn(box) for box in boxes)
    return _document(width + 2 * _MARGIN, height, parts)


def _boxes(outputs: Sequence[Variable]) -> list[_Box]:
    """The boxes, each after those it needs."""
    boxes: list[_Box] = []
    made: dict[Any, _Box] = {}

    def of(variable: Variable) -> _Box:
        key = variable if variable.owner is None else variable.owner
        if key not in made:
            kind = "const" if isinstance(variable, Constant) else "in"
            made[key] = _Box(kind, leaf_text(variable), str(variable.type), ())
            boxes.append(made[key])
        return made[key]

    for node in toposort(outputs):
        types = ", ".join(str(output.type) for output in node.outputs)
        box = _Box("op", str(node.op), types, [of(variable) for variable in node.inputs])
        made[node] = box
        boxes.append(box)
    for index, output in enumerate(outputs):
        text = output.name or f"output {index}"
        boxes.append(_Box("out", text, str(output.type), [of(output)]))
    # A node that is needed late is drawn late.
    users: dict[_Box, list[_Box]] = {}
    for box in boxes:
        for need in box.needs:
            users.setdefault(need, []).append(box)
    for box, found in users.items():
        if not box.needs:
            box.layer = min(user.layer for user in found) - 1
    return boxes


def _place(layers: Sequence[list[_Box]]) -> float:
    """Sets the positions of boxes in their layers: below their inputs. Returns the total width."""
    position: dict[_Box, float] = {}
    for layer in layers:
        layer.sort(key=lambda box: _mean([position.get(need, 0.0) for need in box.needs]))
        for index, box in enumerate(layer):
            position[box] = (index + 0.5) / len(layer)
    widths = [sum(b.width for b in layer) + _GAP_X * (len(layer) - 1) for layer in layers]
    total = max(widths, default=0.0)
    for layer, width in zip(layers, widths, strict=True):
        x = _MARGIN + (total - width) / 2
        for box in layer:
            box.x = x
            x += box.width + _GAP_X
    return total


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.5


def _edge(source: _Box, target: _Box) -> str:
    x1, y1, x2, y2 = source.middle, source.y + _HEIGHT, target.middle, target.y
    bend = (y2 - y1) / 2
    return (
        f'<path class="e" d="M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} '
        f'{x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"/>'
    )


def _drawn(box: _Box) -> str:
    round_ = 10 if box.kind == "op" else 2
    return (
        f'<rect class="{box.kind}" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{_HEIGHT}" rx="{round_}"/>'
        f'<text x="{box.middle:.1f}" y="{box.y + 14:.1f}">{escape(box.text)}</text>'
        f'<text class="t" x="{box.middle:.1f}" y="{box.y + 27:.1f}">{escape(box.type)}</text>'
    )


class Bar(NamedTuple):
    """A bar of a chart: its label, its length, and a text next to it."""

    label: str
    value: float
    text: str


def bars(title: str, rows: Sequence[Bar | tuple[str, float, str]]) -> str:
    """A chart of horizontal bars.

    Parameters
    ----------
    title : str
        The heading.
    rows : sequence of Bar
        The bars.
    """
    longest = max((value for _, value, _ in rows), default=0.0) or 1.0
    left = 20 + _CHARACTER * max((min(len(label), 40) for label, _, _ in rows), default=0)
    parts = [f'<text x="{left:.0f}" y="18" style="text-anchor:start">{escape(title)}</text>']
    for index, (label, value, text) in enumerate(rows):
        y = 30 + 20 * index
        end = left + 300 * value / longest
        parts.append(
            f'<text x="{left - 6:.1f}" y="{y + 11}" style="text-anchor:end">'
            f"{escape(label[:40])}</text>"
            f'<rect class="op" x="{left:.1f}" y="{y}" width="{end - left:.1f}" height="14"/>'
            f'<text x="{end + 6:.1f}" y="{y + 11}" style="text-anchor:start">{escape(text)}</text>'
        )
    return _document(left + 400, 40 + 20 * len(rows), parts)


def _document(width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><style>{_STYLE}</style>{"".join(parts)}</svg>'
    )


Variable._repr_svg_ = svg
