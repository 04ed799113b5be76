import copied_strings as m
from support import raises

# The memory has zeros after the string, and room for its NUL.
assert m.sum("") == 0 and m.sum("abc") == 294 and m.sum("öö") == m.sum("öö") != 0
raises(
    ValueError,
    "sum(): argument 'name': the string has 8 bytes, and its memory 8 with the NUL",
    m.sum,
    "12345678",
)
raises(TypeError, "sum(): argument 'name': wanted a text (str), got bytes", m.sum, b"abc")
raises(ValueError, "sum(): argument 'name': the string contains an embedded NUL", m.sum, "a\0b")
assert m.double("abc") == "abcabc" and m.double("abcdefg") == "abcdefga"

# Arrays of strings.
assert m.longest(["a", "ccc", "bb"]) == 1 and m.longest([]) == -1
assert m.longest(tuple(f"{k}" for k in range(100))) == 10
raises(
    ValueError,
    "longest(): argument 'names[1]': the string has 9 bytes, and its memory 8 with the NUL",
    m.longest, ["a", "123456789"],
)  # fmt: skip
raises(
    TypeError, "longest(): argument 'names': wanted a sequence of str, got str", m.longest, "abc"
)
raises(TypeError, "longest(): argument 'names[0]': ...", m.longest, [1])
assert m.count(3) == ["", "b", "cccccccc"] and m.count(0) == []
raises(UnicodeDecodeError, "...", m.count, 4)
assert m.mark(["one", "two"]) == ["*ne", "*wo"] and m.mark([]) == []

# Fields.
assert m.find("abc", [1, 2]) == 294 and m.find("", kind=4, at=[0, 0]) == 4
raises(ValueError, "find(): argument 'keyword': the string has ...", m.find, "123456789", [0, 0])
assert m.optional() == 0 and m.optional(None, 3) == 3 and m.optional("abc") == 294
assert m.next("abc") == "bbc"
raises(RuntimeError, "next(): cs_next returned status 1", m.next, "")

# Fields of structs in an array.
assert m.total(["a", "b"]) == 195 and m.total(["a", "b"], [1, 2]) == 293 and m.total([]) == 0
raises(ValueError, "total(): argument 'label[1]': the string has ...", m.total, ["a", "12345678"])
raises(ValueError, "total(): argument 'length': ...", m.total, ["a", "b"], [1])
label, text, unit, part = m.fill(3)
assert label == ["a", "bb", "cccccccc"] and text == ["even", "odd", "even"] and unit == ["mm"] * 3
assert [m.weight(one) for one in part] == [0, 10, 20]
assert m.alive() == 3
del part
assert m.alive() == 0 and m.fill(0) == ([], [], [], [])

# Strings and objects that C has set before it fails are released; NULL is refused.
raises(RuntimeError, "fill(): cs_fill returned status 1", m.fill, 3, 2)
raises(RuntimeError, "fill(): argument 'text': C returned NULL as item 2", m.fill, 3, -2)
assert m.alive() == 0

# An object retains the strings of one field of all structs.
part = m.fill(1)[3][0]
m.note(part, ["a", "b"], ["".join(["x", "y"]) * 50, "z" * 60])
assert m.noted(part, 0) == "xy" * 50 and m.noted(part, 1) == "z" * 60
del part
assert m.alive() == 0

# Overloads.
assert m.either("abc") == 294 and m.either(["a", "ccc"]) == 1 and m.either("abc", [1, 2]) == 294
assert m.changed("abc") == "abcabc" and m.changed(["one"]) == ["*ne"]
raises(TypeError, "either(): no overload takes (int); it takes:\n...", m.either, 1)
