"""Builds and changes JSON by cJSON, and compares with Python's own module; fails if they differ."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import tree


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def build(value: object) -> tree.Item:
    """The same value as an item of cJSON, part by part: each is consumed by its parent."""
    if isinstance(value, dict):
        item = tree.object()
        for key, part in value.items():
            item.set(key, build(part))
        return item
    if isinstance(value, list):
        if value and all(isinstance(part, str) for part in value):
            return tree.array(value)
        item = tree.array()
        for part in value:
            item.append(build(part))
        return item
    return tree.string(value) if isinstance(value, str) else tree.number(value)


def main() -> None:
    value = {
        "name": "Pluto",
        "moons": ["Charon", "Nix", "Hydra", "Kerberos", "Styx"],
        "orbit": {"axis": 39.482, "years": 247.94, "points": [[1.5, -2], [3, 4.25]]},
        "empty": [],
    }
    item = build(value)
    assert json.loads(item.dump()) == value
    assert json.loads(tree.Item(json.dumps(value)).dump()) == value
    print(f"{item.length()} keys, {len(item.dump())} bytes of JSON, as by Python's json")

    numbers = np.linspace(0, 1, 1000)
    np.testing.assert_allclose(json.loads(tree.array(numbers).dump()), numbers, rtol=1e-15)

    # A view belongs to the tree, and ends with the part that it views.
    moons = item.get("moons")
    assert [moons.at(k).text() for k in range(moons.length())] == value["moons"]
    assert item.get("mass") is None and moons.at(9) is None
    item.replace("moons", tree.array(["none"]))
    assert moons.closed and json.loads(item.dump())["moons"] == ["none"]
    orbit = item.get("orbit")
    taken = item.take("orbit")
    assert orbit.closed and taken.get("years").value() == 247.94 and item.get("orbit") is None
    item.set("path", taken)
    item.remove("empty")
    expected = {"name": "Pluto", "moons": ["none"], "path": value["orbit"]}
    assert json.loads(item.dump()) == expected
    print("detached, replaced and removed parts agree")

    print("refused:")
    part = tree.number(1)
    show_error("item.append(part), of an object", lambda: tree.number(2).append(item.get("name")))
    show_error("taken.get('years')", lambda: taken.get("years"))
    show_error("item.append(item)", lambda: item.append(item))
    show_error("tree.array(['a', 1])", lambda: tree.array(["a", None]))
    show_error("tree.Item('{')", lambda: tree.Item("{"))
    assert part.value() == 1


if __name__ == "__main__":
    main()
