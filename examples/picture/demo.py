"""Writes and reads PNG images by libpng, and compares with zlib's; fails if the two differ."""

from __future__ import annotations

import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
import picture


def decode(file: bytes) -> np.ndarray:
    """The pixels of a PNG image with 8 bits a channel, by zlib and the filters of the standard."""
    at, data, header = 8, b"", b""
    while at < len(file):
        (length,) = struct.unpack(">I", file[at : at + 4])
        kind, body = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        header = body if kind == b"IHDR" else header
        data += body if kind == b"IDAT" else b""
        at += length + 12
    width, height, _, kind = struct.unpack(">IIBB", header[:10])
    step = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * step)
    pixels = np.zeros((height + 1, (width + 1) * step), int)
    for y, (method, *row) in enumerate(rows.tolist(), 1):
        for x, value in enumerate(row, step):
            left, up, corner = pixels[y, x - step], pixels[y - 1, x], pixels[y - 1, x - step]
            estimate = left + up - corner
            nearest = min((left, up, corner), key=lambda one: abs(estimate - one))
            pixels[y, x] = (value + [0, left, up, (left + up) // 2, nearest][method]) % 256
    return pixels[1:, step:].reshape(height, width, step).astype(np.uint8)


def main() -> None:
    # Colours, with a channel for transparency.
    y, x = np.mgrid[:40, :64]
    pixels = np.stack([4 * x, 6 * y, (x * y) % 256, 255 - x], axis=2).astype(np.uint8)
    image = picture.Image()
    image.width, image.height, image.format = 64, 40, picture.RGBA
    file = image.encode(pixels.tobytes())
    print(f"{pixels.size} bytes of pixels are {len(file)} bytes of PNG")
    np.testing.assert_array_equal(decode(file), pixels)

    # The same pixels are read, from memory and from a file.
    read = picture.decode(file)
    assert (read.width, read.height, read.format) == (64, 40, picture.RGBA)
    assert read.read() == pixels.tobytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "picture.png")
        path.write_bytes(file)
        with picture.open(str(path)) as opened:
            assert opened.read() == pixels.tobytes()

    # libpng converts to another format, which decides how large the pixels are.
    opaque = pixels[..., :3].copy()
    image.format = picture.RGB
    grey = picture.decode(image.encode(opaque.tobytes()))
    grey.format = picture.GRAY
    assert len(grey.read()) == 64 * 40

    # The message of a failure is a field of the image that could not be made.
    for broken in (b"no image at all", file[:200]):
        try:
            picture.decode(broken).read()
        except RuntimeError as error:
            print(error)
        else:
            raise AssertionError("a broken file was accepted")


if __name__ == "__main__":
    main()
