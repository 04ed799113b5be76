"""Builds the hand-written extension and every peer, and records the times.

Up-to-date ones are skipped. One that fails is reported and does not stop the others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from costs import count_bytes, count_lines
from peers import BUILT, DEFAULT_OUT, HERE, Tool, module_folder
from recipes import PREPARATIONS, RECIPES
from toolchain import CC, CXX, FLAGS, BuildError, Place, compile_kernels

Record = dict[str, Any]
RECORDS = "build.json"


def read_records(out: Path) -> dict[str, Record]:
    path = out / RECORDS
    return json.loads(path.read_text()) if path.exists() else {}


def write_records(out: Path, records: dict[str, Record]) -> None:
    (out / RECORDS).write_text(json.dumps(records, indent=2) + "\n")


def version(tool: Tool, work: Path) -> str:
    if tool.distribution:
        return metadata.version(tool.distribution)
    lock = work / "crate" / "Cargo.lock"
    found = (
        re.search(r'name = "pyo3"\nversion = "([^"]+)"', lock.read_text())
        if lock.exists()
        else None
    )
    return found.group(1) if found else ""


def installed(distribution: str) -> str:
    """The version of a package; empty if this Python lacks it, so that its tool fails to build."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def key(tool: Tool) -> str:
    """Changes if anything changes on which a build of this tool depends."""
    shared = [HERE / name for name in ("kernels.c", "kernels.h", "recipes.py", "toolchain.py")]
    own = sorted(
        path
        for folder in {source.parent for source in tool.sources}
        for path in folder.rglob("*")
        if path.is_file()
    )
    manifest = sorted((HERE / "peers" / tool.name).glob("*"))
    digest = hashlib.sha256()
    for path in [*shared, *own, *(path for path in manifest if path.is_file())]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    versions = [installed(name) for name in ("numpy", tool.distribution) if name]
    environment = [sys.version, os.path.realpath(sys.prefix), CC, CXX, FLAGS, versions]
    digest.update(repr(environment).encode())
    return digest.hexdigest()


def build(tool: Tool, out: Path, kernels: Path) -> Record:
    """Builds from nothing, so that the time is that of a clean build."""
    place = Place(out / tool.name / "work", module_folder(out, tool), kernels)
    for folder in (place.work, place.module):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    record: Record = {"key": key(tool), "lines": count_lines(tool.sources)}
    try:
        if prepare := PREPARATIONS.get(tool.name):
            prepare(place)
        start = time.perf_counter()
        RECIPES[tool.name](place)
        record["seconds"] = time.perf_counter() - start
        record["bytes"] = count_bytes(place.module.iterdir())
        record["version"] = version(tool, place.work)
    except (BuildError, ImportError) as error:
        record["error"] = str(error)
    return record


def is_current(tool: Tool, out: Path, record: Record | None) -> bool:
    return (
        record is not None
        and "error" not in record
        and record["key"] == key(tool)
        and any(module_folder(out, tool).glob("*"))
    )


def report(tool: Tool, record: Record) -> None:
    if error := record.get("error"):
        print(f"{tool.name}: failed\n{error}", file=sys.stderr)
    else:
        print(
            f"{tool.name}: {record['seconds']:.1f} s, {record['bytes'] / 1024:.0f} KiB, "
            f"{record['lines']} lines"
        )


def build_all(out: Path, names: list[str]) -> bool:
    """True if all requested tools are built."""
    out.mkdir(parents=True, exist_ok=True)
    records = read_records(out)
    kernels = compile_kernels(out / "kernels.o")
    complete = True
    for tool in BUILT:
        if names and tool.name not in names:
            continue
        if is_current(tool, out, records.get(tool.name)):
            print(f"{tool.name}: up to date")
            continue
        records[tool.name] = build(tool, out, kernels)
        write_records(out, records)
        report(tool, records[tool.name])
        complete = complete and "error" not in records[tool.name]
    return complete


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="where to build")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=list(RECIPES),
        help="build this one (may be repeated)",
    )
    parser.add_argument("--strict", action="store_true", help="fail where one fails to build")
    options = parser.parse_args()
    complete = build_all(options.out.resolve(), options.only)
    return 0 if complete or not options.strict else 1


if __name__ == "__main__":
    sys.exit(main())
