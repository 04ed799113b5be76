import filled_strings as m
from support import raises

# Strings of the caller are copied and freed.
assert m.split("three short words") == ["three", "short", "words"] and m.alive() == 0
assert m.split("") == [] and m.split("a b c", 2) == ["a", "b"] and m.split("a", room=0) == []
assert m.pair() == ["one", "twö"] and m.alive() == 0

# So are those that C has stored before it fails.
raises(RuntimeError, "split(): fs_split returned status 3", m.split, "a b c d", code=3)
raises(
    RuntimeError, "split(): argument 'words': C returned NULL as item 1", m.split, "a b c", code=9
)
count = "split(): argument 'words_count': its computed value -1 is out of range for uint64"
raises(OverflowError, count, m.split, "a", -1)
assert m.alive() == 0

# Strings of the library.
assert m.days() == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] and m.days(2) == ["mon", "tue"]
assert m.lines(2) == ["line", "line"] and m.lines(0) == []
raises(UnicodeDecodeError, "...", m.lines, 4)
names, codes, count = m.codes(3)
assert names == ["even", "odd", "even"] and codes.tolist() == [0, 1, 4] and count == 3
titles = m.Shelf(2).titles()
assert titles == ["book 0", "book 1"]
raises(TypeError, "...", m.days, "two")
