"""The names of `theano.compile`: in an import, `theano` becomes `fishplate.graph`."""

from __future__ import annotations

from ..function import function
from ..shared import SharedVariable, shared
from ..signature import In, Out
from .ops import (
    DeepCopyOp,
    Shape,
    Shape_i,
    ViewOp,
    register_deep_copy_op_c_code,
    register_shape_c_code,
    register_shape_i_c_code,
    register_view_op_c_code,
)

__all__ = [
    "DeepCopyOp",
    "In",
    "Out",
    "Shape",
    "Shape_i",
    "SharedVariable",
    "ViewOp",
    "function",
    "register_deep_copy_op_c_code",
    "register_shape_c_code",
    "register_shape_i_c_code",
    "register_view_op_c_code",
    "shared",
]
