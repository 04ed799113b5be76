//! Mistakes in callbacks that functions accept: their prototypes, and their user data.

use crate::called::check_called;
use crate::kinds::kind;
use crate::resolve::Classes;
use crate::restricted::restriction;
use crate::shared_data::{self, shares_data};
use crate::{expressions, names};
use fishplate_model::{
    Argument, Callback, CallbackForm, Code, Diagnostic, Expr, ExprKind, Function, Interface,
    Lifetime, Overload, Passing, Scalar, Span, VariableId, retained_struct,
};

/// Checks the types of callbacks.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let functions: Vec<&Function> = constructors.chain(&interface.functions).collect();
    for one in &interface.callbacks {
        let is_it = |argument: &Argument| {
            argument.callback().is_some_and(|other| other.named.as_ref() == Some(&one.name.value))
        };
        let overloads = functions.iter().flat_map(|function| &function.overloads);
        let takers: Vec<&Overload> =
            overloads.filter(|overload| overload.arguments.iter().any(is_it)).collect();
        check_called(&one.callback, &takers, Classes(interface), diagnostics);
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
    for (at, argument) in overload.arguments.iter_enumerated() {
        let Some(callback) = argument.callback() else { continue };
        any = any.or(Some(argument.span));
        if callback.named.is_none() {
            check_called(callback, &[overload], classes, diagnostics);
        }
        check_data(at, callback, overload, classes, diagnostics);
        check_seen(at, callback, overload, diagnostics);
        check_sizes(argument, callback, overload, diagnostics);
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

/// Sizes and on-error actions use only those parts of the call that exist when C calls the callback.
fn check_seen(
    at: VariableId,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let own = |name: &str| callback.overload.arguments.iter().any(|one| one.name.value == name);
    let argument = &overload.arguments[at];
    let f = &argument.name.value;
    let retained = retained_struct(&overload.unpacked, at);
    let mut seen_object: Option<Span> = None;
    let mut seen_field: Option<Span> = None;
    let sizes = callback.overload.arguments.iter().flat_map(|one| one.sizes().unwrap_or_default());
    let fails = callback.fails.iter().flat_map(Expr::names).map(|used| (used, false));
    let sizes = sizes.flat_map(Expr::names).map(|used| (used, true));
    for ((name, span), is_size) in fails.chain(sizes) {
        if own(name) {
            continue;
        }
        let place = if callback.named.is_some() { argument.span } else { span };
        if argument.retention.handle().is_some_and(|handle| handle.value == name) {
            seen_object = Some(place);
            continue;
        }
        let Some(index) = overload.arguments.position(|one| one.name.value == name) else {
            continue;
        };
        let seen = &overload.arguments[index];
        match &argument.retention.lifetime {
            // See check_sizes.
            Lifetime::Call if is_size || kind(seen).outlasts_failure() => {}
            _ if retained.is_some_and(|one| one.has_field(index))
                && kind(seen).outlasts_failure() =>
            {
                seen_field = Some(place);
            }
            Lifetime::Call => bad(
                diagnostics,
                place,
                format!("`{f}` cannot use the value of `{name}`"),
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
    if let (Some(place), Some(_)) = (seen_object, seen_field) {
        bad(
            diagnostics,
            place,
            format!("`{f}` uses both the object that retains it and fields of its struct"),
            "use one of the two",
        );
    }
}

/// The values of the call that the sizes of a callback's arrays use are integers; C functions accept objects, too.
fn check_sizes(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let own = |name: &str| callback.overload.arguments.iter().any(|one| one.name.value == name);
    for size in callback.overload.arguments.iter().flat_map(|one| one.sizes().unwrap_or_default()) {
        let mut accepted = expressions::accepted_by_c(size);
        size.walk(&mut |part| {
            if let ExprKind::Member(object, _) = &part.kind {
                accepted.push(object.span);
            }
        });
        for (name, span) in size.names().into_iter().filter(|(name, _)| !own(name)) {
            let place = if callback.named.is_some() { argument.span } else { span };
            let f = &argument.name.value;
            let Some(other) = overload.arguments.iter().find(|one| one.name.value == name) else {
                let is_made = argument.retention.handle().is_some_and(|one| one.value == name);
                if callback.named.is_some() && !is_made && !names::is_constant(name) {
                    diagnostics.push(Diagnostic::error(
                        Code::UNKNOWN_NAME,
                        place,
                        format!("`{f}` has arrays of the size `{name}`, which is not an argument of this function"),
                        format!("add an integer argument `{name}`, or write the prototype of the callback here"),
                    ));
                }
                continue;
            };
            let is_integer = other.passing == Passing::Value
                && other.ctype.number().is_some_and(Scalar::is_integer);
            let is_object = accepted.contains(&span) && other.ctype.handle().is_some();
            if !is_integer && !is_object || other.nullable {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_DIMENSION,
                    place,
                    format!("`{name}` cannot be a size of the arrays of `{f}`"),
                    "use an integer that C receives by value, or a C function of an object that is not nullable",
                ));
            }
        }
    }
}

/// The source of a callback's user data.
fn check_data(
    at: VariableId,
    callback: &Callback,
    overload: &Overload,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let argument = &overload.arguments[at];
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
        // That of a retained struct belongs to the struct.
        if retained_struct(&overload.unpacked, at).is_none() {
            shared_data::check(argument, callback, overload, classes, diagnostics);
        }
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
