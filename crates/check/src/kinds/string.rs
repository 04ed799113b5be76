//! Strings: the ones that C reads, and buffers into which C writes one.

use super::array::ArrayKind;
use super::bytes::check_small;
use super::{ArgumentKind, Mistakes, NOT_PASSED, Place, PointeeKind};
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Feature, Properties, Returned};
use fishplate_model::{Argument, CType, Code, Diagnostic, Expr, ExprKind, Intent, Pointee, Span};

type Text = std::string::String;

/// `const char *s`, up to a NUL.
pub(super) struct String;

/// `out text char s[n]`
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
        acquired: None,
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

    /// A `const` string belongs to the library.
    fn has_owner(&self, is_const: bool) -> bool {
        is_const
    }
}

impl ArrayKind for Buffer {
    fn cross_to_c(&self, argument: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::StringBuffer(argument.shape()?.to_vec()))
    }

    fn check_intent(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if intent != Intent::Out {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is a string that C writes, so it is an output"),
                format!(
                    "write `out text`; a text that C only reads is `const char *{name}`, and one that \
                     C changes is `in out bytes {name}[n]`"
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

impl PointeeKind for Buffer {
    fn returned(&self, _: &CType, holds: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>> {
        Some(Crossing::StringBuffer(holds.shape()?.to_vec()))
    }

    fn check_type(&self, at: &Place<'_>, ctype: &CType, rank: usize, diagnostics: Mistakes<'_>) {
        check_small(at, ("text", "write `char`"), ctype, rank, diagnostics);
    }
}
