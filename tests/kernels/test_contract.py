"""xndtools' contract, row by row: the effect of each intent on each argument.

The headings are the contract's. Where the old implementation and its notes differ (a C or Fortran
kernel's `inplace, output` and `inout, output`), the caller's argument changes and the output is a
copy of it, in all kinds.
"""

from __future__ import annotations

from itertools import product

import contract
import numpy as np
import pytest
from case_support import layouts, raises, same

INTENTS = list(contract.INTENTS)
SHAPES = ((2, 3), (1, 4), (4, 1), (30, 50))


def one(results):
    """The outputs of a call as a tuple."""
    return results if isinstance(results, tuple) else (results,)


def box(value):
    return np.array(value, np.int64)


# ---- All kernels: scalars -----------------------------------------------------------------------


@pytest.fixture(scope="session")
def scalars(module_of):
    return module_of("scalars", contract.scalars())


@pytest.mark.parametrize("kind", contract.KINDS)
@pytest.mark.parametrize("returns", ["", "_return"])
class TestScalars:
    """s = get_data_value(S), *get_data_ptr(S), 0 or s0; cfunc(s); *get_data_ptr(S) = s"""

    @staticmethod
    def results(outputs, result, returns):
        """Outputs in argument order, C's result last; one alone is not in a tuple."""
        outputs = [*outputs, *([result] if returns else [])]
        return outputs[0] if len(outputs) == 1 else tuple(outputs) or None

    @pytest.mark.parametrize("intent", ["input", "inplace", "inout"])
    def test_value_input(self, scalars, kind, returns, intent):
        """input|inplace|inout: s"""
        call = getattr(scalars, f"{kind}_value{returns}_{intent}")
        assert call(7) == self.results([], 27, returns)

    @pytest.mark.parametrize("intent", ["input_output", "inplace_output", "inout_output"])
    def test_value_input_output(self, scalars, kind, returns, intent):
        """input|inplace|inout,output: s"""
        call = getattr(scalars, f"{kind}_value{returns}_{intent}")
        assert call(7) == self.results([7], 27, returns)

    def test_value_output(self, scalars, kind, returns):
        """output: s"""
        call = getattr(scalars, f"{kind}_value{returns}_output")
        assert call() == self.results([0], 20, returns)

    def test_value_hide(self, scalars, kind, returns):
        """hide: s"""
        call = getattr(scalars, f"{kind}_value{returns}_hide")
        assert call() == self.results([], 20, returns)

    @pytest.mark.parametrize("intent", ["input", "inplace", "inout"])
    def test_value_input_default(self, scalars, kind, returns, intent):
        """input|inplace|inout: s = s0"""
        call = getattr(scalars, f"{kind}_value{returns}_{intent}_default")
        assert call(7) == self.results([], 27, returns)
        assert call() == call(None) == self.results([], 25, returns)

    @pytest.mark.parametrize("intent", ["input_output", "inplace_output", "inout_output"])
    def test_value_input_output_default(self, scalars, kind, returns, intent):
        """input|inplace|inout,output: s = s0"""
        call = getattr(scalars, f"{kind}_value{returns}_{intent}_default")
        assert call(7) == self.results([7], 27, returns)
        assert call() == call(None) == self.results([5], 25, returns)

    def test_value_output_default(self, scalars, kind, returns):
        """output: s = s0"""
        call = getattr(scalars, f"{kind}_value{returns}_output_default")
        assert call() == self.results([5], 25, returns)

    def test_value_hide_default(self, scalars, kind, returns):
        """hide: s = s0"""
        call = getattr(scalars, f"{kind}_value{returns}_hide_default")
        assert call() == self.results([], 25, returns)

    def test_pointer_input(self, scalars, kind, returns):
        """input: s, where the C function is cfunc(*s)"""
        call, s = getattr(scalars, f"{kind}_pointer{returns}_input"), box(7)
        assert call(s) == call(7) == self.results([], 37, returns)
        assert s == 7

    @pytest.mark.parametrize("intent", ["inplace", "inout"])
    def test_pointer_inplace(self, scalars, kind, returns, intent):
        """inplace|inout: s, where the C function is cfunc(*s)"""
        call, s = getattr(scalars, f"{kind}_pointer{returns}_{intent}"), box(7)
        assert call(s) == self.results([], 37, returns)
        assert s == 17

    def test_pointer_input_output(self, scalars, kind, returns):
        """input,output: s, where the C function is cfunc(*s)"""
        call, s = getattr(scalars, f"{kind}_pointer{returns}_input_output"), box(7)
        assert call(s) == call(7) == self.results([17], 37, returns)
        assert s == 7

    @pytest.mark.parametrize("intent", ["inplace_output", "inout_output"])
    def test_pointer_inplace_output(self, scalars, kind, returns, intent):
        """inplace|inout,output: s, where the C function is cfunc(*s)"""
        call, s = getattr(scalars, f"{kind}_pointer{returns}_{intent}"), box(7)
        assert call(s) == self.results([17], 37, returns)
        assert s == 17

    def test_pointer_output(self, scalars, kind, returns):
        """output: s, where the C function is cfunc(*s)"""
        call = getattr(scalars, f"{kind}_pointer{returns}_output")
        assert call() == call() == self.results([10], 30, returns)

    def test_pointer_hide(self, scalars, kind, returns):
        """hide: s, where the C function is cfunc(*s)"""
        call = getattr(scalars, f"{kind}_pointer{returns}_hide")
        assert call() == call() == self.results([], 30, returns)

    @pytest.mark.parametrize("intent", INTENTS)
    def test_pointer_default(self, scalars, kind, returns, intent):
        """every intent: s = s0, where the C function is cfunc(*s)"""
        call = getattr(scalars, f"{kind}_pointer{returns}_{intent}_default")
        outputs = [15] if "output" in intent else []
        assert call() == self.results(outputs, 35, returns)
        if intent not in ("output", "hide"):
            assert call(None) == self.results(outputs, 35, returns)
            outputs = [17] if "output" in intent else []
            s = box(7)
            assert call(s) == self.results(outputs, 37, returns)
            assert s == (17 if intent.startswith("in") and "input" not in intent else 7)


# ---- Arrays -------------------------------------------------------------------------------------


def touched(a, order):
    """The result of `touch` for an array in this memory order, and the array that it leaves."""
    flat = np.asarray(a, np.int64).ravel(order)
    index = np.arange(flat.size)
    return int(np.dot(flat, index + 1)), (flat + 10 * index + 1).reshape(np.shape(a), order=order)


def is_contiguous(a, order):
    return a.flags.c_contiguous if order == "C" else a.flags.f_contiguous


def start(shape):
    """Numbers that identify their positions."""
    return sum(index * 100**axis for axis, index in enumerate(np.indices(shape))) + 3


def check(call, intent, order, a, where):
    """One call of a kernel with the argument `a`."""
    before = a.copy()
    result, after = touched(before, order)
    *outputs, returned = one(call(a))
    assert returned == result, where
    assert len(outputs) == ("output" in intent), where
    for output in outputs:
        same(output, after)
        assert not np.shares_memory(output, a), where
    if intent.startswith(("inplace", "inout")):
        np.testing.assert_array_equal(a, after, where)
    elif intent == "input_output":
        np.testing.assert_array_equal(a, before, where)


def check_made(call, intent, order, shape):
    """One call of a kernel that allocates its arrays: they are initialised with zeros."""
    result, after = touched(np.zeros(shape), order)
    for _ in range(2):
        results = one(call(*shape))
        assert results[-1] == result
        assert len(results) == (2 if intent == "output" else 1)
        for output in results[:-1]:
            same(output, after)
            assert is_contiguous(output, order)


def refused(call, name, order, *arrays):
    text = f"{name}(): argument ...: the array must be {order}-contiguous"
    raises(ValueError, text, call, *arrays)


@pytest.fixture(scope="session")
def vectors(module_of):
    return module_of("vectors", contract.vectors())


@pytest.fixture(scope="session")
def matrices(module_of):
    return module_of("matrices", contract.matrices())


@pytest.fixture(scope="session")
def mixed(module_of):
    return module_of("mixed", contract.mixed())


NATIVE = ("C-contiguous", "F-contiguous", "strided", "negative strides")


def native_layouts(values):
    """The layouts of xnd: the elements are aligned, and in native byte order."""
    return [(name, a) for name, a in layouts(values) if name in NATIVE]


class TestCOrFortranKernels:
    """Fortran kernel: F-contiguous tensor, or C kernel: C-contiguous tensor"""

    @pytest.mark.parametrize("intent", INTENTS)
    @pytest.mark.parametrize("kind", ["c", "fortran"])
    def test_matrix(self, matrices, kind, intent):
        order = "C" if kind == "c" else "F"
        call = getattr(matrices, f"{kind}_matrix_{order.lower()}_{intent}")
        for shape in SHAPES:
            if intent in ("output", "hide"):
                check_made(call, intent, order, shape)
            else:
                a = np.array(start(shape), np.int64, order=order)
                check(call, intent, order, a, shape)

    @pytest.mark.parametrize("intent", INTENTS)
    def test_vector(self, vectors, intent):
        call = getattr(vectors, f"c_vector_{intent}")
        for n in (1, 3, 5000):
            if intent in ("output", "hide"):
                check_made(call, intent, "C", (n,))
            else:
                check(call, intent, "C", np.array(start((n,)), np.int64), n)

    @pytest.mark.parametrize("kind", ["c", "fortran"])
    def test_input_is_not_copied(self, matrices, kind):
        """a = get_data_ptr(A)"""
        order = "C" if kind == "c" else "F"
        a = np.array(start((2, 3)), np.int64, order=order)
        _, after = touched(a, order)
        getattr(matrices, f"{kind}_matrix_{order.lower()}_input")(a)
        np.testing.assert_array_equal(a, after)


class TestXndKernels:
    """Xnd kernel: C- or F-contiguous tensor or C-contiguous vector"""

    @pytest.mark.parametrize("intent", INTENTS)
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_matrix(self, matrices, order, intent):
        name = f"xnd_matrix_{order.lower()}_{intent}"
        call = getattr(matrices, name)
        for shape in SHAPES:
            if intent in ("output", "hide"):
                check_made(call, intent, order, shape)
                continue
            for layout, a in native_layouts(np.array(start(shape), np.int64)):
                if intent.startswith("inout") and not is_contiguous(a, order):
                    before = a.copy()
                    refused(call, name, order, a)
                    np.testing.assert_array_equal(a, before, "a refused argument is unchanged")
                else:
                    check(call, intent, order, a, (shape, layout))

    @pytest.mark.parametrize("intent", INTENTS)
    def test_vector(self, vectors, intent):
        name = f"xnd_vector_{intent}"
        call = getattr(vectors, name)
        for n in (1, 3, 5000):
            if intent in ("output", "hide"):
                check_made(call, intent, "C", (n,))
                continue
            for layout, a in native_layouts(np.array(start((n,)), np.int64)):
                if intent.startswith("inout") and not a.flags.c_contiguous:
                    refused(call, name, "C", a)
                else:
                    check(call, intent, "C", a, (n, layout))

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_input_is_copied_where_it_is_not_contiguous(self, matrices, order):
        """a = copy(A)"""
        for _, a in native_layouts(np.array(start((2, 3)), np.int64)):
            if not is_contiguous(a, order):
                before = a.copy()
                getattr(matrices, f"xnd_matrix_{order.lower()}_input")(a)
                np.testing.assert_array_equal(a, before)

    @pytest.mark.parametrize("intent", INTENTS)
    @pytest.mark.parametrize("orders", ["cc", "ff", "cf", "fc"])
    def test_two_matrices(self, mixed, orders, intent):
        """tensors are C- and F-contiguous"""
        call = getattr(mixed, f"{orders}_{intent}")
        first, second = orders.upper()
        shape = (3, 4)
        values = np.array(start(shape), np.int64)
        if intent in ("output", "hide"):
            (sum_a, a), (sum_b, b) = (touched(np.zeros(shape), order) for order in (first, second))
            *outputs, result = one(call(*shape))
            assert result == sum_a + 1000000 * sum_b
            for output, after, order in zip(outputs, (a, b), (first, second), strict=False):
                same(output, after)
                assert is_contiguous(output, order)
            return
        (sum_a, after_a), (sum_b, after_b) = (touched(values, order) for order in (first, second))
        for one_layout, other_layout in product(NATIVE, NATIVE):
            a = dict(native_layouts(values))[one_layout]
            b = dict(native_layouts(values))[other_layout]
            wrong = [
                order
                for array, order in ((a, first), (b, second))
                if intent.startswith("inout") and not is_contiguous(array, order)
            ]
            if wrong:
                refused(call, f"{orders}_{intent}", wrong[0], a, b)
                continue
            *outputs, result = one(call(a, b))
            assert result == sum_a + 1000000 * sum_b, (one_layout, other_layout)
            for output, after in zip(outputs, (after_a, after_b), strict=False):
                same(output, after)
            if intent.startswith(("inplace", "inout")):
                np.testing.assert_array_equal(a, after_a)
                np.testing.assert_array_equal(b, after_b)
