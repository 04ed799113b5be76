//! Mistakes in the results of callbacks, which C receives.
//!
//! Purpose: refuse what a function of the target language cannot return to C.
//! Invariant: of a pointer it is certain who owns the target, and until when C may use it.
//! Reason: C's caller is the target language, which frees what nothing retains.

use crate::callbacks::bad;
use crate::kinds::{Mistakes, pointee};
use crate::resolve::Classes;
use fishplate_model::{CResult, Callback, Pointee, Returned, Scalar, Spanned};

/// A pointer that a callback returns.
pub(crate) struct PointerResult<'a> {
    pub callback: &'a Callback,
    pub returned: &'a Returned,
    pub classes: Classes<'a>,
}

/// Checks the result of a callback.
pub(crate) fn check(callback: &Callback, classes: Classes<'_>, diagnostics: Mistakes<'_>) {
    match &callback.overload.result {
        CResult::Void => {}
        CResult::Value(ctype) if ctype.number().is_some() || ctype.class().is_some() => {}
        CResult::Status(ctype) if ctype.number().is_some_and(Scalar::is_integer) => {}
        CResult::Status(ctype) if ctype.is_bool() => {}
        CResult::Value(ctype) | CResult::Status(ctype) => bad(
            diagnostics,
            ctype.span,
            format!("a callback cannot return `{}`", ctype.spelling),
            "it returns a number, an enum, a struct, a string, an object, `void`, or a `status` that is an integer or a \
             `bool`",
        ),
        CResult::Pointer(returned) => {
            let result = PointerResult { callback, returned, classes };
            result.check(diagnostics);
        }
    }
}

impl PointerResult<'_> {
    /// The name of the callback.
    pub(crate) fn name(&self) -> &str {
        &self.callback.overload.c_name.value
    }

    fn check(&self, diagnostics: Mistakes<'_>) {
        let Returned { ctype, out_pointer, span, .. } = self.returned;
        if let Pointee::Array { .. } | Pointee::List(_) = &out_pointer.holds {
            bad(
                diagnostics,
                *span,
                "a callback cannot return an array".to_owned(),
                "C passes the memory for an array, `out double x[n]`: write a C function whose callback has such an \
                 argument, and wrap that",
            );
            return;
        }
        pointee(out_pointer, ctype).check_result(self, diagnostics);
    }

    /// Reports a target that no callback can return.
    pub(crate) fn refuse(&self, diagnostics: Mistakes<'_>) {
        bad(
            diagnostics,
            self.returned.span,
            format!("a callback cannot return a pointer to `{}`", self.returned.ctype.spelling),
            "it returns a number, an enum, a struct by value, a string, an object of a `[handle.NAME]`, `void`, or a \
             `status`; further results are `out` parameters",
        );
    }

    /// Reports arguments that would own it, or must outlive it. It is valid until this.
    pub(crate) fn refuse_names(
        &self,
        owners: &[Spanned<String>],
        (what, until): (&str, &str),
        diagnostics: Mistakes<'_>,
    ) {
        if let Some(first) = owners.iter().chain(&self.returned.out_pointer.keeps).next() {
            bad(
                diagnostics,
                first.span,
                format!("the {what} that a callback returns does not belong to `{}`", first.value),
                &format!("remove the name: the {what} is valid {until}"),
            );
        }
    }
}
