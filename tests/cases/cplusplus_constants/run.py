import cplusplus_constants as c

assert c.limit == 2**40 and c.green == 200 and c.old_red == 1 and c.WIDE == 8 and c.SIDES == 6
assert c.name == "lib" and c.VERSION == "2.0" and c.yes is True and c.ratio == 0.25
assert type(c.FIRST) is c.Box and c.sides(c.FIRST) == 6
