"""Assertions about the functions of edges.cpp; exercise.py runs them."""

from __future__ import annotations

import operator
import sys
import threading
import time

import edges
import plain
from exercise_tools import raised, strict, warned, with_unraisable


def test_an_exception_in_flight_survives_a_destructor():
    def consume(mode):
        for consumer in (list, tuple, set, sorted, dict.fromkeys):
            with raised(ZeroDivisionError):
                consumer((edges.make_dying(mode) if i < 2 else 1 / 0) for i in range(3))

    assert with_unraisable(lambda: consume(0)) == []
    badly = with_unraisable(lambda: consume(1))
    assert set(badly) == {"RuntimeError('died badly')"} and len(badly) >= 5
    with warned() as texts:
        assert with_unraisable(lambda: consume(2)) == []
    assert set(texts) == {"died unclosed"} and len(texts) >= 5
    with strict():
        unclosed = with_unraisable(lambda: consume(2))
    assert set(unclosed) == {"ResourceWarning('died unclosed')"} and len(unclosed) >= 5
    assert "RuntimeError('died without the GIL')" in with_unraisable(lambda: consume(3))


def test_no_warning_is_blamed_for_a_result_with_an_exception():
    # By way of a function that checks: specialised bytecode does not.
    for call in ([edges.result_and_error], [len, object.__new__(edges.Odd)]):
        for filters in (warned, strict):
            with filters(), raised(SystemError) as seen:
                operator.call(*call)
            assert "Warning" not in str(seen[0]), seen
            assert repr(seen[0].__cause__) == "KeyError('set')"


def test_an_exception_set_earlier_is_the_context():
    with raised(ValueError, "second") as seen:
        edges.throws_after_error()
    assert repr(seen[0].__context__) == "KeyError('first')"


def test_checks_without_the_gil():
    for _ in range(3):
        with raised(IndexError, "without the GIL"):
            edges.check_without_gil()
        with raised(ValueError, "no length"):
            len(object.__new__(edges.Late))
        with raised(ValueError, "without the GIL, in C"):
            plain.check_without_gil()
        with raised(TypeError, "status without the GIL"):
            plain.Sink()["released"] = 1


def test_an_error_that_was_moved_from():
    for _ in range(2):
        with raised(ZeroDivisionError):
            edges.moved_error(lambda: 1 / 0)


def test_a_destructor_that_throws_after_return():
    result = object()
    references = sys.getrefcount(result)
    for _ in range(10):
        with raised(RuntimeError, "at the end"):
            edges.throws_after_return(result)
    assert edges.forgets_results or sys.getrefcount(result) == references


def test_a_call_raises_its_own_warnings():
    seen = []

    def inner():
        with warned() as texts:
            edges.quiet()
            edges.warn_inside()
            plain.warns(1)
        seen.extend(texts)
        return "result"

    for outer in (edges.warn_and_call, plain.warns_and_calls):
        seen.clear()
        with warned() as texts:
            assert outer(inner) == "result"
        assert seen == ["inner"], seen
        # A function without a beginning cannot separate its warnings from those of the outer call.
        assert texts == ["outer, before", "from C", "outer, after"], texts
    with warned() as texts:
        assert edges.warn_for_and_call(edges.quiet) is None
    assert texts == ["worker for a call"]

    # A call within it raises its own exception, not a worker's warning for the outer one.
    def nested():
        with warned() as texts:
            edges.warn_inside()
        seen.extend(texts)

    seen.clear()
    with warned() as texts:
        edges.warn_for_and_call(nested)
    assert (seen, texts) == (["inner"], ["worker for a call"]), (seen, texts)

    # The callback cannot swallow an exception of the outer call's warning.
    def swallow():
        try:
            edges.quiet()
            plain.begins()
        except Warning:
            seen.append("swallowed")

    seen.clear()
    with strict(), raised(UserWarning, "outer, before"):
        edges.warn_and_call(swallow)
    assert seen == []


def test_a_library_that_is_independent_of_python():
    with warned() as texts:
        edges.library(2)
        edges.library_thread(False)
        edges.library_thread(True)
        plain.library()
    library = ["library 1 of 2", "library 2 of 2"]
    assert texts == [*library, "worker", "worker for a call", "library 1 of 1"]
    with strict(), raised(DeprecationWarning, "library 1 of 1"):
        edges.library(1)


def test_threads_that_ended_do_not_fill_the_queue():
    with warned() as texts:
        for _ in range(20):
            thread = threading.Thread(target=edges.warn_unguarded, args=(60,))
            thread.start()
            thread.join()
        time.sleep(0.2)  # Python has joined them before the system has
        edges.warn_inside()
    assert texts[0] == "inner"
    assert texts[1:] == 1000 * ["unguarded"] + ["200 further warnings were left out"]
    with warned() as texts:
        edges.warn_inside()
    assert texts == ["inner"]


def test_exceptions_of_the_system():
    with raised(FileNotFoundError) as seen:
        edges.raises("errno")
    assert (seen[0].errno, seen[0].strerror) == (2, "open é: No such file or directory")
    with raised(PermissionError) as seen:
        edges.raises("condition")
    assert seen[0].errno == 13
    with raised(OSError) as seen:
        edges.raises("stream")
    assert seen[0].errno is None
    with raised(RuntimeError):
        edges.raises("future")
    with raised(RuntimeError, "a C++ exception whose what() is NULL"):
        edges.raises("silent")


def test_nested_exceptions_are_causes():
    with raised(ValueError, "level 2") as seen:
        edges.raises("nested")
    causes, error = [], seen[0]
    while error.__cause__ is not None:
        error = error.__cause__
        causes.append(type(error))
    assert causes == [ValueError, ValueError, FileNotFoundError]
    with raised(ValueError, "level 3000"):
        edges.raises("deep")
    with raised(RuntimeError, "outer") as seen:
        edges.raises("nested python")
    assert repr(seen[0].__cause__) == "KeyError('inner')"


def test_exceptions_that_were_registered():
    with raised(edges.Error, "of the base"):
        edges.raises("base")
    with raised(ConnectionError, "derived"):
        edges.raises("derived")
    with raised(NotImplementedError, "code 7"):
        edges.raises("no exception")
