"""Return codes and exceptions of C++: each way to fail is clean, even if reporting it fails."""

from __future__ import annotations

import sys
from pathlib import Path

import faulty
import pytest
import tools
from compilers import CHECKING, file_of, share
from test_sanitizers import environment, instrumented

CASES = tools.HERE.parent / "cases"
NAMES = [
    "status_meanings",
    "status_arguments",
    "status_messages",
    "class_status",
    "closing",
    "cplusplus_library",
    "handles",
    "integer_handles",
    "stored",
    "struct_pointers",
    "null_results",
    "threads",
    "enums_of_c",
    "structs",
    "struct_arrays",
    "pointer_arrays",
    "rows",
    "jagged",
    "terminated",
    "unpacked_arrays",
    "any_arrays",
    "unpacked",
    "index_arrays",
    "sparse_matrices",
    "consumed",
    "destroyed",
    "cplusplus_destroyed",
    "retained",
    "shared_data",
    "callback_sizes",
    "callback_strings",
    "callback_objects",
    "retained_structs",
    "filled_lists",
    "filled_strings",
    "copied_strings",
    "text_fields",
    "union_members",
    "constants",
    "cplusplus_virtual",
    "cplusplus_overrides",
    "cplusplus_containers",
    "cplusplus_contained",
    "cplusplus_returned",
    "cplusplus_functions",
    "cplusplus_sets",
    "freed_with_values",
    "cplusplus_handles",
]


def sources(name: str) -> list[Path]:
    folder = CASES / name
    return [*folder.glob("*.c"), *folder.glob("*.cpp")]


# Cases take turns, since test_cases.py runs each of them too; `--all`: each in both.
@pytest.mark.parametrize("name", share(NAMES[:-1]))
def test_every_failure_of_a_failure_is_clean(name: str, tmp_path: Path) -> None:
    obj = faulty.compile_interface(CASES / name / f"{name}.toml", tmp_path, sources(name))
    python, _ = faulty.wrapped()
    used = {one for one in faulty.python_symbols(obj) if not faulty.DATA.fullmatch(one)}
    assert used <= python | set(faulty.CANNOT_FAIL), "wrap them in faults.c"
    output = tools.child("failures_child.py", tmp_path / "out", name)
    assert output.splitlines()[-1] == "done", output


@pytest.mark.parametrize("name", share(NAMES, turn=1))
def test_cases_are_clean_under_sanitizers(name: str, tmp_path: Path) -> None:
    instrumented(CHECKING, CASES / name / f"{name}.toml", tmp_path)
    # The sanitizer intercepts throwing only if it finds the C++ library when it starts.
    library = file_of(CHECKING, "libstdc++.so.6")
    env = environment(CHECKING, "detect_leaks=0", "detect_stack_use_after_return=1")
    env["LD_PRELOAD"] += f" {library}"
    env["PYTHONPATH"] = f"{tmp_path}:{CASES}"
    output = tools.run([sys.executable, CASES / name / "run.py"], env=env)
    assert "ERROR" not in output.stderr, output.stderr
