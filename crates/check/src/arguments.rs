//! Mistakes in one argument: intents, qualifiers, defaults.

use crate::kinds::{is_return_code, kind, no_intent};
use fishplate_model::{Argument, Code, Diagnostic, Intent, Passing};

/// The argument's intent, written or by default: `in` for values and for const pointers.
pub(crate) fn intent(argument: &Argument, diagnostics: &mut Vec<Diagnostic>) -> Intent {
    let name = &argument.name.value;
    let kind = kind(argument);
    if let Some(fixed) = kind.fixed_intent() {
        return fixed;
    }
    let by_value = argument.passing == Passing::Value;
    let Some(written) = &argument.intent else {
        if !by_value && !argument.is_const {
            diagnostics.push(no_intent(kind.noun(argument), argument));
        }
        return Intent::In;
    };
    let intent = written.value;
    if argument.ctype.nested().is_some() {
        // Its kind checks it.
    } else if by_value && matches!(intent, Intent::Out | Intent::InAndOut) {
        // Allowed: the compiler confirms that C takes a value.
        diagnostics.push(
            Diagnostic::warning(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is passed by value, so C cannot change it: the returned value is the given one"),
                format!(
                    "declare it as a pointer, `*{name}`, if C changes it, or drop `{}`",
                    intent.name()
                ),
            )
            .label("C cannot change it"),
        );
    } else if by_value && !matches!(intent, Intent::In | Intent::Hidden) {
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is passed by value, so C cannot change it"),
                format!("declare it as a pointer, `*{name}`, or drop `{}`", intent.name()),
            )
            .label(format!("`{}` needs a pointer or an array", intent.name())),
        );
    } else if argument.is_const
        && !matches!(intent, Intent::In | Intent::Hidden)
        && argument.out_pointer().is_none()
    {
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is const, so C cannot write to it"),
                format!("drop `{}`, or the `const` if the header has none", intent.name()),
            )
            .label("this declares that C writes to it"),
        );
    }
    intent
}

/// The other mistakes in a single argument.
pub(crate) fn check(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let kind = kind(argument);
    let is_object = argument.ctype.handle().is_some() && argument.passing == Passing::Value;
    if let (Some(place), false) =
        (argument.invalidates, is_object && intent == Intent::In && argument.default.is_none())
    {
        let name = &argument.name.value;
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                place,
                format!(
                    "`invalidates` applies to objects that the caller passes; `{name}` is not one"
                ),
                "remove it, or write it before the handle from which others were borrowed",
            )
            .label("which objects?"),
        );
    }
    let is_written = argument.passing == Passing::Pointer && !argument.is_const;
    if let (Some(place), false) = (argument.status, is_written && is_return_code(&argument.ctype)) {
        let name = &argument.name.value;
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            place,
            format!("`{name}` cannot hold a return code: C writes it through a pointer to an integer, an enum or a `bool`"),
            format!("write `status int *{name}`, or remove `status`"),
        ));
    }
    if argument.nullable {
        kind.check_nullable(argument, intent, diagnostics);
    }
    kind.check(argument, intent, diagnostics);
    if let Some(default) = &argument.default {
        kind.check_default(argument, default, diagnostics);
    }
}
