"""Modules of interface files in packages that Hatchling builds.

The hook builds each module and adds it, with its type stub, to the wheel::

    [tool.hatch.build.targets.wheel.hooks.fishplate]
    dependencies = ["fishplate", "numpy>=2.0"]
    modules = ["native/_core.toml"]

For an editable installation it builds the modules into the folder `src`, or into the one that the
key `source` names. With `stable-abi = true` the modules use only the stable ABI of Python 3.12, and
the wheel has the tag `cp312-abi3`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl
from packaging.tags import sys_tags

from fishplate._emitting import has_stable_abi, run

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
        stable_abi = self.config.get("stable-abi", False) and has_stable_abi()
        options = ["--stable-abi"] if stable_abi else []
        out = source if version == "editable" else Path(self.directory, ".fishplate-modules")
        for interface in modules:
            if not (root / interface).is_file():
                raise FileNotFoundError(f"interface file {interface!r} not found")
            run("build", root / interface, *options, "--out", out)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            files = [path for path in out.rglob("*") if path.is_file()]
            build_data["force_include"].update(
                {str(path): str(path.relative_to(out)) for path in files}
            )
            libraries = [path.name for path in files if path.suffix in (".so", ".pyd")]
            if libraries and all(name.endswith(".abi3.so") for name in libraries):
                del build_data["infer_tag"]
                build_data["tag"] = f"cp312-abi3-{platform()}"


def platform() -> str:
    """The platform of wheels that are built here, without a policy such as manylinux."""
    tags = (tag.platform for tag in sys_tags())
    return next(tag for tag in tags if "linux_" not in tag or tag.startswith("linux_"))


@hookimpl
def hatch_register_build_hook() -> type[BuildHookInterface]:  # type: ignore[type-arg]
    """Tell Hatchling of the hook."""
    return FishplateHook
