"""Batches on several threads: first failures, threads that cannot start, limits, forks, races."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import tools
import watched
from test_sanitizers import environment, instrumented
from test_threads import together

HEADER = """
int work(double x, double *y);
long who(long x);
void add_one(long n, double *x);
void leave(long n, const double *x, double *last, double *room);
long race(long x);
void fail_after(int count);
int started(void);
"""
SOURCE = """
#include <errno.h>
#include <pthread.h>
#include "team.h"

/* Some microseconds of work: enough that a call is shared. */
static double spin(double x)
{
    volatile double sum = x;
    for (int i = 0; i < 1000; i++) sum += 1;
    return sum - 1000;
}
int work(double x, double *y)
{
    *y = spin(x);
    return x < 0 ? (int)-x : 0;
}
long who(long x) { return spin((double)x) < 0 ? 0 : (long)pthread_self(); }
void add_one(long n, double *x)
{
    for (long i = 0; i < n; i++) x[i] = spin(x[i]) + 1;
}
void leave(long n, const double *x, double *last, double *room)
{
    for (long i = 0; i < n; i++) room[i] += spin(x[i]);
    *last = n > 0 ? room[n - 1] : 0;
}

static long raced;
long race(long x) { return spin((double)x) < 0 ? 0 : ++raced; }

static int may_start = -1, has_started;
void fail_after(int count) { may_start = count; has_started = 0; }
int started(void) { return has_started; }
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *x)
{
    if (may_start >= 0 && has_started >= may_start) return EAGAIN;
    __atomic_add_fetch(&has_started, 1, __ATOMIC_RELAXED);
    return __real_pthread_create(t, a, f, x);
}
"""
INTERFACE = """
[module]
name = "team"
headers = ["team.h"]
sources = ["team.c"]
cflags = ["-pthread", "-Wl,--wrap=pthread_create"]
[function.work]
proto = "status int work(double x, out double *y)"
ellipses = "..."
threads = "all"
[function.two]
proto = "status int work(double x, out double *y)"
ellipses = "..."
threads = 2
[function.who]
proto = "long who(long x)"
ellipses = "..."
threads = "all"
[function.alone]
proto = "long who(long x)"
ellipses = "..."
[function.held]
proto = "long who(long x)"
ellipses = "..."
threads = "all"
gil = "hold"
[function.add_one]
proto = "void add_one(long n, inplace double x[n])"
ellipses = "..."
threads = "all"
[function.leave]
proto = "void leave(long n, const double x[n], out double *last, hidden double room[n] = 1)"
ellipses = "..."
threads = "all"
[function.race]
proto = "long race(long x)"
ellipses = "..."
threads = "all"
[function.fail_after]
proto = "void fail_after(int count)"
[function.started]
proto = "int started(void)"
"""
MANY = 20_000


def write(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "team.h").write_text(HEADER)
    (folder / "team.c").write_text(SOURCE)
    (folder / "team.toml").write_text(INTERFACE)
    return folder / "team.toml"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team")
    tools.build(write(folder), folder / "out")
    return folder / "out"


@pytest.fixture
def team(built: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, which starts threads on any machine."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    module = tools.load("team", built)
    module.fail_after(-1)
    return module


def test_the_work_is_shared(team: ModuleType) -> None:
    assert np.array_equal(team.work(np.arange(MANY)), np.arange(MANY))
    assert team.started() == 3
    ids = set(team.who(np.arange(MANY)))
    assert 1 <= len(ids) <= 4
    assert set(team.alone(np.arange(MANY))) <= ids
    team.fail_after(-1)
    team.held(np.arange(MANY))
    team.alone(np.arange(MANY))
    team.work(np.arange(4.0))  # too little
    assert team.started() == 0
    team.two(np.arange(float(MANY)))
    assert team.started() == 1


@pytest.mark.parametrize("limit", ["1", "1,4", "01"])
def test_omp_num_threads(team: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", limit)
    assert len(set(team.who(np.arange(MANY)))) == 1
    assert team.started() == 0


@pytest.mark.parametrize("limit", ["", "0", "-3", "none", "99999999999999999999"])
def test_odd_limits(team: ModuleType, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", limit)
    assert np.array_equal(team.work(np.arange(MANY)), np.arange(MANY))
    assert team.started() <= 63


def test_the_first_that_fails_is_named(team: ModuleType) -> None:
    r = np.random.default_rng(1)
    for _ in range(10):
        bad = np.sort(r.choice(MANY, 20, replace=False))
        values = np.arange(1.0, MANY + 1)
        values[bad] *= -1
        first = values[bad[0]]
        where = np.unravel_index(bad[0], (100, MANY // 100))
        text = rf"work\(\): work returned status {int(-first)} \(item \({where[0]}, {where[1]}\)\)"
        with pytest.raises(RuntimeError, match=text):
            team.work(values.reshape(100, -1))
        # Items in reverse order are processed in reverse, and the first is the first processed.
        turned = np.asfortranarray(values.reshape(100, -1))
        column, row = np.argwhere(turned.T < 0)[0]
        status = int(-turned[row, column])
        text = rf"work\(\): work returned status {status} \(item \({row}, {column}\)\)"
        with pytest.raises(RuntimeError, match=text):
            team.work(turned)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_threads_that_do_not_start(team: ModuleType, count: int) -> None:
    """The existing threads do all the work."""
    team.fail_after(count)
    values = np.zeros((MANY // 4, 4))
    assert np.array_equal(team.work(values), values)
    assert team.started() == count
    team.add_one(values)
    assert (values == 1).all()
    values[-1] = -3
    with pytest.raises(RuntimeError, match=f"status 3 .item .{MANY // 4 - 1}, 0"):
        team.work(values)


def test_each_worker_has_scratch_memory_of_its_own(team: ModuleType) -> None:
    values = np.arange(float(MANY)).reshape(-1, 5)
    for _ in range(5):
        assert np.array_equal(team.leave(values), values[:, -1] + 1)
    assert team.started() > 3


def test_packed_items_come_back(team: ModuleType) -> None:
    whole = np.zeros((MANY // 10, 10, 2), ">f8")
    team.add_one(whole[::-1, ::-3, 1])
    assert (whole[:, ::-3, 1] == 1).all()
    assert whole.sum() == MANY // 10 * 4


def test_calls_of_many_threads_at_once(team: ModuleType) -> None:
    shared = np.arange(4000.0)

    def work(index: int) -> None:
        own = np.full((400, 5), float(index))
        for round_ in range(3):
            assert np.array_equal(team.work(shared), shared)
            team.add_one(own)
            assert (own == index + round_ + 1).all()
            with pytest.raises(RuntimeError, match=r"status 9 \(item \(3999,\)\)"):
                team.work(np.where(shared == 3999, -9, shared))

    together(work, 6)


FORK = """
import os, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import team
values = np.arange(20000.0)
assert np.array_equal(team.work(values), values)
before = team.started()
child = os.fork()
if child == 0:
    ok = np.array_equal(team.work(values), values) and team.started() == 2 * before
    os._exit(0 if ok else 3)
_, status = os.waitpid(child, 0)
assert before == 3 and status == 0, (before, status)
assert np.array_equal(team.work(values), values)
print("done")
"""


def test_fork_after_a_shared_call(built: Path) -> None:
    env = {"OMP_NUM_THREADS": "4"}
    done = tools.run([sys.executable, "-c", FORK, built], env=env, timeout=60)
    assert done.stdout.strip() == "done"


RACE = """
import sys, threading
import numpy as np
sys.path.insert(0, sys.argv[1])
import team
shared = np.arange(3000.0)
def work(index):
    own = np.full((300, 5), float(index))
    for round_ in range(3):
        assert np.array_equal(team.work(shared), shared)
        team.add_one(own)
        assert (own == index + round_ + 1).all()
        assert np.array_equal(team.leave(own), own[:, -1] + 1)
        team.explain.work(shared)
        try:
            team.work(np.where(shared >= 2000, -9, shared))
        except RuntimeError as error:
            assert "item (2000,)" in str(error)
threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert team.started() > 3
print("done")
"""


def test_memory_is_clean(tmp_path: Path) -> None:
    """AddressSanitizer and UndefinedBehaviorSanitizer, on the same work."""
    instrumented("clang", write(tmp_path / "in"), tmp_path / "out")
    env = environment("clang", "detect_leaks=0") | {"OMP_NUM_THREADS": "4"}
    done = tools.run([sys.executable, "-c", RACE, tmp_path / "out"], env=env)
    assert done.stdout.strip() == "done"


@pytest.fixture(scope="module")
def instrumented_team(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watched")
    watched.build(write(folder), folder / "out")
    return folder / "out"


def test_no_data_races(instrumented_team: Path) -> None:
    done = watched.run(instrumented_team, "-c", RACE, instrumented_team)
    assert "data race" not in done.stderr, done.stderr[:3000]
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip() == "done"


def test_data_races_are_seen(instrumented_team: Path) -> None:
    """The set-up itself."""
    head = RACE[: RACE.index("shared")]
    done = watched.run(
        instrumented_team, "-c", f"{head}team.race(np.arange(20000))", instrumented_team
    )
    assert done.returncode == 66
    assert "data race" in done.stderr
    assert "in race" in done.stderr
