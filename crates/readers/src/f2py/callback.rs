//! Callbacks: the routines of `NAME__user__routines`.
//!
//! Purpose: declare a callback as an interface does, and as C does.
//! Invariant: a callback receives the arguments that f2py passes; a callback with others is an error.
//! Reason: Fortran passes the address of each argument.

use super::declaration::Type;
use super::file::{File, Routine, Use};

/// The declaration of a callback.
pub(super) struct Callback {
    pub interface: String,
    pub c: String,
}

/// The callback `name` of a routine.
pub(super) fn callback(name: &str, routine: &Routine, file: &File) -> Result<Callback, String> {
    let find = |(module, renamed): &Use| {
        let other = renamed.iter().find(|(own, _)| own == name);
        let wanted = other.map_or(name, |(_, other)| other);
        file.callbacks.get(module)?.iter().find(|one| one.name.eq_ignore_ascii_case(wanted))
    };
    let declared = routine.uses.iter().find_map(find);
    let declared = declared.ok_or_else(|| {
        format!("the arguments of the callback `{name}` are not declared in a `__user__routines`")
    })?;
    if let Some(problem) = &declared.problem {
        return Err(format!("callback `{name}`: {problem}"));
    }
    let mut interface = Vec::new();
    let mut c = Vec::new();
    for argument in &declared.arguments {
        let (one, plain) = parameter(argument, declared)
            .map_err(|problem| format!("callback `{name}`: {problem}"))?;
        interface.push(one);
        c.push(plain);
    }
    let result = match &declared.result {
        None => "void",
        Some(result) => match declared.variables.get(result).and_then(|one| one.base.as_ref()) {
            Some(Type::Number(name)) => name,
            _ => return Err(format!("the type that the callback `{name}` returns is unknown")),
        },
    };
    let function = |parameters: &[String]| format!("{result} (*{name})({})", parameters.join(", "));
    Ok(Callback { interface: function(&interface), c: function(&c) })
}

fn parameter(name: &str, callback: &Routine) -> Result<(String, String), String> {
    let variable = callback.variables.get(name).filter(|one| one.base.is_some());
    let variable = variable.ok_or_else(|| format!("the type of `{name}` is unknown"))?;
    let Some(Type::Number(ctype)) = variable.base else {
        return Err(format!("`{name}` is a string"));
    };
    let (inputs, out) = (variable.has("in"), variable.has("out"));
    if variable.has("inout") || variable.has("inplace") {
        return Err(format!("`{name}` is changed in place"));
    }
    let intent = match (inputs, out) {
        (true, true) => "in out ",
        (false, true) => "out ",
        _ => "in ",
    };
    if variable.dimensions.is_empty() {
        let is_size = callback.variables.values().any(|array| {
            !array.has("out") && array.dimensions.iter().any(|dimension| dimension == name)
        });
        if variable.has("hide") && !is_size {
            return Err(format!("`{name}` is hidden, but not the size of an array"));
        }
        if variable.has("c") {
            return Ok((format!("{ctype} {name}"), format!("{ctype} {name}")));
        }
        return Ok((format!("{intent}{ctype} *{name}"), format!("{ctype} *{name}")));
    }
    if variable.dimensions.iter().any(|one| one == "*" || one == ":") {
        return Err(format!("the size of `{name}` is unknown"));
    }
    let order = if variable.dimensions.len() > 1 && !variable.has("c") { "fortran " } else { "" };
    let brackets: String = variable.dimensions.iter().map(|one| format!("[{one}]")).collect();
    let interface = format!("{intent}{order}{ctype} {name}{brackets}");
    Ok((interface, format!("{ctype} *{name}")))
}
