//! Arrays whose rank or dtype is known only when a function is called.

use crate::{Expr, Scalar, Span, Spanned};

/// An array of any rank or dtype: `double x[...]`, `dtype(native) void x[dims[]]`, `dtype(native) void x[m][n]`.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyArray {
    /// Its dimensions, if its rank is known; otherwise empty.
    pub shape: Vec<Expr>,
    /// The array that has its dimensions; `None`: C receives them otherwise.
    pub dims: Option<Spanned<String>>,
    /// The dtypes of its elements; `None`: they have the type of the argument.
    pub dtypes: Option<DtypeChoice>,
    /// C expects the first dimension to vary fastest.
    pub fortran: bool,
}

/// The dtypes that an array may have: `dtype(native, H5Dget_type(dataset))`.
#[derive(Clone, Debug, PartialEq)]
pub struct DtypeChoice {
    /// The name of the table.
    pub table: Spanned<String>,
    /// C's code of the dtype of an array that the call allocates.
    pub code: Option<Expr>,
    /// The place of the keyword and its brackets.
    pub span: Span,
}

/// A table `[dtypes.NAME]`: the codes by which a library identifies dtypes.
#[derive(Clone, Debug, PartialEq)]
pub struct Dtypes {
    /// Its name.
    pub name: Spanned<String>,
    /// The C type of a code, as spelled in the headers.
    pub ctype: Spanned<String>,
    /// C that compares the codes `left` and `right`; `None`: by `==`.
    pub equal: Option<Spanned<String>>,
    /// The dtypes, each with C for its code, in source order.
    pub values: Vec<(Scalar, Spanned<String>)>,
}
