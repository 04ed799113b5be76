import contextlib
import gzip
import inspect
import io
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import files as m
import numpy as np
from support import raises, same

folder = tempfile.TemporaryDirectory()
path = Path(folder.name, "numbers.txt")
descriptors = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

# C continues at Python's position, and Python where C has stopped: text and bytes, buffered or not.
with path.open("w") as text:
    text.write("from Python\n")
    assert m.write_numbers(text, [1, 2.5]) is None
    text.write("again\n")
    assert text.tell() == 24
assert path.read_text() == "from Python\n1\n2.5\nagain\n"
for mode, buffering in (("r", -1), ("rb", -1), ("rb", 0), ("r+", -1), ("rb+", -1)):
    with path.open(mode, buffering) as file:
        assert file.readline().strip() in ("from Python", b"from Python")
        same(m.read_numbers(file, 2), [1.0, 2.5])
        assert file.read().strip() in ("again", b"again"), mode
        assert m.next_byte(file) == -1
        file.seek(0)
        assert m.next_byte(file) == ord("f") and file.read(3) in ("rom", b"rom")
with path.open("w+") as file:
    m.say("one", file)
    file.seek(0)
    assert file.read() == "one\n"
    m.say("two", file)
    file.seek(0)
    assert file.readlines() == ["one\n", "two\n"]
with path.open("rb+") as file:
    assert file.read(2) == b"on"
    m.say("!", file)
    assert file.read() == b"two\n"
with path.open("a") as file:
    m.say("three", file)
    file.write("four\n")
    m.say("five", file)
assert path.read_text() == "on!\ntwo\nthree\nfour\nfive\n"
other = Path(folder.name, "new.txt")
with other.open("x") as file:
    m.say("new", file)
with path.open("rb") as source, other.open("ab") as target:
    source.readline()
    assert m.copy(source, target) == 20 and source.read() == b""
assert other.read_bytes() == b"new\ntwo\nthree\nfour\nfive\n"
with tempfile.TemporaryFile() as file:
    m.write_numbers(file, np.arange(1000.0))
    file.seek(0)
    same(m.read_numbers(file, 1000), np.arange(1000.0))
with tempfile.NamedTemporaryFile("w+") as file:
    m.say("named", file)
    file.seek(0)
    assert file.read() == "named\n"
with path.open(encoding="utf-16", mode="w") as file:
    file.write("ä")
    m.say("x", file)
assert path.read_bytes() == "ä".encode("utf-16") + b"x\n"

# A file may be passed twice.
path.write_text("abc")
with path.open("rb+") as file:
    assert m.copy(file, file) in range(4) and not file.closed

# Pipes have no position. The other end may be Python's own.
end, begin = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), ("rb", "w"), strict=True))
writer = threading.Thread(target=lambda: (begin.write("7 8\n"), begin.close()))
with end, begin:
    reader_result = []
    reader = threading.Thread(target=lambda: reader_result.append(m.read_numbers(end, 2)))
    reader.start()
    writer.start()
    reader.join()
    writer.join()
    same(reader_result[0], [7.0, 8.0])

# NULL, and streams of C.
assert m.is_null() == m.is_null(None) == 1 and m.is_null(sys.stderr) == 0
assert str(inspect.signature(m.say)) == "(text, to=None)"
script = (
    "import files, sys\n"
    "print('python', end=' ')\n"
    "files.say('given', sys.stdout)\n"
    "files.say('default'); files.say('none', None)\n"
    "print('last')\n"
)
shown = subprocess.run(
    [sys.executable, "-c", script],
    env=os.environ | {"PYTHONPATH": str(Path(m.__file__).parent)},
    capture_output=True,
    text=True,
    check=True,
).stdout
assert shown == "python given\ndefault\nnone\nlast\n", shown

# Values that are no files.
wanted = "next_byte(): argument 'source': wanted an open file of the operating system, got ..."
for wrong in (0, "numbers.txt", path, io.StringIO("1"), io.BytesIO(b"1"), object()):
    raises(TypeError, wanted, m.next_byte, wrong)
with gzip.open(Path(folder.name, "x.gz"), "w") as file:
    raises(TypeError, wanted, m.next_byte, file)
raises(TypeError, "next_byte(): argument 'source': wanted an open file...", m.next_byte, None)
closed = path.open()
closed.close()
raises(
    ValueError,
    "next_byte(): argument 'source': I/O operation on closed file...",
    m.next_byte,
    closed,
)
path.write_text("a\nbc\nd\n")
with path.open() as file:
    assert next(file) == "a\n"
    raises(OSError, "telling position disabled by next() call", m.next_byte, file)
    assert next(file) == "bc\n" and file.readlines() == ["d\n"]

# The wrong mode, and a disk that is full.
with path.open("w") as file:
    wrong_mode = "...(): argument '...': C could not read or write the file; how was it opened?"
    raises(OSError, wrong_mode, m.next_byte, file)
    m.say("still open", file)
    assert file.tell() == 11
with path.open() as file:
    raises(RuntimeError, "say(): say returned status -1", m.say, "x", file)
    assert file.read() == "still open\n"
if os.path.exists("/dev/full"):
    with open("/dev/full", "wb", 0) as file:
        raises(OSError, "[Errno 28] No space left on device", m.say, "x", file)

# After a failure, what C has written is there, and the file continues after it.
with path.open("w") as file:
    raises(
        RuntimeError,
        "write_and_fail(): write_and_fail returned status 3",
        m.write_and_fail,
        file,
        "abc",
        3,
    )
    file.write("def")
assert path.read_text() == "abcdef"
with path.open() as file:
    raises(
        TypeError,
        "write_numbers(): argument 'x': ...",
        m.write_numbers,
        file,
        "no numbers",
    )
    assert file.read() == "abcdef"


# Each method of the file fails in turn.
class Failing(io.BufferedRandom):
    left = 0

    def count(self):
        Failing.left -= 1
        if Failing.left == 0:
            raise OSError("no more")

    def flush(self):
        self.count()
        return super().flush()

    def tell(self):
        self.count()
        return super().tell()

    def seek(self, *where):
        self.count()
        return super().seek(*where)


with Failing(io.FileIO(other, "r+")) as file:
    opened = len(os.listdir("/proc/self/fd")) if descriptors else 0
    for nth in range(1, 20):
        Failing.left = nth
        try:
            m.say("x", file)
        except OSError as error:
            assert str(error) == "no more"
        else:
            break
        assert not descriptors or len(os.listdir("/proc/self/fd")) == opened
    assert nth > 3, nth
    Failing.left = 0

# Overloads.
with path.open() as file:
    assert m.size(file) == 1000 + ord("a") and m.size("abc") == ord("a") and m.size(2.5) == 2
raises(TypeError, "size(): no overload takes (...", m.size, object())

# Callbacks are called while C has the file.
path.write_text("a\nbb\nccc\n")
with path.open() as file:
    seen = []
    assert m.each_line(file, lambda length: seen.append(length) or length) == 6 and seen == [
        1,
        2,
        3,
    ]
    file.seek(0)

    def fails(length):
        raise KeyError(length)

    raises(KeyError, "1", m.each_line, file, fails)
    assert not file.closed
    file.seek(0)
    with contextlib.suppress(AttributeError):
        assert "stream" in m.explain.next_byte(file) and file.tell() == 0

# Nothing is left open.
if descriptors:
    assert len(os.listdir("/proc/self/fd")) == descriptors
folder.cleanup()
