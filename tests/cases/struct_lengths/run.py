import struct_lengths as m
from support import raises

names, units, data = ["length", "é", "mass"], ["m", "", "kg"], [[1, 2], [], [3.0]]
assert m.letters(names, units, data) == 6 + 2 + 4 + 1000 * (1 + 0 + 2)
assert m.letters([], [], []) == 0
assert m.sum(names, units, data, initial=ord("m")) == 3
assert m.ends(["ab", "c"], ["", ""], [[], []]) == "bc"

raises(
    OverflowError,
    "letters(): argument 'unit[1]': dimension 0 is 256, which is out of range for unit_length (uint8)",
    m.letters,
    names,
    ["m", "x" * 256, "kg"],
    data,
)
raises(TypeError, "letters(): argument 'name[1]': ...", m.letters, ["a", 1, "b"], units, data)
raises(ValueError, "letters(): ...", m.letters, names, ["m"], data)
