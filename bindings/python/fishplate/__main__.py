"""The command `fishplate`, also as `python -m fishplate`."""

import signal
import sys

from fishplate._folders import OPTIONS
from fishplate._native import run_command


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
    return run_command(["fishplate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
