//! What each kind of argument is to `check`: one file a kind.
//!
//! Purpose: what may be written of a kind, and the crossing that is made of it, stand in the kind's file.
//! Invariant: the parts of a prototype that make a kind are compared here alone.
//! Reason: a new kind is a new file and a line in [`kind`]; what differs between kinds can be read side by side.

mod array;
mod bytes;
mod callback;
mod list;
mod literal;
mod object;
pub(crate) mod out_pointer;
mod string;
mod value;

pub(crate) use literal::integer_value;

use crate::resolve::{Classes, Scope};
use crate::{Crossing, FromC, Returned};
use fishplate_model::{
    Argument, CType, Code, Diagnostic, Elements, Expr, Handed, Holds, Intent, Passing, Scalar,
    Span, Type,
};

type Mistakes<'d> = &'d mut Vec<Diagnostic>;

/// A kind of argument.
pub(crate) trait ArgumentKind {
    /// How an argument of a C function crosses; `None` if only callbacks have this kind, or its type is one that was
    /// refused.
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing>;

    /// How an argument of a callback crosses; `None` if only functions have this kind.
    fn cross_from_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing<FromC>> {
        self.cross_to_c(argument, scope)?.passed_by_c()
    }

    /// The intent that it has whatever is written.
    fn fixed_intent(&self) -> Option<Intent> {
        None
    }

    /// What a message calls it that asks for its intent.
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

    /// Shapes of arrays may determine it.
    fn may_be_found(&self, _: &Argument) -> bool {
        false
    }

    /// All items of a batch share it.
    fn is_whole(&self) -> bool {
        false
    }

    /// Why an expression cannot use its value, and what to write; dimensions are stricter than defaults.
    fn refuse_value(&self, _: &str, _is_default: bool) -> Option<(String, String)> {
        None
    }

    /// It has a length, and no shape.
    fn has_length(&self) -> bool {
        false
    }

    /// Its value tells which callback was registered.
    fn identifies_callback(&self, _: &Argument) -> bool {
        false
    }

    /// What C runs after a callback has failed may use it.
    fn outlasts_failure(&self) -> bool {
        false
    }

    /// In a callback: C functions may look at what it points to.
    fn is_address(&self) -> bool {
        false
    }

    /// In a callback: it may be NULL.
    fn may_be_null(&self, _: &Argument) -> bool {
        false
    }

    /// Why C cannot pass it to a callback.
    fn refuse_from_c(&self, _: &Argument, _: Intent) -> Option<&'static str> {
        Some(NOT_PASSED)
    }
}

/// What C may pass to a callback.
const NOT_PASSED: &str = "C passes numbers, enums, structs, strings, handles, arrays of numbers and bytes to a callback; \
                          pointers and arrays that it sets are of numbers";

/// What a pointer that C returns leads to.
pub(crate) trait PointeeKind {
    /// How it crosses; `None` if its type is one that was refused.
    fn returned(&self, _: &CType, _: &Holds, _: Classes<'_>) -> Option<Crossing<Returned>>;

    /// Reports a type or a rank that it cannot have.
    fn check_type(&self, _: &Place<'_>, _: &CType, _rank: usize, _: Mistakes<'_>) {}

    /// Its prototype says who owns it, without a word for that.
    fn has_owner(&self, _is_const: bool) -> bool {
        false
    }
}

/// Something with elements, for messages.
pub(crate) struct Place<'a> {
    pub what: &'a str,
    pub span: Span,
}

/// The kind of an argument.
pub(crate) fn kind(argument: &Argument) -> &'static dyn ArgumentKind {
    match &argument.passing {
        Passing::Value if argument.ctype.handle().is_some() => &object::Object,
        Passing::Value => &value::ByValue,
        Passing::Pointer => &value::ByAddress,
        Passing::Array { elements: Elements::Numbers, .. } => &array::Numbers,
        Passing::Array { elements: Elements::Bytes, .. } => &bytes::Bytes,
        Passing::Array { elements: Elements::Text, .. } => &string::Buffer,
        Passing::Text => &string::String,
        Passing::Handed(_) => &out_pointer::OutPointer,
        Passing::List { .. } => &list::List,
        Passing::Callback(_) => &callback::Callback,
        Passing::Data => &callback::UserData,
    }
}

/// The kind of what a pointer leads to.
pub(crate) fn pointee(handed: &Handed) -> &'static dyn PointeeKind {
    match &handed.holds {
        Holds::One => &object::Object,
        Holds::Text => &string::String,
        Holds::Array { elements: Elements::Numbers, .. } => &array::Numbers,
        Holds::Array { elements: Elements::Bytes, .. } => &bytes::Bytes,
        Holds::Array { elements: Elements::Text, .. } => &string::Buffer,
    }
}

/// An integer, or an enum, which is one.
pub(crate) fn integer_or_enum(ctype: &CType) -> bool {
    matches!(ctype.what, Type::Enum(_)) || ctype.number().is_some_and(Scalar::is_integer)
}

/// `nullable` is for what a caller passes, and means what a default would.
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
