"""A module of random functions, as the tests of this folder get it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import spec


@dataclass
class Built:
    """A suite and its module."""

    suite: spec.Suite
    module: ModuleType
    interface: Path
    seed: int
