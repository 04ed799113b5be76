"""Random functions, called in random ways, match their NumPy model."""

from __future__ import annotations

from collections import Counter
from random import Random

import calls
from built import Built
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CALLS = 6000


def test_random_calls(built: Built) -> None:
    """Volume: as many calls as a few seconds allow, each checked in full."""
    r = Random(built.seed + 1)
    seen: Counter[str] = Counter()
    for number in range(CALLS):
        made = calls.make(r, r.choice(built.suite.functions))
        try:
            callee = getattr(built.module, made.function.name)
            if number % 5 == 0:
                calls.explain(made, callee)
            result = calls.perform(made, callee)
        except AssertionError as error:
            error.add_note(f"call {number} of module seed {built.seed}")
            raise
        seen[type(result).__name__ if isinstance(result, BaseException) else "fine"] += 1
    # A generator that only makes one kind of call tests nothing.
    assert seen["fine"] > CALLS / 4, seen
    for name in ("TypeError", "ValueError", "OverflowError", "RuntimeError"):
        assert seen[name] > 0, seen


def test_found_and_shrunk(built: Built) -> None:
    """Fewer calls, chosen by Hypothesis, which shows the simplest one that fails."""

    @settings(
        max_examples=120,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    @given(st.sampled_from(built.suite.functions), st.randoms(use_true_random=False))
    def check(function: object, r: Random) -> None:
        made = calls.make(r, function)  # type: ignore[arg-type]
        calls.perform(made, getattr(built.module, made.function.name))

    check()
