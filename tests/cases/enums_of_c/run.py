import enum
import pickle

import enums_of_c as e
import numpy as np


def refused(error, text, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except error as raised:
        assert text in str(raised), str(raised)
    else:
        raise AssertionError("it was taken")


Color, Mode, Level = e.Color, e.Mode, e.Level
assert issubclass(Color, enum.IntEnum) and Color.__doc__ == "What a light shows."
assert Color.__module__ == "enums_of_c" and pickle.loads(pickle.dumps(Color.RED)) is Color.RED
assert {one.name: one.value for one in Color} == {"RED": 1, "GREEN": 2, "AMBER": 7, "DARK": -1}
assert issubclass(Mode, enum.IntFlag) and (Mode.READ, Mode.WRITE) == (1, 2)
assert list(Level) == [3, 200]

assert e.next() is Color.GREEN and e.next(Color.GREEN) is Color.AMBER and e.next(7) is Color.RED
assert e.next(np.int16(1)) is Color.GREEN and e.next(c=None) is Color.GREEN
assert e.raw(Color.DARK) == -1 and e.maybe() == e.maybe(None) == -100 and e.maybe(Color.AMBER) == 7
assert e.from_raw(2) is Color.GREEN
# An integer that C returns and that is not a value of the enum stays an integer.
assert e.from_raw(99) == 99 and type(e.from_raw(99)) is int
assert e.turn(1, Color.RED) is Color.GREEN
assert e.merge(Mode.READ, 2) is Mode.READ | Mode.WRITE and e.merge(4, 1) == Mode(5)
assert e.limit(250.0) is Level.HIGH and e.limit(3.5) is Level.LOW and e.limit(9.0) == 9

refused(
    ValueError,
    "next(): argument 'c': 5 is not a member of Color (RED, GREEN, AMBER, DARK)",
    e.next,
    5,
)
refused(ValueError, "is not a member of Color", e.next, 2**70)
refused(ValueError, "is out of range for Mode", e.merge, 2**40, 1)
refused(TypeError, "wanted a Color (RED, GREEN, AMBER, DARK), got", e.next, "RED")
refused(TypeError, "wanted a Color", e.next, True)
refused(TypeError, "wanted a Color", e.next, Mode.READ)
refused(TypeError, "wanted a Color", e.next, 1.0)
refused(TypeError, "", e.raw, None)

assert (
    e.name(Color.RED) == 10 and e.name(Mode.READ) == 1000 and e.name(2) == 20 and e.name("A") == 65
)
assert e.light(2) is Color.GREEN and e.check(0) is None
refused(RuntimeError, "light(): it is dark", e.light, -1)
refused(RuntimeError, "check(): color_of returned status -1", e.check, -1)
refused(TypeError, "name(c: Color) -> ", e.name, [1])
assert e.shade(Color.AMBER, np.array([1.0, 2.0])).tolist() == [7, 14] and e.shade(2, 3.0) == 6
assert e.tint(Color.AMBER, np.array([1.0, 2.0])).tolist() == [7, 14] and e.tint(2, 3.0) == 6
assert "c : Color" in e.next.__doc__, e.next.__doc__
assert "c      Color, from Color" in e.explain.next(Color.GREEN), e.explain.next(Color.GREEN)
