"""Generated names never clash: function `a` with argument `b` and function `a_b`, an argument called
`names`, `signature` or `doc`, overload 0 of `over` and a function `over_0`, and functions called doc,
methods, module, slots, exec or names."""

import names_of_tables as m

assert m.a(1, 2, 3, 4) == m.a(b=1, names=2, signature=3, doc=4) == 4321
assert m.a_b(1, 2, 3, 4) == m.a_0(1, 2, 3, 4) == m.over(1, 2, 3, 4) == 4321
for name in (
    "over",
    "over_0",
    "over_overloads",
    "doc",
    "methods",
    "module",
    "slots",
    "exec",
    "names",
):
    assert getattr(m, name)() == 7, name
