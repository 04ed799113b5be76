"""Modules of interface files in packages that setuptools builds.

The interface files are named in pyproject.toml, or by the keyword of `setup()`::

    [tool.fishplate]
    modules = ["native/_core.toml"]

    setup(fishplate_modules=["native/_core.toml"])

Each becomes an extension module. Its C is emitted into `build/`, and its type stub is installed
next to it.

With `stable-abi = true` in that table, or in the `[module]` of each interface, modules use only
the stable ABI of Python 3.12. If all modules of the distribution do, the wheel has the tag
`cp312-abi3`.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fishplate._emitting import LIMITED_API, emit, has_stable_abi

if TYPE_CHECKING:
    from setuptools import Distribution  # type: ignore[import-untyped]

__all__ = ["finalize", "fishplate_modules"]


def fishplate_modules(distribution: Distribution, keyword: str, value: object) -> None:
    """Add the modules of these interface files: the keyword `fishplate_modules` of `setup()`."""
    if isinstance(value, str):
        value = [value]
    add_modules(distribution, keyword, value, stable_abi=False)


def finalize(distribution: Distribution) -> None:
    """Add the modules that `[tool.fishplate]` of pyproject.toml names."""
    project = Path("pyproject.toml")
    if project.is_file():
        tools = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {})
        table = tools.get("fishplate", {})
        add_modules(
            distribution,
            "modules of [tool.fishplate]",
            table.get("modules", []),
            stable_abi=bool(table.get("stable-abi", False)),
        )


def add_modules(
    distribution: Distribution, keyword: str, value: object, *, stable_abi: bool
) -> None:
    """Add the modules of these interface files; `keyword` is the name of the setting."""
    from setuptools.errors import SetupError  # type: ignore[import-untyped]

    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise SetupError(f"{keyword} must be a list of interface files, not {value!r}")
    for interface in value:
        if not Path(interface).is_file():
            raise SetupError(f"{keyword}: interface file {interface!r} not found")
        add_module(distribution, interface, stable_abi=stable_abi)
    if value:
        tag_wheel(distribution)


def tag_wheel(distribution: Distribution) -> None:
    """Give the wheel the tag of the stable ABI, if all extension modules use only that."""
    options, tag = distribution.get_option_dict("bdist_wheel"), ("fishplate", "cp312")
    if all(module.py_limited_api for module in distribution.ext_modules or []):
        options.setdefault("py_limited_api", tag)
    elif options.get("py_limited_api") == tag:
        del options["py_limited_api"]


def add_module(distribution: Distribution, interface: str, *, stable_abi: bool) -> None:
    """Add an extension module for an interface file."""
    import numpy
    from setuptools import Extension

    out = Path("build", "fishplate", interface.replace("/", "-"))
    build = emit(interface, out)
    is_stable = (stable_abi or build["stable_abi"]) and has_stable_abi()
    macros = [(*define.split("=", 1), None)[:2] for define in build["defines"]]
    headers = [path for folder in build["include_dirs"] for path in Path(folder).glob("*.h")]
    extension = Extension(
        build["module"],
        sources=build["sources"],
        include_dirs=[*build["include_dirs"], numpy.get_include()],
        define_macros=[*macros, LIMITED_API] if is_stable else macros,
        py_limited_api=is_stable,
        extra_compile_args=build["cflags"],
        extra_link_args=build["link_flags"],
        libraries=build["libraries"],
        library_dirs=build["library_dirs"],
        runtime_library_dirs=[str(Path(folder).resolve()) for folder in build["library_dirs"]],
        depends=[*build["dependencies"], *map(str, headers)],
    )
    distribution.ext_modules = [*(distribution.ext_modules or []), extension]
    install_files(distribution, out, build["install"])


def install_files(distribution: Distribution, out: Path, install: list[dict[str, str]]) -> None:
    """Let `build_ext` install these files, and leave generated C out of source distributions."""
    from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

    base: Any = distribution.cmdclass.get("build_ext", build_ext)

    class BuildModules(base):  # type: ignore[misc]
        def run(self) -> None:
            super().run()
            if not self.inplace:
                self.copy_files(Path(self.build_lib))

        def copy_extensions_to_source(self) -> None:
            super().copy_extensions_to_source()
            for file in install:
                package = str(Path(file["as"]).parent).replace("/", ".").strip(".")
                folder = self.get_finalized_command("build_py").get_package_dir(package)
                shutil.copyfile(file["file"], Path(folder, Path(file["as"]).name))

        def copy_files(self, folder: Path) -> None:
            for file in install:
                target = folder / file["as"]
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file["file"], target)

        def get_outputs(self) -> list[str]:
            outputs: list[str] = super().get_outputs()
            if self.inplace:
                return outputs
            return [*outputs, *(str(Path(self.build_lib, file["as"])) for file in install)]

        def get_source_files(self) -> list[str]:
            files: list[str] = super().get_source_files()
            return [file for file in files if out not in Path(file).parents]

    distribution.cmdclass = {**distribution.cmdclass, "build_ext": BuildModules}
