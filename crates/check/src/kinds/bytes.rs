//! Arrays of bytes, for which target languages have a type.

use super::array::ArrayKind;
use super::{Mistakes, NOT_PASSED, Place, PointeeKind};
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Feature, Properties, Returned};
use fishplate_model::{Argument, CType, Code, Diagnostic, Expr, Intent, Pointee, Scalar, Span};

/// `bytes unsigned char x[n]`
pub(super) struct Bytes;

/// The properties of bytes. They are never modified in a copy.
pub(crate) fn properties(shape: &[Expr]) -> Properties<'_> {
    Properties {
        shape: Some(shape),
        word: Some("bytes"),
        is_copied: true,
        is_released: true,
        feature: Some(Feature::Bytes),
        ..Properties::default()
    }
}

impl ArrayKind for Bytes {
    fn cross_to_c(&self, argument: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::Bytes(argument.shape()?.to_vec()))
    }

    fn check_intent(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if let Intent::InPlaceAndOut | Intent::InOutAndOut = intent {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is `bytes`, which cannot be both modified in place and returned"),
                "write `in out` to return a changed copy, or drop `out`",
            ));
        }
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("accept or return the bytes `{}`", argument.name.value)))
    }

    fn refuse_from_c(&self, _: &Argument, intent: Intent) -> Option<&'static str> {
        (intent != Intent::In).then_some(NOT_PASSED)
    }
}

impl PointeeKind for Bytes {
    fn returned(&self, _: &CType, holds: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>> {
        Some(Crossing::Bytes(holds.shape()?.to_vec()))
    }

    fn check_type(&self, at: &Place<'_>, ctype: &CType, rank: usize, diagnostics: Mistakes<'_>) {
        let hint = "write `unsigned char`, or leave the type out";
        check_small(at, ("bytes", hint), ctype, (rank, 1), diagnostics);
    }
}

/// Bytes and strings have elements of one byte, and at most so many dimensions. `hint` applies to any other type.
pub(super) fn check_small(
    at: &Place<'_>,
    (word, hint): (&str, &str),
    ctype: &CType,
    (rank, most): (usize, usize),
    diagnostics: Mistakes<'_>,
) {
    let is_byte = |scalar: Scalar| scalar.size() == 1 && scalar.is_integer();
    if !ctype.number().is_some_and(is_byte) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            ctype.span,
            format!("{} is {word}, and `{}` is not a type for that", at.what, ctype.spelling),
            hint,
        ));
    }
    if rank > most {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DIMENSION,
            at.span,
            format!("{} is {word}, and has {rank} dimensions", at.what),
            format!("write one, or drop `{word}`"),
        ));
    }
}
