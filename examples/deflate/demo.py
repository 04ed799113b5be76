"""Compresses by zlib, and compares with Python's own module for it; fails if the two differ."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import deflate
import numpy as np


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<34} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def main() -> None:
    text = ("It was the best of times, it was the worst of times. " * 2000).encode()
    print(f"zlib {deflate.version()}, {len(text)} bytes of text")
    for level in (-1, 0, 1, 9):
        packed = deflate.compress(text, level)
        # Python may have another zlib, which compresses differently, but decompresses the same.
        assert zlib.decompress(packed) == text
        assert deflate.decompress(zlib.compress(text, level), size=len(text)) == text
        print(f"    level {level:2}: {len(packed):6} bytes")

    # Any contiguous bytes are read in place.
    samples = np.sin(np.linspace(0, 9, 10_000)).astype(np.float32)
    packed = deflate.compress(samples.view(np.uint8))
    back = np.frombuffer(deflate.decompress(packed, samples.nbytes), np.float32)
    np.testing.assert_array_equal(back, samples)
    view = memoryview(bytearray(text))[1000:5000]
    assert deflate.crc32(view) == zlib.crc32(view)
    assert deflate.adler32(view, deflate.adler32(text)) == zlib.adler32(view, zlib.adler32(text))

    with TemporaryDirectory() as folder:
        path = str(Path(folder, "times.gz"))
        with deflate.File(path, "wb9") as file:
            written = file.write(text)
        assert written == len(text) and gzip.decompress(Path(path).read_bytes()) == text
        with deflate.File(path) as file:
            parts = []
            while not file.at_end():
                parts.append(file.read(50_000))
        assert b"".join(parts) == text
        print(f"    a file:   {Path(path).stat().st_size:6} bytes, read in {len(parts)} parts")

        print("\nWrong calls say what is wrong:")
        show_error("decompress(packed, 10)", lambda: deflate.decompress(packed, 10))
        show_error("decompress(text, 100)", lambda: deflate.decompress(text, 1000000))
        show_error("compress(text, 11)", lambda: deflate.compress(text, 11))
        show_error("compress('text')", lambda: deflate.compress("text"))
        show_error("File('nowhere/x')", lambda: deflate.File("nowhere/x"))
        show_error("File('a\\0b')", lambda: deflate.File("a\0b"))
        show_error("file.read(1)", lambda: file.read(1))


if __name__ == "__main__":
    main()
