"""Locks: calls that would wait for one another for ever, and forks while a call is in C."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import tools

HEADER = """
#include <stdlib.h>
#include <time.h>
typedef struct { int n; } thing;
typedef struct { thing *of; } piece;
typedef struct { int n; } token;
static int alive[3];
static inline void *made(size_t size, int what) { alive[what]++; return malloc(size); }
static inline thing *thing_new(int n) { thing *t = malloc(sizeof *t); if (t) t->n = n; return t; }
static inline void thing_free(thing *t) { free(t); }
static inline int thing_get(thing *t) { return t->n; }
static inline int thing_run(thing *t, int (*f)(void *data), void *data) { (void)t; return f(data); }
static inline int thing_both(thing *a, thing *b) { return a->n + b->n; }
static inline void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}
static inline void thing_nap(thing *t, double seconds) { (void)t; nap(seconds); }
static inline piece *piece_new(thing *t)
{
    piece *p = made(sizeof *p, 0);
    p->of = t;
    return p;
}
static inline void piece_free(piece *p) { alive[0] -= p->of->n != -1; free(p); }
static inline int piece_look(piece *p) { return p->of->n; }
static inline token *token_new(void) { return made(sizeof(token), 1); }
static inline void token_free(token *t) { alive[1]--; free(t); }
static inline double *memory(int n) { return made(sizeof(double) * (size_t)n, 2); }
static inline void memory_free(double *x) { alive[2]--; free(x); }
static inline int run_alone(int (*f)(void *data), void *data) { return f(data); }
static inline int count(void) { return 7; }
static inline int how_many(int what) { return alive[what]; }
"""
INTERFACE = """
[module]
name = "NAME"
headers = ["NAME.h"]
defines = ["_POSIX_C_SOURCE=200809L"]

[handle.Thing]
ctype = "thing *"
new = "thing *thing_new(int n)"
free = "thing_free"

[handle.Piece]
ctype = "piece *"
new = "keep(t) piece *piece_new(thing *t)"
free = "piece_free"

[handle.Token]
ctype = "token *"
new = "token *token_new(void)"
free = "token_free"
threads = "module-lock"

[function.Thing.get]
proto = "int thing_get(thing *t)"
[function.Thing.run]
proto = "int thing_run(thing *t, int (*f)(void *data), void *data)"
[function.Thing.both]
proto = "int thing_both(thing *a, thing *b)"
[function.Thing.nap]
proto = "void thing_nap(thing *t, double seconds)"
gil = "release"
[function.Piece.look]
proto = "int piece_look(piece *p)"
[function.memory]
proto = "own(memory_free) double *memory(int n)[n]"
threads = "module-lock"
[function.run_alone]
proto = "int run_alone(int (*f)(void *data), void *data)"
threads = "module-lock"
[function.nap]
proto = "void nap(double seconds)"
gil = "release"
threads = "module-lock"
[function.count]
proto = "int count(void)"
threads = "module-lock"
[function.pieces]
proto = "int how_many(hidden int what = 0)"
[function.tokens]
proto = "int how_many(hidden int what = 1)"
[function.memories]
proto = "int how_many(hidden int what = 2)"
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two independent modules."""
    folder = tmp_path_factory.mktemp("locks")
    for name in ["left", "right"]:
        (folder / f"{name}.h").write_text(HEADER)
        (folder / f"{name}.toml").write_text(INTERFACE.replace("NAME", name))
        tools.build(folder / f"{name}.toml", folder / "out")
    return folder / "out"


@pytest.mark.parametrize(
    "scenario",
    [
        *("two_objects", "three_objects", "object_and_module", "two_modules", "at_random"),
        *("releases", "interrupt"),
        *("fork", "fork_and_drop", "fork_in_callback", "fork_amid_callbacks"),
        *("fork_while_waiting", "pools"),
    ],
)
def test_locks(modules: Path, scenario: str) -> None:
    path = os.pathsep.join([str(modules), str(tools.HERE)])
    assert tools.child("locks_child.py", scenario, env={"PYTHONPATH": path}, timeout=90) == "done\n"
