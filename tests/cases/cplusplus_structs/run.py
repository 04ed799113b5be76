import cplusplus_structs as s

p = s.Point(3, 4, [1, 2])
assert s.length(p) == s.length() == 5 and p.of.tolist() == [1, 2]
s.move(p, 1)
assert p.x == 4
try:
    s.move(p, -1)
except ValueError as error:
    assert str(error) == "points move to the right"
else:
    raise AssertionError("nothing was raised")
assert p.x == 4
