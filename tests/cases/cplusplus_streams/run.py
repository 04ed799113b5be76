import cplusplus_streams as m
from support import raises

report = m.Report("squares")
assert report.write(3) == "squares 0 1 2"
assert report.read("one two  three") == 3 and report.title == "three"
assert report.read("") == 0
assert m.table([1.5, 2]) == ("1.5\n2\n", "2 rows", 2)
for text in ("", "plain", "é \n line" * 1000):
    assert m.copy(text) == text

# Strings in both directions have no null characters.
raises(ValueError, "the string that C++ returned contains a null character", report.write, 0)
raises(IndexError, "negative", report.write, -1)
raises(TypeError, "copy(): argument 'from_': wanted a text (str), got bytes", m.copy, b"x")
raises(ValueError, "copy(): argument 'from_': the string contains an embedded NUL", m.copy, "a\0b")

# Static members are those of every object.
other = m.Report("")
report.scale = 2
assert other.scale == 2 and other.write(2) == " 0 2"
other.scale = 1
assert report.scale == 1 and report.width == 80
raises(AttributeError, "...", lambda: setattr(report, "width", 1))
