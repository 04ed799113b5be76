"""Generated modules that use the glue headers: python exercise_generated.py."""

from __future__ import annotations

import gc
import sys
import traceback
from pathlib import Path

import fishplate
import numpy as np
from exercise_tools import raised, strict, warned, with_unraisable
from fishplate import graph

HERE = Path(__file__).parent / "generated"
joined, joined_c, joined_lib = (
    fishplate.load(HERE / f"{name}.toml") for name in ("joined", "joined_c", "joined_lib")
)


def test_warnings_are_raised():
    x = np.zeros(3)
    with warned() as texts:
        assert joined.warn(2) == 2
        assert joined_c.warn(1) == 1
        joined.warn_released(x)
        assert joined.library(1) == 1
        assert joined_lib.work(1) is None
        thing = joined.Thing(1)
        assert thing.use() == 1
    first = ["warning 1 of 2", "warning 2 of 2", "warning 1 of 1"]
    library = 2 * ["library 1 of 1"]
    assert texts == [*first, "released", "by a worker", *library, "opened", "used"]
    with strict():
        for call, text in [
            (lambda: joined.warn(2), "warning 1 of 2"),
            (lambda: joined_c.warn(2), "warning 1 of 2"),
            (lambda: joined.warn_released(x), "released"),
            (lambda: joined.Thing(1), "opened"),
            (lambda: thing.use(), "used"),
        ]:
            with raised(UserWarning, text):
                call()
        with raised(DeprecationWarning, "library 1 of 3"):
            joined_lib.work(3)
        assert joined.warn(0) == 0


def test_warnings_of_batches():
    counts = np.zeros(2_000_000, np.int32)
    counts[[5, 1_000_000, 1_999_999]] = 1, 2, 1
    with warned() as texts:
        assert (joined.warn_each(counts) == counts).all()
    assert sorted(texts) == ["warning 1 of 1", "warning 1 of 1", "warning 1 of 2", "warning 2 of 2"]
    with strict(), raised(UserWarning):
        joined.warn_each(counts)
    with warned() as texts:
        joined.warn_each(np.full(3000, 1, np.int32))
    left_out = int(texts[-1].removesuffix(" further warnings were left out"))
    assert len(texts) - 1 + left_out == 3000


def test_a_call_raises_its_own_warnings():
    inner = []

    def function():
        with warned() as texts:
            joined.warn(1)
        inner.extend(texts)
        return 3

    with warned() as texts:
        assert joined.call(function) == 3
    assert (inner, texts) == (["warning 1 of 1"], ["outer"])


THROWN = [
    (1, KeyError, "'original'", None),
    (2, TypeError, "type 2", None),
    (3, IndexError, "index 3", None),
    (4, FileNotFoundError, "[Errno 2] open: No such file or directory", None),
    (5, ValueError, "outer", "KeyError('original')"),
    (6, ValueError, "value 6", None),
]


def test_exceptions_keep_their_details():
    for what, kind, text, cause in THROWN:
        for call in (
            lambda what=what: joined.fail(what),
            lambda what=what: joined.fail_released(what, np.zeros(3)),
            lambda what=what: joined.fail_released(what, np.zeros(6)[::2]),
        ):
            with warned(), raised(kind, text) as seen:
                call()
            assert cause is None or repr(seen[0].__cause__) == cause
    with raised(OSError) as seen:
        joined.fail(7)
    assert seen[0].errno is None
    with strict(), raised(ValueError, "value 6") as seen:
        joined.fail(6)
    assert repr(seen[0].__context__) == "UserWarning('before it failed')"
    with raised(TypeError, "cannot open 2"):
        joined.Thing(2)


def test_causes_of_exceptions_that_the_interface_names():
    with raised(ArithmeticError, "problem 2") as seen:
        joined.nest(2)
    causes, error = [], seen[0]
    while error.__cause__ is not None:
        error = error.__cause__
        causes.append(repr(error))
    assert causes == ["TypeError('type 1')", "ArithmeticError('problem 0')", "KeyError('original')"]


def test_exceptions_of_batches():
    for what, kind, text, cause in THROWN:
        with warned(), raised(kind) as seen:
            joined.fail_each([[0, what], [what, 0]])
        at, error = " (item (0, 1))", seen[0]
        # An exception that Python has made is not changed, but gets a note.
        if what == 1:
            assert (str(error), error.__notes__) == (text, [at.strip()])
        else:
            assert str(error) == text + at
        assert cause is None or repr(error.__cause__) == cause
    # On several threads, of which many fail: one exception is raised, and none is leaked.
    many = np.zeros(2_000_000, np.int32)
    many[::1000] = 1
    for _ in range(5):
        with raised(KeyError) as seen:
            joined.fail_each(many[1:])
        assert seen[0].__notes__ == ["(item (999,))"]
    del seen
    gc.collect()
    assert not any(isinstance(o, KeyError) and o.args == ("original",) for o in gc.get_objects())


def test_a_python_error_keeps_its_traceback_and_context():
    def function():
        raise LookupError("of the callback")

    with raised(LookupError) as seen:
        joined.call(function)
    assert traceback.extract_tb(seen[0].__traceback__)[-1].name == "function"


def test_destructors():
    def drop(mode):
        one = joined.Thing(mode)
        del one

    def close(mode):
        joined.Thing(mode).close()

    for end in (drop, close):
        with warned() as texts:
            assert with_unraisable(lambda end=end: end(3)) == []
        assert texts == ["closed late"]
        with strict():
            assert with_unraisable(lambda end=end: end(3)) == ["ResourceWarning('closed late')"]
        assert with_unraisable(lambda end=end: end(4)) == ["RuntimeError('cannot close')"]
        assert with_unraisable(lambda end=end: end(5)) == ["KeyError('original')"]
    with raised(ZeroDivisionError):
        [(joined.Thing(3) if i < 2 else 1 / 0) for i in range(3)]


def test_checks_in_c():
    assert joined_c.check(3) == 3
    with raised(ValueError, "-3 is negative"):
        joined_c.check(-3)
    with raised(IndexError, "12 is past the end"):
        joined_c.status(12)


def test_graphs():
    x = graph.scalar(dtype="int64")
    for name, kind, text in [("fail", KeyError, "'original'"), ("warn", None, None)]:
        function = graph.function([x], getattr(joined.op, name)(x))
        assert function(0) == 0
        if kind is not None:
            with raised(kind, text):
                function(1)
            with raised(TypeError, "type 2"):
                function(2)
        else:
            with warned() as texts:
                assert function(2) == 2
            assert texts == ["warning 1 of 2", "warning 2 of 2"]
            with strict(), raised(UserWarning, "warning 1 of 2"):
                function(2)


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
    print("done")


if __name__ == "__main__":
    sys.exit(main())
