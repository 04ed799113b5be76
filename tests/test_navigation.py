"""Each page of the site is in its navigation; the tests have no Sphinx, which would report it."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TITLED = re.compile(r".*<(.+)>$")


def pages() -> set[Path]:
    """The documents of the site, by the settings of Sphinx."""
    settings = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    found = (path for pattern in settings["include_patterns"] for path in ROOT.glob(pattern))
    # `**` matches folders alone.
    return {
        page
        for path in found
        for page in (path.rglob("*.md") if path.is_dir() else [path])
        if page.suffix == ".md"
    }


def entries(page: Path) -> set[Path]:
    """The pages below this one in the navigation."""
    listed: set[Path] = set()
    for block in TOCTREE.findall(page.read_text()):
        for line in block.splitlines():
            entry = line.strip()
            if not entry or entry.startswith(":"):
                continue
            titled = TITLED.match(entry)
            target = f"{titled.group(1) if titled else entry}.md"
            pattern = os.path.normpath(page.parent.relative_to(ROOT) / target)
            found = set(ROOT.glob(pattern))
            assert found, f"{page.relative_to(ROOT)}: no page matches {entry}"
            listed |= found
    return listed


def test_every_page_is_in_the_navigation() -> None:
    root = ROOT / "docs" / "index.md"
    reached: set[Path] = set()
    new = {root}
    while new:
        page = new.pop()
        reached.add(page)
        new |= entries(page) - reached
    missing = sorted(str(page.relative_to(ROOT)) for page in pages() - reached)
    assert not missing, "add these pages to a toctree of docs/sections"
