"""The command `fishplate`, also as `python -m fishplate`."""

import importlib.util
import os
import signal
import sys
from pathlib import Path

from fishplate._folders import OPTIONS
from fishplate._native import run_command


def name_libclang() -> None:
    """Name the library of the package `libclang`, if it is installed with this one."""
    found = importlib.util.find_spec("clang")
    for folder in found.submodule_search_locations or [] if found else []:
        if (Path(folder) / "native").is_dir():
            os.environ.setdefault("LIBCLANG_PATH", str(Path(folder) / "native"))


def main() -> int:
    """Run the command with the arguments of this process; return its exit status."""
    # Ctrl-C and a closed pipe end it at once, like any other command: Python would only record the
    # first, and raise an error for the other.
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    # Only an installed package has these folders; the command itself is a library without them.
    if len(sys.argv) == 2 and sys.argv[1] in OPTIONS:
        print(OPTIONS[sys.argv[1]]())
        return 0
    if sys.argv[1:2] == ["init"]:
        name_libclang()
    return run_command(["fishplate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
