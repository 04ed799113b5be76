"""Examples and cases under ThreadSanitizer, each used by eight threads at once.

The libraries of most examples are not instrumented, so what they do with memory goes unseen: it is
the generated code, and the memory that it borrows, acquires and releases, that is examined.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tools
import watched
from compilers import ALL

EXAMPLES = tools.ROOT / "examples"
CASES = tools.ROOT / "tests" / "cases"


def instrumented(interface: Path, out: Path) -> None:
    watched.build(interface, out)
    [module] = out.glob(f"*{tools.suffix()}")
    assert b"__tsan" in module.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        *("stats", "deflate", "fourier", "gsl", "sqlite"),
        # Instrumented, the templates of Eigen take long to compile.
        *(["eigen"] if ALL else []),
        *(
            "callbacks",
            "handed",
            "structs",
            "struct_arrays",
            "cplusplus_library",
            "status_meanings",
        ),
    ],
)
def test_no_data_races(name: str, tmp_path: Path) -> None:
    folder = EXAMPLES if (EXAMPLES / name).is_dir() else CASES
    instrumented(folder / name / f"{name}.toml", tmp_path)
    said = watched.run(tmp_path, tools.HERE / "racing.py", name)
    assert said.returncode == 0 and "WARNING" not in said.stderr, said.stderr[-6000:]
    assert said.stdout.strip() == "done"


def test_locks(tmp_path: Path) -> None:
    """The case of locks, which looks for itself how many threads are in C."""
    instrumented(CASES / "threads" / "threads.toml", tmp_path)
    said = watched.run(tmp_path, CASES / "threads" / "run.py", path=str(CASES))
    assert said.returncode == 0 and "WARNING" not in said.stderr, said.stderr[-6000:]


NO_LOCK = """
import threading
import unlocked
counter = unlocked.Counter()
gate = threading.Barrier(4)
def work():
    gate.wait()
    for _ in range(2000):
        counter.{method}()
threads = [threading.Thread(target=work) for _ in range(4)]
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
proto = "long counter_next(counter *c)"
gil = "release"
[function.Counter.raced]
proto = "long counter_next(counter *c)"
gil = "release"
threads = "safe"
"""
UNLOCKED_H = """
#include <stdlib.h>
typedef struct { long value; } counter;
static inline counter *counter_new(void) { return calloc(1, sizeof(counter)); }
static inline long counter_next(counter *c) { return ++c->value; }
"""


def test_races_are_detected_without_locks(tmp_path: Path) -> None:
    (tmp_path / "unlocked.h").write_text(UNLOCKED_H)
    (tmp_path / "unlocked.toml").write_text(UNLOCKED)
    instrumented(tmp_path / "unlocked.toml", tmp_path / "out")
    said = watched.run(tmp_path / "out", "-c", NO_LOCK.format(method="guarded"))
    assert (said.returncode, said.stderr) == (0, "")
    said = watched.run(tmp_path / "out", "-c", NO_LOCK.format(method="raced"))
    assert said.returncode == 66 and "in counter_next" in said.stderr
