"""A module built with its API calls wrapped, and the list of these calls."""

from __future__ import annotations

import re
from pathlib import Path

import csource
import numpy as np
import spec
import tools
from compilers import CHECKING, CXX, LEVEL

# Symbols of Python that cannot fail when called as the runtime calls them.
CANNOT_FAIL = {
    "PyCallable_Check": "",
    "PyDict_GetItemString": "what fails there is as if nothing were found",
    "PyErr_SetInterrupt": "",
    "PyErr_Clear": "",
    "PyErr_ExceptionMatches": "",
    "PyErr_Fetch": "",
    "PyErr_GivenExceptionMatches": "",
    "PyErr_NoMemory": "it is what a failure does",
    "PyErr_Occurred": "",
    "PyObject_HashNotImplemented": "it is what a failure does",
    "PyErr_NormalizeException": "leaves an exception in any case",
    "PyErr_GetRaisedException": "",
    "PyErr_Restore": "",
    "PyErr_SetRaisedException": "",
    "PyErr_WriteUnraisable": "",
    "PyException_GetCause": "",
    "PyException_GetTraceback": "",
    "PyException_SetCause": "",
    "PyException_SetContext": "",
    "PyBuffer_IsContiguous": "",
    "PyDict_Size": "of a dictionary: never",
    "PyList_SetItem": "of a new list: never",
    "PyObject_Free": "",
    "PyObject_GC_Del": "",
    "PyObject_GC_UnTrack": "",
    "PyTuple_GetItem": "within the tuple: never",
    "PyType_Modified": "",
    "PyTuple_Size": "of a tuple: never",
    "PyThread_acquire_lock": "it is free, or somebody else's",
    "PyThread_acquire_lock_timed": "it waits",
    "PyThread_free_lock": "",
    "PyThread_release_lock": "",
    "Py_MakePendingCalls": "where a signal has come while a call waited",
    "PyGILState_Ensure": "",
    "PyGILState_Release": "",
    "PyCapsule_IsValid": "",
    "PyCapsule_SetName": "of a capsule: never",
    "PyEval_RestoreThread": "",
    "PyEval_SaveThread": "",
    "PyDict_Next": "",
    "PyComplex_ImagAsDouble": "called with complex objects only",
    "PyComplex_RealAsDouble": "called with complex objects only",
    "PyIndex_Check": "",
    "PyLong_AsDouble": "of an int: OverflowError only, which random calls cause",
    "PyLong_AsLongAndOverflow": "of an int: never",
    "PyLong_AsLongLongAndOverflow": "of an int: never",
    "PyLong_AsUnsignedLongLong": "of an int: OverflowError only, which random calls cause",
    "PyMem_Free": "",
    "PyGILState_GetThisThreadState": "",
    "Py_AddPendingCall": "where many wait: the signal stays for the next look",
    "PyInterpreterState_Get": "",
    "PyInterpreterState_GetDict": "of an interpreter that runs: never",
    "PyModule_GetDict": "",
    "PyModule_GetName": "of a module that is being loaded: never",
    "PyNumber_Check": "",
    "PyOS_snprintf": "",
    "PyOS_vsnprintf": "",
    "PyObject_CheckBuffer": "",
    "PyObject_ClearWeakRefs": "",
    "PyObject_SelfIter": "",
    "PySequence_Check": "",
    "PyThread_get_thread_ident": "",
    "PyType_GetSlot": "of a type without it: NULL, which is not called",
    "PyType_IsSubtype": "",
    "PyUnicode_CompareWithASCIIString": "of ready strings, as keywords are",
    "_Py_Dealloc": "",
}
DATA = re.compile(r"PyExc_\w+|_?Py\w*_Type|_Py_\w+Struct")
# Entries of NumPy's table that cannot fail, or are data.
NUMPY_CANNOT_FAIL = {
    "PyArray_Type",
    "PyArrayDescr_Type",
    "PyArray_SetBaseObject",  # of a new array: never
    "PyGenericArrType_Type",
    "PyBoolArrType_Type",
    "PyFloatingArrType_Type",
    "PyComplexFloatingArrType_Type",
    "PyArray_CanCastSafely",
    "PyArray_DescrFromType",  # of the numbers' own types: never
    "PyArray_EquivTypes",
    "PyArray_ScalarAsCtype",  # of a record: its address
    "PyArray_UpdateFlags",
    "PyVoidArrType_Type",
    "PyArray_MultiplyList",
    "PyArray_CompareLists",
}


def wrapped() -> tuple[set[str], set[str]]:
    """The names that faults.c replaces: Python's and NumPy's."""
    text = (tools.HERE / "faults.c").read_text()
    python = set(re.findall(r"^WRAP(?:_(?!NUMPY)\w+)?\((\w+)[,)]", text, re.M))
    numpy = set(re.findall(r"^WRAP_NUMPY\((\w+)", text, re.M))
    return python | {"PyCapsule_GetPointer"}, numpy


def numpy_indices() -> dict[str, int]:
    """NumPy's table: which function is where."""
    text = Path(np.get_include(), "numpy", "__multiarray_api.h").read_text()
    found = re.findall(r"#define (\w+) *\\?\s*\n?[^#]*?PyArray_API\[(\d+)\]", text)
    return {name: int(index) for name, index in found}


def compile_suite(suite: spec.Suite, folder: Path) -> Path:
    """Emits and builds the suite by hand, as `fishplate build` cannot pass `--wrap`."""
    interface = csource.write(suite, folder)
    return compile_interface(interface, folder, [folder / f"{suite.name}.c"])


def compile_interface(interface: Path, folder: Path, sources: list[Path]) -> Path:
    """The same for an interface, which has the module's name."""
    emitted, name = folder / "emitted", interface.stem
    unit = tools.emit(interface, emitted)
    compiler = tools.compiler(CHECKING)
    if unit.suffix == ".cpp":
        tools.compiler(CXX[CHECKING])
    indices = numpy_indices()
    include = [f"-I{emitted}", f"-I{interface.parent}", *tools.include_flags()]
    flags = [LEVEL, "-fPIC", *include]
    defines = [f"-DINDEX_{n}={i}" for n, i in indices.items()]
    defines.append(f"-DTABLE_SIZE={max(indices.values()) + 1}")
    objects = []
    for source in (unit, *sources, tools.HERE / "faults.c"):
        objects.append(folder / f"{source.parent.name}_{source.stem}.o")
        own = defines if source.name == "faults.c" else []
        if source.suffix == ".cpp":
            own = ["-std=c++17"]  # the oldest with types of C++ in prototypes
        tools.run([compiler, *flags, *own, "-c", source, "-o", objects[-1]])
    wraps = [f"-Wl,--wrap={symbol}" for symbol in sorted(wrapped()[0])]
    library = folder / "out" / f"{name}{tools.suffix()}"
    library.parent.mkdir()
    libraries = ["-lm", "-lstdc++"] if unit.suffix == ".cpp" else ["-lm"]
    tools.run([compiler, "-shared", *wraps, *objects, *libraries, "-o", library])
    return objects[0]


def python_symbols(obj: Path) -> set[str]:
    """The Python symbols that an object file uses."""
    text = tools.run([tools.compiler("nm"), "-u", obj]).stdout
    names = {line.split()[-1] for line in text.splitlines() if line.strip()}
    return {name for name in names if re.match(r"_?Py", name)}


def numpy_entries(folder: Path, name: str, include: Path | None = None) -> set[str]:
    """The entries of NumPy's table that the runtime and the generated code use."""
    emitted = folder / "emitted"
    command = [tools.compiler(CHECKING), "-E", f"-I{emitted}", f"-I{include or folder}"]
    [unit] = emitted.glob("*.c")
    text = tools.run([*command, *tools.include_flags(), unit]).stdout
    names = {index: entry for entry, index in numpy_indices().items()}
    used, ours = set(), False
    for line in text.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            ours = Path(marker[1]).name in (unit.name, f"{name}.toml", "fishplate_python.h")
        elif ours:
            used |= {names[int(index)] for index in re.findall(r"PyArray_API\[(\d+)\]", line)}
    return used
