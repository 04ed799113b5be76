import union_members as m
from support import raises


def values(kind: int, get=m.get) -> list[object]:
    values = [
        one.tolist() if hasattr(one, "tolist") and one is not None else one for one in get(kind)
    ]
    assert m.alive() == 0
    return values


# The member that C has set; others are zero or None.
for get in (m.get, m.returned):
    assert values(1, get) == [1, 2.5, None, None, [0, 0]]
    assert values(2, get) == [2, 0, "text", None, [0, 0]]
    assert values(3, get) == [3, 0, None, [0, 0, 7], [0, 0]]
    assert values(4, get)[4] == ([3, 4] if get is m.get else values(4)[4])
    assert values(6, get) == [6, 0, None, None, [0, 0]]

# Memory of C is freed if C fails, or if the value cannot be returned.
raises(RuntimeError, "get(): um_get returned status 5", m.get, 5)
raises(UnicodeDecodeError, "...", m.get, 7)
assert m.alive() == 0

kinds, times, places = m.events(4)
assert kinds.tolist() == [0, 1, 2, 0] and times.tolist() == [0, 1, 0, 0]
assert places.tolist() == [[0, 0], [0, 0], [2, 2], [0, 0]]
