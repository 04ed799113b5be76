"""The scripts of docs/gallery compute what they draw; pictures are for `cargo xtask docs`."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from compilers import unoptimised
from needs import header

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "gallery"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "draw")
NEEDS = {
    "spectrum": ("fftw3.h", "libfftw3-dev"),
    "image": ("fftw3.h", "libfftw3-dev"),
    "map": ("geos_c.h", "libgeos-dev"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_computes_its_picture(
    name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        header(*NEEDS[name])
    for variable, value in unoptimised(os.environ).items():
        monkeypatch.setenv(variable, value)
    cache = tmp_path_factory.getbasetemp() / "gallery"
    monkeypatch.setenv("FISHPLATE_CACHE_DIR", str(cache))
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.chdir(ROOT)
    script = importlib.import_module(name)
    axes = MagicMock()
    script.draw(axes, **script.compute())
    assert axes.method_calls


def test_page_has_every_script() -> None:
    page = (FOLDER / "README.md").read_text()
    drawn = (FOLDER / "draw.py").read_text()
    for name in SCRIPTS:
        assert f"({name}.py)" in page
        assert f"/{name}.svg\n" in page
        assert f'"{name}"' in drawn
