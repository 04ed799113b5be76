import cplusplus_enums as e

assert e.next() is e.Color.green == 200
try:
    e.next(e.Color.green)
except IndexError as error:
    assert str(error) == "nothing is behind green"
else:
    raise AssertionError("nothing was raised")
assert e.Wide.all == 2**64 - 1 and e.same(2**64 - 1) is e.Wide.all and e.same(1) is e.Wide.low
assert e.level(1) is e.level(e.Level.LOW) is e.Level.LOW

# An object of the class that is not a member: Python creates it if asked.
for integer in (0, 2, 7, -1, 2**63, 2**70, -(2**70)):
    try:
        e.level(int.__new__(e.Level, integer))
    except ValueError as error:
        assert f"{integer} is not a member of Level (LOW)" in str(error), error
    else:
        raise AssertionError("nothing was raised")

assert e.root(3) == 9 and e.root([1, 2]).tolist() == [1, 4]
for argument, message in [
    (-1, "root(): lib::root returned status 3"),
    ([1, -1], "root(): lib::root returned status 3 (item (1,))"),
]:
    try:
        e.root(argument)
    except RuntimeError as error:
        assert str(error) == message, error
    else:
        raise AssertionError("nothing was raised")
