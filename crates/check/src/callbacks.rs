//! Mistakes in callbacks: what C may give to them and get from them, and how long it may call them.

use crate::{Role, arguments, expressions, names};
use fishplate_model::{
    Argument, CResult, Callback, CallbackForm, Code, Device, Diagnostic, Elements, Expr, ExprKind,
    Function, Intent, Interface, Lifetime, Overload, Passing, PerArgument, Scalar, Span, Spanned,
    Type, VariableId,
};

/// Checks the types of callbacks, and what functions that the interface names.
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
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut kept_data: Option<VariableId> = None;
    let mut any = None;
    for argument in &overload.arguments {
        let Passing::Callback(callback) = &argument.passing else { continue };
        any = any.or(Some(argument.span));
        check_argument(argument, diagnostics);
        if callback.named.is_none() {
            check_called(callback, diagnostics);
        }
        check_lifetime(argument, callback, overload, diagnostics);
        check_data(argument, callback, overload, diagnostics);
        check_seen(argument, callback, overload, diagnostics);
        if callback.is_kept() {
            kept_data = kept_data.or(callback.data_among(&overload.arguments));
        }
    }
    if let Some(data) = kept_data {
        let callbacks = overload.arguments.iter().filter_map(Argument::callback);
        let shares = |callback: &&Callback| callback.data_among(&overload.arguments) == Some(data);
        if callbacks.filter(shares).count() > 1 {
            let name = &overload.arguments[data].name.value;
            bad(
                diagnostics,
                overload.span,
                format!("several callbacks share `{name}`, and not all end with the call"),
                "write a C function that accepts one of them, and wrap that",
            );
        }
    }
    let Some(span) = any else { return };
    let about = if function.ellipses.maps() {
        ("a batched function", "remove `ellipses`")
    } else if function.device != Device::Cpu {
        ("a function with device arrays", "remove `device`")
    } else {
        return;
    };
    diagnostics.push(Diagnostic::error(
        Code::UNSUPPORTED,
        span,
        format!("{} cannot call back", about.0),
        about.1,
    ));
}

fn bad(diagnostics: &mut Vec<Diagnostic>, span: Span, message: String, hint: &str) {
    diagnostics.push(Diagnostic::error(Code::BAD_CALLBACK, span, message, hint));
}

fn check_argument(argument: &Argument, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    if let Some(intent) = argument.intent.as_ref().filter(|intent| intent.value != Intent::In) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            intent.span,
            format!("`{name}` is a callback, which is always an input"),
            format!("drop `{}`", intent.value.name()),
        ));
    }
    if let Some(default) = &argument.default {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{name}` is a callback, which cannot have a default"),
            "`nullable` passes NULL when it is left out",
        ));
    }
}

/// What C that is called where the callback has failed may see of the call: what is there then.
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
            Lifetime::Call
                if matches!(
                    seen.passing,
                    Passing::Value | Passing::Text | Passing::Array { .. }
                ) => {}
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

/// Where the data of a callback comes from.
fn check_data(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    let is_there = callback.data_among(&overload.arguments).is_some();
    match (&callback.form, callback.data_name()) {
        (CallbackForm::Function, None) if callback.asks.is_some() => {
            if !is_there {
                bad(
                    diagnostics,
                    argument.span,
                    format!("`{}` has no user-data argument for `{name}`", overload.c_name.value),
                    "write the argument in which the C function receives the user data: `void *data`",
                );
            }
        }
        (CallbackForm::Struct { .. }, Some(_)) => {}
        (CallbackForm::Struct { data, .. }, None) => bad(
            diagnostics,
            callback.overload.span,
            "the struct's callback has no user-data parameter".to_owned(),
            &format!("write it, as in `double f(double x, void *{data})`"),
        ),
        (CallbackForm::Function, Some(data)) if !is_there => bad(
            diagnostics,
            argument.span,
            format!("`{}` has no user-data argument for `{name}`", overload.c_name.value),
            &format!(
                "the argument that C passes through is called as there: `void *{}`",
                data.value
            ),
        ),
        (CallbackForm::Function, None) if callback.is_kept() => bad(
            diagnostics,
            argument.span,
            format!("`{name}` has no user data, so C may call it during the call only"),
            "only a `void *` of user data distinguishes callbacks; remove `keep` or `until`",
        ),
        (CallbackForm::Function, _) => {}
    }
}

fn check_lifetime(
    argument: &Argument,
    callback: &Callback,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for filed in &callback.filed {
        check_filed(filed, overload, diagnostics);
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
    } else if callback.replaces && callback.filed.is_empty() && adds(&overload.c_name.value) {
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

/// The name of a C function after which C calls what it was given before, too.
fn adds(name: &str) -> bool {
    name.split('_').any(|word| matches!(word, "add" | "append" | "push"))
}

/// Whether C hands over a handle under this name.
fn is_made(name: &str, overload: &Overload) -> bool {
    match overload.arguments.iter().find(|argument| argument.name.value == name) {
        Some(argument) => {
            matches!(argument.passing, Passing::Handed(_)) && argument.ctype.handle().is_some()
        }
        None => {
            name == "result"
                && matches!(&overload.result, CResult::Pointer(one) if one.ctype.handle().is_some())
        }
    }
}

/// What a callback is filed under has a value that tells it from others, in whatever call.
fn check_filed(filed: &Spanned<String>, overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    let name = &filed.value;
    let Some(other) = overload.arguments.iter().find(|other| other.name.value == *name) else {
        diagnostics.push(Diagnostic::error(
            Code::UNKNOWN_NAME,
            filed.span,
            format!("no argument is called `{name}`"),
            "write the argument that identifies the callback among the retained ones: a string or an integer",
        ));
        return;
    };
    let is_integer = other.ctype.number().is_some_and(Scalar::is_integer);
    let is_enum = matches!(other.ctype.what, Type::Enum(_));
    let tells = match other.passing {
        Passing::Text => true,
        Passing::Value => is_integer || is_enum,
        _ => false,
    };
    let is_given = other.intent.as_ref().is_none_or(|intent| intent.value == Intent::In);
    if !tells || !is_given || other.nullable {
        bad(
            diagnostics,
            filed.span,
            format!("`{name}` cannot identify a callback"),
            "write a required argument that is a string, an integer or an enum",
        );
    }
}

/// The names in C that tells the data, or what C gets where the callback has failed.
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

/// Checks what C calls.
fn check_called(callback: &Callback, diagnostics: &mut Vec<Diagnostic>) {
    let called = &callback.overload;
    match &called.result {
        CResult::Void => {}
        CResult::Value(ctype) if ctype.number().is_some() || ctype.class().is_some() => {}
        CResult::Status(ctype) if ctype.number().is_some_and(Scalar::is_integer) => {}
        CResult::Value(ctype) | CResult::Status(ctype) => bad(
            diagnostics,
            ctype.span,
            format!("a callback cannot return `{}`", ctype.spelling),
            "it returns a number, an enum, a struct, `void`, or a `status` that is an integer",
        ),
        CResult::Pointer(returned) => bad(
            diagnostics,
            returned.span,
            "a callback cannot return a pointer".to_owned(),
            "it returns a number, `void`, or a `status`; further results are `out` parameters",
        ),
    }
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
    let is_data = |argument: &&Argument| argument.passing == Passing::Data;
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
        expressions::check_called(called, &intents, &roles, diagnostics);
    }
}

/// One parameter of what C calls.
fn check_parameter(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    let is_number = argument.ctype.number().is_some();
    if let Some(default) = &argument.default {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("C always passes `{name}`"),
            "remove the default",
        ));
    }
    let can_be_null = match argument.passing {
        Passing::Value => !is_number,
        Passing::Text => true,
        Passing::Array { .. } => true,
        _ => false,
    };
    if let Some(place) = argument.invalidates {
        bad(
            diagnostics,
            place,
            format!("`{name}` of a callback is valid until the callback returns"),
            "remove `invalidates`: it applies to objects that the caller passes",
        );
    }
    if argument.nullable && !can_be_null {
        bad(
            diagnostics,
            argument.span,
            format!("`{name}` of a callback cannot be NULL"),
            "drop `nullable`: it is for strings, handles and arrays; a number that may be missing is an array of \
             one, `nullable out double x[1]`",
        );
    }
    let fault = match (&argument.passing, intent) {
        (Passing::Data, _) if argument.intent.is_some() => {
            Some("the data of a callback is C's to pass through, without an intent")
        }
        (Passing::Data | Passing::Text | Passing::List { .. }, Intent::In | Intent::Hidden) => None,
        (Passing::Value, Intent::In) => None,
        (Passing::Pointer, Intent::In | Intent::Out | Intent::InAndOut) if is_number => None,
        (Passing::Pointer, _) if is_number => {
            Some("write `in out` for a number that the callback receives and returns")
        }
        (Passing::Array { length: Some(_), .. }, _) => Some("an array of C's has one size, `[n]`"),
        (Passing::Array { elements: Elements::Bytes, .. }, Intent::In) => None,
        (Passing::Array { elements: Elements::Numbers, .. }, Intent::In | Intent::Out)
            if is_number =>
        {
            None
        }
        (Passing::Array { elements: Elements::Numbers, .. }, Intent::InOut | Intent::InPlace)
            if is_number =>
        {
            None
        }
        (Passing::Array { elements: Elements::Numbers, .. }, _) if is_number => {
            Some("an array is read (`const`), modified in place (`inout`), or returned (`out`)")
        }
        _ => Some(
            "C passes numbers, enums, structs, strings, handles, arrays of numbers and bytes to a callback; \
             pointers and arrays that it sets are of numbers",
        ),
    };
    if let Some(hint) = fault {
        let message = format!("`{name}` cannot be passed to a callback");
        bad(diagnostics, argument.span, message, hint);
    }
    let shape = match &argument.passing {
        Passing::Array { shape, .. } => shape.as_slice(),
        Passing::List { length } => std::slice::from_ref(length),
        _ => &[],
    };
    for dimension in shape {
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
