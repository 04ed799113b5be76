import fp0310_unreachable as m

assert m.twice(1.5) == 3.0
