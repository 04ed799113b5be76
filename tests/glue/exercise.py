"""The functions of throwing.cpp, edges.cpp and plain.c, asserted: exercise.py FOLDER [ROUNDS].

Needs nothing but Python, so that any version can run it, also below a sanitizer. With ROUNDS it
repeats itself so often, and fails if memory or references pile up.
"""

from __future__ import annotations

import resource
import sys
import threading
import traceback

sys.path.insert(0, sys.argv[1])
import exercise_edges  # noqa: E402
import plain  # noqa: E402
import throwing  # noqa: E402
from exercise_tools import raised, strict, warned  # noqa: E402


def missing():
    raise KeyError("missing")


def test_each_exception_becomes_its_own():
    for kind, error, text in [
        ("invalid_argument", ValueError, "text é"),
        ("domain_error", ValueError, "text é"),
        ("out_of_range", IndexError, "text é"),
        ("overflow_error", OverflowError, "text é"),
        ("runtime_error", RuntimeError, "text é"),
        ("logic_error", RuntimeError, "text é"),
        ("not_utf8", RuntimeError, "text \ufffd"),
        ("bad_alloc", MemoryError, "std::bad_alloc"),
        ("nested", ValueError, "text é"),
        ("int", RuntimeError, "an exception that is not a std::exception"),
        ("check", RuntimeError, "check of 1"),
        ("check_type", TypeError, "check_type of 2"),
        ("check_value", ValueError, "check_value of 3"),
        ("check_index", IndexError, "check_index of 4"),
        ("long", ValueError, f"{1:5000d}"),
        ("unset", SystemError, "fp::python_error was thrown where no exception is set"),
    ]:
        with raised(error, text):
            throwing.raises(kind)
    assert throwing.raises("nothing") is None


def test_an_exception_of_python_travels():
    for call in (throwing.call, throwing.call_on_thread):
        with raised(KeyError) as seen:
            call(missing)
        assert traceback.extract_tb(seen[0].__traceback__)[-1].name == "missing"
        assert seen[0].__context__ is None
        assert call(lambda: "result") == "result"
    assert throwing.text_of(missing) == ("KeyError: 'missing'", True)
    assert throwing.text_of(lambda: 1 / 0) == ("ZeroDivisionError: division by zero", False)
    assert throwing.text_of(int) is None
    with raised(IndexError, "the GIL comes back"):
        throwing.throws_without_gil()


def test_other_results():
    odd = throwing.make_odd()
    with raised(ValueError, "no length"):
        len(odd)
    with warned() as texts:
        assert bool(odd) is True
    assert texts == ["taken for true"]
    with strict(), raised(UserWarning, "taken for true"):
        bool(odd)
    seen, before = [], sys.unraisablehook
    sys.unraisablehook = lambda unraisable: seen.append(repr(unraisable.exc_value))
    try:
        del odd
    finally:
        sys.unraisablehook = before
    assert seen == ["RuntimeError('forgotten')"]


def test_warnings_become_pythons():
    with warned() as texts:
        assert throwing.warns(2, "result") == "result"
        throwing.warns_without_gil()
        throwing.warns_in_c()
        assert plain.warns("result") == "result"
        plain.Sink()[0] = 1
    assert texts == [
        "warning 1 of 2",
        "warning 2 of 2",
        "warning 1 of 1",
        "from C",
        "from C",
        "not kept",
    ]
    with warned() as texts:
        throwing.warns_on_threads(3)
    assert sorted(texts) == ["thread 0", "thread 1", "thread 2"] + 3 * ["without the GIL"]


def test_more_warnings_than_anybody_reads():
    with warned() as texts:
        throwing.warns(1234, None)
    assert len(texts) == 1001 and texts[999] == "warning 1000 of 1234"
    assert texts[1000] == "234 further warnings were left out"


def test_warnings_become_exceptions():
    result = object()
    references = sys.getrefcount(result)
    with strict():
        with raised(UserWarning, "warning 1 of 3"):
            throwing.warns(3, result)
        with raised(RuntimeWarning, "from C"):
            plain.warns(result)
        with raised(RuntimeWarning, "not kept"):
            plain.Sink()[0] = 1
        # Later ones are dropped.
        throwing.quiet()
    assert sys.getrefcount(result) == references


def test_warnings_beside_an_exception():
    with warned() as texts:
        with raised(IndexError, "text é") as seen:
            throwing.warns_and_raises("out_of_range")
        with raised(KeyError, "'old style'"):
            throwing.warns_and_fails()
        with raised(TypeError, "None"):
            plain.warns(None)
        with raised(TypeError, "cannot be deleted"):
            del plain.Sink()[0]
    assert texts == ["warning 1 of 2", "warning 2 of 2", "warning 1 of 1", "from C", "not kept"]
    assert seen[0].__context__ is None
    with strict():
        with raised(IndexError, "text é") as seen:
            throwing.warns_and_raises("out_of_range")
        assert repr(seen[0].__context__) == "UserWarning('warning 1 of 2')"
        with raised(KeyError, "'old style'") as seen:
            throwing.warns_and_fails()
        assert repr(seen[0].__context__) == "UserWarning('warning 1 of 1')"


def test_a_worker_speaks_for_its_caller():
    """Even if another thread finishes a call first."""
    others = []

    def meanwhile():
        def other():
            with raised(ValueError):
                throwing.raises("invalid_argument")
            others.append(throwing.quiet())

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    with strict(), raised(UserWarning, "for my caller"):
        throwing.warns_for_caller(meanwhile)
    assert others == [None]


def test_the_gil():
    assert throwing.gil() == "11001100001001"
    # Python switches threads every few microseconds.
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with warned() as texts:
            assert throwing.crowd(missing) == 400
    finally:
        sys.setswitchinterval(before)
    assert texts == 400 * ["caught"]


def test_owning_pointers():
    kept = object()
    references = sys.getrefcount(kept)
    assert throwing.owns(kept) is kept
    assert sys.getrefcount(kept) == references


def test_checks_in_c():
    assert plain.checks(3) == 3
    for value, error, text in [
        ("3", TypeError, "wanted an int, got str"),
        (-2, ValueError, "-2 is negative"),
        (10, IndexError, "10 is past the end"),
        (10**30, RuntimeError, "too large"),
    ]:
        with raised(error, text):
            plain.checks(value)
    for _ in range(2):
        with raised(ValueError, "None is no value"):
            plain.cleans_up(None)
        assert plain.cleans_up(3) == 1
    with raised(IndexError, "7"):
        plain.without_gil()


TESTS = [
    test
    for names in (globals(), vars(exercise_edges))
    for name, test in list(names.items())
    if name.startswith("test_")
]


def all_once():
    for test in TESTS:
        test()


def main():
    all_once()
    if len(sys.argv) > 2:
        grows(int(sys.argv[2]))
    print("done")


def grows(rounds):
    """The peak of memory in use must not rise."""
    for _ in range(rounds):
        all_once()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3 * rounds):
        all_once()
    risen = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert risen < 1024, f"{risen} KiB more"


if __name__ == "__main__":
    main()
