//! Arguments of a routine: the values that a caller passes, and their part of the prototype.
//!
//! Purpose: translate the intent, the shape and the value of a variable to those of an interface.
//! Invariant: an argument without an equivalent is an error, which leaves the routine out.
//! Reason: a wrong intent lets C read or write past an array.

use super::declaration::{Type, Variable};
use super::expression::{self, Shapes};
use super::file::Routine;
use super::text::words;

/// How an argument is passed to the C function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A number that the caller or the call determines.
    Value,
    /// The address of a number that is returned or changed.
    Address,
    Array,
    String,
    Callback,
}

/// An argument of the C function.
pub(super) struct Argument {
    pub name: String,
    pub form: Form,
    /// Its C type, without `*`.
    pub ctype: &'static str,
    /// Its declaration in the interface.
    pub declaration: String,
    /// It is passed to the routine by value.
    pub by_value: bool,
    /// It is an output, but not returned.
    pub is_dropped: bool,
    /// It is returned.
    pub is_output: bool,
    /// The length that a string must have.
    pub length: Option<usize>,
}

/// Translates an argument of a routine. A callback is translated elsewhere.
pub(super) fn argument(name: &str, routine: &Routine, shapes: &Shapes) -> Result<Argument, String> {
    let variable = variable(name, routine)?;
    let base = variable.base.as_ref().ok_or_else(|| format!("the type of `{name}` is unknown"))?;
    let is_result = routine.result.as_deref() == Some(name);
    let intent = if is_result { "out " } else { intent(name, variable, base)? };
    let hidden = variable.has("hide") && !variable.has("out");
    let is_output = variable.has("out") || is_result && !variable.has("hide");
    let mut argument = Argument {
        name: name.to_owned(),
        form: Form::Value,
        ctype: base.in_c(),
        declaration: String::new(),
        by_value: variable.has("c") || routine.by_value,
        is_dropped: false,
        is_output,
        length: None,
    };
    let value = value(name, variable, base, routine, shapes)?;
    let equals = |value: &Option<String>| {
        value.as_ref().map_or_else(String::new, |value| format!(" = {value}"))
    };
    let ctype = argument.ctype;
    if let Type::Character(length) = base {
        if !variable.dimensions.is_empty() {
            return Err(format!("`{name}` is an array of strings"));
        }
        if is_output || hidden || variable.has("inout") || variable.has("inplace") {
            return Err(format!("the string `{name}` is not only an input"));
        }
        argument.form = Form::String;
        argument.length = *length;
        if variable.is_optional && value.is_none() {
            return Err(format!("the default of the string `{name}` is unknown"));
        }
        argument.declaration = format!("in char *{name}{}", equals(&value));
        return Ok(argument);
    }
    if variable.dimensions.is_empty() {
        let is_returned = is_output || variable.has("inout") || variable.has("inplace");
        argument.form = if is_returned { Form::Address } else { Form::Value };
        argument.declaration = match (is_returned, hidden) {
            (true, _) => format!("{intent}{ctype} *{name}{}", equals(&value)),
            (false, true) if is_found(name, variable, routine) => format!("{ctype} {name}"),
            (false, true) => format!("hidden {ctype} {name}{}", equals(&value)),
            (false, false) => format!("{ctype} {name}{}", equals(&value)),
        };
        return Ok(argument);
    }
    argument.form = Form::Array;
    let order = if variable.dimensions.len() > 1 && !variable.has("c") { "fortran " } else { "" };
    let mut brackets = String::new();
    for (index, dimension) in variable.dimensions.iter().enumerate() {
        let extent = match shapes.free(name, index) {
            Some(free) if hidden || is_only_output(variable) => {
                return Err(format!("the size of `{name}` is unknown (`{free}`)"));
            }
            Some(free) if variable.is_optional || variable.value.is_some() => {
                return Err(format!("the default size of `{name}` is unknown (`{free}`)"));
            }
            Some(free) => free,
            None => expression::in_interface(&expression::extent(dimension), shapes)?,
        };
        brackets.push_str(&format!("[{extent}]"));
    }
    // f2py fills memory that it allocates with zeros, other than that of `cache`.
    let allocates = is_only_output(variable) && !hidden && !variable.has("cache");
    let value = value.or((variable.is_optional || allocates).then(|| "0".to_owned()));
    argument.is_dropped = variable.has("copy") && !is_output && !hidden;
    let intent = if argument.is_dropped { "in out " } else { intent };
    argument.declaration = format!("{intent}{order}{ctype} {name}{brackets}{}", equals(&value));
    Ok(argument)
}

pub(super) fn variable<'r>(name: &str, routine: &'r Routine) -> Result<&'r Variable, String> {
    routine.variables.get(name).ok_or_else(|| format!("`{name}` is not declared"))
}

/// The caller passes a value for it.
pub(super) fn is_passed(variable: &Variable) -> bool {
    !is_only_output(variable) && !variable.has("hide")
}

/// The caller passes nothing for it, and receives it.
fn is_only_output(variable: &Variable) -> bool {
    variable.has("out") && !["in", "inout", "inplace"].iter().any(|intent| variable.has(intent))
}

/// The intent of an interface, with a space.
fn intent(name: &str, variable: &Variable, base: &Type) -> Result<&'static str, String> {
    let [inputs, out, inout, inplace, hide] =
        ["in", "out", "inout", "inplace", "hide"].map(|intent| variable.has(intent));
    let is_array = !variable.dimensions.is_empty();
    Ok(match () {
        () if hide && out => "out ",
        () if hide => "hidden ",
        () if inplace && out => "inplace out ",
        () if inplace => "inplace ",
        () if inout && out => "inout out ",
        () if inout => "inout ",
        // Work arrays that keep their contents between calls: C receives the caller's memory.
        () if inputs && variable.has("cache") && !out && is_array => "inout ",
        () if inputs && out => "in out ",
        () if out => "out ",
        () if variable.is_external => return Err(format!("`{name}` is not a callback")),
        () if is_array || matches!(base, Type::Character(_)) => "in ",
        () => "",
    })
}

/// An integer that is found from a shape: `integer, intent(hide) :: n = shape(a, 0)` where `a` has
/// the dimension `n` there.
fn is_found(name: &str, variable: &Variable, routine: &Routine) -> bool {
    let Some(value) = &variable.value else { return false };
    let Some((array, index)) = expression::shape_of(value) else { return false };
    routine.variables.get(&array).is_some_and(|array| {
        is_passed(array)
            && array.value.is_none()
            && !array.is_optional
            && array.dimensions.get(index).is_some_and(|one| one == name)
    })
}

/// The value after `=` in the interface.
fn value(
    name: &str,
    variable: &Variable,
    base: &Type,
    routine: &Routine,
    shapes: &Shapes,
) -> Result<Option<String>, String> {
    if let Some(value) = &variable.value {
        let value = expression::literal(value, base);
        if words(&value).iter().any(|word| word == name) {
            return Err(format!("the value of `{name}` depends on itself"));
        }
        if matches!(base, Type::Character(_)) {
            return Ok(Some(value.replace('\'', "\"")));
        }
        return expression::in_interface(&value, shapes).map(Some);
    }
    if !variable.dimensions.is_empty() || matches!(base, Type::Character(_)) {
        return Ok(None);
    }
    let found = shapes.found.get(name).filter(|_| is_solved(name, variable, routine));
    if let Some((array, index)) = found {
        return Ok(Some(match index {
            0 => format!("len({array})"),
            _ => format!("shape({array}, {index})"),
        }));
    }
    let has_default = variable.is_optional && !variable.is_required && !variable.has("hide");
    Ok(has_default.then(|| "0".to_owned()))
}

/// f2py makes an integer optional if it is a dimension of an input.
fn is_solved(name: &str, variable: &Variable, routine: &Routine) -> bool {
    let is_plain = variable.depends.is_empty() && !variable.is_required;
    let is_input = !variable.has("hide") && !variable.has("out") && !variable.has("inout");
    is_plain && is_input && routine.result.as_deref() != Some(name)
}
