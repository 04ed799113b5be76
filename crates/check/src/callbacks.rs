//! Mistakes in callbacks that functions accept: their prototypes, and their user data.

use crate::called::check_called;
use crate::kinds::kind;
use crate::resolve::Classes;
use crate::restricted::restriction;
use crate::shared_data::{self, shares_data};
use fishplate_model::{
    Argument, Callback, CallbackForm, Code, Diagnostic, Expr, Function, Interface, Lifetime,
    Overload, Span,
};

/// Checks the types of callbacks.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    for one in &interface.callbacks {
        check_called(&one.callback, diagnostics);
    }
}

/// Checks the callbacks that an overload takes.
pub(crate) fn check_overload(
    function: &Function,
    overload: &Overload,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut any = None;
    for argument in &overload.arguments {
        let Some(callback) = argument.callback() else { continue };
        any = any.or(Some(argument.span));
        if callback.named.is_none() {
            check_called(callback, diagnostics);
        }
        check_data(argument, callback, overload, classes, diagnostics);
        check_seen(argument, callback, overload, diagnostics);
    }
    if let (Some(span), Some((about, hint))) = (any, restriction(function)) {
        let message = format!("{about} cannot call back");
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    }
}

/// Reports a mistake about callbacks.
pub(crate) fn bad(diagnostics: &mut Vec<Diagnostic>, span: Span, message: String, hint: &str) {
    diagnostics.push(Diagnostic::error(Code::BAD_CALLBACK, span, message, hint));
}

/// The C calls of an on-error action use only those parts of the call that exist by then.
fn check_seen(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let own = |name: &str| callback.overload.arguments.iter().any(|one| one.name.value == name);
    for (name, span) in callback.fails.iter().flat_map(Expr::names) {
        let Some(seen) = overload.arguments.iter().find(|one| one.name.value == name) else {
            continue;
        };
        if own(name) {
            continue;
        }
        let place = if callback.named.is_some() { argument.span } else { span };
        let f = &argument.name.value;
        match &argument.retention.lifetime {
            Lifetime::Handle(handle) if handle.value == name => {}
            Lifetime::Call if kind(seen).outlasts_failure() => {}
            Lifetime::Call => bad(
                diagnostics,
                place,
                format!("`{name}` cannot be seen where `{f}` has failed"),
                "use arguments that are numbers, handles, strings or arrays",
            ),
            Lifetime::Handle(handle) => bad(
                diagnostics,
                place,
                format!("`{f}` is called after the call, when `{name}` is gone"),
                &format!("of the call only `{}`, which retains it, is there then", handle.value),
            ),
            Lifetime::Until(_) => bad(
                diagnostics,
                place,
                format!("`{f}` is called after the call, when `{name}` is gone"),
                "use the callback's parameters, constants of the headers and C functions",
            ),
        }
    }
}

/// The source of a callback's user data.
fn check_data(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    if let CallbackForm::Struct { data, .. } = &callback.form {
        if callback.data_name().is_none() {
            bad(
                diagnostics,
                callback.overload.span,
                "the struct's callback has no user-data parameter".to_owned(),
                &format!("write it, as in `double f(double x, void *{data})`"),
            );
        }
    } else if callback.data_name().is_none() && callback.asks.is_none() {
        if argument.retention.outlasts_call() {
            bad(
                diagnostics,
                argument.span,
                format!("`{name}` has no user data, so C may call it during the call only"),
                "only a `void *` of user data distinguishes callbacks; remove `keep` or `until`",
            );
        }
    } else if shares_data(callback, &argument.retention, &overload.arguments) {
        shared_data::check(argument, callback, overload, classes, diagnostics);
    } else if callback.data_among(&overload.arguments).is_none() {
        let hint = match callback.data_name() {
            Some(data) => format!(
                "the argument that C passes through is called as there: `void *{}`; if another function sets it for \
                 an object, specify that in the `user-data` of its handle, and write `replace(OBJECT)` before the \
                 callback",
                data.value
            ),
            None => {
                "write the argument in which the C function receives the user data: `void *data`"
                    .to_owned()
            }
        };
        bad(
            diagnostics,
            argument.span,
            format!("`{}` has no user-data argument for `{name}`", overload.c_name.value),
            &hint,
        );
    }
}
