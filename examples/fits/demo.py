"""Writes and reads FITS files by cfitsio, and compares with what NumPy finds in each file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import fits
import numpy as np

BITS = {8: ">u1", 16: ">i2", 32: ">i4", 64: ">i8", -32: ">f4", -64: ">f8"}


def units(path: Path) -> list[tuple[dict[str, str], np.ndarray]]:
    """The headers and the arrays of a file, by the standard alone: blocks of 2880 bytes."""
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        cards: dict[str, str] = {}
        while "END" not in cards:
            for k in range(at, at + 2880, 80):
                card = data[k : k + 80].decode("ascii")
                cards[card[:8].strip()] = card[10:].split(" / ")[0].strip()
            at += 2880
        sizes = [int(cards[f"NAXIS{k}"]) for k in range(int(cards["NAXIS"]), 0, -1)]
        dtype = np.dtype(BITS[int(cards["BITPIX"])])
        count = int(np.prod(sizes)) if sizes else 0
        found.append((cards, np.frombuffer(data, dtype, count, at).reshape(sizes)))
        at += -(-count * dtype.itemsize // 2880) * 2880
    return found


def main() -> None:
    noise = np.random.default_rng(1)
    images = {
        fits.DOUBLE_IMG: noise.normal(size=(40, 60)),
        fits.FLOAT_IMG: noise.normal(size=(7, 5)).astype(np.float32),
        fits.SHORT_IMG: noise.integers(-1000, 1000, (3, 4), np.int16),
        fits.LONG_IMG: np.arange(24, dtype=np.int32).reshape(2, 3, 4),
        fits.BYTE_IMG: np.arange(250, dtype=np.uint8),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "images.fits")
        with fits.File(str(path)) as file:
            for bits, image in images.items():
                file.create_image(bits, list(image.shape[::-1]))
                file.write(image)
                file.set_number("EXPOSURE", 1 / 3, "seconds")
                file.set_text("OBJECT", "M 31", "Andromeda")
            assert file.count() == len(images)

        # In the file there is what was written.
        for (cards, found), (bits, image) in zip(units(path), images.items(), strict=True):
            assert int(cards["BITPIX"]) == bits and np.array_equal(found, image)
            assert float(cards["EXPOSURE"]) == 0.333333333333333
            assert cards["OBJECT"].strip("' ") == "M 31"
        print(f"{len(images)} images of {path.stat().st_size} bytes are as NumPy reads them")

        # cfitsio reads them, too, whole and in part.
        with fits.open(str(path)) as file:
            for number, (bits, image) in enumerate(images.items(), 1):
                assert file.move_to(number) == fits.IMAGE_HDU and file.bits() == bits
                assert abs(file.number("EXPOSURE")[0] - 1 / 3) < 1e-15
                assert file.text("OBJECT") == ("M 31", "Andromeda")
                cards = [file.card(k + 1) for k in range(file.cards())]
                assert any(card.startswith("OBJECT  = 'M 31") for card in cards)
                if image.ndim == 2:
                    width, height = file.sizes()
                    assert np.array_equal(file.read([1, 1], [width, height]), image)
                    assert np.array_equal(file.read([2, 1], [3, 2]), image[:2, 1:3])
        print("cfitsio reads the same")

        for call, function in [
            ("open(absent)", lambda: fits.open(str(Path(folder, "absent")))),
            ("File(again)", lambda: fits.File(str(path))),
            ("write(strings)", lambda: fits.open(str(path)).write(["a"])),
            ("write(read-only)", lambda: fits.open(str(path)).write(np.ones((40, 60)))),
            ("number(NONE)", lambda: fits.open(str(path)).number("NONE")),
            ("cards(closed)", lambda: file.cards()),
        ]:
            try:
                function()
            except (RuntimeError, TypeError, ValueError) as error:
                print(f"    {call:<17} {type(error).__name__}: {error}".replace(folder, "..."))
            else:
                raise AssertionError(f"{call} was not refused")


if __name__ == "__main__":
    main()
