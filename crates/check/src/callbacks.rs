//! Mistakes in callbacks that functions accept: their user data, and how long C may call them.

use crate::called::check_called;
use crate::kinds::kind;
use crate::resolve::Classes;
use crate::restricted::restriction;
use crate::shared_data::{self, shares_data};
use fishplate_model::{
    Argument, CResult, Callback, CallbackForm, Code, Diagnostic, Expr, Function, Intent, Interface,
    Lifetime, Overload, Passing, Span, Spanned,
};

/// Checks the types of callbacks, and the functions that end their lifetimes.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    for one in &interface.callbacks {
        check_called(&one.callback, diagnostics);
    }
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    for overload in constructors.chain(&interface.functions).flat_map(|one| &one.overloads) {
        for callback in overload.arguments.iter().filter_map(Argument::callback) {
            let Lifetime::Until(name) = &callback.lifetime else { continue };
            let is_it =
                |function: &Function| function.class.is_none() && function.name.value == name.value;
            if !interface.functions.iter().any(is_it) {
                diagnostics.push(Diagnostic::error(
                    Code::UNKNOWN_NAME,
                    name.span,
                    format!("no function of this module is called `{}`", name.value),
                    "`until` names the function, as the host calls it, after which C calls the callback no more",
                ));
            }
        }
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
        check_lifetime(argument, callback, overload, diagnostics);
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
        match &callback.lifetime {
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
        if callback.is_kept() {
            bad(
                diagnostics,
                argument.span,
                format!("`{name}` has no user data, so C may call it during the call only"),
                "only a `void *` of user data distinguishes callbacks; remove `keep` or `until`",
            );
        }
    } else if shares_data(callback, &overload.arguments) {
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

fn check_lifetime(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for key in &callback.key {
        check_key(key, overload, diagnostics);
    }
    let Lifetime::Handle(handle) = &callback.lifetime else { return };
    let keeps = overload.arguments.iter().find(|other| other.name.value == handle.value);
    let is_handle = keeps.is_some_and(|other| {
        other.ctype.handle().is_some() && other.passing == Passing::Value && !other.nullable
    });
    if !is_handle && !is_made(&handle.value, overload) {
        bad(
            diagnostics,
            handle.span,
            format!("`{}` is not a handle that this function accepts or creates", handle.value),
            "write the argument that is a handle, and not nullable, for which C calls back; `result` is one that \
             C returns",
        );
    } else if callback.replaces && !is_handle {
        bad(
            diagnostics,
            handle.span,
            format!(
                "`{}` is created by the call, so `{}` has no callback to replace",
                handle.value, argument.name.value
            ),
            &format!("write `keep({})`", handle.value),
        );
    } else if callback.replaces && callback.key.is_empty() && adds(&overload.c_name.value) {
        diagnostics.push(Diagnostic::warning(
            Code::BAD_CALLBACK,
            handle.span,
            format!("the name `{}` suggests that C retains every callback, not only the last", overload.c_name.value),
            format!(
                "`replace` releases the callback of the previous call, which crashes if C still calls it; \
                 `keep({})` retains all",
                handle.value
            ),
        ));
    }
}

/// The name of a C function during which C may still call registered callbacks.
fn adds(name: &str) -> bool {
    name.split('_').any(|word| matches!(word, "add" | "append" | "push"))
}

/// Whether C returns a handle under this name.
fn is_made(name: &str, overload: &Overload) -> bool {
    match overload.arguments.iter().find(|argument| argument.name.value == name) {
        Some(argument) => argument.handed().is_some() && argument.ctype.handle().is_some(),
        None => {
            name == "result"
                && matches!(&overload.result, CResult::Pointer(one) if one.ctype.handle().is_some())
        }
    }
}

/// An argument by which a callback is keyed has a value that identifies it, in whatever call.
fn check_key(key: &Spanned<String>, overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    let name = &key.value;
    let Some(other) = overload.arguments.iter().find(|other| other.name.value == *name) else {
        diagnostics.push(Diagnostic::error(
            Code::UNKNOWN_NAME,
            key.span,
            format!("no argument is called `{name}`"),
            "write the argument that identifies the callback among the retained ones: a string or an integer",
        ));
        return;
    };
    let tells = kind(other).identifies_callback(other);
    let is_given = other.intent.as_ref().is_none_or(|intent| intent.value == Intent::In);
    if !tells || !is_given || other.nullable {
        bad(
            diagnostics,
            key.span,
            format!("`{name}` cannot identify a callback"),
            "write a required argument that is a string, an integer or an enum",
        );
    }
}
