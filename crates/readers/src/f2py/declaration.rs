//! Declarations: `integer intent(in), optional, check(n>0) :: n = len(x)`.
//!
//! Purpose: collect what the statements of a routine declare of each of its variables.
//! Invariant: an attribute that is not known is an error, never ignored.
//! Reason: attributes precede `::`, or have statements of their own.

use super::text::{after, brackets, name, split, type_size};
use std::collections::BTreeMap;

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// A number, by its name in C.
    Number(&'static str),
    /// A string; its length if it is fixed.
    Character(Option<usize>),
}

impl Type {
    pub(super) fn in_c(&self) -> &'static str {
        match self {
            Type::Number(name) => name,
            Type::Character(_) => "char",
        }
    }

    pub(super) fn is_complex(&self) -> bool {
        matches!(self, Type::Number("float complex" | "double complex"))
    }
}

/// The attributes of a variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Variable {
    pub base: Option<Type>,
    pub dimensions: Vec<String>,
    pub intents: Vec<String>,
    pub is_optional: bool,
    pub is_required: bool,
    pub is_external: bool,
    pub value: Option<String>,
    pub checks: Vec<String>,
    pub depends: Vec<String>,
}

impl Variable {
    pub(super) fn has(&self, intent: &str) -> bool {
        self.intents.iter().any(|one| one == intent)
    }
}

pub(super) type Variables = BTreeMap<String, Variable>;

/// Reads a declaration. `None` if the statement is something else.
pub(super) fn read(statement: &str, variables: &mut Variables) -> Option<Result<(), String>> {
    let (base, rest) = match base(statement) {
        Some(Ok((base, rest))) => (Some(base), rest),
        Some(Err(problem)) => return Some(Err(problem)),
        None if attribute(statement).is_some() => (None, statement),
        None => return None,
    };
    Some(declare(base, rest, variables))
}

fn declare(base: Option<Type>, text: &str, variables: &mut Variables) -> Result<(), String> {
    let mut common = Variable { base, ..Variable::default() };
    let mut rest = text.trim_start();
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        if let Some(names) = rest.strip_prefix("::") {
            rest = names;
            break;
        }
        let Some((word, inside, behind)) = attribute(rest) else { break };
        apply(&word, inside, &mut common)?;
        rest = behind;
    }
    if split(rest, ':').len() > 2 && rest.contains("::") {
        return Err(format!("the attribute `{}` is unknown", name(rest).map_or("", |one| one.0)));
    }
    for entity in split(rest, ',').into_iter().filter(|entity| !entity.is_empty()) {
        let (name, rest) = name(entity).ok_or_else(|| format!("`{entity}` is not a name"))?;
        let mut own = common.clone();
        let mut rest = rest.trim_start();
        if let Some((inside, behind)) = brackets(rest) {
            own.dimensions = dimensions(inside);
            rest = behind.trim_start();
        }
        if rest.starts_with('*') {
            return Err(format!("the length of `{name}` follows its name"));
        }
        if let Some(value) = rest.strip_prefix('=') {
            own.value = Some(value.trim().to_owned());
        } else if !rest.is_empty() {
            return Err(format!("`{entity}` is not a declaration"));
        }
        merge(variables.entry(name.to_owned()).or_default(), own);
    }
    Ok(())
}

fn merge(known: &mut Variable, more: Variable) {
    known.base = more.base.or(known.base.take());
    if !more.dimensions.is_empty() {
        known.dimensions = more.dimensions;
    }
    known.value = more.value.or(known.value.take());
    known.intents.extend(more.intents);
    known.checks.extend(more.checks);
    known.depends.extend(more.depends);
    known.is_optional |= more.is_optional;
    known.is_required |= more.is_required;
    known.is_external |= more.is_external;
}

/// An attribute, what its brackets contain, and the text after it.
fn attribute(text: &str) -> Option<(String, Option<&str>, &str)> {
    let (word, rest) = name(text)?;
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "intent" | "dimension" | "check" | "depend" | "note" => {
            let (inside, behind) = brackets(rest)?;
            Some((word, Some(inside), behind))
        }
        // The same words may be names of variables.
        "optional" | "required" | "external" | "allocatable" | "save" | "pointer" | "target"
        | "parameter"
            if !rest.trim_start().starts_with(['=', '(']) =>
        {
            Some((word, None, rest))
        }
        _ => None,
    }
}

fn apply(word: &str, inside: Option<&str>, variable: &mut Variable) -> Result<(), String> {
    let list = || split(inside.unwrap_or_default(), ',').into_iter().filter(|one| !one.is_empty());
    match word {
        "intent" => {
            for intent in list() {
                let intent = intent.to_ascii_lowercase().replace(' ', "");
                let known = [
                    "in",
                    "out",
                    "inout",
                    "hide",
                    "inplace",
                    "c",
                    "copy",
                    "overwrite",
                    "cache",
                    "optional",
                    "aux",
                    "aligned4",
                    "aligned8",
                    "aligned16",
                ];
                if known.contains(&intent.as_str()) {
                    variable.intents.push(intent);
                } else if !intent.starts_with("out=") {
                    return Err(format!("`intent({intent})` has no equivalent"));
                } else {
                    variable.intents.push("out".to_owned());
                }
            }
        }
        "dimension" => variable.dimensions = dimensions(inside.unwrap_or_default()),
        "check" => variable.checks.extend(inside.map(str::to_owned)),
        "depend" => variable.depends.extend(list().map(str::to_owned)),
        "optional" => variable.is_optional = true,
        "required" => variable.is_required = true,
        "external" => variable.is_external = true,
        "note" | "save" | "target" => {}
        _ => return Err(format!("the attribute `{word}` has no equivalent")),
    }
    Ok(())
}

/// `0:n, m`: the extents `n + 1` and `m`.
fn dimensions(text: &str) -> Vec<String> {
    let extent = |dimension: &str| match split(dimension, ':').as_slice() {
        ["0", upper] if upper.ends_with("-1") => upper[..upper.len() - 2].trim().to_owned(),
        ["0", upper] if !upper.is_empty() => format!("{upper}+1"),
        ["1", upper] if !upper.is_empty() => (*upper).to_owned(),
        [lower, upper] if !lower.is_empty() && !upper.is_empty() => {
            format!("({upper})-({lower})+1")
        }
        _ => dimension.to_owned(),
    };
    split(text, ',').into_iter().map(extent).collect()
}

/// The type at the beginning of a statement, and the rest. `None` if there is none.
pub(super) fn base(statement: &str) -> Option<Result<(Type, &str), String>> {
    let (word, mut rest) = name(statement)?;
    let mut word = word.to_ascii_lowercase();
    if word == "double" {
        let (second, behind) = name(rest)?;
        word = format!("double {}", second.to_ascii_lowercase());
        rest = behind;
    }
    let words = [
        "integer",
        "real",
        "complex",
        "logical",
        "character",
        "double precision",
        "double complex",
        "byte",
        "type",
    ];
    if !words.contains(&word.as_str()) {
        return None;
    }
    let (size, rest) = type_size(rest);
    let found = number(&word, size.map(plain_size)).map(|base| (base, rest));
    Some(found.ok_or_else(|| {
        let shown = statement[..statement.len() - rest.len()].trim();
        format!("the type `{shown}` has no equivalent")
    }))
}

/// `kind=8`, `len=8`: the number.
fn plain_size(size: &str) -> &str {
    let value = size.split_once('=').map_or(size, |(_, value)| value);
    value.trim()
}

fn number(word: &str, size: Option<&str>) -> Option<Type> {
    let c = match (word, size) {
        ("character", None | Some("1")) => return Some(Type::Character(Some(1))),
        ("character", Some("*")) => return Some(Type::Character(None)),
        ("character", Some(size)) => return size.parse().ok().map(|n| Type::Character(Some(n))),
        ("integer", None | Some("4" | "c_int")) | ("logical", None | Some("4")) => "int",
        ("integer" | "logical", Some("8")) | ("integer", Some("c_int64_t")) => "int64_t",
        ("integer" | "logical", Some("2")) | ("integer", Some("c_short")) => "int16_t",
        ("integer" | "logical" | "byte", Some("1")) | ("byte", None) => "int8_t",
        ("integer", Some("c_long")) => "long",
        ("real", None | Some("4" | "c_float")) => "float",
        ("real", Some("8" | "c_double")) | ("double precision", None) => "double",
        ("complex", None | Some("8" | "c_float_complex")) => "float complex",
        ("complex", Some("16" | "c_double_complex")) | ("double complex", None) => "double complex",
        _ => return None,
    };
    Some(Type::Number(c))
}

/// The names of an `external` statement.
pub(super) fn external(statement: &str) -> Option<Vec<&str>> {
    let rest = after(statement, "external")?;
    Some(split(rest.trim_start().trim_start_matches("::"), ','))
}
