import pickle

import enum_elements as e
import numpy as np
from support import raises, same, strided, swapped, unaligned

Color, Mode, Level, Stamp = e.Color, e.Mode, e.Level, e.Stamp
NAMES = "(RED, GREEN, AMBER, DARK)"

# ---- Arrays: members, integers, and arrays of integers.
assert e.total([Color.RED, Color.AMBER, 2]) == 10
assert e.total([]) == 0 and e.total(np.array([], np.int32)) == 0
values = np.array([1, 2, 7, -1, 7], np.int32)
for array in (values, values.astype(np.int8), strided(values), swapped(values), unaligned(values)):
    assert e.total(array) == 16
raises(
    ValueError,
    f"total(): argument 'c': element 1 is 3, not a member of Color {NAMES}",
    e.total,
    [Color.RED, 3, 4],
)
raises(
    ValueError,
    f"total(): argument 'c': element 2 is 99, not a member of Color {NAMES}",
    e.total,
    np.array([1, 1, 99], np.int16),
)
raises(TypeError, "total(): argument 'c': ...", e.total, np.array([1.5]))
raises(
    ValueError,
    f"grid(): argument 'c': element (1, 0) is 0, not a member of Color {NAMES}",
    e.grid,
    [[1, 2], [0, 1]],
)
assert e.grid([[1, 2], [7, 1]]) == 11 == e.sum([[1, 2], [7, 1]]) and e.sum([Color.DARK, 1]) == 0
assert e.maybe() == e.maybe(None) == 0 and e.maybe([Color.GREEN]) == 2
assert e.modes([Mode.READ, Mode.READ | Mode.WRITE, 2]) == 6
assert e.last([Stamp.EARLY, Stamp.LATE]) is Stamp.LATE and e.last([0]) is Stamp.EARLY
raises(ValueError, "last(): argument 's': element 0 is 5, not a member of Stamp (...)", e.last, [5])

colors = np.array([1, 2, 7], np.int32)
e.turn(colors)
same(colors, np.array([2, 7, 1], np.int32))
e.push(colors)
same(colors, np.array([7, 1, 2], np.int32))
gaps = np.array([1, 0, 2, 0, 7, 0], np.int32)
e.turn(gaps[::2])
same(gaps, np.array([2, 0, 7, 0, 1, 0], np.int32))
same(e.turned([Color.RED, Color.GREEN]), np.array([2, 7], np.int32))
same(e.first(5), np.array([1, 2, 2, -1, -1], np.int32))
assert [Color(one) for one in e.first(2).tolist()] == [Color.RED, Color.GREEN]
bad = np.array([1, 5], np.int32)
for call in (e.turn, e.push, e.turned):
    raises(ValueError, "...element 1 is 5, not a member of Color...", call, bad)
same(bad, np.array([1, 5], np.int32))
# The values of an output buffer are not checked.
buffer = np.full(4, 99, np.int32)
assert e.first(4, c=buffer) is buffer and buffer.tolist() == [1, 2, 2, -1]

# ---- Fields.
lamp = e.Lamp(1.5, Color.RED, [Level.LOW, 200, 3], Mode.READ)
assert lamp.color is Color.RED and lamp.mode is Mode.READ
same(lamp.levels, np.array([3, 200, 3], np.uint8))
assert e.lamp_turned(lamp).color is Color.GREEN and lamp.color is Color.RED
e.lamp_dim(lamp)
assert lamp.mode is Mode.WRITE and lamp.levels[0] == Level.LOW
lamp.color = 7
assert lamp.color is Color.AMBER
lamp.mode = 3
assert lamp.mode is Mode.READ | Mode.WRITE
raises(ValueError, f"Lamp(): argument 'color': 4 is not a member of Color {NAMES}", e.Lamp, 1.0, 4)
raises(
    TypeError,
    "Lamp(): argument 'color': wanted a Color (RED, GREEN, AMBER, DARK), got Level",
    setattr,
    lamp,
    "color",
    Level.LOW,
)
raises(
    ValueError,
    "Lamp(): argument 'levels': element 1 is 4, not a member of Level (LOW, HIGH)",
    setattr,
    lamp,
    "levels",
    [3, 4, 3],
)
assert lamp.color is Color.AMBER and lamp.levels.tolist() == [3, 200, 3]
assert lamp == pickle.loads(pickle.dumps(lamp)) and "color=<Color.AMBER" in repr(lamp)
street = e.Street([lamp, (2.0, Color.DARK, (3, 3, 3))], Stamp.LATE)
assert street.since is Stamp.LATE and e.street_colors(street) == 7 - 10
assert e.lamp_turned((1.0, 2, [3, 3, 3])).color is Color.AMBER
# A field of zeros is what C has, too: it is an integer if the enum has no 0.
assert e.Lamp().color == 0 and type(e.Lamp().color) is int
# C does not receive it.
zero = f"argument 'l': field 'color' of a Lamp is 0, not a member of Color {NAMES}"
raises(ValueError, f"lamp_turned(): {zero}", e.lamp_turned, e.Lamp())
raises(ValueError, f"lamp_turned(): {zero}", e.lamp_turned, ())
raises(ValueError, f"lamp_dim(): {zero}", e.lamp_dim, e.Lamp())
raises(
    ValueError,
    "...field 'levels' of a Lamp is 0, not a member of Level (...)",
    e.lamp_turned,
    (1, 2),
)
raises(
    ValueError, "street_colors(): ...field 'color' of a Lamp is 0...", e.street_colors, e.Street()
)

# ---- An element of an array of structs comes from outside: its enums are checked.
lamps = np.zeros(2, e.Lamp.dtype)
lamps["color"], lamps["levels"] = [1, 2], 3
assert e.lamp_turned(lamps[1]).color is Color.AMBER
lamps["color"][1] = 12
raises(
    ValueError,
    f"lamp_turned(): argument 'l': field 'color' of a Lamp is 12, not a member of Color {NAMES}",
    e.lamp_turned,
    lamps[1],
)

# ---- Callbacks: one value, and arrays of integers.
seen = []


def watch(one, everything):
    seen.append((one, everything.tolist(), everything.dtype))
    return len(everything)


assert e.watch([Color.GREEN, Color.DARK], watch) == 2
assert seen == [(Color.GREEN, [2, -1], np.dtype(np.int32))] and seen[0][0] is Color.GREEN
assert e.choose([1, 7], lambda everything: Color(everything[1])) is Color.AMBER
raises(
    ValueError,
    "...5 is not a member of Color (RED, GREEN, AMBER, DARK)",
    e.choose,
    [1],
    lambda _: 5,
)
