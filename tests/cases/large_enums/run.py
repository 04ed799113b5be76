import large_enums as m

assert {one.name: one.value for one in m.Large} == {
    "FEW": 3,
    "POWER": 2**53,
    "ODD": 2**53 + 1,
    "EVEN": 2**53 + 2,
    "BELOW": -(2**53) - 1,
    "MOST": 2**63 - 1,
    "LEAST": -(2**63),
}
assert [*map(int, m.Vast)] == [1, 2**53 + 1, 2**63, 2**64 - 1]
assert all(m.large(one) is one for one in m.Large)
for one in m.Vast:
    assert m.vast(one) is m.either(one) is m.called(m.Vast.ONE, lambda _, one=one: one) is one
    assert m.called(one, lambda got: got) is one
