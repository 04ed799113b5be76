import math

import cplusplus_callbacks as c
from support import raises

assert c.apply(math.sqrt, 4.0) == 2.0
raises(ValueError, "not a number", c.apply, lambda x: math.nan, 1.0)
raises(ZeroDivisionError, "division by zero", c.apply, lambda x: 1 / 0, 1.0)
assert c.each([1.0, -1.0, 2.0], lambda x: x > 0) == 2
raises(
    TypeError,
    "each(): argument 'f' returned 'result': wanted True or False, got int",
    c.each,
    [1.0],
    lambda x: 2,
)

heard = []
with c.Source() as source:
    source.listen(lambda what: heard.append(what) or what)
    assert source.tell(3) == 3
    raises(IndexError, "nobody hears this", source.tell, -1)
    source.listen(lambda what: heard.append(what) or 1 // what)
    raises(ZeroDivisionError, "...by zero", source.tell, 0)
    source.listen(lambda what: heard.append(what) or 0)
assert heard == [3, -1, 0, 0], heard
