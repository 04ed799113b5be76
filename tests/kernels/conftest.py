"""Modules of xndtools' configurations: each is built as written, and as converted."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session", params=["configuration", "converted"])
def module_of(
    request: pytest.FixtureRequest,
    fishplate: Path,
    build: Callable[..., subprocess.CompletedProcess],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., ModuleType]:
    """module_of(name, text, files): the module of a configuration `[MODULE name]`, which is built
    once. Next to it are the headers of this folder, and further files."""
    built: dict[str, ModuleType] = {}

    def module_of(name: str, text: str, files: Mapping[str, str] | None = None) -> ModuleType:
        if name not in built:
            folder = tmp_path_factory.mktemp(f"{name}_{request.param}")
            for header in HERE.glob("*.h"):
                shutil.copy(header, folder)
            for file, contents in (files or {}).items():
                (folder / file).write_text(contents)
            file = f"{name}-kernels.cfg"
            (folder / file).write_text(text)
            if request.param == "converted":
                file = convert(fishplate, folder, file)
            done = build(folder, file, folder / "out")
            assert done.returncode == 0, done.stderr
            built[name] = load(name, Path(done.stdout.splitlines()[-1]))
        return built[name]

    return module_of


def convert(fishplate: Path, folder: Path, file: str) -> str:
    """The converted file, next to the configuration."""
    out = file.replace("-kernels.cfg", ".toml")
    done = subprocess.run(
        [fishplate, "convert", file, "--out", out],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{out}\n"
    return out


def load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
