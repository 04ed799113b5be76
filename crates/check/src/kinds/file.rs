//! Files: C has a stream on a file that the caller has opened.

use super::{ArgumentKind, Mistakes};
use crate::resolve::Scope;
use crate::{Crossing, Feature, Properties};
use fishplate_model::{Argument, Code, Diagnostic, Expr, ExprKind, Intent, Span};

/// `FILE *f`
pub(super) struct File;

/// The properties of a file. The file of the caller continues where C has stopped.
pub(crate) fn properties() -> Properties<'static> {
    Properties {
        word: Some("file"),
        is_pointer: true,
        is_whole: true,
        is_released: true,
        written_back: &[Intent::In],
        restored: "is moved to where C has stopped",
        // The other end of a pipe may be in the hands of the caller.
        may_last: true,
        feature: Some(Feature::Files),
        acquired: Some(("borrow", "file: a stream of C at its position, closed after the call")),
        ..Properties::default()
    }
}

impl ArgumentKind for File {
    fn cross_to_c(&self, _: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::File(()))
    }

    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if intent.is_output() {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{}` is an open file, which C cannot return", argument.name.value),
                format!("remove `{}`; C reads and writes the file without it", intent.name()),
            ));
        }
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        if default.as_literal().is_some() || matches!(default.kind, ExprKind::Measure { .. }) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DEFAULT,
                default.span,
                format!("`{}` is a file, not {default}", argument.name.value),
                "write a stream of C, such as `stdout`, or `nullable`: NULL is passed if it is omitted",
            ));
        }
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("pass the file `{}`", argument.name.value)))
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes a file")
    }

    fn may_be_retained(&self, _: &Argument, _: Intent) -> Result<(), &'static str> {
        Err("is a file, whose stream is closed after the call")
    }

    fn refuse_value(&self, name: &str, is_default: bool) -> Option<(String, String)> {
        (!is_default)
            .then(|| (format!("`{name}` is a file, not a number"), "use a number".to_owned()))
    }
}
