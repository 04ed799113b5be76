"""The kinds of a kernel, and the one that a call uses.

The contract: if all input arguments are C- or F-contiguous, kernels of the kinds `C` or
`Fortran` are used, otherwise the one of kind `Xnd`.
"""

from __future__ import annotations

import contract
import numpy as np
import pytest

ARGUMENTS = "(int64_t m, int64_t n, const int64_t *a);"
LISTS = "input: a(m, n)\nhide: m = shape(a, 0), n = shape(a, 1)"
OWN = {
    "c": f"prototypes[C]: int64_t of_c{ARGUMENTS}",
    "fortran": f"prototypes_Fortran: int64_t of_fortran{ARGUMENTS}",
    "xnd": f"prototypes: int64_t of_any{ARGUMENTS}\nkinds: Xnd",
}
C, F, ANY = 1000, 2000, 3000


def kernels() -> str:
    """A kernel for each set of kinds, with a C function of its own for each kind."""
    sets = [("c",), ("fortran",), ("xnd",), ("c", "fortran"), ("c", "xnd"), ("fortran", "xnd")]
    sets.append(("c", "fortran", "xnd"))
    sections = [
        "\n".join([f"[KERNEL {'_'.join(kinds)}]", *(OWN[kind] for kind in kinds), LISTS, ""])
        for kinds in sets
    ]
    sections.append(
        contract.kernel(
            "vector",
            "int64_t weigh(int64_t n, const int64_t *a);",
            "kinds: C, Fortran",
            "input: a(n)",
            "hide: n = len(a)",
        )
    )
    sections.append(
        contract.kernel(
            "vector_fortran",
            "int64_t weigh(int64_t n, const int64_t *a);",
            "kinds: Fortran",
            "input: a(n)",
            "hide: n = len(a)",
        )
    )
    both = ["input: a(m, n), b(m, n)", "hide: m = shape(a, 0), n = shape(a, 1)"]
    prototype = "int64_t weigh_two(int64_t m, int64_t n, const int64_t *a, const int64_t *b);"
    sections.append(contract.kernel("two_c", prototype, "kinds: C", *both))
    sections.append(contract.kernel("two_f", prototype, "kinds: Fortran", "fortran: a, b", *both))
    return contract.module("selection", sections)


@pytest.fixture(scope="session")
def selection(module_of):
    return module_of("selection", kernels())


A = np.arange(6).reshape(2, 3)
LAYOUTS = {
    "C": A,
    "F": np.asfortranarray(A),
    "strided": np.repeat(A, 2, axis=1)[:, ::2],
    "both": np.arange(3).reshape(1, 3),
}
CHOSEN = {
    "c": {"C": C, "both": C},
    "fortran": {"F": F, "both": F},
    "xnd": {"C": ANY, "F": ANY, "strided": ANY, "both": ANY},
    "c_fortran": {"C": C, "F": F, "both": C},
    "c_xnd": {"C": C, "F": ANY, "strided": ANY, "both": C},
    "fortran_xnd": {"C": ANY, "F": F, "strided": ANY, "both": F},
    "c_fortran_xnd": {"C": C, "F": F, "strided": ANY, "both": C},
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kinds", CHOSEN)
def test_the_layout_decides(selection, kinds, layout):
    call, wanted = getattr(selection, kinds), CHOSEN[kinds].get(layout)
    if wanted is None:
        with pytest.raises((TypeError, ValueError), match="contiguous"):
            call(LAYOUTS[layout])
    else:
        assert call(LAYOUTS[layout]) == wanted


@pytest.mark.parametrize("name", ["vector", "vector_fortran"])
def test_vectors_count_as_c(selection, name):
    """The kind `Fortran` is used for vectors if there is no kind `C`."""
    a = np.array([1, 2, 3])
    assert getattr(selection, name)(a) == 14
    with pytest.raises((TypeError, ValueError), match="contiguous"):
        getattr(selection, name)(a[::-1])


@pytest.mark.parametrize("name, order", [("two_c", "C"), ("two_f", "F")])
def test_all_arguments_must_have_the_layout(selection, name, order):
    call = getattr(selection, name)
    weight = int(np.dot(A.ravel(order), np.arange(6) + 1))
    a, b = (LAYOUTS[layout] for layout in ("C", "F"))
    same, other = (a, b) if order == "C" else (b, a)
    assert call(same, same) == weight * 1000001
    for arguments in ((same, other), (other, same), (other, other)):
        with pytest.raises((TypeError, ValueError), match="contiguous"):
            call(*arguments)
