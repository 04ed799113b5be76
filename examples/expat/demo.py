"""Parses XML by Expat, and compares with Python's own module; fails if they differ."""

from __future__ import annotations

import gc
import weakref
import xml.parsers.expat
from collections.abc import Callable

import expat

Events = list[tuple[object, ...]]


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def parse(text: bytes, size: int) -> Events:
    """The events of a document that is passed in pieces of this size."""
    events: Events = []
    parser = expat.Parser()
    parser.on_element(
        lambda name, pairs: events.append(("start", name, pairs)),
        lambda name: events.append(("end", name)),
    )
    parser.on_text(lambda s: events.append(("text", s.decode())))
    parser.on_comment(lambda s: events.append(("comment", s)))
    parser.on_instruction(lambda target, s: events.append(("instruction", target, s)))
    for k in range(0, len(text), size):
        parser.parse(text[k : k + size], 0)
    parser.parse(b"")
    return events


def parse_by_python(text: bytes, size: int) -> Events:
    events: Events = []
    parser = xml.parsers.expat.ParserCreate()
    parser.ordered_attributes = True
    parser.StartElementHandler = lambda name, pairs: events.append(("start", name, pairs))
    parser.EndElementHandler = lambda name: events.append(("end", name))
    parser.CharacterDataHandler = lambda s: events.append(("text", s))
    parser.CommentHandler = lambda s: events.append(("comment", s))
    parser.ProcessingInstructionHandler = lambda *both: events.append(("instruction", *both))
    for k in range(0, len(text), size):
        parser.Parse(text[k : k + size], False)
    parser.Parse(b"", True)
    return events


def join(events: Events) -> Events:
    """Pieces of one text are one: how it is divided depends on the version of Expat."""
    joined: Events = []
    for event in events:
        if event[0] == "text" and joined and joined[-1][0] == "text":
            event = ("text", f"{joined.pop()[1]}{event[1]}")
        joined.append(event)
    return joined


def main() -> None:
    planets = "".join(
        f"<planet name='{name}' moons='{moons}'>{name} &amp; {moons}\n<!-- {name} --></planet>"
        for name, moons in [("Mars", 2), ("Jüpiter", 95), ("Pluto", 5)]
    )
    text = f"<?xml version='1.0'?><?show all?><sun>{planets * 20}<empty/></sun>".encode()
    for size in (1, 7, 1000, len(text)):
        events = join(parse(text, size))
        assert events == join(parse_by_python(text, size))
    print(f"{len(events)} events of {len(text)} bytes, as by Python's xml.parsers.expat")

    # Each parser has its own functions, and releases one that is replaced.
    first, second = expat.Parser(), expat.Parser()
    names: list[str] = []

    def shout(name: str) -> None:
        names.append(name.upper())

    first.on_element(None, shout)
    second.on_element(lambda name, pairs: names.append(name), None)
    for parser in (first, second):
        parser.parse(b"<a><b/>", 0)
    first.on_element(None, names.append)
    is_released = weakref.ref(shout)
    del shout
    gc.collect()
    first.parse(b"</a>")
    assert names == ["B", "a", "b", "a"] and is_released() is None
    print("functions were replaced, and released")

    print("refused:")
    show_error("expat.Parser().parse(b'<a></b>')", lambda: expat.Parser().parse(b"<a></b>"))
    third = expat.Parser()
    third.on_element(lambda name, pairs: names.append(name) or 1 / len(pairs), None)
    show_error("1 / 0 in a callback", lambda: third.parse(b"<a x='1'><b/><c/></a>"))
    assert names[4:] == ["a", "b"] and third.line() == 1
    show_error("third.on_text('print')", lambda: third.on_text("print"))
    third.close()
    show_error("third.parse(b'<a/>')", lambda: third.parse(b"<a/>"))


if __name__ == "__main__":
    main()
