//! Strings: the ones that C reads, and buffers into which C writes one.

use super::array::ArrayKind;
use super::bytes::check_small;
use super::{ArgumentKind, Mistakes, NOT_PASSED, Place, PointeeKind};
use crate::callbacks::bad;
use crate::called_result::PointerResult;
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Feature, Properties, Returned};
use fishplate_model::{
    Argument, CType, Code, Diagnostic, Elements, Expr, ExprKind, Intent, Overload, Owner, Passing,
    PerArgument, Pointee, Span,
};

type Text = std::string::String;

/// `const char *s`, up to a NUL.
pub(super) struct String;

/// `out text char s[n]`, and `text const char s[16]`, of which C reads all bytes
pub(super) struct Buffer;

/// The properties of a string.
pub(crate) fn properties() -> Properties<'static> {
    Properties {
        word: Some("text"),
        is_copied: true,
        is_whole: true,
        feature: Some(Feature::Strings),
        acquired: Some(("borrow", "string: in place, without an embedded NUL")),
        ..Properties::default()
    }
}

/// The properties of a buffer.
pub(crate) fn buffer_properties(shape: &[Expr]) -> Properties<'_> {
    Properties {
        shape: Some(shape),
        is_whole: false,
        is_released: true,
        acquired: Some(("copy", "{}: into zeroed memory, without an embedded NUL")),
        ..properties()
    }
}

impl ArgumentKind for String {
    fn cross_to_c(&self, _: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::String)
    }

    fn may_be_retained(&self, _: &Argument, intent: Intent) -> Result<(), &'static str> {
        if intent == Intent::Hidden { Err("is hidden, so no caller passes it") } else { Ok(()) }
    }

    /// Rejects a literal that is not a string.
    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        let is_number = default.as_literal().is_some_and(|text| !text.starts_with('"'));
        if is_number || matches!(default.kind, ExprKind::Measure { .. }) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DEFAULT,
                default.span,
                format!("`{}` is a string, not {default}", argument.name.value),
                "write a string in double quotes, or a constant of the header",
            ));
        }
    }

    /// All items of a batch share a string, and ragged calls handle shared values differently.
    fn beyond_ragged(&self, argument: &Argument) -> Option<(Span, Text)> {
        let name = &argument.name.value;
        Some((argument.span, format!("accept the string `{name}` with `var...`")))
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn refuse_value(&self, name: &str, is_default: bool) -> Option<(Text, Text)> {
        let message = format!("`{name}` is a string, not a number");
        let hint = format!("for its bytes without the NUL write `len({name})`");
        (!is_default).then_some((message, hint))
    }

    fn has_length(&self) -> bool {
        true
    }

    fn identifies_callback(&self, _: &Argument) -> bool {
        true
    }

    fn outlasts_failure(&self) -> bool {
        true
    }

    fn is_address(&self) -> bool {
        true
    }

    fn may_be_null(&self, _: &Argument) -> bool {
        true
    }

    fn refuse_from_c(&self, _: &Argument, intent: Intent) -> Option<&'static str> {
        (!matches!(intent, Intent::In | Intent::Hidden)).then_some(NOT_PASSED)
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes a string")
    }
}

impl PointeeKind for String {
    fn returned(&self, _: &CType, _: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>> {
        Some(Crossing::String)
    }

    /// C owns it, or the callback.
    fn check_result(&self, result: &PointerResult<'_>, diagnostics: Mistakes<'_>) {
        let (name, returned) = (result.name(), result.returned);
        let mut owners = [].as_slice();
        match &returned.out_pointer.owner {
            Owner::Unspecified if !returned.is_const => bad(
                diagnostics,
                returned.span,
                format!("ownership of the string that `{name}` returns is not specified"),
                "write `own char *` if C takes it over, and frees it by `free`; `own(g_malloc) char *` if another function \
                 allocates such memory; `borrow char *` if C only reads it",
            ),
            Owner::Unspecified | Owner::Caller(None) => {}
            Owner::Borrowed(names) => owners = names.as_slice(),
            Owner::Caller(Some(allocate)) => check_allocator(allocate, diagnostics),
        }
        let until =
            "until the call returns; if the callback outlives its call, until it is called again";
        result.refuse_names(owners, ("string", until), diagnostics);
        let literal = result.callback.error_value().filter(|value| is_literal(value));
        if let (Owner::Caller(_), Some(literal)) = (&returned.out_pointer.owner, literal) {
            bad(
                diagnostics,
                literal.span,
                format!("C would free {literal}, which is not allocated"),
                "write `NULL`, which is the default, or a call of C that allocates it, as in `fails(strdup(\"failed\"))`",
            );
        }
    }

    /// A `const` string belongs to the library.
    fn has_owner(&self, is_const: bool) -> bool {
        is_const
    }
}

/// Reports what cannot allocate a string for C.
fn check_allocator(allocate: &Expr, diagnostics: Mistakes<'_>) {
    match allocate.as_name() {
        Some("free") => bad(
            diagnostics,
            allocate.span,
            "`free` does not allocate memory".to_owned(),
            "in the result of a callback, `own` names the C function that allocates the string: write `own char *`, which \
             is that of `malloc`",
        ),
        Some(_) => {}
        None => bad(
            diagnostics,
            allocate.span,
            "the string that a callback returns is allocated by a C function with one argument, the size".to_owned(),
            "write its name, as in `own(g_malloc)`; otherwise write such a function, in `header-code` say",
        ),
    }
}

fn is_literal(value: &Expr) -> bool {
    value.as_literal().is_some_and(|text| text.starts_with('"'))
}

impl ArrayKind for Buffer {
    fn cross_to_c(&self, argument: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::StringBuffer(argument.shape()?.to_vec()))
    }

    fn check_intent(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if !matches!(intent, Intent::In | Intent::Out | Intent::InAndOut) {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is a string, which the call copies"),
                format!(
                    "write `in`, `out` or `in out`; bytes that C changes in place are `inplace bytes {name}[n]`"
                ),
            ));
        }
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, Text)> {
        Some((argument.span, format!("return the string `{}`", argument.name.value)))
    }

    fn refuse_from_c(&self, _: &Argument, _: Intent) -> Option<&'static str> {
        Some(NOT_PASSED)
    }
}

/// Reports strings that C receives in memory whose size an argument determines: it is the string that has a length.
pub(crate) fn check_capacities(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    diagnostics: Mistakes<'_>,
) {
    for (argument, intent) in overload.arguments.iter().zip(intents) {
        let Passing::Array { shape, elements: Elements::String, .. } = &argument.passing else {
            continue;
        };
        let is_argument =
            |name: &str| overload.arguments.iter().any(|other| other.name.value == name);
        let sizes = shape.last().into_iter().flat_map(Expr::names);
        for (size, span) in sizes.filter(|(size, _)| intent.is_input() && is_argument(size)) {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                span,
                format!("`{name}` is a string of the caller, and its memory has no constant size"),
                format!(
                    "a string with its length is `const char *{name}` and, for the length, \
                     `hidden int {size} = len({name})`"
                ),
            ));
        }
    }
}

impl PointeeKind for Buffer {
    fn returned(&self, _: &CType, holds: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>> {
        Some(Crossing::StringBuffer(holds.shape()?.to_vec()))
    }

    fn check_type(&self, at: &Place<'_>, ctype: &CType, rank: usize, diagnostics: Mistakes<'_>) {
        let most = at.string_dimensions;
        check_small(at, ("text", "write `char`"), ctype, (rank, most), diagnostics);
    }
}
