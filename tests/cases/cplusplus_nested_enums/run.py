import enum
import pickle

import cplusplus_nested_enums as m
from support import raises

Kind = m.Shape.Kind
assert issubclass(Kind, enum.IntEnum) and [one.name for one in Kind] == ["circle", "square"]
assert (Kind.__module__, Kind.__qualname__) == ("cplusplus_nested_enums", "Shape.Kind")
assert (
    Kind.__doc__ == "What a shape is." and not hasattr(m, "Kind") and not hasattr(m, "Shape_Kind")
)
assert pickle.loads(pickle.dumps(Kind.square)) is Kind.square

shape = m.Shape(Kind.circle, m.Shape.Flags.filled | m.Shape.Flags.dashed)
assert shape.kind() is Kind.circle and shape.flags() == m.Shape.Flags(3)
shape.set_kind(2)
assert shape.kind() is Kind.square
shape.current = Kind.circle
assert shape.current is Kind.circle
assert m.kinds() == [Kind.circle, Kind.square]
assert m.count([Kind.circle, 2, Kind.square]) == {Kind.circle: 1, Kind.square: 2}
assert m.other(Kind.circle) is Kind.square and m.odd() == 9

# A derived class has its own enum of the same name; others it inherits.
line = m.Line(m.Line.Kind.curved)
assert line.line() is m.Line.Kind.curved and line.kind() is Kind.square
assert m.Line.Flags is m.Shape.Flags and m.Line.Kind.__qualname__ == "Line.Kind"

raises(
    ValueError, "other(): argument 'kind': 3 is not a member of Kind (circle, square)", m.other, 3
)
raises(
    TypeError,
    "other(): argument 'kind': wanted a Kind (circle, square), got str",
    m.other,
    "circle",
)
raises(TypeError, "...wanted a Kind (straight, curved), got Kind", m.Line, Kind.square)
raises(ValueError, "...element 0 is 9, not a member of Kind (circle, square)", m.count, [9])
