//! The prototype of a C++ function, or the reason for which it has none.
//!
//! Purpose: one rule for each position of a type, with remarks and reasons for all that the header does not say.
//! Invariant: a prototype has the types of the header, which the compiler confirms; owners of memory and objects are not
//! guessed where a wrong guess would free or use them at the wrong time.
//! Reason: the types are certain, since a compiler read them; lifetimes are in no header.

use super::declarations::{DefaultValue, Function, Lifetime, Parameter, Type, is_stream};
use crate::guess::{stores_callback, stores_pointer};
use fishplate_model::declared;

/// The end of a prototype without an implementation.
const PURE: &str = " = 0";

/// A function that an interface can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    pub proto: String,
    pub remarks: Vec<String>,
}

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Constructor,
    Method,
    /// A virtual method that the target language overrides.
    Overridden,
    /// A function of a namespace, or a static one of a class.
    Function,
}

impl Form {
    fn has_object(self) -> bool {
        matches!(self, Form::Method | Form::Overridden)
    }
}

/// The prototype, or the reason why there is none.
pub(super) fn prototype(function: &Function, form: Form) -> Result<Rule, String> {
    if function.is_template {
        let example = format!("{}<double>", function.qualified());
        return Err(format!(
            "a template: write a prototype for each of its types, as for `{example}`"
        ));
    }
    if function.is_deleted {
        return Err("it is deleted".to_owned());
    }
    if function.is_variadic {
        return Err("its arguments after `...` have no types".to_owned());
    }
    let mut rule = Rule::default();
    let result = match form {
        Form::Constructor => String::new(),
        _ => result(function, form, &mut rule.remarks)?,
    };
    let mut parameters = Vec::new();
    // A parameter with a default precedes no other.
    let constants = |one: &Parameter| {
        is_null(one)
            || matches!(one.default, Some(DefaultValue::Constant(_)))
            || default_object(one).is_some()
    };
    let optional =
        function.parameters.iter().rposition(|one| !constants(one)).map_or(0, |last| last + 1);
    for (at, one) in function.parameters.iter().enumerate() {
        let name = name_of(one, at);
        let next = function.parameters.get(at + 1);
        if let Some(bytes) = bytes(one, &name, next, (function, form), &mut rule.remarks) {
            parameters.push(bytes);
            continue;
        }
        let declared = parameter(one, &name, function, form, &mut rule.remarks)?;
        if is_null(one) && at >= optional {
            parameters.push(format!("nullable {declared}"));
            continue;
        }
        let default = match &one.default {
            Some(DefaultValue::Constant(value)) if at >= optional => format!(" = {value}"),
            Some(DefaultValue::Other(value)) if at >= optional => {
                format!(" = {}", default_object(one).unwrap_or_else(|| value.clone()))
            }
            Some(DefaultValue::Constant(value) | DefaultValue::Other(value)) => {
                rule.remarks
                    .push(format!("`{name}` is required here; its default in C++ is `{value}`"));
                String::new()
            }
            None => String::new(),
        };
        parameters.push(declared + &default);
    }
    if function.is_virtual && form == Form::Method {
        let pure = if function.is_pure { ", and `= 0` at the end," } else { "" };
        rule.remarks
            .push(format!("nothing overrides it; `virtual` before its type{pure} allows that"));
    }
    let parameters = parameters.join(", ");
    let name = match form {
        Form::Constructor => function.scope.clone(),
        _ => function.qualified(),
    };
    let specifier = match form {
        Form::Overridden => "virtual ",
        _ if function.is_static => "static ",
        _ if function.is_friend => "friend ",
        _ => "",
    };
    let pure = if form == Form::Overridden && function.is_pure { PURE } else { "" };
    let constant = if function.is_const { " const" } else { "" };
    let lvalues = if function.is_of_lvalues { " &" } else { "" };
    let written = declared(&result, &format!("{name}({parameters})"));
    rule.proto = format!("{specifier}{written}{constant}{lvalues}{pure}");
    Ok(rule)
}

/// The default is a pointer to nothing.
fn is_null(one: &Parameter) -> bool {
    let value = match &one.default {
        Some(DefaultValue::Constant(value) | DefaultValue::Other(value)) => value.as_str(),
        None => return false,
    };
    matches!(one.ctype.unqualified(), Type::Pointer(_)) && ["0", "NULL", "nullptr"].contains(&value)
}

/// The default is an object that its class makes without arguments: that object, or the empty string.
fn default_object(one: &Parameter) -> Option<String> {
    let Some(DefaultValue::Other(value)) = &one.default else { return None };
    let ctype = match one.ctype.unqualified() {
        Type::Reference(to) if matches!(**to, Type::Const(_)) => to.unqualified(),
        other => other,
    };
    let Type::Class(class) = ctype else { return None };
    let made = value.strip_suffix("()").or(value.strip_suffix("{}"))?;
    let is_default = made.is_empty() || class == made || class.ends_with(&format!("::{made}"));
    let text = if class == "std::string" { "\"\"".to_owned() } else { format!("{class}()") };
    is_default.then_some(text)
}

/// The same prototype of a method that nothing overrides, and whether the class is abstract without an override.
pub(super) fn without_overrides(proto: &str) -> Option<(&str, bool)> {
    let proto = proto.strip_prefix("virtual ")?;
    Some((proto.strip_suffix(PURE).unwrap_or(proto), proto.ends_with(PURE)))
}

/// The type of a result; remarks are added.
fn result(function: &Function, form: Form, remarks: &mut Vec<String>) -> Result<String, String> {
    let spelled = function.result.to_string();
    match function.result.unqualified() {
        Type::Pointer(to) => match to.unqualified() {
            Type::Number(name) if name == "char" && matches!(**to, Type::Const(_)) => {
                remarks.push("the library owns the returned string".to_owned());
                Ok(spelled)
            }
            Type::Class(_) if function.lifetime == Lifetime::Created => {
                remarks.push(
                    "the returned object belongs to that of the method, which can destroy it"
                        .to_owned(),
                );
                Ok(format!("borrow(self) {spelled}"))
            }
            Type::Class(_) if function.lifetime == Lifetime::Lent => {
                remarks.push(
                    "the returned object exists as long as that of the method, or until it is destroyed"
                        .to_owned(),
                );
                Ok(format!("nullable borrow(self) {spelled}"))
            }
            Type::Class(_) => {
                Err(format!("the owner of the `{}` that it returns is unknown", to.unqualified()))
            }
            _ => Err(format!("the memory at the returned `{spelled}` has no known size and owner")),
        },
        Type::Reference(to) if is_stream(to) && function.writes_to_stream() => Ok(spelled),
        Type::Reference(to) if matches!(to.unqualified(), Type::Class(name) if !is_string(name)) => {
            if form.has_object() {
                remarks.push("the returned object belongs to that of the method".to_owned());
                return Ok(spelled);
            }
            if function.parameters.is_empty() {
                remarks.push("the returned object exists until the program ends".to_owned());
                return Ok(format!("borrow {spelled}"));
            }
            Err(format!("the owner of the `{}` that it returns is unknown", to.unqualified()))
        }
        Type::Class(_) if function.returns_view => {
            let owners = owners_of_view(function, form);
            if owners.is_empty() {
                return Ok(spelled);
            }
            remarks.push("the returned object may refer to what it was made of".to_owned());
            Ok(format!("keep({}) {spelled}", owners.join(", ")))
        }
        Type::Template(name, _) if name == "std::span" => match form {
            Form::Method | Form::Overridden => {
                remarks.push("the returned memory belongs to the object".to_owned());
                Ok(spelled)
            }
            _ => Err("the owner of the memory that it returns is unknown".to_owned()),
        },
        Type::Moved(_) | Type::Array(..) | Type::Function(..) | Type::Other(_) => {
            Err(format!("its result, a `{spelled}`, has no rule"))
        }
        _ => Ok(spelled),
    }
}

/// The arguments to which an object that has a pointer, and does not own what that points to, may refer: the object of a
/// method, or those of a function.
fn owners_of_view(function: &Function, form: Form) -> Vec<String> {
    let is_object = |ctype: &Type| match ctype.unqualified() {
        Type::Reference(to) => matches!(to.unqualified(), Type::Class(name) if !is_string(name)),
        Type::Class(name) => !is_string(name),
        _ => false,
    };
    if form.has_object() {
        return vec!["self".to_owned()];
    }
    let objects = function.parameters.iter().enumerate();
    let objects = objects.filter(|(_, one)| is_object(&one.ctype));
    objects.map(|(at, one)| name_of(one, at)).collect()
}

/// A string or a container of the standard library.
fn is_container(ctype: &Type) -> bool {
    const CONTAINERS: &[&str] = &["vector", "map", "unordered_map", "set", "list", "deque", "pair"];
    match ctype {
        Type::Class(name) => name == "std::string",
        Type::Template(name, _) => {
            name.strip_prefix("std::").is_some_and(|name| CONTAINERS.contains(&name))
        }
        _ => false,
    }
}

/// A name of values that a function only sets.
fn is_named_output(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "out",
        "output",
        "outputs",
        "result",
        "results",
        "dest",
        "destination",
        "err",
        "errs",
        "error",
        "errors",
        "message",
    ];
    let name = name.trim_end_matches('_').to_lowercase();
    let last = name.rsplit('_').next().unwrap_or_default();
    NAMES.contains(&last) || name.starts_with("out_")
}

fn name_of(one: &Parameter, at: usize) -> String {
    if one.name.is_empty() { format!("argument{}", at + 1) } else { one.name.clone() }
}

/// The declaration of a parameter without its default; remarks are added.
fn parameter(
    one: &Parameter,
    name: &str,
    function: &Function,
    form: Form,
    remarks: &mut Vec<String>,
) -> Result<String, String> {
    let ctype = one.ctype.unqualified();
    let written = declared(&ctype.to_string(), name);
    // An object that has a pointer, and does not own what that points to.
    let refers = form == Form::Constructor && function.returns_view;
    let may_refer =
        || Err(format!("the object may use the parameter `{name}` later: how long is unknown"));
    match ctype {
        Type::Pointer(to) => match (to.unqualified(), &**to) {
            (Type::Number(char), Type::Const(_)) if char == "char" && may_store(function, form) => {
                remarks.push(format!(
                    "C++ may use `{name}` during the lifetime of the object, so every one is retained; remove \
                     `keep(self)` if it copies the string"
                ));
                Ok(format!("keep(self) {written}"))
            }
            (Type::Number(char), Type::Const(_)) if char == "char" && ends(name, one, function) => {
                Err(format!("the parameter `{name}` is the end of the memory of the one before"))
            }
            (Type::Number(char), Type::Const(_)) if char == "char" && refers => {
                remarks.push(format!("the object refers to `{name}`, which is retained"));
                Ok(format!("keep(result) {written}"))
            }
            (Type::Number(char), Type::Const(_)) if char == "char" => {
                remarks.push(format!(
                    "`{name}` is a NUL-terminated string, which the call does not store"
                ));
                Ok(written)
            }
            (to, of)
                if is_container(to) && to == of && (one.is_output || is_named_output(name)) =>
            {
                remarks.push(format!("the call only sets `{name}`"));
                Ok(format!("out {written}"))
            }
            (to, of) if is_container(to) && to == of => {
                remarks.push(format!(
                    "C++ reads `{name}` and sets it; write `out` alone if it only sets it"
                ));
                Ok(format!("in out {written}"))
            }
            (Type::Class(class), Type::Const(_)) if form != Form::Constructor => {
                remarks.push(format!("`{name}` is one `{class}`, which the call does not store"));
                Ok(written)
            }
            (Type::Class(_), _) if function.lifetime == Lifetime::Destroyed => {
                remarks.push(format!("the call destroys `{name}`"));
                Ok(format!("own {written}"))
            }
            (Type::Class(_), _) => {
                Err(format!("whether C++ stores or deletes the parameter `{name}` is unknown"))
            }
            (Type::Function(..), _) => {
                Err(format!("the parameter `{name}` is a pointer to a function"))
            }
            _ => Err(format!("the parameter `{name}` is a pointer without a known size")),
        },
        Type::Reference(to) => match (to.unqualified(), &**to) {
            (Type::Class(class), Type::Const(_)) if is_string(class) && refers => may_refer(),
            (Type::Class(class), Type::Const(_)) if is_string(class) => Ok(written),
            (Type::Class(_), Type::Const(_)) if refers => {
                remarks.push(format!("the object may refer to `{name}`"));
                Ok(format!("keep(result) {written}"))
            }
            (Type::Class(_), Type::Const(_)) if form == Form::Constructor => {
                remarks.push(format!("the object copies `{name}`, and does not refer to it later"));
                Ok(written)
            }
            (Type::Class(class), inner)
                if form == Form::Constructor
                    && !matches!(inner, Type::Const(_))
                    && !is_string(class) =>
            {
                may_refer()
            }
            (value, inner)
                if one.is_output
                    && !matches!(inner, Type::Const(_))
                    && !matches!(value, Type::Class(class) if !is_string(class)) =>
            {
                Ok(format!("out {written}"))
            }
            (Type::Template(template, _), _) if template == "std::function" => {
                callback(name, function, form, remarks)?;
                Ok(written)
            }
            (value, inner) if is_set(value) && !matches!(inner, Type::Const(_)) => {
                remarks.push(format!(
                    "C++ reads `{name}` and sets it; write `out` if it only sets it"
                ));
                Ok(written)
            }
            _ => Ok(written),
        },
        Type::Class(class) if class == "std::string_view" && form == Form::Constructor => {
            may_refer()
        }
        Type::Template(template, _) if template == "std::span" && form == Form::Constructor => {
            may_refer()
        }
        Type::Template(template, _) if template == "std::function" => {
            callback(name, function, form, remarks)?;
            Ok(written)
        }
        Type::Array(..) | Type::Function(..) | Type::Other(_) => {
            Err(format!("the parameter `{name}`, a `{ctype}`, has no rule"))
        }
        _ => Ok(written),
    }
}

/// `const char *end` after another pointer: the two are into one string.
fn ends(name: &str, one: &Parameter, function: &Function) -> bool {
    let name = name.trim_end_matches('_');
    let begins = |rest: &str| rest.starts_with(|next: char| next.is_uppercase() || next == '_');
    let is_end = matches!(name, "end" | "last")
        || name.ends_with("_end")
        || name.ends_with("End")
        || name.strip_prefix("end").is_some_and(begins);
    let at = function.parameters.iter().position(|other| other.name == one.name);
    let before = at.and_then(|at| at.checked_sub(1)).map(|at| &function.parameters[at].ctype);
    is_end && before.is_some_and(|before| before.unqualified() == one.ctype.unqualified())
}

/// The object may store a pointer that this method accepts.
fn may_store(function: &Function, form: Form) -> bool {
    form == Form::Method && !function.is_const && stores_pointer(&function.name)
}

/// `const void *data` before a `size_t`: bytes.
fn bytes(
    one: &Parameter,
    name: &str,
    next: Option<&Parameter>,
    (function, form): (&Function, Form),
    remarks: &mut Vec<String>,
) -> Option<String> {
    let Type::Pointer(to) = one.ctype.unqualified() else { return None };
    let is_memory = matches!(&**to, Type::Const(inner) if matches!(**inner, Type::Void));
    let size = next.filter(|next| {
        let is_size = matches!(next.ctype.unqualified(), Type::Number(name) if name == "size_t");
        is_size && !next.name.is_empty()
    })?;
    if !is_memory || form == Form::Constructor || one.default.is_some() {
        return None;
    }
    if may_store(function, form) {
        remarks.push(format!(
            "`{name}` are as many bytes as `{}` says, which C++ may read during the lifetime of the object",
            size.name
        ));
        return Some(format!("keep(self) bytes const void {name}[{}]", size.name));
    }
    remarks.push(format!(
        "`{name}` are as many bytes as `{}` says, which C++ reads during the call only",
        size.name
    ));
    Some(format!("bytes const void {name}[{}]", size.name))
}

/// A `std::function` is only called during the call, or the function has no rule.
fn callback(
    name: &str,
    function: &Function,
    form: Form,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    if form == Form::Constructor || stores_callback(&function.name) {
        return Err(format!("how long C++ may call the parameter `{name}` is unknown"));
    }
    remarks.push(format!("C++ calls `{name}` only during the call"));
    Ok(())
}

/// A reference to it changes a value of the caller: a number, a string or a container, not an object.
fn is_set(value: &Type) -> bool {
    match value {
        Type::Number(_) | Type::Enum(_) | Type::Template(..) => true,
        Type::Class(name) => name == "std::string",
        _ => false,
    }
}

fn is_string(class: &str) -> bool {
    matches!(class, "std::string" | "std::string_view" | "std::filesystem::path")
}
