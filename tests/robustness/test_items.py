"""Single cases of batched calls, and of explanations: limits, strange values, nested calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import tools
from test_threads import together

ITEMS = tools.HERE / "edges" / "items.toml"


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    out = tmp_path_factory.mktemp("items")
    tools.build(ITEMS, out)
    return tools.load("items", out)


class Number:
    """A number whose value is the result of a call."""

    def __init__(self, value: Callable[[], float]) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value()


# ---- Limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ndim", [33, 40, 64])
def test_more_dimensions_than_there_may_be(items: ModuleType, ndim: int) -> None:
    try:
        many = np.ones((1,) * ndim)
    except ValueError:
        pytest.skip("this NumPy has 32 dimensions")
    for function in (items.square, items.total, items.scratch, items.raised):
        for given in (many, many.astype(np.float32), many.astype(">f8"), many.tolist()):
            with pytest.raises(ValueError, match="argument 'x'"):
                function(given)
    with pytest.raises(ValueError, match="at most 32 dimensions"):
        items.raised(np.ones(1), y=many)
    with pytest.raises(ValueError, match="at most 32 dimensions"):
        items.raised([[1.0]], y=many)
    with pytest.raises(TypeError, match="no overload"):
        items.either(many)


def test_as_many_dimensions_as_there_may_be(items: ModuleType) -> None:
    for ndim in (31, 32):
        most = np.full((1,) * ndim, 3.0)
        assert items.square(most).shape == most.shape
        assert items.total(most).shape == most.shape[1:]
        assert items.total(most[..., ::-1].astype(np.float32)).shape == most.shape[1:]
        assert items.raised(most, y=np.ones(most.shape)).max() == 4


def test_more_items_than_there_may_be(items: ModuleType) -> None:
    rows, columns = (np.broadcast_to(1.0, shape) for shape in [(2**40, 1), (1, 2**40)])
    with pytest.raises(ValueError, match=r"add\(\): there are too many items"):
        items.add(rows, columns)
    rows, columns = (np.broadcast_to(1.0, shape) for shape in [(2**31, 1), (1, 2**31)])
    with pytest.raises(
        (ValueError, MemoryError),
        match=r"add\(\): argument 'result': .* shape \(2147483648, 2147483648\)",
    ):
        items.add(rows, columns)


def test_no_memory_names_the_whole_result(items: ModuleType) -> None:
    with pytest.raises(MemoryError) as caught:
        items.square(np.broadcast_to(1.0, (2**20, 2**24)))
    assert str(caught.value) == (
        "square(): argument 'result': no memory for an array of shape (1048576, 16777216)"
    )


def test_none_and_one(items: ModuleType) -> None:
    assert items.square(np.zeros((0, 3))).shape == (0, 3)
    assert items.add(np.zeros((0, 1)), np.zeros(5)).shape == (0, 5)
    assert items.total(np.zeros((4, 0))).tolist() == [0] * 4
    assert items.scratch(np.zeros((4, 0))).tolist() == [-1] * 4
    assert items.scratch(np.zeros((0, 4))).shape == (0,)
    assert items.refuse(np.zeros((0, 2), np.int32)) is None
    assert items.square(np.full((1, 1), 3.0)).tolist() == [[9]]
    assert items.total([]) == 0
    assert items.total([[]]).tolist() == [0]
    assert items.one() == 1
    assert "calls  double one(void)" in items.explain.one()
    with pytest.raises(TypeError, match="takes 0 positional"):
        items.one([1])


def test_scratch_memory_is_new_for_each_item(items: ModuleType) -> None:
    values = np.arange(60.0).reshape(4, 5, 3)
    assert np.array_equal(items.scratch(values), values[..., -1])
    large = np.ones((50, 10_000))
    assert np.array_equal(items.scratch(large), np.ones(50))


def test_a_buffer_with_more_items(items: ModuleType) -> None:
    for shape in ((2, 3), (2, 1, 3), (0, 3)):
        y = np.zeros(shape)
        assert items.raised(np.ones(3), y=y) is y
        assert (y == items.raised(np.ones(3))).all()
    with pytest.raises(ValueError, match=r"argument 'y': wanted an array of shape \(2, 3\), got"):
        items.raised(np.ones(3), y=np.zeros((2, 4)))


# ---- Strange values ------------------------------------------------------------------------------


def test_a_list_in_itself(items: ModuleType) -> None:
    endless: list[object] = []
    endless.append(endless)
    for function in (items.square, items.total, items.either):
        with pytest.raises((ValueError, TypeError, RecursionError)):
            function(endless)
        with pytest.raises((ValueError, TypeError, RecursionError)):
            function([1.0, endless])


def test_a_list_that_changes_while_it_is_read(items: ModuleType) -> None:
    class Array:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            given.clear()
            return np.ones(3)

    # NumPy has its own message for it.
    given: list[object] = [Array(), 1.0]
    with pytest.raises((ValueError, RuntimeError)):
        items.square(given)
    given = [[Array()]]
    with pytest.raises((ValueError, RuntimeError)):
        items.total(given)


def test_exceptions_of_the_caller_pass(items: ModuleType) -> None:
    class Own(BaseException):
        pass

    class Broken:
        def __init__(self, at: int) -> None:
            self.left = at

        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            self.left -= 1
            if self.left == 0:
                raise Own
            return np.ones(3)

    # Whenever it is accessed, even for its rank.
    for at in (1, 2, 3):
        for function, rest in ((items.square, ()), (items.add, (1.0,)), (items.total, ())):
            broken = Broken(at)
            try:
                function(broken, *rest)
            except Own:
                assert broken.left <= 0
            else:
                assert broken.left > 0


def test_numbers_that_all_items_share(items: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "shared.toml").write_text(
        """
[module]
name = "shared"
headers = ["shared.h"]
[function.power]
proto = "void power(int n, double x, out double y[n])"
ellipses = "..."
"""
    )
    (tmp_path / "shared.h").write_text(
        "static inline void power(int n, double x, double *y)\n"
        "{ for (int i = 0; i < n; i++) y[i] = (i ? y[i - 1] : 1) * x; }\n"
    )
    tools.build(tmp_path / "shared.toml", tmp_path / "out")
    power = tools.load("shared", tmp_path / "out").power
    assert power(2, [2.0, 3.0]).tolist() == [[2, 4], [3, 9]]
    for twice in ([2, 2], np.full((1, 2), 2, np.uint64), np.broadcast_to(np.int8(2), (2,)), [[2]]):
        assert power(twice, 3.0).reshape(-1, 2)[0].tolist() == [3, 9]
    wrong: list[tuple[object, type[BaseException], str]] = [
        ([2, 3], ValueError, "its value is 2 for one item and 3 for another"),
        (np.zeros(0, int), ValueError, "its value cannot be inferred: the batch is empty"),
        ([2.0, 2.0], TypeError, "wanted numbers that fit int32"),
        (np.array([2, 2], object), TypeError, "wanted numbers that fit int32"),
        (np.array(["2", "2"]), TypeError, "wanted numbers that fit int32"),
        ([2**40, 2**40], OverflowError, "out of range for int32"),
        ([-1, -1], ValueError, "is negative"),
    ]
    for given, exception, text in wrong:
        with pytest.raises(exception, match=text):
            power(given, 3.0)


# ---- Names and numbers of arguments --------------------------------------------------------------


def test_arguments_named_like_generated_variables(items: ModuleType) -> None:
    one = [np.int32(1)] * 8
    assert items.names(*one) == 13
    assert items.names(*one[:7], np.int32([1, 2])).tolist() == [13, 14]
    assert items.names(
        *one[:3], np.int32([[1], [2]]), *one[4:], def_=np.int32([3, 4])
    ).tolist() == [
        [13, 14],
        [16, 17],
    ]
    assert items.called_so(1.0, 2.0, 4.0) == 8
    assert items.called_so(1.0, [2.0, 3.0], 4.0).tolist() == [8, 9]


def many(count: int, folder: Path) -> Path:
    """An interface of a function with so many arguments."""
    folder.mkdir()
    parameters = ", ".join(f"double a{index}" for index in range(count))
    total = " + ".join(f"a{index}" for index in range(count))
    (folder / "many.h").write_text(
        f"static inline double many({parameters}) {{ return {total}; }}\n"
    )
    (folder / "many.toml").write_text(
        "[module]\nname = 'many'\nheaders = ['many.h']\n"
        f"[function.many]\nproto = 'double many({parameters})'\nellipses = '...'\n"
    )
    return folder / "many.toml"


@pytest.mark.parametrize("count", [60, 127])
def test_many_arguments(count: int, tmp_path: Path) -> None:
    tools.build(many(count, tmp_path / "in"), tmp_path / "out")
    module = tools.load("many", tmp_path / "out")
    given: list[object] = [float(index) for index in range(count)]
    assert module.many(*given) == sum(range(count))
    given[-1] = [0.0, 1.0]
    assert module.many(*given).tolist() == [sum(range(count - 1)), sum(range(count - 1)) + 1]


def test_too_many_arguments(tmp_path: Path) -> None:
    made = tools.build(many(128, tmp_path / "in"), tmp_path / "out", check=False)
    assert made.returncode != 0
    assert "128 arguments are too many for a batched function" in made.stderr


# ---- Layouts -------------------------------------------------------------------------------------


def test_kinds_go_by_the_items(items: ModuleType) -> None:
    c = np.ones((4, 3, 2))
    f = np.ones((4, 2, 3)).swapaxes(1, 2)
    for array, kind in ((c, 1), (c[::2], 1), (c[::-1], 1), (f, 2), (f[::3], 2), (c[:, ::2], 3)):
        assert items.lies(array).tolist() == [kind] * len(array)
        assert f"kind   {('C', 'Fortran', 'Strided')[kind - 1]}" in items.explain.lies(array)
    assert items.lies(c[0]) == 1
    assert items.lies(f[0]) == 2
    # Axes of one element have every layout; the first of the two is C's.
    assert items.lies(np.ones((4, 1, 3))).tolist() == [1] * 4
    # As one block in Fortran's order, no item is contiguous.
    assert items.lies(np.asfortranarray(c)).tolist() == [3] * 4


def test_one_large_item_lets_go_of_the_gil(items: ModuleType) -> None:
    large, small = np.zeros((1, 100_000)), np.zeros((1, 4))
    assert "GIL    released" in items.explain.nap(large)
    assert "GIL    held" in items.explain.nap(small)
    assert together(lambda _: items.nap(large), 4) < 0.55
    assert together(lambda _: items.nap(np.zeros((2, 4))), 2) < 0.75


# ---- Explanations --------------------------------------------------------------------------------


def test_calls_within_a_call(items: ModuleType) -> None:
    assert items.square(Number(lambda: items.square(3.0))) == 81
    assert items.add(Number(lambda: float(items.add([1.0], 2.0)[0])), 1.0) == 4


def test_calls_within_an_explanation(items: ModuleType) -> None:
    called = []

    def call() -> float:
        called.append(items.square(3.0))
        called.append(items.add(1.0, 2.0))
        called.append("calls  double square" in items.explain.square(4.0))
        return 1.0

    explanation = items.explain.square(Number(call))
    assert explanation.splitlines()[3] == "  x      float64, from Number"
    assert called == [9, 3, True]
    explanation = items.explain.add(2.0, y=Number(call))
    assert "y      float64, from Number" in explanation


def test_explanations_that_fail(items: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        items.explain.add(1.0, Number(lambda: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        items.explain.add(1.0, Number(lambda: items.add(Number(lambda: 1 / 0), 1)))
    for args, kwargs, text in [
        ((), {}, "needs argument 'x'"),
        ((1, 2, 3), {}, "takes 2 positional arguments, got 3"),
        ((1,), {"z": 2}, "unexpected keyword argument 'z'"),
        ((1,), {"x": 2}, "two values for argument 'x'"),
        ((1, "2"), {}, "argument 'y'"),
    ]:
        with pytest.raises(TypeError, match=text):
            items.explain.add(*args, **kwargs)
    with pytest.raises(ValueError, match="do not broadcast"):
        items.explain.add([1, 2], [1, 2, 3])
    # Afterwards, calls work as before.
    assert items.add(1.0, 2.0) == 3


def test_explanations_call_nothing_and_change_nothing(items: ModuleType) -> None:
    buffer = np.full((2, 3), 7.0)
    explanation = items.explain.raised(np.ones((2, 3)), y=buffer)
    assert "y      used in place" in explanation
    assert (buffer == 7).all()
    assert "items  2, in shape (2,)" in items.explain.refuse([1, 2])
    assert "GIL    released" in items.explain.refuse([1, 2])
    assert "work   scratch memory" in items.explain.scratch(np.ones((2, 3)))
    assert "work   scratch memory" in items.explain.scratch(np.ones(3))


def test_explanations_of_several_threads(items: ModuleType) -> None:
    """Each starts before another has finished, in every order."""
    started, ended = threading.Event(), threading.Event()
    explanation: dict[str, str] = {}

    def first() -> None:
        def value() -> float:
            started.set()
            ended.wait(10)
            return 1.0

        explanation["first"] = items.explain.square(Number(value))

    def second() -> None:
        def value() -> float:
            ended.set()
            thread.join(10)
            return 2.0

        started.wait(10)
        explanation["second"] = items.explain.square(Number(value))

    thread = threading.Thread(target=first)
    other = threading.Thread(target=second)
    thread.start()
    other.start()
    other.join(20)
    assert explanation.keys() == {"first", "second"}
    assert (
        explanation["first"] == explanation["second"] == items.explain.square(Number(lambda: 1.0))
    )

    def work(index: int) -> None:
        for _ in range(2000):
            if index % 2:
                assert items.square(2.0) == 4
                assert items.square([2.0]).tolist() == [4]
            else:
                assert items.explain.square(2.0).startswith("square(x, *, result=None)\n")
                assert "items  1" in items.explain.square([2.0])

    together(work)
