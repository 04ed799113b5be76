import inspect

import intents_value as m
from support import raises

assert m.implied(5, 3) == m.written(5, 3) == m.written(b=3, a=5) == 2.0
assert m.half_hidden(5) == 2.5
assert m.all_hidden() == 2.0
assert m.zero(5) == 5.0

# Hidden arguments cannot be passed.
assert str(inspect.signature(m.half_hidden)) == "(a)"
raises(TypeError, "half_hidden(a) takes 1 positional argument, got 2", m.half_hidden, 5, 3)
raises(TypeError, "half_hidden(a) got an unexpected keyword argument 'b'", m.half_hidden, 5, b=3)
raises(TypeError, "all_hidden() takes 0 positional arguments, got 1", m.all_hidden, 5)
raises(TypeError, "all_hidden() got an unexpected keyword argument 'a'", m.all_hidden, a=5)
