//! Constants of modules.
//!
//! Purpose: the public numbers and strings with `parameter`, and the names of an `enum`.
//! Invariant: a constant is of a type that C has; one that is only the kind of numbers is not one.
//! Reason: they are the options and the codes of the procedures next to them.

use super::kinds::{self, Kinds, Type};
use super::modules::Module;
use super::source::{Variable, Variables};
use crate::f2py::text::{after, brackets, name, split};

/// A constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub name: String,
    pub module: String,
    pub base: Type,
    /// Its value in C, if it is a literal.
    pub literal: Option<String>,
}

impl Constant {
    /// The variable of C that has its value, if it is not a literal.
    fn symbol(&self) -> String {
        format!("{}_{}_for_c", self.module, self.name)
    }

    /// Its value in the interface.
    pub(super) fn value(&self) -> String {
        self.literal.clone().unwrap_or_else(|| self.symbol())
    }

    /// The declaration of the variable in C.
    pub(super) fn in_c(&self) -> Option<String> {
        let is_variable = self.literal.is_none();
        is_variable.then(|| format!("extern {} {};\n", self.base.in_c(), self.symbol()))
    }

    /// The statements for the variable in Fortran: that for the name of the module, and the declaration.
    pub(super) fn in_fortran(&self) -> Option<(String, String)> {
        let (Constant { name, module, base, .. }, symbol) = (self, self.symbol());
        self.literal.is_none().then(|| {
            (
                format!("  use {module}, only: fp_constant_{name} => {name}\n"),
                format!(
                    "  {}, bind(c, name=\"{symbol}\") :: {name}_for_c = fp_constant_{name}\n",
                    base.in_fortran()
                ),
            )
        })
    }
}

/// The names that a statement declares as constants.
pub(super) fn declared(text: &str, constants: &Variables) -> Vec<String> {
    let entities = match after(text, "parameter").and_then(brackets) {
        Some((inside, _)) => inside,
        None => text.split_once("::").map_or("", |(_, entities)| entities),
    };
    let has_value = |name: &&str| constants.get(*name).is_some_and(|one| one.value.is_some());
    let names = split(entities, ',').into_iter().filter_map(name).map(|(name, _)| name);
    names.filter(has_value).map(str::to_owned).collect()
}

/// The names of `enumerator :: red = 1, blue`, with their values. `next` is the value of the next name.
pub(super) fn enumerators(text: &str, next: &mut Option<i64>) -> Vec<(String, Variable)> {
    let Some(rest) = after(text, "enumerator") else { return Vec::new() };
    let mut found = Vec::new();
    for one in split(rest.trim_start().trim_start_matches(':'), ',') {
        let (own, value) = one.split_once('=').unwrap_or((one, ""));
        if !value.is_empty() {
            *next = value.trim().parse().ok();
        }
        let variable = Variable {
            base: Some(Type::Number("int", "CFI_type_int", "integer(c_int)")),
            value: Some(next.map_or_else(|| value.trim().to_owned(), |value| value.to_string())),
            ..Variable::default()
        };
        found.push((own.trim().to_owned(), variable));
        *next = next.and_then(|value| value.checked_add(1));
    }
    found
}

/// The constants that a module exports.
pub(super) fn exported(
    module: &Module,
    of: &str,
    constants: &Variables,
    kinds: &Kinds,
) -> Vec<Constant> {
    let mut found: Vec<Constant> = Vec::new();
    for name in &module.constants {
        let Some(variable) = constants.get(name) else { continue };
        let is_public = variable.is_public.unwrap_or_else(|| module.exports(name));
        let (Some(base), Some(value)) = (&variable.base, &variable.value) else { continue };
        let literal = literal(base, value);
        let is_drafted = match base {
            Type::Number(..) => !is_kind(value, kinds) && variable.dimensions.is_empty(),
            Type::Character(_) => literal.is_some() && variable.dimensions.is_empty(),
            Type::Derived(_) => false,
        };
        if is_public && is_drafted && !found.iter().any(|one| one.name == *name) {
            let (name, module, base) = (name.clone(), of.to_owned(), base.clone());
            found.push(Constant { name, module, base, literal });
        }
    }
    found
}

/// True for a value that is the kind of numbers, `real64` or `selected_real_kind(15)`.
fn is_kind(value: &str, kinds: &Kinds) -> bool {
    let resolved = kinds::resolve(value, kinds);
    let is_name = resolved.starts_with(|c: char| c.is_ascii_alphabetic());
    resolved.contains("kind(") || is_name && kinds::is_kind(&resolved)
}

/// An integer or a string as C has it.
fn literal(base: &Type, value: &str) -> Option<String> {
    match base {
        Type::Number(_, _, fortran) if fortran.starts_with("integer") => {
            let digits = value.split_once('_').map_or(value, |(digits, _)| digits);
            digits.parse::<i64>().ok().map(|value| value.to_string())
        }
        Type::Character(_) => {
            let quote = value.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
            let inside = value.strip_prefix(quote)?.strip_suffix(quote)?;
            let is_plain = |c: char| !c.is_control() && !['\\', '"', '\'', '?'].contains(&c);
            inside.chars().all(is_plain).then(|| format!("\"{inside}\""))
        }
        _ => None,
    }
}
