"""Examples and cases under ThreadSanitizer, each used by eight threads at once.

The libraries of most examples are not instrumented, so their memory accesses are not observed: the
generated code is tested, and the memory that it borrows, acquires and releases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tools
import watched
from compilers import ALL, share

EXAMPLES = tools.ROOT / "examples"
CASES = tools.ROOT / "tests" / "cases"


def instrumented(interface: Path, out: Path) -> None:
    watched.build(interface, out)
    [module] = out.glob(f"*{tools.suffix()}")
    assert b"__tsan" in module.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        *("stats", "sqlite"),
        # Instrumented, the templates of Eigen take long to compile.
        *(["deflate", "fourier", "gsl", "eigen"] if ALL else []),
        *share(watched.RACING, 2),
    ],
)
def test_no_data_races(name: str, tmp_path: Path) -> None:
    folder = EXAMPLES if (EXAMPLES / name).is_dir() else CASES
    instrumented(folder / name / f"{name}.toml", tmp_path)
    done = watched.run(tmp_path, tools.HERE / "racing.py", name)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr[-6000:]
    assert done.stdout.strip() == "done"


def test_locks(tmp_path: Path) -> None:
    """The case of locks, which itself checks how many threads are in C."""
    instrumented(CASES / "threads" / "threads.toml", tmp_path)
    done = watched.run(tmp_path, CASES / "threads" / "run.py", path=str(CASES))
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr[-6000:]


NO_LOCK = """
import threading
import unlocked
counter = unlocked.Counter()
threads = [threading.Thread(target=counter.{method}) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
UNLOCKED = """
[module]
name = "unlocked"
headers = ["unlocked.h"]
[handle.Counter]
ctype = "counter *"
new = "counter *counter_new(void)"
free = "free"
[function.Counter.guarded]
proto = "long counter_next(counter *c, int threads = 1)"
gil = "release"
[function.Counter.raced]
proto = "long counter_next(counter *c, int threads = 2)"
gil = "release"
threads = "safe"
"""
# Threads wait in C for each other: a race depends on no scheduler. Relaxed atomic operations order
# nothing that ThreadSanitizer sees. The limit of the wait is a minute.
UNLOCKED_H = """
#include <stdlib.h>
#include <unistd.h>
typedef struct { long value; int inside; } counter;
static inline counter *counter_new(void) { return calloc(1, sizeof(counter)); }
static inline long counter_next(counter *c, int threads) {
    __atomic_fetch_add(&c->inside, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 60000 && __atomic_load_n(&c->inside, __ATOMIC_RELAXED) < threads; ++i)
        usleep(1000);
    return ++c->value;
}
"""


def test_races_are_detected_without_locks(tmp_path: Path) -> None:
    (tmp_path / "unlocked.h").write_text(UNLOCKED_H)
    (tmp_path / "unlocked.toml").write_text(UNLOCKED)
    instrumented(tmp_path / "unlocked.toml", tmp_path / "out")
    done = watched.run(tmp_path / "out", "-c", NO_LOCK.format(method="guarded"))
    assert (done.returncode, done.stderr) == (0, "")
    done = watched.run(tmp_path / "out", "-c", NO_LOCK.format(method="raced"))
    assert done.returncode == 66 and "in counter_next" in done.stderr
