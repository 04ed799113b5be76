import os
import subprocess
import sys

if os.environ.get("NOT_PREPARED"):
    try:
        import initialised
    except ImportError as error:
        assert str(error) == (
            "module initialised cannot be imported: prepare(): the library is not ready"
        ), error
        assert type(error.__cause__) is RuntimeError, error.__cause__
        assert str(error.__cause__) == "prepare(): the library is not ready"
        assert "initialised" not in sys.modules
        os.environ.pop("NOT_PREPARED")
        import initialised  # the cause is gone

        assert initialised.state() == 107
        sys.exit(0)
    sys.exit("it was imported")

import initialised

assert initialised.state() == 107
kept = initialised.Session()
initialised.Session().close()
if os.environ.get("REPORT"):
    sys.exit(0)
initialised.prepare()
assert initialised.state() == 7
environment = {**os.environ, "NOT_PREPARED": "1"}
subprocess.run([sys.executable, __file__], env=environment, check=True)

# The functions are called in order, each even if one fails; objects that still exist are not released.
environment = {**os.environ, "REPORT": "1"}
command = [sys.executable, __file__]
done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
assert done.stdout == "finished: 1, sessions: 1\n", done.stdout
environment["NOT_FINISHED"] = "1"
done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
assert done.stdout == "finished: 1, sessions: 1\n", done.stdout
assert "finish(): the library is not ready" in done.stderr, done.stderr
