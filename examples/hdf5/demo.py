"""Writes and reads arrays by HDF5, and compares with h5dump; fails if the two differ."""

from __future__ import annotations

import gc
import re
import subprocess
import tempfile
from pathlib import Path

import hdf5
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def samples() -> dict[str, Array]:
    """Arrays of each dtype and of several ranks, one of them not contiguous."""
    made: dict[str, Array] = {name: np.arange(24).astype(name) - 3 for name in DTYPES}
    rng = np.random.default_rng(7)
    made["number"] = np.array(0.25)
    made["cube"] = rng.normal(size=(2, 3, 4))
    made["single"] = rng.normal(size=(5, 2)).astype(np.float32)
    made["transposed"] = np.arange(12.0).reshape(3, 4).T
    made["empty"] = np.zeros((0, 3), np.int16)
    return made


def dumped(path: Path, name: str, like: Array) -> Array:
    """A dataset as h5dump reads it."""
    raw = path.with_name("raw")
    command = ["h5dump", "-d", name, "-b", "NATIVE", "-o", str(raw), str(path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return np.fromfile(raw, like.dtype).reshape(like.shape)


def read(dataset: hdf5.Dataset) -> Array:
    """All of a dataset."""
    space = dataset.space()
    return dataset.read(dataset.type(), space, space)


def part(dataset: hdf5.Dataset, start: list[int], count: list[int]) -> Array:
    """A part of a dataset, of the same rank."""
    selected = dataset.space()
    selected.select(start, count)
    return dataset.read(dataset.type(), hdf5.Space(count), selected)


def refused(what: str, text: str, call: object, *arguments: object) -> None:
    """The call fails with HDF5's own message."""
    assert callable(call)
    try:
        call(*arguments)
    except RuntimeError as error:
        assert text in str(error), error
        print(f"{what:24}{error}")
    else:
        raise AssertionError(f"{what}: no error")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.h5"
        written = samples()
        with hdf5.File(str(path)) as file:
            for name, array in written.items():
                file.write(name, array)
            file.write("a list", [[1, 2], [3, 4]])
            file.set_attribute("cube", "unit", "metre")
            file.set_attribute("cube", "scale", np.array([0.5, 2.0]))
        for name, array in written.items():
            if array.size:
                np.testing.assert_array_equal(dumped(path, name, array), array)

        shown = subprocess.run(
            ["h5dump", "-A", "-d", "cube", str(path)], check=True, capture_output=True, text=True
        )
        assert re.search(r'"unit".*"metre"', shown.stdout, re.DOTALL), shown.stdout
        assert re.search(r'"scale".*0\.5, 2', shown.stdout, re.DOTALL), shown.stdout

        file = hdf5.open(str(path))
        for name, array in written.items():
            got = read(file.dataset(name))
            assert got.dtype == array.dtype and got.shape == array.shape, (name, got)
            np.testing.assert_array_equal(got, array)
        cube = file.dataset("cube")
        assert cube.space().shape().tolist() == [2, 3, 4]
        np.testing.assert_array_equal(
            part(cube, [1, 0, 1], [1, 3, 2]), written["cube"][1:2, 0:3, 1:3]
        )
        # Objects of HDF5 are open as long as Python refers to them.
        del file
        gc.collect()
        np.testing.assert_array_equal(read(cube), written["cube"])

        refused("no such file", "No such file or directory", hdf5.open, str(path) + ".none")
        refused("no such dataset", "doesn't exist", hdf5.open(str(path)).dataset, "none")
        refused("a part beyond the end", "not within extent", part, cube, [1, 0, 0], [2, 3, 4])
        refused(
            "another number", "different", cube.read, cube.type(), hdf5.Space([2]), cube.space()
        )
        try:
            hdf5.File(str(path.with_name("complex.h5"))).write("z", np.ones(2, complex))
        except TypeError as error:
            print(f"{'no such dtype':24}{error}")
        else:
            raise AssertionError("complex numbers were written")
        cube.close()
    print(f"{len(written)} arrays agree with h5dump")


if __name__ == "__main__":
    main()
