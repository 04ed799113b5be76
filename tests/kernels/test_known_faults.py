"""Faults of xndtools' generator that Fishplate does not reproduce."""

from __future__ import annotations

import numpy as np
import pytest
from case_support import same

FAULTS = """
# Faults of xndtools.
[MODULE faults]
includes: faults.h contract.h
ellipses: none
kinds: C, Fortran, Xnd

[KERNEL shape_of_vector]
description: Says */ more than /* a comment may \\ "quoted".
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: a(n)
hide: n = shape(a)

[KERNEL all_but_last]
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: a(n + 1)
hide: n = len(a)-1

[KERNEL twice_as_many]
prototypes: int64_t touch(int64_t n, int64_t *a);
input: n
output: a(n*2)

[KERNEL explicit]
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: n, a(n)

[KERNEL explicit_with_default]
prototypes: int64_t weigh(int64_t n, const int64_t *a);
input: n = len(a), a(n)

[KERNEL quiet]
debug: False
prototypes: void see(int64_t s);
input: s

[KERNEL not_skipped]
skip: False
prototypes: void see(int64_t s);
input: s

[KERNEL types]
prototypes:
    void add(unsigned char, const unsigned char [3], unsigned char []); void
    add_u16(uint16_t, const uint16_t [], uint16_t []);
    void add_z(double complex, const double complex *, double complex *)
input: arg0, arg1(3)
output: arg2(3)

[KERNEL sizes]
prototypes:
    int64_t sizes(int64_t m, int64_t n, const int64_t *a,
                  int64_t length, int64_t ndim, int64_t last);
input: a(m, n), last = m > 5 ? 7 : min(m, n)
hide: m = shape(a, 0), n = shape(a, 1), length = len(a), ndim = ndim(a)
"""

HEADER = """
#include <complex.h>
#include <stdint.h>
#define ADD(name, type) \\
    static inline void name(type s, const type *a, type *b) \\
    { \\
        for (int i = 0; i < 3; i++) b[i] += a[i] + s; \\
    }
ADD(add, unsigned char)
ADD(add_u16, uint16_t)
ADD(add_z, double _Complex)
"""


@pytest.fixture(scope="session")
def faults(module_of):
    return module_of("faults", FAULTS, {"faults.h": HEADER})


def test_shape_of_a_vector_and_arithmetic_on_sizes(faults):
    a = np.array([1, 2, 3])
    assert faults.shape_of_vector(a) == 14
    assert faults.all_but_last(a) == 5


def test_outputs_have_the_size_of_their_expression(faults):
    a, result = faults.twice_as_many(2)
    same(a, np.array([1, 11, 0, 0]))
    assert result == 0


def test_a_given_size_is_compared(faults):
    a = np.array([1, 2, 3])
    assert faults.explicit(3, a) == 14
    for wrong in (2, 4, -1):
        with pytest.raises(ValueError, match="argument 'a'"):
            faults.explicit(wrong, a)
    assert faults.explicit_with_default(a) == faults.explicit_with_default(a, 3) == 14
    with pytest.raises(ValueError, match="argument 'a'"):
        faults.explicit_with_default(a, 2)


def test_types_need_no_typemaps(faults):
    for dtype in ("uint8", "uint16", "complex128"):
        a = np.array([1, 2, 3], dtype)
        same(faults.types(a[1], a), a + a[1])


def test_values_are_any_expression(faults):
    assert faults.sizes(np.array([[1, 2, 3], [4, 5, 6]])) == 2 + 30 + 200 + 2000 + 20000
    assert faults.sizes(np.ones((2, 3), np.int64), 7) == 2 + 30 + 200 + 2000 + 70000


def test_descriptions_may_say_anything(faults):
    assert '*/ more than /* a comment may \\ "quoted".' in faults.shape_of_vector.__doc__


def test_booleans(faults):
    assert faults.not_skipped(1) is None


def test_fortran_arguments_are_transposed(module_of):
    """An F argument with C or sliced data, and F outputs."""
    text = """
[MODULE transposed]
includes: contract.h
ellipses: none
[KERNEL weigh]
prototypes: int64_t weigh_matrix(int64_t m, int64_t n, const int64_t *a);
input: a(m, n)
hide: m = shape(a, 0), n = shape(a, 1)
fortran: a
[KERNEL count]
prototypes: int64_t touch_matrix(int64_t m, int64_t n, int64_t *a);
input: m, n
output: a(m, n)
fortran: a
"""
    m = module_of("transposed", text)
    a = np.arange(6).reshape(2, 3)
    weight = int(np.dot(a.ravel("F"), np.arange(6) + 1))
    base = np.zeros((4, 9), np.int64)
    base[::2, ::3] = a
    assert m.weigh(a) == m.weigh(np.asfortranarray(a)) == m.weigh(base[::2, ::3]) == weight
    counted, _ = m.count(2, 3)
    same(counted, (10 * np.arange(6) + 1).reshape((2, 3), order="F"))
