"""Ellipses: with `...` a kernel takes leading dimensions, also none; with `none` it does not."""

from __future__ import annotations

import numpy as np
import pytest
from case_support import same

MAPPED = """
[MODULE mapped]
includes: contract.h

[KERNEL plus_twenty]
prototypes: int64_t plus_twenty(int64_t s);
input: s = 5

[KERNEL bump]
prototypes: void bump(int64_t *s);
inplace: s

[KERNEL weigh]
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: a(n)
hide: n = len(a)

[KERNEL touch]
prototypes: int64_t touch(int64_t n, int64_t *a);
input: a(n)
output: a
hide: n = len(a)

[KERNEL weigh_two]
kinds: C, Xnd
ellipses: none, ...
prototypes: int64_t weigh_two(int64_t m, int64_t n, const int64_t *a, const int64_t *b);
input: a(m, n), b(m, n)
hide: m = shape(a, 0), n = shape(a, 1)

[KERNEL plain]
ellipses: none
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: a(n)
hide: n = len(a)

[KERNEL made]
prototypes: int64_t touch(int64_t n, int64_t *a);
input: n
output: a(n)
"""


@pytest.fixture(scope="session")
def mapped(module_of):
    return module_of("mapped", MAPPED)


def weight(a):
    return np.dot(a, np.arange(a.shape[-1]) + 1)


def test_scalars(mapped):
    assert mapped.plus_twenty(1) == 21
    assert mapped.plus_twenty() == mapped.plus_twenty(None) == 25
    a = np.arange(6).reshape(2, 3)
    same(mapped.plus_twenty(a), a + 20)
    same(mapped.plus_twenty(a[:, ::-1].T), a[:, ::-1].T + 20)
    mapped.bump(a)
    same(a, np.arange(6).reshape(2, 3) + 10)


def test_vectors(mapped):
    a = np.arange(24).reshape(2, 3, 4)
    assert mapped.weigh(a[0, 0]) == 20
    same(mapped.weigh(a), weight(a))
    same(mapped.weigh(a[::-1, ::2, ::3]), weight(a[::-1, ::2, ::3]))
    before = a.copy()
    touched, weights = mapped.touch(a)
    same(weights, weight(before))
    same(touched, before + 10 * np.arange(4) + 1)
    same(a, before)


def test_broadcasting(mapped):
    a = np.arange(24).reshape(4, 2, 3)
    b = np.arange(6).reshape(2, 3)
    flat = [weight(x.reshape(*x.shape[:-2], 6)) for x in (a, b)]
    same(mapped.weigh_two(a, b), flat[0] + 1000000 * flat[1])
    same(mapped.weigh_two(b, a[:, None]), flat[1] + 1000000 * flat[0][:, None])
    assert mapped.weigh_two(b, b) == flat[1] * 1000001
    with pytest.raises(ValueError, match="broadcast"):
        mapped.weigh_two(a, np.zeros((3, 2, 3), np.int64))


def test_none_does_not_map(mapped):
    assert mapped.plain(np.arange(3)) == 8
    with pytest.raises(ValueError, match="1-D"):
        mapped.plain(np.zeros((2, 3), np.int64))


def test_items_that_ask_for_different_sizes(mapped):
    """xndtools wrote beyond the output, which had the size of the first item's."""
    made, _ = mapped.made(2)
    same(made, np.array([1, 11]))
    with pytest.raises((TypeError, ValueError)):
        mapped.made(np.array([2, 3]))
