"""Reads, changes and writes XML by tinyxml2; fails if Python's xml.etree has other results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import markup

PLACES = """<?xml version="1.0"?>
<places>
  <!-- kept -->
  <place id="1" north="52.5" east="13.25">Berlin &amp; around</place>
  <place id="2" north="-33.9" east="18.4">Cape Town</place>
  <empty/>
</places>
"""


def children(node: markup.Node) -> Iterator[markup.Node]:
    child = node.first
    while child is not None:
        yield child
        child = child.next


def attributes(element: markup.Element) -> dict[str, str]:
    found: dict[str, str] = {}
    attribute = element.attribute
    while attribute is not None:
        found[attribute.name] = attribute.value
        attribute = attribute.next
    return found


Tree = tuple[str, dict[str, str], str, list["Tree"]]


def tree(element: markup.Element) -> Tree:
    """The element, with the elements in it."""
    inner = [child.element for child in children(element)]
    elements = [tree(one) for one in inner if one is not None]
    return element.name, attributes(element), element.content or "", elements


def other(element: ElementTree.Element) -> Tree:
    """The same by xml.etree; tinyxml2 leaves out text that is only white space."""
    text = element.text or ""
    return (
        element.tag,
        dict(element.attrib),
        text if text.strip() else "",
        [other(one) for one in element],
    )


class Outline(markup.Visitor):
    """C++ calls its methods for each node."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.depth = 0

    def enter(self, element: markup.Element, first: markup.Attribute | None) -> bool:
        self.lines.append("  " * self.depth + element.name + (f" {first.value}" if first else ""))
        self.depth += 1
        return element.name != "closed"

    def leave(self, element: markup.Element) -> bool:
        self.depth -= 1
        return True

    def text(self, text: markup.Text) -> bool:
        self.lines.append("  " * self.depth + repr(text.value))
        return True


class Strict(markup.Visitor):
    def comment(self, comment: markup.Comment) -> bool:
        raise LookupError(f"a comment in line {comment.line}")


def printed(node: markup.Node, compact: bool = False) -> str:
    printer = markup.Printer(compact)
    node.accept(printer)
    return printer.text_of()


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    document = markup.Document()
    document.parse(PLACES.encode())
    root = document.root
    assert root is not None and tree(root) == other(ElementTree.fromstring(PLACES))
    first = root.child("place")
    assert first is not None
    second = first.sibling("place")
    assert second is not None and second.sibling("place") is None
    print(f"{second.content}: {second.real('north')}, {second.real('east')}, line {second.line}")
    assert (first.integer("id"), first.get("id"), first.get("none")) == (1, "1", None)

    outline = Outline()
    document.accept(outline)
    print("\n".join(outline.lines))
    expected = [one.tag for one in ElementTree.fromstring(PLACES).iter()]
    elements = (line.split()[0] for line in outline.lines if "'" not in line)
    assert list(elements) == expected and outline.depth == 0

    # Changes, which both libraries read from a file.
    place = document.new_element("place")
    for name, value in ("id", 3), ("north", 0.1), ("near", True), ("name", 'a "name" <'):
        place.set(name, value)
    place.set_content("Greenwich")
    root.append(place)
    root.append(document.new_comment(" last "))
    root.delete_child(second)
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "places.xml")
        document.save(path)
        parsed = ElementTree.parse(path).getroot()
        assert tree(root) == other(parsed)
        assert parsed[-1].attrib["near"] == "true" and float(parsed[-1].attrib["north"]) == 0.1
        again = markup.Document()
        again.load(path)
        assert printed(again) == printed(document)
    compact = printed(root, compact=True)
    assert other(ElementTree.fromstring(compact)) == tree(root)
    print(compact)

    print("\nErrors:")
    show_error("a node that was deleted", lambda: second.name)
    show_error("integer('name')", lambda: place.integer("name"))
    show_error("integer('none')", lambda: place.integer("none"))
    show_error("parse(b'<a><b></a>')", lambda: markup.Document().parse(b"<a><b></a>"))
    show_error("load('/nowhere')", lambda: markup.Document().load("/nowhere"))
    show_error("an exception in a visitor", lambda: document.accept(Strict()))
    print("\nThe results agree with xml.etree.")


if __name__ == "__main__":
    main()
