import fp0311_unsupported as m
from support import raises

assert m.first(65) == 65
raises(TypeError, "first(): argument 'text': wanted an integer (int8), got str", m.first, "A")
