"""The command `fishplate`, also as `python -m fishplate`."""

import signal
import sys

from fishplate._native import run_command


def main() -> int:
    """Run the command with the arguments of this process; gives its exit status."""
    # As in any other command, Ctrl-C ends it at once: Python would only take note, and wait.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["fishplate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
