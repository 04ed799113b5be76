//! Mistakes in handles: names, constructors and destructors.

use crate::kinds::address_of_object;
use crate::names::{Constants, suggestion};
use crate::resolve::Classes;
use crate::{Capabilities, CheckedHandle, Named, functions};
use fishplate_model::{
    Argument, CResult, ClassId, Code, Diagnostic, Function, Handle, Intent, Interface, Overload,
    Owner, PREDEFINED, Passing, Spanned, VariableId,
};

/// Checks all handles, and the functions that are their methods.
pub(crate) fn check(
    interface: &Interface,
    host: &Capabilities,
    constants: &Constants<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedHandle> {
    for function in &interface.functions {
        check_names(function, interface, diagnostics);
        for overload in &function.overloads {
            check_destructor(overload, &interface.handles, diagnostics);
        }
    }
    let handles = interface.handles.iter().enumerate().map(|(at, handle)| {
        let bases = bases(handle, at, interface, diagnostics);
        let constructor = handle.constructor.as_ref().and_then(|constructor| {
            let constructor = owning(constructor, handle, diagnostics);
            functions::check(&constructor, host, Classes(interface), constants, diagnostics)
        });
        let Handle { name, doc, ctype, destructor, user_data, safety, stored, .. } = handle;
        CheckedHandle {
            bases,
            name: name.value.clone(),
            doc: doc.clone(),
            ctype: ctype.clone(),
            destructor: destructor.clone(),
            context: context(handle, interface, diagnostics),
            user_data: user_data.clone(),
            safety: *safety,
            stored: stored.clone(),
            constructor,
        }
    });
    handles.collect()
}

/// The class of the object that `free` needs.
fn context(
    handle: &Handle,
    interface: &Interface,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Named<ClassId>> {
    let context = handle.context.as_ref()?;
    let of =
        Classes(interface).class(&context.value).filter(|_| context.value != handle.name.value);
    if of.is_none() {
        let known = interface.handles.iter().map(|one| one.name.value.as_str());
        let known = known.filter(|one| *one != handle.name.value);
        let hint = suggestion(&context.value, known).unwrap_or_else(|| "name a handle".into());
        let message = match context.value == handle.name.value {
            true => format!("an object of `{}` cannot be its own `context`", context.value),
            false => format!("no handle is called `{}`", context.value),
        };
        diagnostics.push(Diagnostic::error(
            Code::UNKNOWN_NAME,
            context.span,
            message,
            hint.to_string(),
        ));
    }
    of
}

/// The classes from which this one is derived, which precede it.
fn bases(
    handle: &Handle,
    at: usize,
    interface: &Interface,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Named<ClassId>> {
    let mut found: Vec<Named<ClassId>> = Vec::new();
    for base in &handle.bases {
        let mut refuse = |code, message: String, hint: String| {
            diagnostics.push(Diagnostic::error(code, base.span, message, hint));
        };
        let (name, class) = (&base.value, &handle.name.value);
        let Some(of) = Classes(interface).class(name) else {
            let known = interface.handles.iter().map(|one| one.name.value.as_str());
            let hint = suggestion(name, known).unwrap_or_else(|| "name a handle".into());
            refuse(Code::UNKNOWN_NAME, format!("no handle is called `{name}`"), hint.to_string());
            continue;
        };
        let of_handle = &interface.handles[usize::from(of.id)];
        if usize::from(of.id) >= at {
            let message = format!("`{class}` is derived from `{name}`, which does not precede it");
            refuse(
                Code::UNKNOWN_NAME,
                message,
                format!("write `[handle.{name}]` before `[handle.{class}]`"),
            );
        } else if [handle, of_handle].iter().any(|one| one.ctype.invalid_identifier().is_some()) {
            let message =
                format!("`{class}` cannot be derived from `{name}`: integers have no bases");
            refuse(Code::INTENT_MISFIT, message, "remove `base`".to_owned());
        } else if found.contains(&of) {
            refuse(
                Code::DUPLICATE_NAME,
                format!("duplicate base `{name}`"),
                "name each base once".to_owned(),
            );
        } else {
            found.push(of);
        }
    }
    found
}

/// The constructor, whose objects the caller owns even without `own`. It returns one object of its
/// class and nothing else.
fn owning(constructor: &Function, handle: &Handle, diagnostics: &mut Vec<Diagnostic>) -> Function {
    let mut constructor = constructor.clone();
    let name = &handle.name.value;
    let listed = constructor.returns.clone();
    let is_returned = |output: &str| {
        listed.as_ref().is_none_or(|listed| listed.iter().any(|one| one.value == output))
    };
    for overload in &mut constructor.overloads {
        let mut made = 0;
        let mut others = matches!(overload.result, CResult::Value(_)) && is_returned("result")
            || overload.arguments.iter().any(|argument| {
                let intent = argument.intent.as_ref();
                let is_output = intent.is_some_and(|intent| intent.value.is_output());
                is_output
                    && !matches!(argument.passing, Passing::OutPointer(_))
                    && is_returned(&argument.name.value)
            });
        let arguments =
            overload.arguments.iter_mut().filter_map(|argument| match &mut argument.passing {
                Passing::OutPointer(out_pointer) => Some((&argument.ctype, out_pointer)),
                _ => None,
            });
        let result = match &mut overload.result {
            CResult::Pointer(returned) => Some((&returned.ctype, &mut returned.out_pointer)),
            _ => None,
        };
        for (ctype, out_pointer) in arguments.chain(result) {
            if ctype.handle() == Some(name) {
                made += 1;
                if out_pointer.owner == Owner::Unspecified {
                    out_pointer.owner = Owner::Caller(None);
                }
            } else {
                others = true;
            }
        }
        if made != 1 || others {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                overload.span,
                format!("`new` returns one `{name}`, and nothing else"),
                match made {
                    1 => "write `hidden` before an output that only `message` of its `status` needs; write a function \
                          if callers need it"
                        .to_owned(),
                    _ => format!(
                        "return `{}`, or set it in an argument, `out {}`",
                        handle.ctype.written(),
                        address_of_object(&handle.ctype, "NAME")
                    ),
                },
            ));
        }
    }
    constructor
}

/// The first argument of this handle that a caller must pass, at whatever position C has it: the object of a method.
pub(crate) fn object_of_method(overload: &Overload, handle: &Handle) -> Option<VariableId> {
    let mut arguments = overload.arguments.iter_enumerated();
    let first = arguments.find(|(_, argument)| {
        argument.ctype.handle() == Some(handle.name.value.as_str())
            && argument.passing == Passing::Value
            && !argument.nullable
            && argument.default.is_none()
            && argument.intent.as_ref().is_none_or(|intent| intent.value == Intent::In)
    });
    first.map(|(index, _)| index)
}

fn check_names(function: &Function, interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let Spanned { value: name, span } = &function.name;
    for handle in &interface.handles {
        let class = &handle.name;
        let is_own = function.class.as_ref() == Some(&class.value);
        if is_own
            && let Some(other) =
                function.overloads.iter().find(|one| object_of_method(one, handle).is_none())
        {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                other.span,
                format!("method `{name}` has no required `{}` argument", class.value),
                format!(
                    "add an argument `{}` that is not nullable and has no default, or write \
                     `[function.{name}]`",
                    handle.ctype.written()
                ),
            ));
        }
        if is_own && PREDEFINED.contains(&name.as_str()) && !function.closes() {
            let message = format!("`{name}` is a predefined member of every handle");
            let hint = format!("choose another name: `[function.{}.{name}_c]`", class.value);
            let found = Diagnostic::error(Code::DUPLICATE_NAME, *span, message, hint);
            diagnostics.push(found.also(class.span, "this is the handle"));
        }
        if is_own && function.closes() {
            diagnostics.extend(refuse_closing(function, handle));
        }
        if function.class.is_none() && *name == class.value {
            diagnostics.push(
                Diagnostic::error(
                    Code::DUPLICATE_NAME,
                    *span,
                    format!("a function and a handle are called `{name}`"),
                    "rename one of the two; the constructor is `new` of the handle",
                )
                .also(class.span, "this is the handle"),
            );
        }
    }
}

/// The mistake in a method `close`, if any: it destroys its object, and `with` calls it with nothing else.
fn refuse_closing(function: &Function, handle: &Handle) -> Option<Diagnostic> {
    let name = &handle.name.value;
    let refuse = |span, message: &str, hint: String| {
        let found =
            Diagnostic::error(Code::INTENT_MISFIT, span, format!("`{name}.close` {message}"), hint);
        Some(found.also(handle.name.span, "every object of this handle has a `close`"))
    };
    let [overload] = function.overloads.as_slice() else {
        return refuse(
            function.name.span,
            "has several prototypes",
            "write a function for each other one".to_owned(),
        );
    };
    let object = object_of_method(overload, handle)?;
    let is_else = |index: VariableId, argument: &Argument| {
        index != object
            && argument.status.is_none()
            && argument.intent.as_ref().is_none_or(|intent| intent.value != Intent::Hidden)
    };
    let mut arguments = overload.arguments.iter_enumerated();
    let other = arguments.find(|(index, argument)| is_else(*index, argument));
    let of_object = &overload.arguments[object];
    if of_object.consumed.is_none() {
        let hint = format!(
            "write `own {}` if C destroys the object, or rename the function",
            of_object.name.value
        );
        return refuse(of_object.name.span, "does not destroy the object", hint);
    }
    if let Some((_, other)) = other {
        let hint = format!("write `hidden` before `{}` and its value after it", other.name.value);
        return refuse(other.name.span, "has an argument besides the object", hint);
    }
    let is_value = matches!(overload.result, CResult::Value(_) | CResult::Pointer(_));
    if is_value || function.returns.as_ref().is_some_and(|names| !names.is_empty()) {
        let hint =
            "write `status` before the result if it is a return code, or rename the function";
        return refuse(overload.span, "returns a value", hint.to_owned());
    }
    None
}

/// A caller of a destructor has an object that is then released twice.
fn check_destructor(overload: &Overload, handles: &[Handle], diagnostics: &mut Vec<Diagnostic>) {
    let given = handles.iter().find_map(|handle| {
        let destructor = handle.destructor.as_ref()?;
        let is_same = destructor.function() == overload.c_name.value;
        let consumes = object_of_method(overload, handle)
            .is_some_and(|object| overload.arguments[object].consumed.is_some());
        (is_same && !consumes).then_some((handle, destructor))
    });
    if let Some((handle, destructor)) = given {
        let found = Diagnostic::error(
            Code::UNSUPPORTED,
            overload.c_name.span,
            format!("`{}` frees an object that its handle will free again", destructor.function()),
            format!(
                "leave it out: `{0}.close()` calls it; if it returns a code, write `[function.{0}.close]` with `own` \
                 before the object",
                handle.name.value
            ),
        );
        diagnostics.push(found.also(destructor.code().span, "it is called automatically"));
    }
}
