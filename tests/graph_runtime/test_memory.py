"""Memory of temporaries: blocks that a call takes, drops and leaves for the next one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import GRAPH, HEAD, Linker

SLOTS = 8
# Rows of the input: a slot, and how many bytes to take for it; DROP releases it. The output is the
# address of each temporary, -1 if it was overwritten while in use; 0 for a step that releases one.
DROP = -1
STEPS = f"""{HEAD}
typedef FP_VIEW(1) bytes;
static const fp_operand temporary = {{FP_UINT8, 1, FP_TEMPORARY, 0}};
static const fp_operand output = {{FP_INT64, 1, 0, 0}};
static int is_intact(const bytes *view, int slot)
{{
    fp_size k;
    for (k = 0; k < view->shape[0]; k++) {{
        if (view->data[k] != (char)(slot + 1)) {{
            return 0;
        }}
    }}
    return 1;
}}
{GRAPH}
{{
    bytes views[{SLOTS}];
    fp_size last[{SLOTS}], i, k;
    const fp_view *steps = (const fp_view *)in[0];
    fp_view *places = (fp_view *)out[0];
    long *place;
    for (k = 0; k < {SLOTS}; k++) {{
        views[k].data = NULL;
        last[k] = 0;
    }}
    places->dims[0] = steps->dims[0];
    if (!rt->make(call, 0, output, places)) {{
        return 0;
    }}
    place = (long *)(void *)places->data;
    for (i = 0; i < steps->dims[0]; i++) {{
        const long *step = (const long *)(const void *)(steps->data + i * steps->dims[2]);
        bytes *view = &views[step[0]];
        place[i] = 0;
        if (step[1] == {DROP}) {{
            place[last[step[0]]] = is_intact(view, (int)step[0]) ? place[last[step[0]]] : -1;
            rt->drop(call, view->data);
            view->data = NULL;
            continue;
        }}
        view->shape[0] = step[1];
        if (!rt->make(call, 0, temporary, (fp_view *)view)) {{
            return 0;
        }}
        last[step[0]] = i;
        place[i] = (long)view->data;
        for (k = 0; k < step[1]; k++) {{
            view->data[k] = (char)(step[0] + 1);
        }}
    }}
    for (k = 0; k < {SLOTS}; k++) {{
        if (views[k].data != NULL && !is_intact(&views[k], (int)k)) {{
            place[last[k]] = -1;
        }}
    }}
    return 1;
}}
""".replace("NULL", "0")


def link(linker: Linker):
    """f(steps): the address of each temporary."""
    function = linker.link(STEPS, [("steps", "int64", (None, 2))], [("int64", 1, None)])
    return lambda *steps: function(np.array(steps, np.int64).reshape(-1, 2)).tolist()


@st.composite
def programs(draw) -> list[tuple[int, int]]:
    """Steps that take free slots and drop taken ones; sizes around those of a call's own memory."""
    sizes = st.sampled_from([0, 1, 63, 64, 65, 1000, 2047, 2048, 2049, 10_000, 70_000])
    steps, taken = [], set()
    for slot in draw(st.lists(st.integers(0, SLOTS - 1), max_size=30)):
        steps.append((slot, DROP if slot in taken else draw(sizes)))
        taken ^= {slot}
    return steps


@given(steps=programs())
@settings(max_examples=200, deadline=None)
def test_temporaries_that_live_at_once_share_no_memory(linker, steps):
    places = link(linker)(*steps)
    assert -1 not in places
    assert all(place % 64 == 0 for place in places)


def test_two_large_temporaries_share_no_memory(linker):
    """Neither in the first call, nor in the second, which reuses the blocks of the first."""
    for _ in range(2):
        one, dropped, two, three, _ = link(linker)(
            (0, 50_000), (1, 50_000), (2, 50_000), (3, 50_000), (1, DROP)
        )
        assert len({one, dropped, two, three} - {-1}) == 4


def test_the_smallest_block_that_is_large_enough_serves_again(linker):
    takes = [(0, 40_000), (1, 20_000), (2, 60_000), (3, 10_000)]
    drops = [(slot, DROP) for slot, _ in takes]
    again = [(4, 15_000), (5, 15_000), (6, 15_000), (7, 5_000)]
    places = link(linker)(*takes, *drops, *again)
    forty, twenty, sixty, ten = places[:4]
    assert places[8:] == [twenty, forty, sixty, ten]


def test_a_block_that_is_too_small_does_not_serve(linker):
    small, _, large = link(linker)((0, 10_000), (0, DROP), (1, 1_000_000))
    assert -1 not in (small, large)
    assert small != large


@pytest.mark.parametrize("dropped", [False, True])
def test_calls_leave_memory_to_the_next_one(counting, tmp_path, dropped):
    """No allocation in a call like the last one; blocks that a call did not need are freed."""
    entry, fail_after = counting
    f = link(Linker(entry, tmp_path))

    def count(*sizes: int) -> int:
        steps = list(enumerate(sizes))
        fail_after(1000)
        try:
            f(*steps, *([(slot, DROP) for slot, _ in steps] if dropped else []))
        finally:
            left = fail_after(-1)
        return 1000 - left

    assert count(10_000, 30_000) == 2
    assert count(10_000, 30_000) == 0
    assert count(30_000) == 0
    assert count(10_000, 30_000) == 1
    assert count() == 0
    assert count(10_000, 30_000) == 0
