import copy
import pickle

import numpy as np
import text_fields as m
from support import raises

one = m.Entry("abc", 1, def_=3, unit="mm")
assert (one.name, one.copy_, one.dtype_, one.def_, one.end, one.unit) == ("abc", 1, 0, 3, 0, "mm")
assert repr(one) == "Entry(name='abc', copy_=1, dtype_=0, def_=3, end=0, unit='mm')"
assert (
    one.copy() == one == copy.copy(one) == pickle.loads(pickle.dumps(one)) and m.Entry().name == ""
)

# A shorter string leaves nothing of a longer one.
one.name = "1234567"
assert m.length(one) == 7
one.name = "ö"
assert m.length(one) == 2 and one.name == "ö" and one != m.Entry("abc", 1, def_=3, unit="mm")
assert m.sum([one]) == m.sum([m.Entry("ö")])
raises(
    ValueError,
    "Entry(): argument 'name': the string has 8 bytes, and its memory 8 with the NUL",
    setattr,
    one,
    "name",
    "12345678",
)
raises(
    ValueError,
    "Entry(): argument 'unit': the string contains an embedded NUL",
    setattr,
    one,
    "unit",
    "a\0",
)
raises(TypeError, "Entry(): argument 'name': wanted a text (str), got bytes", m.Entry, b"a")
raises(TypeError, "Entry.name cannot be deleted", delattr, one, "name")
assert one.name == "ö"

# C may fill all of the memory, and write bytes that are not UTF-8.
full = m.full(4)
assert full.name == "xxxxxxxx" and m.length(full) == 8 and (full.copy_, full.end) == (4, 8)
raises(UnicodeDecodeError, "...", lambda: full.unit)

# In arrays, strings are bytes, as NumPy has them.
assert m.Entry.dtype["name"] == np.dtype("S8") and m.Entry.dtype.names[:2] == ("name", "copy_")
made = m.number(2)
assert made["name"].tolist() == [b"aaa", b"bbb"] and made["def_"].tolist() == [0, 1]
assert m.sum(made) == 3 * (97 + 98) and m.length(made[1]) == 3
assert m.sum([("a",), {"name": "b", "copy_": 2}, one]) == 97 + 98 + m.sum([one])
raises(
    ValueError,
    "sum(): argument 'all[1].name': the string has 9 bytes, ...",
    m.sum,
    [("a",), ("123456789",)],
)
raises(
    TypeError,
    "sum(): argument 'all[0]': a Entry has no field 'copy'; it has name, copy_, ...",
    m.sum,
    [{"copy": 1}],
)

# Structs in structs.
pair = m.pair(("first",))
assert pair.first.name == "first" and pair.more["name"].tolist() == [b"xxxxxxxx"] * 2
pair.first.name = "other"
assert pair.first.name == "other"

assert m.value(m.Word.mro_) == 1 and m.Word.kind == 3 and m.Word(2) is m.Word.local_
