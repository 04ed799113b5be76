//! Arguments of a procedure: the values of a caller, and the form in which Fortran receives them.
//!
//! Purpose: translate the type, the intent and the shape of a variable to those of an interface.
//! Invariant: an argument without an equal is an error, which leaves the procedure out.
//! Reason: a wrong intent lets Fortran read or write past an array.

use super::expression::{Extent, extent};
use super::kinds::Type;
use super::procedure::result;
use super::source::{Procedure, Source, Variable};

/// An argument in the interface and in C.
pub(super) struct Argument {
    pub name: String,
    /// Its declarations in the interface: its own, and those of its sizes.
    pub interface: Vec<String>,
    /// The same parameters in C.
    pub c: Vec<String>,
    /// The type of the parameter of the procedure.
    pub passed: String,
    /// An array of assumed shape, whose memory a descriptor describes.
    pub descriptor: Option<Descriptor>,
    /// The length of a string, which follows all arguments: in the interface, and in C.
    pub length: Option<(String, String)>,
}

/// The parts of a descriptor.
pub(super) struct Descriptor {
    /// `CFI_type_double`.
    pub kind: &'static str,
    /// The C type of an element.
    pub element: String,
    /// The variables with its sizes.
    pub sizes: Vec<String>,
}

/// Translates an argument.
pub(super) fn argument(
    name: &str,
    procedure: &Procedure,
    source: &Source,
) -> Result<Argument, String> {
    let declared = procedure.variables.get(name);
    let variable = declared.ok_or_else(|| format!("`{name}` is not declared"))?;
    if variable.is_procedure {
        return callback(name, variable, procedure, source);
    }
    if let Some(attribute) = &variable.attribute {
        return Err(format!("`{name}` has no equal in C (`{attribute}`)"));
    }
    let base = variable.base.as_ref().ok_or_else(|| format!("the type of `{name}` is unknown"))?;
    if let Some(of) = source.object_type(base) {
        return Err(format!("`{name}` is an object of type({of})"));
    }
    match base {
        Type::Character(length) => string(name, variable, *length, procedure),
        _ if variable.dimensions.is_empty() => number(name, variable, base),
        _ => array(name, variable, base, procedure),
    }
}

/// A procedure that Fortran calls. It has no user data: Fishplate finds the callback by the thread.
fn callback(
    name: &str,
    variable: &Variable,
    procedure: &Procedure,
    source: &Source,
) -> Result<Argument, String> {
    let of = variable.interface.as_deref().unwrap_or(name);
    let declared = procedure.interfaces.get(of).or_else(|| source.interfaces.get(of));
    let Some(declared) = declared else {
        return Err(format!("`{name}` is a procedure without an interface: declare a callback"));
    };
    let within = |reason: String| format!("`{name}` is a procedure: {reason}");
    if let Some(problem) = &declared.problem {
        return Err(within(problem.clone()));
    }
    let (mut interface, mut c) = (Vec::new(), Vec::new());
    for own in &declared.arguments {
        let passed = argument(own, declared, source).map_err(within)?;
        if passed.descriptor.is_some() || passed.length.is_some() || passed.passed.contains('(') {
            return Err(within(format!("C cannot pass its argument `{own}`")));
        }
        interface.extend(passed.interface);
        c.push(passed.passed);
    }
    let result = result(declared, source).map_err(within)?;
    let list = |parts: &[String]| match parts {
        [] => "void".to_owned(),
        _ => parts.join(", "),
    };
    let nullable = if variable.is_optional { "nullable " } else { "" };
    Ok(plain(
        name,
        format!("{nullable}{result} (*{name})({})", list(&interface)),
        format!("{result} (*{name})({})", list(&c)),
        format!("{result} (*)({})", list(&c)),
    ))
}

fn plain(name: &str, interface: String, c: String, passed: String) -> Argument {
    Argument {
        name: name.to_owned(),
        interface: vec![interface],
        c: vec![c],
        passed,
        descriptor: None,
        length: None,
    }
}

fn number(name: &str, variable: &Variable, base: &Type) -> Result<Argument, String> {
    let ctype = base.in_c();
    if variable.is_value {
        if variable.is_optional {
            return Err(format!("`{name}` is passed by value, and optional"));
        }
        let declaration = format!("{ctype} {name}");
        return Ok(plain(name, declaration.clone(), declaration, ctype.to_owned()));
    }
    let intent = match intent(name, variable)? {
        // A caller always wants a result.
        "inout" if variable.is_optional => return Err(both(name)),
        "inout" => "in out",
        "in" if variable.is_optional => "nullable in",
        other => other,
    };
    let pointer = format!("{ctype} *");
    Ok(plain(name, format!("{intent} {pointer}{name}"), format!("{pointer}{name}"), pointer))
}

fn both(name: &str) -> String {
    format!("`{name}` is optional, and both an input and an output")
}

fn intent<'v>(name: &str, variable: &'v Variable) -> Result<&'v str, String> {
    match variable.intent.as_deref() {
        Some(intent @ ("in" | "out" | "inout")) => Ok(intent),
        _ => Err(format!("the intent of `{name}` is not declared")),
    }
}

fn string(
    name: &str,
    variable: &Variable,
    length: Option<usize>,
    procedure: &Procedure,
) -> Result<Argument, String> {
    if intent(name, variable)? != "in" || variable.is_optional || variable.is_value {
        return Err(format!("the string `{name}` is not only an input"));
    }
    let is_bound = procedure.binding.is_some();
    let is_sequence = matches!(variable.dimensions.as_slice(), [one] if one == "*");
    let mut argument =
        plain(name, format!("in char *{name}"), format!("char *{name}"), "char *".to_owned());
    match length {
        Some(1) if is_bound && is_sequence => {}
        None if !is_bound && variable.dimensions.is_empty() => {
            let own = format!("length_of_{name}");
            argument.length =
                Some((format!("hidden size_t {own} = len({name})"), format!("size_t {own}")));
        }
        _ => {
            let wanted =
                if is_bound { "character(c_char) :: s(*)" } else { "character(len=*) :: s" };
            return Err(format!("the string `{name}` is not declared as `{wanted}`"));
        }
    }
    Ok(argument)
}

fn array(
    name: &str,
    variable: &Variable,
    base: &Type,
    procedure: &Procedure,
) -> Result<Argument, String> {
    let ctype = base.in_c();
    let intent = match intent(name, variable)? {
        "inout" if variable.is_optional => return Err(both(name)),
        "in" if variable.is_optional => "nullable in",
        other => other,
    };
    let rank = variable.dimensions.len();
    let order = if rank > 1 { "fortran " } else { "" };
    let mut brackets = String::new();
    let mut sizes = Vec::new();
    for (axis, dimension) in variable.dimensions.iter().enumerate() {
        match extent(dimension, procedure)? {
            Extent::Size(size) => brackets.push_str(&format!("[{size}]")),
            Extent::Unknown => {
                return Err(format!("the size of `{name}` is not declared (`{dimension}`)"));
            }
            Extent::Assumed => {
                let size = format!("size_{}_of_{name}", axis + 1);
                brackets.push_str(&format!("[{size}]"));
                sizes.push(size);
            }
        }
    }
    let declaration = format!("{intent} {order}{ctype} {name}{brackets}");
    let mut argument = plain(name, declaration, format!("{ctype} *{name}"), format!("{ctype} *"));
    if sizes.is_empty() {
        return Ok(argument);
    }
    if sizes.len() != rank {
        return Err(format!("`{name}` has sizes of both kinds"));
    }
    if variable.is_optional {
        return Err(format!("`{name}` is optional, and of assumed shape"));
    }
    for size in &sizes {
        argument.interface.push(format!("size_t {size}"));
        argument.c.push(format!("size_t {size}"));
    }
    "CFI_cdesc_t *".clone_into(&mut argument.passed);
    argument.descriptor =
        Some(Descriptor { kind: base.descriptor(), element: ctype.to_owned(), sizes });
    Ok(argument)
}
