"""Graphs of ops, linked into functions.

    import fishplate.graph as g

    x, y = g.vector("x"), g.vector("y")
    f = g.function([x, y], g.exp(-x) * y)

Variables stand for arrays and numbers and have NumPy's operators; functions have NumPy's names.
Types and ops can be added in Python, and in C, by deriving from `Type` and `Op`.
"""

from __future__ import annotations

from fishplate._native import Function

from .core.graph import FunctionGraph
from .core.nodes import Apply, Constant, Variable
from .core.op import Op
from .core.protocol import MethodNotDefined
from .core.type import Type
from .errors import MissingInputError, UnusedInputError
from .function import LINKERS, function
from .link.statistics import CacheStats, cache_stats
from .shared import SharedVariable, shared
from .show.printing import dprint, to_dot
from .show.profile import Profile
from .signature import In, Out
from .tensors import functions
from .tensors.declare import col, matrix, row, scalar, tensor, tensor3, tensor4, vector
from .tensors.functions import *  # noqa: F403
from .tensors.registered import (
    DeepCopyOp,
    Shape,
    Shape_i,
    ViewOp,
    register_deep_copy_op_c_code,
    register_shape_c_code,
    register_shape_i_c_code,
    register_view_op_c_code,
)
from .tensors.type import TensorType
from .tensors.variable import TensorConstant, TensorVariable

__all__ = [
    "LINKERS",
    "Apply",
    "CacheStats",
    "Constant",
    "DeepCopyOp",
    "Function",
    "FunctionGraph",
    "In",
    "MethodNotDefined",
    "MissingInputError",
    "Op",
    "Out",
    "Profile",
    "Shape",
    "Shape_i",
    "SharedVariable",
    "TensorConstant",
    "TensorType",
    "TensorVariable",
    "Type",
    "UnusedInputError",
    "Variable",
    "ViewOp",
    "cache_stats",
    "col",
    "dprint",
    "function",
    "matrix",
    "register_deep_copy_op_c_code",
    "register_shape_c_code",
    "register_shape_i_c_code",
    "register_view_op_c_code",
    "row",
    "scalar",
    "shared",
    "tensor",
    "tensor3",
    "tensor4",
    "to_dot",
    "vector",
]
__all__ += functions.__all__
