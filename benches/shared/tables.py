"""Tables of results as aligned text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def nanoseconds(value: float) -> str:
    return f"{value:,.1f}" if value < 1000 else f"{value:,.0f}"


def ratio(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def as_text(table: Table) -> str:
    lines = [table.header, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.header))]

    def aligned(line: Sequence[str]) -> str:
        rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        return "  ".join([line[0].ljust(widths[0]), *rest]).rstrip()

    return "\n".join([table.title, *(aligned(line) for line in lines)])


def as_page(title: str, *parts: str) -> str:
    """A page of Markdown with this title."""
    return "\n\n".join([f"# {title}", *parts]).rstrip() + "\n"


def as_markdown(table: Table) -> str:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = line(["---", *("---:" for _ in table.header[1:])])
    return "\n".join(
        [f"**{table.title}**", "", line(table.header), rule, *(line(cells) for cells in table.rows)]
    )
