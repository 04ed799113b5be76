import cplusplus_defaults as m
from support import raises

alive = m.count()
assert m.run(1.0) == "plain3" == m.run(1.0, None) == m.run(x=1, options=m.Options())
assert m.run(1.0, m.Options(4, "mine")) == "mine4" and m.run(1.0, options=m.Options(5)) == "plain5"
assert m.steps_of() == 7 and m.guess() == "careful" and m.guess(m.Options(name="x")) == "x"
mine = m.Options(9)
assert m.steps_of(mine) == 9 == mine.steps
assert m.size_of() == 5 and m.id_of() == 7 and m.id_of(m.Node(3)) == 3
fixed = m.Fixed()
fixed.size = 6
assert m.size_of(fixed) == 6
assert m.both() == 12 and m.both(mine) == 92 and m.both(b=mine) == 19 and m.both(mine, mine) == 99
assert m.Solver().solve(2) == 12 and m.Solver(mine).solve(1, mine) == 81
assert m.Solver(options=None).solve(n=1, options=None) == 6

raises(RuntimeError, "no default", m.fail)
assert m.fail(mine) == 9
raises(ValueError, "negative", m.run, -1)
raises(TypeError, "run(): argument 'options': wanted a Options, got int", m.run, 1, 2)
raises(
    TypeError,
    "run(): argument 'options': wanted a Options, got cplusplus_defaults.Fixed",
    m.run,
    1,
    fixed,
)
mine.close()
raises(ValueError, "run(): argument 'options': this Options is closed", m.run, 1, mine)
assert m.count() == alive  # no default outlives its call
