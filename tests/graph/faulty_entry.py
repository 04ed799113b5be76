"""Child process: builds the entry with calls of Python and NumPy, and allocations, made to fail.

`python faulty_entry.py FOLDER`; PYTHONPATH has the modules of other tests that it uses.
"""

from __future__ import annotations

import sys
from pathlib import Path

import faulty
import kernels
import tools


def main() -> None:
    folder = Path(sys.argv[1])
    indices = faulty.numpy_indices()
    table = [f"-DINDEX_{name}={index}" for name, index in indices.items()]
    table.append(f"-DTABLE_SIZE={max(indices.values()) + 1}")
    runtime = Path(kernels.__file__).parent
    objects = []
    for source, flags in [
        (runtime / "fault.c", []),
        (tools.HERE / "faults.c", [*table, *tools.include_flags()]),
    ]:
        objects.append(folder / f"{source.stem}_.o")
        command = [tools.compiler("gcc"), "-O1", "-fPIC", *flags]
        tools.run([*command, "-c", source, "-o", objects[-1]])
    wraps = [f"-Wl,--wrap={symbol}" for symbol in sorted(faulty.wrapped()[0])]
    flags = ["-O1", "-fPIC", "-include", str(runtime / "fault.h"), *wraps]
    print(kernels.build_entry(folder, "gcc", *flags, objects=objects))


if __name__ == "__main__":
    main()
