//! Terminators: the elements by which C finds the ends of arrays.

use crate::{Expr, Spanned};
use std::fmt;

/// `terminated(-1)`, `terminated(index = -1)`: the element that follows the last one of an array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terminator {
    /// The number, or the fields of a struct; without any, it is zero.
    pub values: Vec<TerminatorValue>,
}

/// A number in a terminator.
#[derive(Clone, Debug, PartialEq)]
pub struct TerminatorValue {
    /// The field of a struct; all others are zero.
    pub field: Option<Spanned<String>>,
    /// The value.
    pub value: Expr,
}

impl fmt::Display for Terminator {
    /// As in a prototype.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("terminated")?;
        for (index, one) in self.values.iter().enumerate() {
            f.write_str(if index == 0 { "(" } else { ", " })?;
            if let Some(field) = &one.field {
                write!(f, "{} = ", field.value)?;
            }
            write!(f, "{}", one.value)?;
        }
        if self.values.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}
