import void_handles as m
from support import raises

shape = m.Shape(3)
values = m.Values(shape, 1.5)
assert m.alive() == 2 and values.sum() == 4.5

# In C both are `void *`; in Python each has its class.
raises(
    TypeError,
    "descriptor 'sum' for 'void_handles.Values' objects doesn't apply to a 'void_handles.Shape' object",
    m.Values.sum,
    shape,
)
raises(
    TypeError,
    "Values(): argument 'shape': wanted a Shape, got void_handles.Values",
    m.Values,
    values,
    1,
)
raises(RuntimeError, "Shape(): vh_shape returned NULL", m.Shape, 101)
assert m.none() is None

# The destructors get the address of the pointer.
values.close()
assert m.alive() == 1 and values.closed
raises(ValueError, "Values.sum(): argument 'values': this Values is closed", values.sum)
with shape:
    pass
assert m.alive() == 0
