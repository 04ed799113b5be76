import no_functions as m

assert (m.LIMIT, m.Color.GREEN, m.Point(1).x) == (3, 1, 1.0)
with m.Box(2) as box:
    assert not box.closed
assert box.closed
