//! The cost of functions.

use crate::Function;

/// True for functions that cost about as much as loading an element: they may be computed twice if
/// that saves an array.
pub(super) fn is_cheap(function: Function) -> bool {
    use Function::*;
    matches!(
        function,
        Add | Sub
            | Mul
            | Negative
            | Absolute
            | Square
            | Conj
            | RealPart
            | ImagPart
            | Eq
            | Ne
            | Lt
            | Le
            | Gt
            | Ge
            | LogicalAnd
            | LogicalOr
            | LogicalXor
            | LogicalNot
            | BitwiseAnd
            | BitwiseOr
            | BitwiseXor
            | Invert
            | LeftShift
            | RightShift
            | Maximum
            | Minimum
            | Where
            | IsNan
            | IsInf
            | IsFinite
            | SignBit
            | CopySign
            | Cast(_)
    )
}
