//! Declarations of variables.
//!
//! Purpose: types, attributes, dimensions and constants of the entities of a statement.
//! Invariant: any other statement ends the declarations of its procedure.
//! Reason: attributes precede the names, or have statements of their own.

use super::kinds::{self, Kinds, Type};
use super::source::{Implicit, Variable, Variables};
use crate::f2py::text::{after, brackets, name, split};

/// Reads a declaration. `None` for any other statement, which ends the declarations.
pub(super) fn declare(
    text: &str,
    variables: &mut Variables,
    kinds: &mut Kinds,
    implicit: &mut Implicit,
) -> Option<Result<(), String>> {
    let (word, rest) = name(text)?;
    match word {
        "use" => {
            for part in split(rest, ',') {
                let part =
                    part.trim_start_matches("only").trim_start().trim_start_matches(':').trim();
                if let Some((own, other)) = part.split_once("=>") {
                    kinds.insert(own.trim().to_owned(), other.trim().to_owned());
                }
            }
            return Some(Ok(()));
        }
        "implicit" => {
            if after(rest, "none").is_some() {
                implicit.is_none = true;
                return Some(Ok(()));
            }
            let Some((declared, letters)) = rest.rsplit_once('(') else {
                return Some(Err(format!("`{text}` is not understood")));
            };
            return Some(match kinds::base(declared, kinds) {
                Some(Ok((base, _))) => {
                    let letters = letters.trim_end_matches(')');
                    let range = |part: &str| {
                        let mut letters = part.chars().filter(char::is_ascii_alphabetic);
                        let from = letters.next()?;
                        Some((from, letters.next().unwrap_or(from)))
                    };
                    let ranges = split(letters, ',').into_iter().filter_map(range).collect();
                    implicit.rules.push((base, ranges));
                    Ok(())
                }
                Some(Err(problem)) => Err(problem),
                None => Err(format!("`{text}` is not understood")),
            });
        }
        "import" | "save" | "data" | "private" | "public" | "format" | "common" | "equivalence"
        | "namelist" | "volatile" | "protected" => return Some(Ok(())),
        "parameter" => {
            let inside = brackets(rest)?.0;
            for (name, value) in split(inside, ',').iter().filter_map(|one| one.split_once('=')) {
                constant(name.trim(), value.trim(), variables, kinds);
            }
            return Some(Ok(()));
        }
        _ => {}
    }
    let mut common = Variable { is_polymorphic: word == "class", ..Variable::default() };
    let mut rest = match kinds::base(text, kinds) {
        Some(Ok((base, rest))) => {
            common.base = Some(base);
            rest
        }
        Some(Err(problem)) => return Some(Err(problem)),
        None if is_attribute(word) && !rest.trim_start().starts_with('=') => text,
        None => return None,
    };
    // `real(x) = 1` is an assignment to an array with the name of a type.
    if rest.trim_start().starts_with('=') {
        return None;
    }
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        if let Some(names) = rest.strip_prefix("::") {
            rest = names;
            break;
        }
        let Some((word, behind)) = name(rest).filter(|(word, _)| is_attribute(word)) else { break };
        // `value = 3` and `target(2)` declare variables of these names.
        let (inside, behind) = match brackets(behind) {
            Some((inside, behind)) => (inside, behind),
            None => ("", behind),
        };
        attribute(word, inside, &mut common);
        rest = behind;
    }
    for entity in split(rest, ',').into_iter().filter(|entity| !entity.is_empty()) {
        let Some((own, behind)) = name(entity) else {
            return Some(Err(format!("`{text}` is not understood")));
        };
        let mut variable = common.clone();
        let mut behind = behind.trim_start();
        if let Some((inside, more)) = brackets(behind) {
            variable.dimensions = split(inside, ',').into_iter().map(str::to_owned).collect();
            behind = more.trim_start();
        }
        if let Some(length) = behind.strip_prefix('*') {
            let length = length.split('=').next().unwrap_or_default().trim();
            variable.base = match (&variable.base, length) {
                (Some(Type::Character(_)), "(*)") => Some(Type::Character(None)),
                (Some(Type::Character(_)), digits) => {
                    digits.parse().ok().map(|n| Type::Character(Some(n)))
                }
                _ => None,
            };
        }
        let value = behind.split_once('=').map(|(_, value)| value.trim().to_owned());
        if let Some(value) = &value
            && common.value.is_some()
        {
            merge(
                variables.entry(own.to_owned()).or_default(),
                Variable { value: None, ..variable },
            );
            constant(own, value, variables, kinds);
            continue;
        }
        variable.value = None;
        merge(variables.entry(own.to_owned()).or_default(), variable);
    }
    Some(Ok(()))
}

fn constant(name: &str, value: &str, variables: &mut Variables, kinds: &mut Kinds) {
    kinds.insert(name.to_owned(), value.to_owned());
    variables.entry(name.to_owned()).or_default().value = Some(value.to_owned());
}

fn is_attribute(word: &str) -> bool {
    [
        "intent",
        "dimension",
        "optional",
        "value",
        "allocatable",
        "pointer",
        "target",
        "parameter",
        "contiguous",
        "external",
        "procedure",
        "save",
        "asynchronous",
        "volatile",
        "intrinsic",
        "codimension",
        "bind",
        "public",
        "private",
    ]
    .contains(&word)
}

fn attribute(word: &str, inside: &str, variable: &mut Variable) {
    match word {
        "intent" => variable.intent = Some(inside.replace(' ', "")),
        "dimension" => {
            variable.dimensions = split(inside, ',').into_iter().map(str::to_owned).collect();
        }
        "optional" => variable.is_optional = true,
        "target" => variable.is_target = true,
        "public" => variable.is_public = Some(true),
        "private" => variable.is_public = Some(false),
        "value" => variable.is_value = true,
        "external" => variable.is_procedure = true,
        "procedure" => {
            variable.is_procedure = true;
            variable.interface = Some(inside.trim().to_owned());
        }
        "parameter" => variable.value = Some(String::new()),
        "allocatable" | "pointer" | "codimension" => variable.attribute = Some(word.to_owned()),
        _ => {}
    }
}

fn merge(known: &mut Variable, more: Variable) {
    known.base = more.base.or(known.base.take());
    if !more.dimensions.is_empty() {
        known.dimensions = more.dimensions;
    }
    known.intent = more.intent.or(known.intent.take());
    known.attribute = more.attribute.or(known.attribute.take());
    known.interface = more.interface.or(known.interface.take());
    known.is_value |= more.is_value;
    known.is_optional |= more.is_optional;
    known.is_procedure |= more.is_procedure;
    known.is_target |= more.is_target;
    known.is_polymorphic |= more.is_polymorphic;
    known.is_public = more.is_public.or(known.is_public);
}
