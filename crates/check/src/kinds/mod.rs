//! The kinds of arguments in `check`: one file per kind.
//!
//! Purpose: the rules for a kind, and its crossing, are in the kind's file.
//! Invariant: the parts of a prototype that distinguish kinds are compared here alone.
//! Reason: a new kind is a new file and a line in [`kind`]; differences between kinds are easy to
//! compare.

mod any_array;
mod array;
mod bytes;
mod callback;
mod file;
mod jagged;
mod list;
mod literal;
mod nested;
mod object;
pub(crate) mod out_pointer;
mod string;
mod value;

pub(crate) use any_array::may_have_dimensions;
pub(crate) use literal::integer_value;
pub(crate) use object::address_of_object;
pub(crate) use string::check_capacities;

use crate::called_result::PointerResult;
use crate::resolve::{Classes, Scope};
use crate::{Crossing, FromC, Returned};
use fishplate_model::{
    Argument, CType, Code, Diagnostic, Elements, Expr, Intent, Measure, Passing, Pointee,
    ReturnedPointer, Scalar, Span, Type,
};

/// The properties of each kind.
pub(crate) mod properties {
    pub(crate) use super::any_array::properties as any_array;
    pub(crate) use super::array::properties as array;
    pub(crate) use super::bytes::properties as bytes;
    pub(crate) use super::callback::{properties as callback, user_data_properties as user_data};
    pub(crate) use super::file::properties as file;
    pub(crate) use super::jagged::properties as jagged;
    pub(crate) use super::list::properties as list;
    pub(crate) use super::nested::properties as nested;
    pub(crate) use super::object::properties as object;
    pub(crate) use super::out_pointer::properties as out_pointer;
    pub(crate) use super::string::{buffer_properties as string_buffer, properties as string};
    pub(crate) use super::value::properties as value;
}

pub(crate) type Mistakes<'d> = &'d mut Vec<Diagnostic>;

/// A kind of argument.
pub(crate) trait ArgumentKind {
    /// The crossing of an argument of a C function; `None` if only callbacks have this kind, or its
    /// type was refused.
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing>;

    /// The crossing of an argument of a callback; `None` if only functions have this kind.
    fn cross_from_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing<FromC>> {
        self.cross_to_c(argument, scope)?.passed_by_c()
    }

    /// The intent that this kind always has.
    fn fixed_intent(&self) -> Option<Intent> {
        None
    }

    /// Its description in the message about a missing intent.
    fn noun(&self, _: &Argument) -> &'static str {
        "pointer"
    }

    /// Reports mistakes that only this kind has.
    fn check(&self, _: &Argument, _: Intent, _: Mistakes<'_>) {}

    /// Reports a `nullable` that has no meaning.
    fn check_nullable(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        check_nullable_input(argument, intent, diagnostics);
    }

    /// Reports a default that is not a valid value of the argument's type.
    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        if argument.ctype.handle().is_some() {
            object::refuse_literal(argument, default, diagnostics);
        } else if argument.ctype.number().is_some() {
            literal::check(argument, default, diagnostics);
        }
    }

    /// The part of the argument that batched functions, and functions with arrays on a device, do not support, as a
    /// verb and its object: `set the pointer x`.
    fn beyond_batches(&self, _: &Argument) -> Option<(Span, String)> {
        None
    }

    /// The part that ragged functions do not support either.
    fn beyond_ragged(&self, _: &Argument) -> Option<(Span, String)> {
        None
    }

    /// Why a graph, whose values are numbers and arrays of numbers, cannot pass it.
    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        None
    }

    /// An expression of C may read its fields.
    fn has_fields(&self, _: &Argument) -> bool {
        false
    }

    /// It may be inferred from the shapes of arrays.
    fn may_be_found(&self, _: &Argument) -> bool {
        false
    }

    /// All items of a batch share it.
    fn is_whole(&self) -> bool {
        false
    }

    /// Why an expression cannot use its value, and the correction; dimensions are stricter than
    /// defaults.
    fn refuse_value(&self, _: &str, _is_default: bool) -> Option<(String, String)> {
        None
    }

    /// It has a length, but no shape.
    fn has_length(&self) -> bool {
        false
    }

    /// C may use its memory, or its object, after the call; or else why not, as a verb and its object.
    fn may_be_retained(&self, _: &Argument, _: Intent) -> Result<(), &'static str> {
        Err("has no memory of its own")
    }

    /// Its value may key a registered callback.
    fn identifies_callback(&self, _: &Argument) -> bool {
        false
    }

    /// The C calls of an on-error action may use it.
    fn outlasts_failure(&self) -> bool {
        false
    }

    /// In a callback: C functions may read its pointee.
    fn is_address(&self) -> bool {
        false
    }

    /// In a callback: it may be NULL.
    fn may_be_null(&self, _: &Argument) -> bool {
        false
    }

    /// Why an expression cannot use this property of the array, and the correction.
    fn refuse_measure(&self, _: &Argument, measure: Measure) -> Option<(String, &'static str)> {
        (measure == Measure::Dtype).then(|| {
            let message = "`dtype` is the code of an array of any dtype".to_owned();
            (message, "write `dtype(TABLE) void x[...]`, with a table `[dtypes.TABLE]`")
        })
    }

    /// Why C cannot pass it to a callback, if so.
    fn refuse_from_c(&self, _: &Argument, _: Intent) -> Option<&'static str> {
        Some(NOT_PASSED)
    }
}

/// The kinds that C may pass to a callback.
const NOT_PASSED: &str = "C passes numbers, enums, structs, strings, handles, arrays of numbers and bytes to a callback; \
                          pointers and arrays that it sets are of numbers";

/// The kinds of pointees of pointers that C returns.
pub(crate) trait PointeeKind {
    /// The crossing; `None` if its type was refused.
    fn returned(&self, _: &CType, _: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>>;

    /// Reports a type or a rank that it cannot have.
    fn check_type(&self, _: &Place<'_>, _: &CType, _rank: usize, _: Mistakes<'_>) {}

    /// Reports why a callback cannot return a pointer to it to C.
    fn check_result(&self, result: &PointerResult<'_>, diagnostics: Mistakes<'_>) {
        result.refuse(diagnostics);
    }

    /// Ownership is specified without a keyword.
    fn has_owner(&self, _is_const: bool) -> bool {
        false
    }
}

/// A value with elements, for messages.
pub(crate) struct Place<'a> {
    pub what: &'a str,
    pub span: Span,
    /// The most dimensions of strings, each in memory of the last one.
    pub string_dimensions: usize,
}

/// The kind of an argument.
pub(crate) fn kind(argument: &Argument) -> &'static dyn ArgumentKind {
    match &argument.passing {
        Passing::Value if argument.ctype.handle().is_some() => &object::Object,
        Passing::Value if argument.ctype.nested().is_some() => &nested::Value,
        Passing::Value if argument.ctype.is_file() => &file::File,
        Passing::Value => &value::ByValue,
        Passing::Pointer => &value::ByAddress,
        Passing::Array { elements: Elements::Numbers, .. } => &array::Numbers,
        Passing::Array { elements: Elements::Bytes, .. } => &bytes::Bytes,
        Passing::Array { elements: Elements::String, .. } => &string::Buffer,
        Passing::String => &string::String,
        Passing::OutPointer(_) => &out_pointer::OutPointer,
        Passing::List { .. } => &list::List,
        Passing::Jagged { .. } => &jagged::Jagged,
        Passing::AnyArray(_) => &any_array::AnyArray,
        Passing::Callback(_) => &callback::Callback,
        Passing::UserData => &callback::UserData,
    }
}

/// Why a graph, whose values are numbers and arrays of numbers, cannot pass this argument, if so.
pub fn beyond_numbers(argument: &Argument) -> Option<&'static str> {
    kind(argument).beyond_numbers(argument)
}

/// The kind of a pointee of this type.
pub(crate) fn pointee(out_pointer: &ReturnedPointer, ctype: &CType) -> &'static dyn PointeeKind {
    match &out_pointer.holds {
        Pointee::One if ctype.structure().is_some() => &value::Copied,
        Pointee::One if ctype.nested().is_some() => &nested::Value,
        Pointee::One => &object::Object,
        Pointee::String => &string::String,
        Pointee::List(_) => &list::List,
        Pointee::Array { elements: Elements::Numbers, .. } => &array::Numbers,
        Pointee::Array { elements: Elements::Bytes, .. } => &bytes::Bytes,
        Pointee::Array { elements: Elements::String, .. } => &string::Buffer,
    }
}

/// An integer, or an enum, which is one.
pub(crate) fn integer_or_enum(ctype: &CType) -> bool {
    matches!(ctype.what, Type::Enum(_)) || ctype.number().is_some_and(Scalar::is_integer)
}

/// A return code: an integer, an enum, a `bool`, or a message.
pub(crate) fn is_return_code(ctype: &CType) -> bool {
    integer_or_enum(ctype) || ctype.is_bool() || ctype.is_message()
}

/// C could write to it, and the prototype does not exclude that. `noun` describes it.
pub(crate) fn no_intent(noun: &str, argument: &Argument) -> Diagnostic {
    let name = &argument.name.value;
    Diagnostic::error(
        Code::NO_INTENT,
        argument.span,
        format!("the {noun} `{name}` is not const and has no intent"),
        "write `out`, `inplace`, `inout`, `in out` or `hidden` before its type, or `in` (or `const`) if C only reads \
         it",
    )
    .label("may C write to it?")
}

/// `nullable` applies to values that a caller passes, and excludes a default.
fn check_nullable_input(argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
    let name = &argument.name.value;
    if !intent.is_input() {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            argument.span,
            format!("`{name}` is {}, so no caller can pass None for it", intent.name()),
            "drop `nullable`",
        ));
    } else if let Some(default) = &argument.default {
        diagnostics.push(
            Diagnostic::error(
                Code::BAD_DEFAULT,
                default.span,
                format!("`{name}` is nullable and has a default"),
                "remove one of the two: `nullable` passes NULL if the argument is omitted",
            )
            .label("what should None mean?"),
        );
    }
}
