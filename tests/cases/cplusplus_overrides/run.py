import cplusplus_overrides as m
import numpy as np
from support import raises


class Mine(m.Source):
    def __init__(self):
        super().__init__()
        self.seen = []

    def name(self):
        return super().name() + "s\0é"

    def names(self, prefix):
        return [*super().names(prefix), "c", ""]

    def values(self, names):
        self.seen.append(names)
        return [len(one) for one in names]

    def columns(self, given):
        self.seen.append(given)
        return {key: 2 * column for key, column in given.items()} | {"new": [1, 2]}

    def find(self, key, index):
        self.seen.append((key, index))
        return None if key == "none" else super().find(key, index)

    def pair(self, given):
        self.seen.append(given)
        return given[1].upper(), given[0] + 1

    def three(self):
        return 2, "y", np.array([3, 4], dtype=np.int16)

    def either(self, given):
        return str(given) if isinstance(given, int) else len(given)

    def corner(self):
        return 1, 2, 3

    def extend(self, all):
        return [*all, "more"]

    def rename(self, name, by):
        return name + "er", by


source, mine = m.Source(), Mine()
assert m.call_name(mine) == m.call_name(source)[:-1] + "s\0é>"
assert mine.names("p") == m.call_names(mine, "p") == ["pa", "pb", "c", ""]
assert m.call_names(source, "q\u00e9") == ["qéa", "qéb"]
assert m.sum(mine, ["a", "bcd", "é"]) == 5 and mine.seen == [["a", "bcd", "é"]]
columns = m.call_columns(mine, {"x": [1, 2], "": []})
assert {key: one.tolist() for key, one in columns.items()} == {"x": [2, 4], "": [], "new": [1, 2]}
assert mine.seen[1]["x"].tolist() == [1, 2]  # a copy, which stays
assert m.call_find(mine, "k", 4) == 4 and m.call_find(mine, "k", None) == -1
assert m.call_find(mine, "none", 4) is None and mine.seen[2:] == [
    ("k", 4),
    ("k", None),
    ("none", 4),
]
assert m.call_pair(mine) == ("THREE", 4) and mine.seen[-1] == (3, "three")
number, text, array = m.call_three(mine)
assert (number, text, array.tolist()) == (2.0, "y", [3, 4])
assert m.call_either(mine, 7) == "7" and m.call_either(mine, "seven") == 5
assert m.call_corner(mine).tolist() == [1, 2, 3]
assert m.call_extend(mine) == ["first", "more"] and m.call_extend(source) == ["first", "own"]
assert m.call_rename(mine) == (2, "older") and m.call_rename(source) == (6, "old")
assert m.call_name(m.Source(name=lambda: "f")) == "<f>" == m.call_name(m.Source(lambda: "f"))
assert m.in_thread(m.Source(lambda: "f")) == "f!" and m.in_thread(source) == "source!"

# Errors: C++ returns at once, also where an empty value would be undefined.


def fail(*arguments):
    raise LookupError("none")


raises(LookupError, "none", m.first_name, m.Source(names=fail))
returned = "Source(): argument 'names' returned 'result"
raises(
    TypeError, f"{returned}': wanted a sequence, got int", m.first_name, m.Source(names=lambda p: 1)
)
raises(
    TypeError,
    f"{returned}[1]': wanted a str, got int",
    m.first_name,
    m.Source(names=lambda p: ["", 1]),
)
wrong = m.Source(columns=lambda given: {"x": [1, "y"]})
wanted = "wanted numbers that fit float64, got an array of str_ and shape (2,)"
message = f"Source(): argument 'columns' returned 'result.values()[0]': {wanted}"
raises(TypeError, message, m.call_columns, wrong, {})
wrong = m.Source(name=lambda: b"f")
message = "Source(): argument 'name' returned 'result': wanted a str, got bytes"
raises(TypeError, message, m.call_name, wrong)
raises(TypeError, message, m.forgiving, wrong)  # whatever C++ does with its own exception

wrong = m.Source(pair=lambda given: ("a", "b", "c"))
raises(
    ValueError,
    "Source(): argument 'pair' returned 'result': wanted 2 values, got 3",
    m.call_pair,
    wrong,
)
wrong = m.Source(find=lambda key, index: "x")
wanted = "Source(): argument 'find' returned 'result': wanted a real number (float64), got str"
raises(TypeError, wanted, m.call_find, wrong, "k", 1)
wrong = m.Source(either=lambda given: 1.5)
raises(
    TypeError,
    "Source(): argument 'either' returned 'result': wanted an int, a str, got float",
    m.call_either,
    wrong,
    1,
)
wrong = m.Source(corner=lambda: [1, 2])  # noexcept
raises(ValueError, "...", m.call_corner, wrong)
wrong = m.Source(rename=lambda name, by: "x")
must = "Source(): argument 'rename': must return a tuple of 2 values (name, result), returned str"
raises(TypeError, must, m.call_rename, wrong)

# On other threads an override uses the objects of its call, one thread at a time; its exception is that of the call.


class Threaded(m.Source):
    reader, failing = None, False

    def name(self):
        if self.failing:
            raise LookupError("none")
        assert self.find("k", 2) == 2 and self.alone()
        return super().name() + str(self.reader and self.reader.count())


threaded = Threaded()
assert m.in_thread(threaded) == "sourceNone!" and m.call_name(threaded) == "<sourceNone>"
assert m.in_threads(threaded, 8) == ["sourceNone"] * 8
reader = m.Reader()
reader.add(threaded)
threaded.reader = reader
assert reader.read() == "source1"
nested = m.Source(lambda: m.in_thread(threaded))
assert m.call_name(nested) == "<source1!>" and m.in_threads(nested, 3) == ["source1!"] * 3
threaded.failing = True
raises(LookupError, "none", m.in_thread, threaded)
raises(LookupError, "none", m.in_threads, threaded, 4)
raises(LookupError, "none", reader.read)
raises(TypeError, message, m.in_thread, m.Source(lambda: b"f"))

# References and views: the object keeps what an override returned last on each thread.


class Titles(m.Labels):
    def __init__(self, title):
        super().__init__()
        self.text = title

    def title(self):
        return self.text

    def note(self):
        return super().note() + "+"

    def row(self, n):
        return [1, 2, 3][n:]

    def sizes(self):
        return {"a": len(self.text)}


plain, titles = m.Labels(), Titles("a long title, " * 9)
assert m.call_labels(plain, titles) == "own" + titles.text + "mmown"
assert m.call_labels(titles, Titles("b")) == titles.text + "bmmown+"
long = "a unit whose name is long"
assert m.call_labels(m.Labels(unit=lambda: " ".join(long.split())), plain) == f"ownown{long}mown"
assert m.call_row(titles) == 6 + 3 * 3 + 2 and m.call_row(plain) == 1
assert m.call_sizes(titles) == len(titles.text) and m.Labels.title(titles) == "own"
assert m.title_in_threads(titles, 4) == [titles.text] * 4
raises(LookupError, "none", m.call_labels, m.Labels(title=fail), plain)
raises(LookupError, "none", m.call_labels, m.Labels(unit=fail), plain)  # noexcept
raises(LookupError, "none", m.call_row, m.Labels(row=fail))
message = "Labels(): argument 'title' returned 'result': wanted a str, got int"
raises(TypeError, message, m.call_labels, m.Labels(title=lambda: 1), plain)
message = "over::Labels::sizes is pure virtual, and not overridden"
raises(RuntimeError, message, m.call_sizes, m.Labels())
