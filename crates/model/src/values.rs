//! Rules for the values of an array of integers: positions in other arrays, which C follows without a test.

use crate::Expr;
use std::fmt;

/// The values that an array of integers may have when C reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueRule {
    /// `offsets`, `offsets(base)`: where each row of other arrays begins, and where the last one ends. The first value
    /// is the base, and none is less than the one before it.
    Offsets {
        /// The first value; `None` is 0.
        base: Option<Expr>,
    },
    /// `index(size)`, `index(size, base)`: positions in a dimension.
    Index {
        /// The size of the dimension.
        size: Expr,
        /// The first position; `None` is 0.
        base: Option<Expr>,
    },
    /// Without a keyword: the elements are of an enum, and each is one of its values.
    Members,
}

impl ValueRule {
    /// The keyword.
    pub fn keyword(&self) -> &'static str {
        match self {
            ValueRule::Offsets { .. } => "offsets",
            ValueRule::Index { .. } => "index",
            ValueRule::Members => "members",
        }
    }

    /// The first value, or the first position.
    pub fn base(&self) -> Option<&Expr> {
        match self {
            ValueRule::Offsets { base } | ValueRule::Index { base, .. } => base.as_ref(),
            ValueRule::Members => None,
        }
    }

    /// The size of the dimension.
    pub fn size(&self) -> Option<&Expr> {
        match self {
            ValueRule::Offsets { .. } | ValueRule::Members => None,
            ValueRule::Index { size, .. } => Some(size),
        }
    }

    /// The expressions in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.size().into_iter().chain(self.base())
    }

    /// The same, to be changed.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (size, base) = match self {
            ValueRule::Offsets { base } => (None, base.as_mut()),
            ValueRule::Index { size, base } => (Some(size), base.as_mut()),
            ValueRule::Members => (None, None),
        };
        size.into_iter().chain(base)
    }

    /// The values in words: `offsets that begin with 0`.
    pub fn describe(&self) -> String {
        let base = self.base().map_or("0".to_owned(), Expr::to_string);
        match self {
            ValueRule::Offsets { .. } => format!("offsets: from {base}, never decreasing"),
            ValueRule::Index { size, .. } => {
                let last = match self.base() {
                    None => format!("less than {size}"),
                    Some(base) => format!("less than {base} + {size}"),
                };
                format!("indices: at least {base}, and {last}")
            }
            ValueRule::Members => "each element is a value of the enum".to_owned(),
        }
    }
}

impl fmt::Display for ValueRule {
    /// As in a prototype: `index(n, 1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner: Vec<String> = self.expressions().map(Expr::to_string).collect();
        match inner.as_slice() {
            [] => f.write_str(self.keyword()),
            inner => write!(f, "{}({})", self.keyword(), inner.join(", ")),
        }
    }
}
