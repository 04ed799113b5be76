//! Values of C under names of the host's.

use crate::Spanned;

/// A value that headers define: a macro, a global, an enumerator.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name in the host.
    pub name: Spanned<String>,
    /// The expression of C that has the value.
    pub value: Spanned<String>,
}
