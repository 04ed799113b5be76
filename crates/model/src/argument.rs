//! An argument of a C function: how C receives it, its intent, and its rules.

use crate::{
    AnyArray, CType, Callback, Elements, Expr, ExprKind, Measure, Owner, Pointee, PointerList,
    Retention, ReturnedPointer, Span, Spanned, Terminator, ValueRule,
};

/// How C receives an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Passing {
    /// By value.
    Value,
    /// A pointer to one scalar: `double *x`.
    Pointer,
    /// An array: `double x[n][m]`, one expression per dimension.
    Array {
        /// The dimensions, outermost first.
        shape: Vec<Expr>,
        /// C expects the first dimension to vary fastest.
        fortran: bool,
        /// The type that the target language has for it.
        elements: Elements,
        /// `x[capacity : length]`: the first dimension after the call, an expression over the
        /// values that C has set in other arguments, and `result`.
        length: Option<Expr>,
        /// C receives pointers to the rows: `double *x[m][n]`.
        rows: Option<RowPointers>,
    },
    /// A C string: `const char *s`, up to a NUL.
    String,
    /// An out-pointer, which C sets to its own memory: `out own(free) char **s`.
    OutPointer(ReturnedPointer),
    /// An array of pointers to strings or to handles: `char *argv[n]`.
    List {
        /// The length of the array.
        length: Expr,
        /// The pointers are `const`: `char *const argv[n]`.
        is_const: bool,
        /// The array of integers in which C finds the lengths of the strings.
        lengths: Option<Spanned<String>>,
    },
    /// Pointers to arrays of different lengths: `double *rows[m][lengths[]]`.
    Jagged {
        /// The number of rows.
        length: Expr,
        /// The name of the array that has the length of each row; `None`: each row has a terminator.
        lengths: Option<Spanned<String>>,
        /// The pointers are `const`.
        is_const: bool,
    },
    /// An array whose rank or dtype is known only at the call: `void x[...]`.
    AnyArray(AnyArray),
    /// A callback: `double (*f)(double x, void *data)`.
    Callback(Box<Callback>),
    /// The user data of a callback: `void *data`.
    UserData,
}

impl Passing {
    /// An array of numbers.
    pub fn array(shape: Vec<Expr>, fortran: bool) -> Self {
        Passing::Array { shape, fortran, elements: Elements::Numbers, length: None, rows: None }
    }

    /// Replaces the names of other arguments in it.
    fn rename_uses(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        match self {
            Passing::Array { shape, length, .. } => {
                shape.iter_mut().chain(length).for_each(|size| size.rename(new));
            }
            Passing::OutPointer(out_pointer) => {
                out_pointer.holds.shape_mut().iter_mut().for_each(|size| size.rename(new));
                if let Pointee::List(PointerList { capacity, free, .. }) = &mut out_pointer.holds {
                    capacity.iter_mut().for_each(|size| size.rename(new));
                    free.iter_mut().for_each(|free| rename_values(free, new));
                }
                match &mut out_pointer.owner {
                    Owner::Borrowed(owners) => rename_all(owners, new),
                    Owner::Caller(Some(free)) => rename_values(free, new),
                    Owner::Caller(None) | Owner::Unspecified => {}
                }
                rename_all(&mut out_pointer.keeps, new);
            }
            Passing::List { length, lengths, .. } | Passing::Jagged { length, lengths, .. } => {
                length.rename(new);
                rename_all(lengths, new);
            }
            Passing::AnyArray(any) => {
                any.shape.iter_mut().for_each(|size| size.rename(new));
                rename_all(&mut any.dims, new);
                let codes = any.dtypes.iter_mut().flat_map(|one| &mut one.code);
                codes.for_each(|code| code.rename(new));
            }
            Passing::Callback(callback) => callback.rename_outer(new),
            Passing::Value | Passing::Pointer | Passing::String | Passing::UserData => {}
        }
    }
}

/// The pointers to the rows of an array: to its parts along the first dimension, each of which is contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPointers {
    /// The pointers are `const`: `double *const x[m][n]`.
    pub is_const: bool,
}

/// The use of an argument's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Read.
    In,
    /// Read, and written back to where it came from.
    InPlace,
    /// Read and written in place; never copied.
    InOut,
    /// Allocated for the call and returned.
    Out,
    /// Not seen by the target language: scratch memory, or a computed value.
    Hidden,
    /// Copied; the changed copy is returned.
    InAndOut,
    /// As `InPlace`, and a copy of the result is returned.
    InPlaceAndOut,
    /// As `InOut`, and a copy of the result is returned.
    InOutAndOut,
}

impl Intent {
    /// Its keyword in the interface language.
    pub fn name(self) -> &'static str {
        match self {
            Intent::In => "in",
            Intent::InPlace => "inplace",
            Intent::InOut => "inout",
            Intent::Out => "out",
            Intent::Hidden => "hidden",
            Intent::InAndOut => "in out",
            Intent::InPlaceAndOut => "inplace out",
            Intent::InOutAndOut => "inout out",
        }
    }

    /// The caller passes a value (or may omit it if there is a default).
    pub fn is_input(self) -> bool {
        !matches!(self, Intent::Out | Intent::Hidden)
    }

    /// It is among the results.
    pub fn is_output(self) -> bool {
        matches!(self, Intent::Out | Intent::InAndOut | Intent::InPlaceAndOut | Intent::InOutAndOut)
    }

    /// The caller's own memory changes.
    pub fn writes_caller(self) -> bool {
        matches!(
            self,
            Intent::InPlace | Intent::InOut | Intent::InPlaceAndOut | Intent::InOutAndOut
        )
    }
}

/// When C takes over an object that the caller passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consumed {
    /// `own`: in any case.
    Always,
    /// `own(success)`: unless the call reports a failure.
    OnSuccess,
}

impl Consumed {
    /// Its keyword in the interface language.
    pub fn keyword(self) -> &'static str {
        match self {
            Consumed::Always => "own",
            Consumed::OnSuccess => "own(success)",
        }
    }
}

/// One argument of a C function.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its name, also the keyword in the target language.
    pub name: Spanned<String>,
    /// The place of the whole declaration.
    pub span: Span,
    /// The type of the value, of the pointee, or of an element.
    pub ctype: CType,
    /// The value, pointee or element is `const`.
    pub is_const: bool,
    /// By value, as a pointer, as an array, or otherwise.
    pub passing: Passing,
    /// The intent as written; `None` if the prototype has none here.
    pub intent: Option<Spanned<Intent>>,
    /// None becomes NULL; the argument may also be omitted.
    pub nullable: bool,
    /// The place of `invalidates`: the call ends the lifetime of everything borrowed from this
    /// object.
    pub invalidates: Option<Span>,
    /// `own`: C takes over the object that the caller passes.
    pub consumed: Option<Spanned<Consumed>>,
    /// How long C uses it.
    pub retention: Retention,
    /// The place of `status`: C writes its return code here.
    pub status: Option<Span>,
    /// `offsets`, `index(n)`: the rule for the values of an array of integers, which the call checks.
    pub values: Option<Spanned<ValueRule>>,
    /// `terminated(-1)`: the element by which C finds the end of the array, or of each row.
    pub terminator: Option<Spanned<Terminator>>,
    /// The expression after `=`: the default, the hidden value, or the initial value of each
    /// element of an allocated array.
    pub default: Option<Expr>,
}

impl Argument {
    /// No caller passes it, as its declaration says.
    pub fn is_hidden(&self) -> bool {
        self.intent.as_ref().is_some_and(|intent| intent.value == Intent::Hidden)
    }

    /// An argument with a type and nothing else: readers set what its declaration also has.
    pub fn new(name: Spanned<String>, span: Span, ctype: CType, passing: Passing) -> Self {
        Self {
            name,
            span,
            ctype,
            is_const: false,
            passing,
            intent: None,
            nullable: false,
            invalidates: None,
            consumed: None,
            retention: Retention::default(),
            status: None,
            values: None,
            terminator: None,
            default: None,
        }
    }

    /// The callback, if it is one.
    pub fn callback(&self) -> Option<&Callback> {
        match &self.passing {
            Passing::Callback(callback) => Some(callback),
            _ => None,
        }
    }

    /// The pointee of an out-pointer.
    pub fn out_pointer(&self) -> Option<&ReturnedPointer> {
        match &self.passing {
            Passing::OutPointer(out_pointer) => Some(out_pointer),
            _ => None,
        }
    }

    /// The dimensions of an array of any kind.
    pub fn shape(&self) -> Option<&[Expr]> {
        match &self.passing {
            Passing::Array { shape, .. } => Some(shape),
            // Empty if its rank is not known here.
            Passing::AnyArray(any) => Some(&any.shape),
            _ => None,
        }
    }

    /// The sizes of data passed by address: the dimensions of an array, or the length of a list.
    pub fn sizes(&self) -> Option<&[Expr]> {
        match &self.passing {
            Passing::List { length, .. } | Passing::Jagged { length, .. } => {
                Some(std::slice::from_ref(length))
            }
            _ => self.shape(),
        }
    }

    /// The array has any length, which C finds by the terminator: `x[]`.
    pub fn is_open(&self) -> bool {
        let is_open = |size: &Expr| matches!(&size.kind, ExprKind::Measure { measure: Measure::Len, array, .. } if *array == self.name.value);
        self.terminator.is_some() && self.sizes().is_some_and(|sizes| sizes.iter().any(is_open))
    }

    /// The first dimension of an array after the call, if specified.
    pub fn length(&self) -> Option<&Expr> {
        match &self.passing {
            Passing::Array { length, .. } => length.as_ref(),
            _ => None,
        }
    }

    /// It is an array, of any rank.
    pub fn is_array(&self) -> bool {
        self.shape().is_some()
    }

    /// The array, if its rank or dtype is known only at the call.
    pub fn any_array(&self) -> Option<&AnyArray> {
        match &self.passing {
            Passing::AnyArray(any) => Some(any),
            _ => None,
        }
    }

    /// The pointers to the rows of an array that C receives in place of it.
    pub fn rows(&self) -> Option<RowPointers> {
        match self.passing {
            Passing::Array { rows, .. } => rows,
            _ => None,
        }
    }
    /// Replaces the names of other arguments in its declaration: `new` returns the new name of one.
    pub fn rename_uses(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        if let Some(default) = &mut self.default {
            default.rename(new);
        }
        let rules = self.values.iter_mut().flat_map(|rule| rule.value.expressions_mut());
        rules.for_each(|value| value.rename(new));
        rename_all(self.retention.names_mut(), new);
        self.passing.rename_uses(new);
    }
}

/// Replaces the names of other arguments in an expression that frees memory; a name alone is that of a C function.
fn rename_values(free: &mut Expr, new: &dyn Fn(&str) -> Option<String>) {
    if free.as_name().is_none() {
        free.rename(new);
    }
}

/// Replaces each name that has a new one.
fn rename_all<'n>(
    names: impl IntoIterator<Item = &'n mut Spanned<String>>,
    new: &dyn Fn(&str) -> Option<String>,
) {
    for name in names {
        name.value = new(&name.value).unwrap_or_else(|| name.value.clone());
    }
}
