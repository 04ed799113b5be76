"""Reads, changes and writes JSON by jsoncpp; fails if Python's own module has other results."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import document
from document import Kind, Value

TEXT = """{
    "name": "Jupiter", "symbol": "\\u2643", "rings": true, "surface": null,
    "radius": 69911, "mass": 1.89813e27, "atoms": 18446744073709551615,
    "low": -9223372036854775808,
    "moons": [{"name": "Io", "year": 1610}, {"name": "Europa", "year": 1610}, {"name": "Metis"}],
    "nested": [[], {}, [[0.1, "\\"\\\\/\\b\\f\\n\\r\\t"]], "\\ud83e\\ude90"]
}"""


def build(data: object) -> Value:
    """The same value by jsoncpp, part by part."""
    if isinstance(data, dict):
        value = Value(Kind.OBJECT)
        for name, part in data.items():
            value[name] = build(part)
        return value
    if isinstance(data, list):
        value = Value(Kind.ARRAY)
        for part in data:
            value.append(build(part))
        return value
    return Value() if data is None else Value(data)


def plain(value: Value) -> object:
    """The same value in Python's types."""
    match value.kind:
        case Kind.OBJECT:
            return {name: plain(value[name]) for name in value.names}
        case Kind.ARRAY:
            return [plain(part) for part in value]
        case Kind.STRING:
            return value.string()
        case Kind.REAL:
            return value.real()
        case Kind.INT:
            return value.integer()
        case Kind.UINT:
            return value.unsigned()
        case Kind.BOOL:
            return value.boolean()
    return None


def parsed(reader: document.Reader, text: str) -> Value:
    value = Value()
    good, errors = reader.parse(text, value)
    if not good:
        raise ValueError(" ".join(errors.split()))
    return value


def strict() -> document.Reader:
    """A reader that accepts what Python's does."""
    reader = document.Reader()
    for name in "allowComments", "allowTrailingCommas":
        reader[name] = Value(False)
    for name in "failIfExtra", "allowSpecialFloats":
        reader[name] = Value(True)
    return reader


def compact() -> document.Writer:
    writer = document.Writer()
    writer["indentation"] = Value("")
    return writer


def check_documents(reader: document.Reader) -> None:
    """Both accept and refuse the same JSON, and read the same values."""
    documents = ["0", "-0.0", "1e40", "[1, 2]", "{}", '""', "null", "[NaN]", "-Infinity", " [ ] "]
    documents += ["", "[1,]", "[1 2]", '{"a" 1}', "{1: 2}", "[", "tru", "[] []", "'a'", '"a']
    documents.append("// 1\n1")
    refused = 0
    for text in documents:
        try:
            expected = repr(json.loads(text))
        except json.JSONDecodeError:
            refused += 1
            good, errors = reader.parse(text, Value())
            assert not good and errors.startswith("* Line "), text
        else:
            assert repr(plain(parsed(reader, text))) == expected, text
    print(f"{len(documents)} documents, of which both refuse {refused}")


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    reader, writer = strict(), compact()
    data = json.loads(TEXT)
    value = parsed(reader, TEXT)
    assert plain(value) == data and value.names == sorted(data)
    assert json.loads(writer.write(value)) == json.loads(str(value)) == data
    assert build(data) == value and not build(data) < value and value.compare(Value()) > 0
    print(writer.write(value["moons"]), "as by Python's json")
    check_documents(reader)

    # Access: `[]` is the value itself, `get` a copy.
    moons = value["moons"]
    assert [moon["name"].string() for moon in moons] == [moon["name"] for moon in data["moons"]]
    assert len(moons) == 3 and moons[1]["year"].integer() == data["moons"][1]["year"]
    assert "rings" in value and "sun" not in value
    assert value.get("sun").kind == Kind.NULL and moons.get(7, Value(-1)).integer() == -1

    # The same changes to both.
    moons.get(0)["year"] = Value(0)
    moons[2]["year"] = Value(1979)
    moons.insert(0, build({"name": "Thebe"}))
    moons.append(Value("..."))
    value["radius"] = Value(value["radius"].real() / 2)
    value.remove("nested")
    data["moons"][2]["year"] = 1979
    data["moons"].insert(0, {"name": "Thebe"})
    data["moons"].append("...")
    data["radius"] /= 2
    del data["nested"]
    assert plain(value) == data

    # Real numbers, with 17 digits as with fewer.
    numbers = [0.1, 1 / 3, math.pi, 5e-324, 1.7976931348623157e308, -2.5]
    assert json.loads(writer.write(build(numbers))) == numbers
    writer["precision"] = Value(4)
    assert json.loads(writer.write(build(numbers[:3]))) == [0.1, 0.3333, 3.142]

    # Values end with the content to which they belong.
    value.swap(Value(Kind.ARRAY))
    assert moons.closed and len(value) == 0
    reader["indent"] = Value(2)
    invalid = Value()
    assert not reader.is_valid(invalid) and invalid.names == ["indent"]

    print("\nErrors:")
    show_error("""parse('{"a": [1,}')""", lambda: parsed(strict(), '{"a": [1,}'))
    show_error("parse('[' * 2000)", lambda: strict().parse("[" * 2000, Value()))
    show_error("an object's item 0", lambda: build({"a": 1})[0])
    show_error("an array's item -1", lambda: build([1])[-1])
    show_error("Value('1').integer()", lambda: Value("1").integer())
    show_error("Value(2**63).integer()", lambda: Value(2**63).integer())
    show_error("Value(2**64)", lambda: Value(2**64))
    show_error("a value that was closed", lambda: len(moons))
    print("\nThe results agree with Python's json.")


if __name__ == "__main__":
    main()
