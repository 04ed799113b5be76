"""Modules of interface files in packages that Hatchling builds.

The hook builds each module and adds it, with its type stub, to the wheel::

    [tool.hatch.build.targets.wheel.hooks.fishplate]
    dependencies = ["fishplate", "numpy>=2.0"]
    modules = ["native/_core.toml"]

For an editable installation it builds the modules into the folder `src`, or into the one that the
key `source` names.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from fishplate._emitting import run

__all__ = ["FishplateHook", "hatch_register_build_hook"]


class FishplateHook(BuildHookInterface):  # type: ignore[type-arg]
    """The build hook `fishplate`."""

    PLUGIN_NAME = "fishplate"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the modules."""
        modules = self.config.get("modules")
        if not isinstance(modules, list) or not all(isinstance(name, str) for name in modules):
            raise TypeError("the hook `fishplate` needs `modules`, a list of interface files")
        root = Path(self.root)
        source = root / self.config.get("source", "src")
        out = source if version == "editable" else Path(self.directory, ".fishplate-modules")
        for interface in modules:
            if not (root / interface).is_file():
                raise FileNotFoundError(f"interface file {interface!r} not found")
            run("build", root / interface, "--out", out)
        if version != "editable":
            files = (path for path in out.rglob("*") if path.is_file())
            build_data["force_include"].update(
                {str(path): str(path.relative_to(out)) for path in files}
            )
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


@hookimpl
def hatch_register_build_hook() -> type[BuildHookInterface]:  # type: ignore[type-arg]
    """Tell Hatchling of the hook."""
    return FishplateHook
