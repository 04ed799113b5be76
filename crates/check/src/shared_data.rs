//! Mistakes in user data that belongs to an object, and that several callbacks share.
//!
//! Such user data leads to the object's callbacks, of which the last one of each parameter is called.

use crate::callbacks::bad;
use crate::resolve::Classes;
use fishplate_model::{
    Argument, Callback, CallbackForm, Diagnostic, Overload, PerArgument, Retention, Spanned,
};

/// The callback outlives its call, and its user data is not its own: another function sets it, or several callbacks
/// of the call share it.
pub(crate) fn shares_data(
    callback: &Callback,
    retention: &Retention,
    arguments: &PerArgument<Argument>,
) -> bool {
    if !retention.outlasts_call() || callback.form != CallbackForm::Function {
        return false;
    }
    let data = callback.data_among(arguments);
    let callbacks = arguments.iter().filter_map(Argument::callback);
    let users = callbacks.filter(|other| other.data_among(arguments) == data).count();
    data.is_none() || users > 1
}

/// Checks a callback whose user data belongs to the object that retains it.
pub(crate) fn check(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    let data = callback.data_among(&overload.arguments);
    let Some(owner) = argument.retention.handle() else {
        bad(
            diagnostics,
            argument.span,
            match data {
                Some(data) => {
                    format!(
                        "`{}` is the user data of several callbacks, and belongs to no object",
                        overload.arguments[data].name.value
                    )
                }
                None => {
                    format!("`{}` has no user-data argument for `{name}`", overload.c_name.value)
                }
            },
            "write the argument in which the C function receives the user data of this callback only: `void *data`",
        );
        return;
    };
    let is_created = !overload
        .arguments
        .iter()
        .any(|other| other.name.value == owner.value && other.out_pointer().is_none());
    if is_created && data.is_none() {
        bad(
            diagnostics,
            argument.span,
            format!("`{}` is created by the call, so it has no user data before", owner.value),
            "write the argument in which the C function receives the user data, `void *data`; or a function that \
             accepts the object and the callback",
        );
        return;
    }
    if let Some(data) = data {
        let is_elsewhere = |other: &Argument| {
            let shares = |callback: &Callback| callback.data_among(&overload.arguments);
            other.callback().and_then(shares) == Some(data)
                && other.retention.handle().is_none_or(|one| one.value != owner.value)
        };
        if overload.arguments.iter().any(is_elsewhere) {
            let shared = &overload.arguments[data].name.value;
            bad(
                diagnostics,
                argument.span,
                format!("callbacks that share `{shared}` have different lifetimes"),
                &format!("write the same words before each of them, as `replace({})`", owner.value),
            );
            return;
        }
    } else if !sets_data(owner, overload, classes) {
        bad(
            diagnostics,
            argument.span,
            format!("`{}` has no user-data argument for `{name}`", overload.c_name.value),
            &format!(
                "write it, as in `void *data`; if another function sets it for `{}`, specify that in its handle, as in \
                 `user-data = \"set_user_data(object, data)\"`",
                owner.value
            ),
        );
        return;
    }
    if !is_created && (!argument.retention.replaces || !argument.retention.key.is_empty()) {
        bad(
            diagnostics,
            argument.span,
            format!(
                "the user data of `{name}` belongs to `{}`, so only the last `{name}` can be called",
                owner.value
            ),
            &format!("write `replace({})`", owner.value),
        );
    }
}

/// The handle of this argument specifies how its user data is set.
fn sets_data(owner: &Spanned<String>, overload: &Overload, classes: Classes<'_>) -> bool {
    let argument = overload.arguments.iter().find(|other| other.name.value == owner.value);
    let class = argument.and_then(|argument| argument.ctype.handle());
    let handles = &classes.0.handles;
    class.is_some_and(|class| {
        handles.iter().any(|one| one.name.value == class && one.user_data.is_some())
    })
}
