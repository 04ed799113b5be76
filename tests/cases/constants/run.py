import constants as c


def is_exactly(value, wanted):
    return type(value) is type(wanted) and value == wanted


for name, wanted in {
    "PI": 3.141592653589793,
    "OK": 0,
    "EDOM": -33,
    "BIG": 2**64 - 1,
    "SMALL": -(2**63),
    "YES": True,
    "VERSION": "1.2.3",
    "NAME": "lib",
    "NOTHING": None,
    "FAST": 16,
    "HALF": 0.5,
    "I": 1 + 2j,
    # A string that is not UTF-8 keeps its bytes.
    "LATIN": "caf\udce9",
    "TWO_PI": 2 * 3.141592653589793,
    "COUNT": 3,
    "NONE": None,
    "LARGER": 16,
}.items():
    assert is_exactly(getattr(c, name), wanted), (name, getattr(c, name))

# The pointer of a handle is one that the library owns.
assert type(c.DEFAULT) is c.Kind and type(c.OTHER) is c.Mark
assert c.name(c.DEFAULT) == c.DEFAULT.name() == "taus"
assert c.other(c.OTHER) == 7
c.DEFAULT.close()
try:
    c.name(c.DEFAULT)
except ValueError as error:
    assert "closed" in str(error)
else:
    raise AssertionError("a closed handle was taken")
