//! Mistakes in retained arguments: their owners, lifetimes and keys.

use crate::kinds::kind;
use crate::restricted::restriction;
use fishplate_model::{
    Argument, CResult, Code, Diagnostic, Function, Intent, Interface, Lifetime, Overload, Passing,
    PerArgument, Spanned, retained_struct,
};

/// Checks the functions that end the lifetimes of arguments.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    for argument in arguments(interface) {
        let Lifetime::Until(name) = &argument.retention.lifetime else { continue };
        let is_it =
            |function: &Function| function.class.is_none() && function.name.value == name.value;
        if !interface.functions.iter().any(is_it) {
            diagnostics.push(Diagnostic::error(
                Code::UNKNOWN_NAME,
                name.span,
                format!("no function of this module is called `{}`", name.value),
                "`until` names the function, as the host calls it, after which C uses the argument no more",
            ));
        }
    }
}

/// The functions of the target language until whose call an argument is retained.
pub(crate) fn keepers(interface: &Interface) -> impl Iterator<Item = &str> {
    arguments(interface).filter_map(|argument| match &argument.retention.lifetime {
        Lifetime::Until(name) => Some(name.value.as_str()),
        Lifetime::Call | Lifetime::Handle(_) => None,
    })
}

/// The arguments of all functions and constructors.
fn arguments(interface: &Interface) -> impl Iterator<Item = &Argument> {
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let overloads = constructors.chain(&interface.functions).flat_map(|one| &one.overloads);
    overloads.flat_map(|overload| &overload.arguments)
}

/// Checks the arguments of an overload that C uses after the call.
pub(crate) fn check_overload(
    function: &Function,
    overload: &Overload,
    intents: &PerArgument<Intent>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for ((at, argument), intent) in overload.arguments.iter_enumerated().zip(intents) {
        if !argument.retention.outlasts_call() {
            continue;
        }
        let code = code(argument);
        // The words before a struct are those of its memory, and of its fields.
        let of_struct = overload.unpacked.iter().find(|one| one.retained_memory() == Some(at));
        let name = of_struct.and_then(|one| one.name.as_ref()).unwrap_or(&argument.name);
        if retained_struct(&overload.unpacked, at).is_none() {
            check_owner(argument, &name.value, code, overload, diagnostics);
            for key in &argument.retention.key {
                check_key(key, code, overload, diagnostics);
            }
        }
        if argument.callback().is_none() {
            check_value(argument, *intent, function, diagnostics);
        }
    }
}

/// The code of mistakes.
fn code(argument: &Argument) -> Code {
    if argument.callback().is_some() { Code::BAD_CALLBACK } else { Code::INTENT_MISFIT }
}

/// An argument that is not a callback has memory that can be retained.
fn check_value(
    argument: &Argument,
    intent: Intent,
    function: &Function,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    let mut refuse = |code: Code, message: String, hint: &str| {
        diagnostics.push(Diagnostic::error(code, argument.span, message, hint));
    };
    if let Some((about, hint)) = restriction(function) {
        refuse(Code::UNSUPPORTED, format!("{about} cannot retain `{name}`"), hint);
    } else if let Err(why) = kind(argument).may_be_retained(argument, intent) {
        refuse(
            Code::INTENT_MISFIT,
            format!("`{name}` cannot be retained: it {why}"),
            "retain arrays, bytes, strings, lists of strings, objects and callbacks",
        );
    } else if argument.consumed.is_some() {
        refuse(
            Code::INTENT_MISFIT,
            format!("`{name}` is consumed, so C owns it, and nothing has to retain it"),
            "remove one of the two",
        );
    } else if argument.length().is_some() {
        refuse(
            Code::INTENT_MISFIT,
            format!("`{name}` is truncated after the call, so C cannot use it later"),
            "write one size, as in `x[n]`",
        );
    } else if let Lifetime::Handle(handle) = &argument.retention.lifetime
        && handle.value == *name
    {
        refuse(
            Code::INTENT_MISFIT,
            format!("`{name}` cannot retain itself"),
            "name the other object",
        );
    }
}

fn check_owner(
    argument: &Argument,
    name: &str,
    code: Code,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(handle) = argument.retention.handle() else { return };
    let mut bad = |message: String, hint: String| {
        diagnostics.push(Diagnostic::error(code, handle.span, message, hint));
    };
    let owner = overload.arguments.iter().find(|other| other.name.value == handle.value);
    let is_handle = owner.is_some_and(|other| {
        other.ctype.handle().is_some() && other.passing == Passing::Value && !other.nullable
    });
    let is_made = is_made(&handle.value, overload);
    if !is_handle && !is_made {
        bad(
            format!("`{}` is not a handle that this function accepts or creates", handle.value),
            "write the argument that is a handle, and not nullable, for which C retains it; `result` is one that C \
             returns"
                .to_owned(),
        );
    } else if argument.retention.replaces && !is_handle {
        bad(
            format!(
                "`{}` is created by the call, so `{name}` has no earlier one to replace",
                handle.value
            ),
            format!("write `keep({})`", handle.value),
        );
    } else if argument.retention.replaces
        && argument.retention.key.is_empty()
        && adds(&overload.c_name.value)
    {
        diagnostics.push(Diagnostic::warning(
            code,
            handle.span,
            format!(
                "the name `{}` suggests that C retains what every call passes, not only the last",
                overload.c_name.value
            ),
            format!(
                "`replace` releases that of the previous call, which crashes if C still uses it; `keep({})` retains all",
                handle.value
            ),
        ));
    }
}

/// The name of a C function that adds to what C retains.
fn adds(name: &str) -> bool {
    name.split('_').any(|word| matches!(word, "add" | "append" | "push"))
}

/// Whether C returns a handle under this name.
fn is_made(name: &str, overload: &Overload) -> bool {
    match overload.arguments.iter().find(|argument| argument.name.value == name) {
        Some(argument) => argument.out_pointer().is_some() && argument.ctype.handle().is_some(),
        None => {
            name == "result"
                && matches!(&overload.result, CResult::Pointer(one) if one.ctype.handle().is_some())
        }
    }
}

/// An argument that is part of a key has a value that identifies it, in whatever call.
fn check_key(
    key: &Spanned<String>,
    code: Code,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &key.value;
    let Some(other) = overload.arguments.iter().find(|other| other.name.value == *name) else {
        diagnostics.push(Diagnostic::error(
            Code::UNKNOWN_NAME,
            key.span,
            format!("no argument is called `{name}`"),
            "write the argument that identifies it among the retained ones: a string or an integer",
        ));
        return;
    };
    let is_key = kind(other).identifies_callback(other);
    let is_given = other.intent.as_ref().is_none_or(|intent| intent.value == Intent::In);
    if !is_key || !is_given || other.nullable {
        diagnostics.push(Diagnostic::error(
            code,
            key.span,
            format!("`{name}` cannot be the key of a retained argument"),
            "write a required argument that is a string, an integer or an enum",
        ));
    }
}
