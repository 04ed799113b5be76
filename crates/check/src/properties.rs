//! The properties of a crossing, of any kind, on which the phases after `check` depend.
//!
//! Purpose: plans and printers read these in place of a match on the kinds.
//! Invariant: each kind sets its properties in its own file, `kinds/KIND.rs`; the defaults are those of most kinds.
//! Reason: a new kind changes no file that only uses a property.

use crate::{Feature, Named};
use fishplate_model::{ClassId, Expr, Intent, Scalar, VariableId};

/// The properties of a crossing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Properties<'c> {
    /// The dimensions, for an array of any kind.
    pub shape: Option<&'c [Expr]>,
    /// The word for its type, or for that of its elements, in messages; `None`: as in C.
    pub word: Option<&'c str>,
    /// The number that it is, or that each element of it is.
    pub number: Option<Scalar>,
    /// It is an array of structs, or several of them.
    pub has_structs: bool,
    /// Its type in C is a pointer, which C receives by value.
    pub is_pointer: bool,
    /// The class of the object that it is, or of those of which it is an array.
    pub class: Option<&'c Named<ClassId>>,
    /// It contains objects, of any classes.
    pub has_objects: bool,
    /// For an array of pointers to strings, objects or rows: whether the pointers are const for C.
    pub has_const_pointers: Option<bool>,
    /// The array with the lengths of the strings or rows that it has.
    pub lengths: Option<VariableId>,
    /// The target language has a type for it, and does not see C's memory.
    pub is_copied: bool,
    /// One that C returns is converted to new values of the target language, which do not refer to C's memory.
    pub is_converted: bool,
    /// It is one value that all items of a batched call share.
    pub is_whole: bool,
    /// The value of the caller is released after the call.
    pub is_released: bool,
    /// A call has nothing to compute for it if the caller passes nothing: C sets it, or it belongs to a callback.
    pub is_set_elsewhere: bool,
    /// The intents with which changes are written back to the caller's value.
    pub written_back: &'static [Intent],
    /// The treatment of that value then, for `explain`.
    pub restored: &'static str,
    /// C may work for long, or wait, whatever the sizes of the arrays of the call are.
    pub may_last: bool,
    /// The table that describes it to a host's runtime is one of a class, a callback or a container, which begins with an
    /// `fp_param`.
    pub has_wide_table: bool,
    /// The feature that a host must support to pass it, beyond numbers, arrays of numbers and what the module declares.
    pub feature: Option<Feature>,
    /// A verb and its object for `explain`, if they do not depend on the intent; `{}` is its type.
    pub acquired: Option<(&'static str, &'static str)>,
    /// The part that is used like an array, for people: `each row`.
    pub part: &'static str,
}
