//! Mistakes in the prototypes of callbacks: the arguments that C passes, and the results that it
//! receives.

use crate::callbacks::bad;
use crate::kinds::kind;
use crate::names::Constants;
use crate::resolve::Classes;
use crate::{Role, arguments, called_result, expressions, names, terminators, values};
use fishplate_model::{
    Argument, CResult, Callback, Code, Diagnostic, Expr, ExprKind, Intent, Overload, Passing,
    PerArgument,
};

/// The names in the user-data getter and in the on-error action.
fn check_names(
    code: &Expr,
    may_be_global: bool,
    called: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (name, span) in code.names() {
        let parameter = called.arguments.iter().find(|argument| argument.name.value == name);
        if parameter.is_some_and(|argument| argument.passing == Passing::Pointer) {
            bad(
                diagnostics,
                span,
                format!("`{name}` is a pointer"),
                "use a parameter that C passes by value, or a constant of the headers",
            );
        }
        if parameter.is_none() && !may_be_global && !names::is_constant(name) {
            diagnostics.push(Diagnostic::error(
                Code::UNKNOWN_NAME,
                span,
                format!("no parameter of the callback is called `{name}`"),
                "use the callback's parameters, constants of the headers and C functions; a struct that has \
                 the data also has the `function`",
            ));
        }
    }
}

/// Checks the prototype of a callback that these overloads take.
pub(crate) fn check_called(
    callback: &Callback,
    takers: &[&Overload],
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let called = &callback.overload;
    values::check_called(called, diagnostics);
    terminators::check_called(called, diagnostics);
    called_result::check(callback, classes, diagnostics);
    let is_void = called.result == CResult::Void;
    for action in callback.actions().iter().filter(|one| !matches!(one.kind, ExprKind::Call(..))) {
        let (message, hint) = if is_void {
            (
                "a callback that returns `void` has no error return value",
                "remove `fails`, or write a call to C as the on-error action, as in `sqlite3_result_error(ctx, \"failed\", -1)`",
            )
        } else {
            (
                "only the last entry of `fails` is a value; the entries before it are calls",
                "write a call of C, as in `fails(force_stop(opt), NAN)`, or remove it",
            )
        };
        bad(diagnostics, action.span, message.to_owned(), hint);
    }
    if let (Some(asks), Some(data)) = (&callback.asks, callback.data_name()) {
        let message = format!("`{}` is user data, so a getter of user data has no use", data.value);
        bad(diagnostics, asks.span, message, "remove one of the two");
    }
    if let Some(asks) = &callback.asks {
        check_names(asks, false, called, diagnostics);
    }
    for part in &callback.fails {
        check_names(part, true, called, diagnostics);
        part.walk(&mut |part| {
            if let ExprKind::Measure { .. } = part.kind {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_MEASURE,
                    part.span,
                    "where a callback has failed, arrays are pointers, which have no shapes"
                        .to_owned(),
                    "write the parameter, or the argument of the call, that determines the size",
                ));
            }
        });
    }
    for (index, argument) in called.arguments.iter_enumerated() {
        let again = called.arguments[..index].iter().find(|o| o.name.value == argument.name.value);
        if let Some(first) = again {
            let message = format!("two parameters are called `{}`", argument.name.value);
            let hint = "rename one of them";
            let found = Diagnostic::error(Code::DUPLICATE_NAME, argument.name.span, message, hint);
            diagnostics.push(found.also(first.name.span, "the other one"));
        }
    }
    let is_data = |argument: &&Argument| argument.passing == Passing::UserData;
    if let Some(second) = called.arguments.iter().filter(is_data).nth(1) {
        bad(
            diagnostics,
            second.span,
            "only one `void *` is the user data; to what does the other point?".to_owned(),
            "write its type, or bytes with their number, `bytes const void x[n]`",
        );
    }
    let before = diagnostics.len();
    let intents: PerArgument<Intent> = called
        .arguments
        .iter()
        .map(|argument| {
            let intent = arguments::intent(argument, diagnostics);
            check_parameter(argument, intent, diagnostics);
            intent
        })
        .collect();
    if diagnostics.len() == before {
        let roles: PerArgument<Role> = called.arguments.iter().map(|_| Role::Required).collect();
        let outer = Constants::of_calls(takers);
        expressions::check_called(called, &intents, &roles, &outer, diagnostics);
    }
}

/// Checks one parameter of a callback.
fn check_parameter(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    let kind = kind(argument);
    if let Some(default) = &argument.default {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("C always passes `{name}`"),
            "remove the default",
        ));
    }
    if let Some(place) = argument.invalidates {
        bad(
            diagnostics,
            place,
            format!("`{name}` of a callback is valid until the callback returns"),
            "remove `invalidates`: it applies to objects that the caller passes",
        );
    }
    if let Some(place) = argument.status {
        bad(
            diagnostics,
            place,
            format!("`{name}` of a callback is not a return code"),
            "write `out`, and let the callback return it; a callback that has failed returns a `status`",
        );
    }
    if argument.nullable && !kind.may_be_null(argument) {
        bad(
            diagnostics,
            argument.span,
            format!("`{name}` of a callback cannot be NULL"),
            "drop `nullable`: it is for strings, handles and arrays; a number that may be missing is an array of \
             one, `nullable out double x[1]`",
        );
    }
    if let Some(hint) = kind.refuse_from_c(argument, intent) {
        let message = format!("`{name}` cannot be passed to a callback");
        bad(diagnostics, argument.span, message, hint);
    }
    for dimension in argument.sizes().unwrap_or_default() {
        dimension.walk(&mut |part| {
            if let ExprKind::Measure { .. } = part.kind {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_MEASURE,
                    part.span,
                    "a callback receives pointers, which have no shapes".to_owned(),
                    "write the parameter that determines the size",
                ));
            }
        });
    }
}
