"""C functions may be called like what a generated function would call its variables."""

import names_of_c_functions as m

names = ("args", "given", "keywords", "module", "result", "slots", "items", "thread", "c_result")
for i, name in enumerate(names):
    assert getattr(m, f"f_{name}")(10, [2.5]) == (2.5, 11 + i), name
