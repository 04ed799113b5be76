"""The user's C as an op in the words of Theano's manual, for libraries that keep its protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parent.parent / "hand" / "userop.h"

CODE = """
if (!%(y)s || PyArray_DIM(%(y)s, 0) != PyArray_DIM(%(x)s, 0)) {
    Py_XDECREF(%(y)s);
    %(y)s = (PyArrayObject *)PyArray_SimpleNew(1, PyArray_DIMS(%(x)s), NPY_DOUBLE);
    if (!%(y)s) {
        %(fail)s
    }
}
if (!PyArray_IS_C_CONTIGUOUS(%(x)s)) {
    PyErr_SetString(PyExc_ValueError, "softsign: x is not contiguous");
    %(fail)s
}
softsign((size_t)PyArray_DIM(%(x)s, 0), (const double *)PyArray_DATA(%(x)s),
         (double *)PyArray_DATA(%(y)s));
"""


class SoftsignCode:
    """The methods of such an op but for `__props__`, and `make_node`, which makes the library's
    own Apply."""

    def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
        (x,) = inputs
        outputs[0][0] = x / (1 + abs(x))

    def c_support_code(self, **kwargs: Any) -> str:
        return SOURCE.read_text().replace("restrict", "__restrict__")

    def c_code(self, node: Any, name: str, inputs: Any, outputs: Any, sub: Any) -> str:
        return CODE % {"x": inputs[0], "y": outputs[0], "fail": sub["fail"]}

    def c_code_cache_version(self) -> tuple[int, ...]:
        return (1,)
