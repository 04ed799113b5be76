"""Writes and reads PNG images by libspng; fails if a decoder in Python reads others."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import numpy as np
import png


def show_error(call: str, function: Callable[[], object]) -> None:
    """Makes a call that must be refused, and shows how."""
    try:
        function()
    except Exception as error:
        print(f"    {call:<24} {type(error).__name__}: {error}")
    else:
        raise AssertionError(f"{call} was not refused")


def chunks(file: bytes) -> dict[bytes, list[bytes]]:
    """The chunks of a file by their types."""
    found: dict[bytes, list[bytes]] = {}
    at = 8
    while at < len(file):
        (length,) = struct.unpack(">I", file[at : at + 4])
        found.setdefault(file[at + 4 : at + 8], []).append(file[at + 8 : at + 8 + length])
        at += length + 12
    return found


def decode(file: bytes) -> np.ndarray:
    """The samples of an image with 8 bits each, by the filters of the standard."""
    found = chunks(file)
    width, height, _, kind = struct.unpack(">IIBB", found[b"IHDR"][0][:10])
    step = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    data = zlib.decompress(b"".join(found[b"IDAT"]))
    rows = np.frombuffer(data, np.uint8).reshape(height, 1 + width * step)
    pixels = np.zeros((height + 1, (width + 1) * step), int)
    for y, (method, *row) in enumerate(rows.tolist(), 1):
        for x, value in enumerate(row, step):
            left, up, corner = pixels[y, x - step], pixels[y - 1, x], pixels[y - 1, x - step]
            estimate = left + up - corner
            nearest = min((left, up, corner), key=lambda one: abs(estimate - one))
            pixels[y, x] = (value + [0, left, up, (left + up) // 2, nearest][method]) % 256
    return pixels[1:, step:].reshape(height, width, step).astype(np.uint8)


def encoder(pixels: np.ndarray, color: int) -> png.Image:
    """An image with a header, that is to be written to memory."""
    image = png.Image(png.CTX_ENCODER)
    image.set_option(png.Option.ENCODE_TO_BUFFER, 1)
    height, width = pixels.shape[:2]
    image.set_header(png.Header(width, height, bit_depth=8, color_type=color))
    return image


def write_colors() -> bytes:
    """An image with transparency, and with chunks that describe it."""
    y, x = np.mgrid[:40, :64]
    pixels = np.stack([4 * x, 6 * y, (x * y) % 256, 255 - x], axis=2).astype(np.uint8)
    image = encoder(pixels, png.COLOR_TYPE_TRUECOLOR_ALPHA)
    image.set_gamma(1 / 2.2)
    image.set_time((2026, 11, 28, 12, 30, 59))
    image.set_density({"ppu_x": 2835, "ppu_y": 2835, "unit_specifier": 1})
    image.set_chromaticities((0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06))
    texts = ["A picture", " ".join(["many words"] * 50)]
    kinds = [png.TEXT, png.ZTXT]
    image.set_texts(["Title", "Description"], kinds, texts, [len(text) for text in texts])
    image.set_profile("a profile", bytes(range(200)))
    del texts
    image.encode(pixels.tobytes())
    file = image.file()
    print(f"{pixels.size} bytes of pixels are {len(file)} bytes of PNG, by libspng {png.version()}")

    found = chunks(file)
    np.testing.assert_array_equal(decode(file), pixels)
    # libspng truncates numbers to steps of 1e-5.
    np.testing.assert_allclose(struct.unpack(">I", found[b"gAMA"][0]), 1e5 / 2.2, atol=1)
    assert struct.unpack(">HBBBBB", found[b"tIME"][0]) == (2026, 11, 28, 12, 30, 59)
    assert struct.unpack(">IIB", found[b"pHYs"][0]) == (2835, 2835, 1)
    np.testing.assert_allclose(struct.unpack(">8I", found[b"cHRM"][0])[:2], (31270, 32900), atol=1)
    assert found[b"tEXt"] == [b"Title\0A picture"]
    keyword, packed = found[b"zTXt"][0].split(b"\0\0", 1)
    assert keyword == b"Description"
    assert zlib.decompress(packed) == b" ".join([b"many words"] * 50)
    name, packed = found[b"iCCP"][0].split(b"\0\0", 1)
    assert name == b"a profile"
    assert zlib.decompress(packed) == bytes(range(200))
    return file


def read_colors(file: bytes) -> None:
    image = png.Image()
    image.open(file)
    header = image.header()
    assert (header.width, header.height, header.bit_depth) == (64, 40, 8)
    assert image.decode() == decode(file).tobytes()
    assert abs(image.gamma() - 1 / 2.2) < 2e-5
    assert image.time() == png.Time(2026, 11, 28, 12, 30, 59)
    assert image.density() == png.Density(2835, 2835, 1)
    assert abs(image.chromaticities().white_point_x - 0.3127) < 2e-5
    keywords, kinds, texts = image.texts()
    assert keywords == ["Title", "Description"]
    assert kinds.tolist() == [png.TEXT, png.ZTXT]
    assert texts == ["A picture", " ".join(["many words"] * 50)]
    assert image.profile() == ("a profile", bytes(range(200)))

    # libspng converts to another format, which decides how large the pixels are.
    opaque = png.Image()
    opaque.open(file)
    assert opaque.decode(png.FMT_RGB8) == decode(file)[..., :3].tobytes()


def write_palette() -> None:
    """An image whose pixels are the indices of colours, one of them transparent."""
    pixels = (np.add.outer(np.arange(16), np.arange(24)) % 3).astype(np.uint8)
    colors = [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    image = encoder(pixels, png.COLOR_TYPE_INDEXED)
    palette = png.Palette(3)
    palette.entries[:3] = colors
    image.set_palette(palette)
    image.set_transparency({"n_type3_entries": 2, "type3_alpha": [255, 128] + [0] * 254})
    image.encode(pixels.tobytes())
    file = image.file()
    found = chunks(file)
    assert found[b"PLTE"][0] == bytes(sum(colors, ()))
    assert found[b"tRNS"][0] == b"\xff\x80"
    np.testing.assert_array_equal(decode(file)[..., 0], pixels)

    read = png.Image()
    read.open(file)
    assert [tuple(one)[:3] for one in read.palette().entries[:3]] == colors
    assert read.transparency().type3_alpha[:2].tolist() == [255, 128]
    expected = np.array(colors, np.uint8)[pixels]
    assert read.decode(png.FMT_RGB8) == expected.tobytes()


def fail(file: bytes) -> None:
    image = png.Image()
    image.open(file)
    show_error("a chunk that is absent", image.palette)
    show_error("a long keyword", lambda: image.set_texts(["x" * 80], [png.TEXT], ["text"], [4]))
    show_error("two lengths", lambda: image.set_texts(["x"], [png.TEXT], ["text"], [4, 4]))
    broken = png.Image()
    broken.open(file[:400])
    show_error("a broken file", broken.decode)
    other = png.Image()
    other.open(b"no image at all")
    show_error("no image", other.header)
    small = png.Image()
    small.set_limits(10, 10)
    small.open(file)
    show_error("a large image", small.header)


def main() -> None:
    file = write_colors()
    read_colors(file)
    write_palette()
    fail(file)


if __name__ == "__main__":
    main()
