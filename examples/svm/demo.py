"""Trains by libsvm, and compares with its own programs; fails if the two differ."""

from __future__ import annotations

import gc
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import svm

Vectors = npt.NDArray[np.float64]
NODE = np.dtype([("index", np.int32), ("value", np.float64)], align=True)


def nodes(vector: Vectors) -> npt.NDArray[np.void]:
    """The elements of a vector that are not zero, with their indices from 1 on."""
    there = np.flatnonzero(vector)
    found = np.empty(there.size, NODE)
    found["index"], found["value"] = there + 1, vector[there]
    return found


def write(path: Path, targets: Vectors, vectors: Vectors) -> None:
    """Writes a problem as libsvm's programs read it."""
    with path.open("w") as file:
        for target, vector in zip(targets, vectors, strict=True):
            row = " ".join(f"{k + 1}:{vector[k]:.17g}" for k in np.flatnonzero(vector))
            file.write(f"{target:.17g} {row}\n")


def by_programs(options: str, targets: Vectors, vectors: Vectors, tested: Vectors) -> Vectors:
    """The predictions of libsvm's programs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "train", targets, vectors)
        write(folder / "test", np.zeros(len(tested)), tested)
        commands = [
            ["svm-train", "-q", *options.split(), "train", "model"],
            ["svm-predict", "-q", "test", "model", "predictions"],
        ]
        for command in commands:
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return np.loadtxt(folder / "predictions")


def saved(model: svm.Model) -> svm.Model:
    """The model, as a file has it."""
    with tempfile.TemporaryDirectory() as name:
        file = str(Path(name) / "model")
        model.save(file)
        return svm.load(file)


def main() -> None:
    random = np.random.default_rng(1)
    vectors = random.normal(size=(150, 6)) * (random.random((150, 6)) < 0.7)
    classes = np.floor(np.abs(vectors[:, 0]) + 2 * (vectors[:, 1] > 0)).clip(0, 3)
    tested = random.normal(size=(50, 6))
    rows = [nodes(vector) for vector in vectors]

    assert svm.check(classes, rows, gamma=0.5) is None
    model = svm.Model(classes, rows, gamma=0.5, C=10)
    del rows
    gc.collect()  # the model keeps the vectors
    ours = [model.predict(nodes(vector)) for vector in tested]
    theirs = by_programs("-g 0.5 -c 10", classes, vectors, tested)
    np.testing.assert_array_equal(ours, theirs)
    print(f"{model.classes()} classes, {model.support().size} support vectors")
    assert model.values(nodes(tested[0])).size == model.classes() * (model.classes() - 1) // 2

    loaded = saved(model)
    again = [loaded.predict(nodes(vector)) for vector in tested]
    assert again == ours and loaded.labels().tolist() == model.labels().tolist()

    heights = vectors @ np.arange(6.0) + 0.1 * random.normal(size=150)
    rows = [nodes(vector) for vector in vectors]
    regression = svm.Model(heights, rows, svm_type=svm.EPSILON_SVR, gamma=0.1, C=10, eps=1e-9)
    # The programs store a model in a file, which has fewer digits.
    fitted = np.array([saved(regression).predict(nodes(vector)) for vector in tested])
    theirs = by_programs("-s 3 -g 0.1 -c 10 -e 1e-9", heights, vectors, tested)
    np.testing.assert_allclose(fitted, theirs, rtol=1e-5)
    print(f"regression: within {np.abs(fitted - tested @ np.arange(6.0)).mean():.2f} on average")

    print("\nWhat goes wrong:")
    print("   ", svm.check(classes, rows, gamma=0.5, C=-1))
    for call, wrong in (
        ("Model([1.0], [])", lambda: svm.Model([1.0], [])),
        ("predict('x')", lambda: model.predict("x")),
    ):
        try:
            wrong()
        except (TypeError, ValueError) as error:
            print(f"    {call:<18} {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
