//! Callbacks and their user data.

use super::{ArgumentKind, Mistakes};
use crate::resolve::Scope;
use crate::{CheckedCallback, Crossing, Feature, Properties};
use fishplate_model::{Argument, Code, Diagnostic, Expr, Intent};

/// `double (*f)(double x, void *data)`
pub(super) struct Callback;

/// `void *data`
pub(super) struct UserData;

/// The properties of a callback.
pub(crate) fn properties(callback: &CheckedCallback) -> Properties<'_> {
    Properties {
        is_released: callback.is_kept() || callback.borrowed_result().is_some(),
        has_wide_table: true,
        feature: Some(Feature::Callbacks),
        ..Properties::default()
    }
}

/// The properties of user data.
pub(crate) fn user_data_properties() -> Properties<'static> {
    Properties {
        is_set_elsewhere: true,
        feature: Some(Feature::Callbacks),
        ..Properties::default()
    }
}

impl ArgumentKind for Callback {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let callback = scope.callback(argument.callback()?, &argument.retention)?;
        Some(Crossing::Callback(Box::new(callback)))
    }

    fn fixed_intent(&self) -> Option<Intent> {
        Some(Intent::In)
    }

    fn check(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        if let Some(intent) = argument.intent.as_ref().filter(|one| one.value != Intent::In) {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                intent.span,
                format!("`{}` is a callback, which is always an input", argument.name.value),
                format!("drop `{}`", intent.value.name()),
            ));
        }
    }

    fn check_nullable(&self, _: &Argument, _: Intent, _: Mistakes<'_>) {}

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{}` is a callback, which cannot have a default", argument.name.value),
            "`nullable` passes NULL when it is left out",
        ));
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some(refuse_any_value(name))
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes a callback")
    }
}

impl ArgumentKind for UserData {
    fn cross_to_c(&self, _: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::UserData(()))
    }

    /// User data is not visible to the caller.
    fn fixed_intent(&self) -> Option<Intent> {
        Some(Intent::Hidden)
    }

    fn check_nullable(&self, _: &Argument, _: Intent, _: Mistakes<'_>) {}

    fn check_default(&self, _: &Argument, _: &Expr, _: Mistakes<'_>) {}

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some(refuse_any_value(name))
    }

    fn refuse_from_c(&self, argument: &Argument, _: Intent) -> Option<&'static str> {
        let what = "the data of a callback is C's to pass through, without an intent";
        argument.intent.as_ref().map(|_| what)
    }
}

/// A value that is not a number and has no size.
pub(super) fn refuse_any_value(name: &str) -> (String, String) {
    (format!("`{name}` is not a number"), "use an argument that is a number".to_owned())
}
