//! Callbacks: functions that C calls.
//!
//! Purpose: guess the annotated type of a callback, its user data, and how long C may call it.
//! Invariant: a callback lives as long as the call, or, by the function's name, as the handle for
//! which it is registered, which retains all; if it could be called later than that, nothing
//! is guessed.
//! Reason: a call of a function that is gone crashes the process.

use super::argument::{Argument, Of};
use super::class::{Class, What};
use super::comment::Comment;
use super::words::{ClassNames, has_word};
use super::{Context, counts, sizes};
use fishplate_model::Scalar;
use fishplate_readers::header::bodies::Field;
use fishplate_readers::header::declarator::{Form, Signature};
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

/// Verbs of functions after which C calls later.
const REGISTER: &[&str] = &[
    "set",
    "register",
    "handler",
    "hook",
    "callback",
    "listen",
    "watch",
    "subscribe",
    "install",
    "add",
    "on",
    "create",
    "bind",
    "init",
    "connect",
    "observe",
    "notify",
    "trace",
    "auto",
    "config",
    "alarm",
    "atexit",
    "signal",
    "needed",
];

/// True for the name of a function that may store a callback, for calls after it has returned.
pub(crate) fn stores_callback(name: &str) -> bool {
    has_word(name, REGISTER)
}

/// Those of them after which C calls for the object that is passed.
const RETAIN: &[&str] = &[
    "set",
    "add",
    "append",
    "attach",
    "register",
    "subscribe",
    "connect",
    "handler",
    "hook",
    "callback",
    "listen",
    "trace",
    "on",
    "notify",
];

/// Verbs of methods that call before they return.
const CALL: &[&str] = &[
    "exec",
    "execute",
    "run",
    "foreach",
    "each",
    "for",
    "walk",
    "visit",
    "iterate",
    "map",
    "sort",
    "search",
    "find",
    "solve",
    "apply",
    "scan",
    "traverse",
    "filter",
    "reduce",
    "fold",
    "enumerate",
    "list",
    "call",
    "invoke",
    "integrate",
    "minimize",
    "evaluate",
    "eval",
    "query",
    "process",
    "select",
];

/// A printed callback.
pub(super) struct Written {
    pub text: String,
    /// The name of its user data; without any, the thread identifies it.
    pub data: Option<String>,
    pub spellings: Vec<String>,
}

/// Prints the callbacks of a function, with their user data. The spellings of types in them are
/// added.
pub(super) fn apply(
    function: &Declaration<'_>,
    arguments: &mut [Argument],
    context: &Context<'_, '_>,
    makes: bool,
    spellings: &mut Vec<String>,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let callbacks: Vec<usize> =
        (0..arguments.len()).filter(|index| arguments[*index].of == Of::Callback).collect();
    let Some(first) = callbacks.first() else { return Ok(()) };
    let first = arguments[*first].name.clone();
    if makes {
        return Err(format!("C may call `{first}` during the lifetime of the created object"));
    }
    let keep = lasting(function, &arguments[0], &first)?;
    let is_data = |index: &usize| arguments[*index].of == Of::Void && !arguments[*index].is_const;
    let candidates: Vec<usize> = (0..arguments.len()).filter(is_data).collect();
    let mut needed = None;
    for index in callbacks {
        let name = arguments[index].name.clone();
        remarks.push(match &keep {
            Some(handle) => {
                format!(
                    "C may call `{name}` until `{handle}` is closed, so every one is retained; write \
                     `replace({handle})` if each call replaces the previous one"
                )
            }
            None => format!("C does not call `{name}` after the function returns"),
        });
        let before = keep.as_ref().map_or(String::new(), |handle| format!("keep({handle}) "));
        if let Some(whole) = &arguments[index].whole {
            arguments[index].whole = Some(before + whole);
            continue;
        }
        let parameter = &function.parameters[index];
        let found = (parameter.signature.as_ref())
            .or_else(|| context.unit.function(&parameter.words))
            .ok_or_else(|| format!("`{name}` is a callback"))?;
        let data = match candidates.as_slice() {
            [only] => Some(arguments[*only].name.clone()),
            _ => None,
        };
        let result = result_of(found, keep.is_none(), context.unit)
            .map_err(|reason| format!("`{name}` is a callback: {reason}"))?;
        if found.returns_pointer {
            remarks.push(format!(
                "C only reads the string that `{name}` returns, before this call returns"
            ));
        }
        let written = write(&name, found, result, data.as_deref(), context)
            .map_err(|reason| format!("`{name}` is a callback: {reason}"))?;
        if written.data != data && written.data.is_some() {
            return Err(format!("`{name}` is a callback whose user data is set elsewhere"));
        }
        if let (Some(_), None) = (&keep, &written.data) {
            return Err(format!(
                "C may call `{name}` after the function returns, without user data"
            ));
        }
        needed = needed.or(written.data.and(candidates.first().copied()));
        spellings.extend(written.spellings);
        arguments[index].whole = Some(before + &written.text);
    }
    if let Some(data) = needed {
        arguments[data].whole = Some(format!("void *{}", arguments[data].name));
    }
    Ok(())
}

/// The handle for which C calls later; none if it calls before the function returns.
fn lasting(
    function: &Declaration<'_>,
    first: &Argument,
    callback: &str,
) -> Result<Option<String>, String> {
    let has = |list: &[&str]| has_word(function.name, list);
    match &first.of {
        Of::Handle(_) if has(RETAIN) => Ok(Some(first.name.clone())),
        Of::Handle(_) if !has(CALL) => {
            Err(format!("C may call `{callback}` after the function returns"))
        }
        _ if has(REGISTER) => Err(format!("C may call `{callback}` after the function returns")),
        _ => Ok(None),
    }
}

/// The type of the result, with its star: a value, or a string if the callback `ends` with its call.
fn result_of(signature: &Signature<'_>, ends: bool, unit: &Unit<'_>) -> Result<String, String> {
    let result = signature.result.join(" ");
    match unit.meaning(&signature.result) {
        Meaning::Scalar(Scalar::Char)
            if signature.returns_pointer && signature.is_const && ends =>
        {
            Ok(format!("const {result} *"))
        }
        _ if signature.returns_pointer => {
            Err("the returned pointer has no known owner or length".to_owned())
        }
        Meaning::Scalar(_) | Meaning::Foreign("`void`") => Ok(result + " "),
        Meaning::Foreign(what) => Err(format!("the function returns {what}")),
    }
}

/// Prints a callback with this result; `data` is the name of its user data.
fn write(
    name: &str,
    signature: &Signature<'_>,
    result: String,
    data: Option<&str>,
    context: &Context<'_, '_>,
) -> Result<Written, String> {
    if signature.variadic {
        return Err("the function is variadic".to_owned());
    }
    let mut arguments = signature
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| Argument::of(parameter, index, context, None))
        .collect::<Result<Vec<_>, _>>()?;
    let found = data_of(&arguments)?;
    for (index, argument) in arguments.iter_mut().enumerate() {
        if data == Some(argument.name.as_str()) && found != Some(index) {
            argument.name.push('_');
        }
    }
    lists(&mut arguments)?;
    if found.is_some() && arguments.len() == 1 && result == "void " {
        return Err("it may be a destructor of its user data".to_owned());
    }
    let mut its_data = None;
    if let Some(index) = found {
        let chosen = data.unwrap_or(&arguments[index].name).to_owned();
        arguments[index].whole = Some(format!("void *{chosen}"));
        its_data = Some(chosen);
    }
    for argument in &mut arguments {
        match argument.of {
            Of::Struct => return Err(format!("`{}` is a struct", argument.name)),
            Of::Made(_) | Of::Callback => {
                return Err(format!("`{}` is a pointer to pointers", argument.name));
            }
            _ => {}
        }
        argument.is_bytes = argument.of == Of::Void && argument.is_const;
    }
    super::strings::lengths(&mut arguments, &mut Vec::new())?;
    counts::apply(name, &Comment::default(), &mut arguments, &mut Vec::new())?;
    for argument in &mut arguments {
        if argument.is_one_number() && !sizes::is_one(argument) {
            return Err(format!("the parameter `{}` has no known length", argument.name));
        }
        if argument.intent == Some("hidden") {
            return Err(format!("`{}` is a string that is not NUL-terminated", argument.name));
        }
        // C's arrays are changed in place.
        if argument.intent == Some("inplace") {
            argument.intent = Some("inout");
        }
    }
    let printed: Vec<String> = arguments.iter().map(Argument::print).collect();
    let list = if printed.is_empty() { "void".to_owned() } else { printed.join(", ") };
    let mut spellings = vec![signature.result.join(" ")];
    spellings.extend(arguments.into_iter().map(|argument| argument.spelling));
    Ok(Written { text: format!("{result}(*{name})({list})"), data: its_data, spellings })
}

/// The one `void *` that has no length.
fn data_of(arguments: &[Argument]) -> Result<Option<usize>, String> {
    let is_data = |index: &usize| arguments[*index].of == Of::Void && !arguments[*index].is_const;
    let found: Vec<usize> = (0..arguments.len()).filter(is_data).collect();
    match found.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(*only)),
        [_, second, ..] => Err(format!("`{}` is a `void` pointer", arguments[*second].name)),
    }
}

/// `int n, char **values`: a list of strings.
fn lists(arguments: &mut [Argument]) -> Result<(), String> {
    let counts: Vec<String> =
        arguments.iter().filter(|one| one.is_count()).map(|one| one.name.clone()).collect();
    for argument in arguments
        .iter_mut()
        .filter(|argument| matches!(argument.of, Of::StringPointers | Of::Strings))
    {
        let [count] = counts.as_slice() else {
            return Err(format!("the parameter `{}` has no known length", argument.name));
        };
        let constant = if argument.is_const { "const " } else { "" };
        let star = if argument.of == Of::Strings { "*const " } else { "*" };
        argument.whole = Some(format!("{constant}char {star}{}[{count}]", argument.name));
    }
    Ok(())
}

/// The function type of a field that is a function pointer.
fn pointed<'u>(field: &'u Field<'_>, unit: &'u Unit<'_>) -> Option<&'u Signature<'u>> {
    match (&field.form, unit.meaning(&field.words)) {
        (Form::FunctionPointer, _) => field.signature.as_ref(),
        (Form::Value, Meaning::Foreign("a callback"))
        | (Form::Pointer, Meaning::Foreign("a function")) => unit.function(&field.words),
        _ => None,
    }
}

/// The class of a struct with a function pointer and its user data.
pub(super) fn class(
    words: &[&str],
    key: &str,
    names: &mut ClassNames<'_>,
    context: &Context<'_, '_>,
) -> Option<Class> {
    let found = context.unit.structs.get(key.strip_prefix("struct ").unwrap_or(key))?;
    let [one, other] = found.fields.as_slice() else { return None };
    let is_data = |field: &Field<'_>| field.form == Form::Pointer && field.words == ["void"];
    let (function, data) = match (is_data(one), is_data(other)) {
        (false, true) => (one, other),
        (true, false) => (other, one),
        _ => return None,
    };
    let signature = pointed(function, context.unit)?;
    // Some function may store the struct.
    let result = result_of(signature, false, context.unit).ok()?;
    let written = write("f", signature, result, Some(data.name), context).ok()?;
    written.data.as_ref()?;
    Some(Class {
        name: names.name(words.last()?)?,
        key: key.to_owned(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        at: None,
        remarks: Vec::new(),
        what: What::Callback {
            proto: written.text.replacen("(*f)", "f", 1),
            function: function.name.to_owned(),
            data: data.name.to_owned(),
            spellings: written.spellings,
        },
    })
}
