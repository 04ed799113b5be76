"""The names of `theano.compile.ops`."""

from __future__ import annotations

from ..tensors.registered import (
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
    "Shape",
    "Shape_i",
    "ViewOp",
    "register_deep_copy_op_c_code",
    "register_shape_c_code",
    "register_shape_i_c_code",
    "register_view_op_c_code",
]
