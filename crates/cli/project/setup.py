"""Builds the extension module `package_name._core`. All metadata is in pyproject.toml.

Fishplate emits the C of the module from native/_core.toml. A source distribution contains that C
and is installed without Fishplate.
"""

import filecmp
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy
from setuptools import Extension, setup

INTERFACE = Path("native/_core.toml")
GENERATED = Path("native/generated")
# Sources, folders, flags and libraries, described by Fishplate.
DESCRIPTION = GENERATED / "build.json"
# The interface from which the C was emitted.
EMITTED = GENERATED / INTERFACE.name


def emit():
    """Emit the C and describe how to build it, if Fishplate is installed."""
    # pip isolates builds by PYTHONPATH, which would hide the package from its own command.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    folders = [sysconfig.get_path("scripts"), os.environ.get("PATH", "")]
    command = shutil.which("fishplate", path=os.pathsep.join(folders))
    if command is not None:
        arguments = ["emit", INTERFACE, "--out", GENERATED, "--describe", DESCRIPTION]
        if subprocess.run([command, *arguments], env=environment).returncode != 0:
            sys.exit(f"error: {INTERFACE} has errors")
        shutil.copyfile(INTERFACE, EMITTED)
    elif not EMITTED.exists() or not filecmp.cmp(INTERFACE, EMITTED, shallow=False):
        sys.exit(f"error: {GENERATED} is not up to date: run `pip install fishplate`")


emit()
build = json.loads(DESCRIPTION.read_text())
for file in build["install"]:
    shutil.copyfile(file["file"], Path("src", file["as"]))
macros = [(*define.split("=", 1), None)[:2] for define in build["defines"]]
# With `stable-abi = true` in the interface: one wheel for CPython 3.12 and later.
is_stable = (
    build["stable_abi"]
    and sys.implementation.name == "cpython"
    and sys.version_info >= (3, 12)
    and not sysconfig.get_config_var("Py_GIL_DISABLED")
)
if is_stable:
    macros.append(("Py_LIMITED_API", "0x030C0000"))
headers = [str(path) for folder in build["include_dirs"] for path in Path(folder).glob("*.h")]
setup(
    ext_modules=[
        Extension(
            build["module"],
            sources=build["sources"],
            include_dirs=[*build["include_dirs"], numpy.get_include()],
            define_macros=macros,
            py_limited_api=is_stable,
            extra_compile_args=build["cflags"],
            extra_link_args=build["link_flags"],
            libraries=build["libraries"],
            library_dirs=build["library_dirs"],
            depends=[*build["dependencies"], *headers],
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp312"}} if is_stable else {},
)
