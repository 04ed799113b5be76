import cplusplus_streams as m
from support import raises

report = m.Report("squares")
assert report.write(3) == "squares 0 1 2"
assert report.read("one two  three") == 3 and report.title == "three"
assert report.read("") == 0
assert m.table([1.5, 2]) == ("1.5\n2\n", "2 rows", 2)
for text in ("", "plain", "é \n line" * 1000):
    assert m.copy(text) == text

# Null characters in what C++ has written stay; a string that it reads has none.
assert report.write(0) == "three\0"
raises(IndexError, "negative", report.write, -1)
raises(TypeError, "copy(): argument 'from_': wanted a text (str), got bytes", m.copy, b"x")
raises(ValueError, "copy(): argument 'from_': the string contains an embedded NUL", m.copy, "a\0b")

# A stream that is returned is the one that was passed; `operator<<` is `str`.
assert report.print() == "three!"
assert str(report) == f"{report}" == report.to_string() == "three 0 1" and repr(report) != str(
    report
)
report.title = ""
raises(IndexError, "negative", str, report)
report.title = "abc"
assert str(report) == "abc\0"
with m.Report("x") as closed:
    pass
raises(ValueError, "Report.to_string(): argument 'report': this Report is closed", str, closed)
raises(
    TypeError,
    "unsupported operand type(s) for <<: 'cplusplus_streams.Report' and 'int'",
    lambda: report << 1,
)

# Static members are those of every object.
other = m.Report("")
report.scale = 2
assert other.scale == 2 and other.write(2) == " 0 2"
other.scale = 1
assert report.scale == 1 and report.width == 80
raises(AttributeError, "...", lambda: setattr(report, "width", 1))
