import callback_values as c
from support import raises

Step, Marks, Spot, Game = c.Step, c.Marks, c.Spot, c.Game


def fail(*given):
    raise ZeroDivisionError("no")


# Enums, both ways: members, and the integers of members.
game = Game()
given = []


def on(at, before):
    given.append((at, before))
    return Step.STOP if at > 10 else Step.BACK if at == 0 else 1


assert c.walk(game, 0, on) == 11
assert given[:2] == [(0, Step.ON), (5, Step.BACK)] and isinstance(given[0][1], Step)
assert c.turn(lambda before: before) is Step.BACK
assert c.mark(lambda before: before & Marks.WET) == Marks.WET
raises(
    ValueError,
    "turn(): argument 'next' returned 'result': 2 is not a member of Step (STOP, ON, BACK)",
    c.turn,
    lambda s: 2,
)
raises(TypeError, "...", c.turn, lambda s: None)
raises(TypeError, "...", c.turn, lambda s: "ON")

# If it fails, C is called to stop with the enumerator.
raises(ZeroDivisionError, "no", c.walk, game, 0, fail)
assert c.stopped(game) == 1
raises(ZeroDivisionError, "no", c.turn, fail)

# Structs by value: an object, a copy of C's.
kept = []


def right(at):
    kept.append(at)
    return Spot(at.x + 1, at.y, not at.seen)


moved = c.move(Spot(1, 2, False), right)
assert (moved.x, moved.y, moved.seen) == (3, 2, False)
assert [(s.x, s.seen) for s in kept] == [(1, False), (2, True)]
assert c.move(Spot(1, 2, True), lambda at: (5, 6, True)).x == 5
raises(TypeError, "...", c.move, Spot(), lambda at: 1.5)
raises(ZeroDivisionError, "no", c.move, Spot(), fail)
raises(ZeroDivisionError, "no", c.move_strictly, Spot(1, 1, True), fail)
assert c.noted() == -7

# Bools and complex numbers.
assert c.count(10, lambda k: k % 3 == 0) == 4
raises(ZeroDivisionError, "no", c.count_strictly, 3, fail)
assert c.noted() == 3
assert c.rotate(1 + 2j, lambda z: z * 1j) == -1 + 1j
raises(TypeError, "...", c.rotate, 1j, lambda z: "i")

# A return code with an output: C receives 0 where the function has returned.
assert c.descend(lambda x: [2, x[0]], [1, 2]).tolist() == [-1, 1]
raises(ZeroDivisionError, "no", c.descend, fail, [1, 2])
raises(ValueError, "...", c.descend, lambda x: [1], [1, 2])


# Structs and enums by their addresses.
def step_right(at, last):
    kept.append(at)
    return Spot(at.x + 1, at.y, True), Step.STOP if at.x == 2 else last


end = c.trail(Spot(0, 5), 10, step_right)
assert (end.x, end.y, end.seen) == (3, 5, True) and [s.x for s in kept[-3:]] == [0, 1, 2]
assert c.trail((1, 2), 1, lambda at, last: ({"x": 9}, Step.BACK)).x == 9 and c.noted() == 5
raises(ZeroDivisionError, "no", c.trail, Spot(1, 2), 1, fail)
raises(
    TypeError, "...returned 'to': wanted a Spot, got int", c.trail, Spot(), 1, lambda a, s: (1, s)
)
raises(ValueError, "...returned 'last'...", c.trail, Spot(), 1, lambda a, s: (a, 9))

# An output and the result of C have different tables, whatever the output is called.
y, code = c.settle(lambda x: ([x, 2 * x], 7))
assert list(y) == [0.5, 1.0] and code == 7
raises(TypeError, "...returned 'result'...", c.settle, lambda x: (7, 7))
