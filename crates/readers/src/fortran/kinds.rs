//! Types of Fortran, and their equals in C.
//!
//! Purpose: the C type of `real(c_double)`, of `integer(int64)`, and of kinds that a module names itself.
//! Invariant: a kind whose size the standard leaves to compilers is known only where every compiler agrees.
//! Reason: a wrong size lets Fortran read or write past an array.

use crate::f2py::text::{name, split, type_size};
use std::collections::BTreeMap;

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// A number: its name in C, that in descriptors of arrays, and that in Fortran.
    Number(&'static str, &'static str, &'static str),
    /// Characters; their length if it is a number, and `None` for `len=*`.
    Character(Option<usize>),
    /// A derived type, by its name; also that of `class(t)`.
    Derived(String),
}

impl Type {
    pub(super) fn in_c(&self) -> &str {
        match self {
            Type::Number(name, ..) => name,
            Type::Character(_) => "char",
            Type::Derived(name) => name,
        }
    }

    /// The declaration in a procedure of C.
    pub(super) fn in_fortran(&self) -> &str {
        match self {
            Type::Number(_, _, name) => name,
            Type::Character(_) => "character(kind=c_char)",
            Type::Derived(name) => name,
        }
    }

    /// The name of the type in descriptors of arrays.
    pub(super) fn descriptor(&self) -> &'static str {
        match self {
            Type::Number(_, name, _) => name,
            Type::Character(_) => "CFI_type_char",
            Type::Derived(_) => "CFI_type_struct",
        }
    }
}

/// The kinds that a source names: `integer, parameter :: dp = kind(1.d0)`.
pub(super) type Kinds = BTreeMap<String, String>;

/// The type at the beginning of a statement, and the rest. `None` if there is none.
pub(super) fn base<'t>(text: &'t str, kinds: &Kinds) -> Option<Result<(Type, &'t str), String>> {
    let (word, mut rest) = name(text)?;
    let mut word = word.to_owned();
    if word == "double" {
        let (second, behind) = name(rest)?;
        word = format!("double {second}");
        rest = behind;
    } else if word == "doubleprecision" {
        "double precision".clone_into(&mut word);
    }
    let words = [
        "integer",
        "real",
        "complex",
        "logical",
        "character",
        "double precision",
        "double complex",
    ];
    let is_derived = word == "type" || word == "class";
    if !is_derived && !words.contains(&word.as_str()) {
        return None;
    }
    let is_bytes = rest.trim_start().starts_with('*');
    let (inside, rest) = type_size(rest);
    if is_derived {
        let inside = inside?;
        return Some(if !inside.contains(['(', '*']) {
            Ok((Type::Derived(inside.to_owned()), rest))
        } else {
            Err(format!("`{word}({inside})` has no equal in C"))
        });
    }
    let shown = text[..text.len() - rest.len()].trim().to_owned();
    let found = if word == "character" {
        character(inside, kinds)
    } else {
        let size = inside.map(|inside| resolve(argument(inside, "kind", 0), kinds));
        number(&word, size.as_deref(), is_bytes)
    };
    Some(
        found.map(|found| (found, rest)).ok_or_else(|| format!("the kind of `{shown}` is unknown")),
    )
}

/// An argument of a list, by its name or its place.
fn argument<'t>(list: &'t str, wanted: &str, place: usize) -> &'t str {
    let parts = split(list, ',');
    let named = parts.iter().find_map(|part| {
        let (name, value) = part.split_once('=')?;
        (name.trim() == wanted).then(|| value.trim())
    });
    let at = parts.get(place).copied().filter(|part| !part.contains('='));
    named.or(at).unwrap_or_default()
}

/// The value of a named kind.
pub(super) fn resolve(kind: &str, kinds: &Kinds) -> String {
    let mut kind = kind.trim();
    for _ in 0..8 {
        match kinds.get(kind) {
            Some(value) => kind = value.trim(),
            None => break,
        }
    }
    let compact: String = kind.chars().filter(|c| !c.is_whitespace()).collect();
    match compact.as_str() {
        "kind(1.d0)" | "kind(1.0d0)" | "kind(0.d0)" | "kind(0.0d0)" | "kind(1d0)" | "kind(0d0)" => {
            "c_double".to_owned()
        }
        "kind(1.0)" | "kind(1.)" | "kind(0.0)" | "kind(0.)" | "kind(1e0)" => "c_float".to_owned(),
        _ => compact,
    }
}

/// True for the name of a kind, such as `real64` or `c_int`.
pub(super) fn is_kind(name: &str) -> bool {
    let words = ["integer", "real", "complex", "logical"];
    ["c_char", "c_long_double", "real128"].contains(&name)
        || words.iter().any(|word| number(word, Some(name), false).is_some())
}

fn character(inside: Option<&str>, kinds: &Kinds) -> Option<Type> {
    let Some(inside) = inside else { return Some(Type::Character(Some(1))) };
    let kind = resolve(argument(inside, "kind", 1), kinds);
    if !["", "c_char", "1"].contains(&kind.as_str()) {
        return None;
    }
    match argument(inside, "len", 0) {
        "" => Some(Type::Character(Some(1))),
        // `character(c_char)` has a kind in the place of the length.
        "c_char" => Some(Type::Character(Some(1))),
        "*" | ":" => Some(Type::Character(None)),
        length => length.parse().ok().map(|length| Type::Character(Some(length))),
    }
}

fn number(word: &str, kind: Option<&str>, is_bytes: bool) -> Option<Type> {
    let (c, descriptor) = match (word, kind) {
        ("integer", None | Some("c_int")) => ("int", "CFI_type_int"),
        ("integer", Some("4" | "int32" | "c_int32_t")) => ("int32_t", "CFI_type_int32_t"),
        ("integer", Some("8" | "int64" | "c_int64_t")) => ("int64_t", "CFI_type_int64_t"),
        ("integer", Some("2" | "int16" | "c_int16_t")) => ("int16_t", "CFI_type_int16_t"),
        ("integer", Some("1" | "int8" | "c_int8_t")) => ("int8_t", "CFI_type_int8_t"),
        ("integer", Some("c_short")) => ("short", "CFI_type_short"),
        ("integer", Some("c_long")) => ("long", "CFI_type_long"),
        ("integer", Some("c_long_long")) => ("long long", "CFI_type_long_long"),
        ("integer", Some("c_signed_char")) => ("signed char", "CFI_type_signed_char"),
        ("integer", Some("c_size_t")) => ("size_t", "CFI_type_size_t"),
        ("integer", Some("c_intptr_t")) => ("intptr_t", "CFI_type_intptr_t"),
        ("integer", Some("c_ptrdiff_t")) => ("ptrdiff_t", "CFI_type_ptrdiff_t"),
        ("real", None | Some("4" | "real32" | "c_float")) => ("float", "CFI_type_float"),
        ("real", Some("8" | "real64" | "c_double")) | ("double precision", None) => {
            ("double", "CFI_type_double")
        }
        ("complex", Some("8")) if is_bytes => ("float complex", "CFI_type_float_Complex"),
        ("complex", Some("16")) if is_bytes => ("double complex", "CFI_type_double_Complex"),
        ("complex", None | Some("4" | "real32" | "c_float" | "c_float_complex")) => {
            ("float complex", "CFI_type_float_Complex")
        }
        ("complex", Some("8" | "real64" | "c_double" | "c_double_complex"))
        | ("double complex", None) => ("double complex", "CFI_type_double_Complex"),
        ("logical", Some("c_bool")) => ("_Bool", "CFI_type_Bool"),
        ("logical", None | Some("4")) => ("int", "CFI_type_int"),
        _ => return None,
    };
    let fortran = match (word, c) {
        ("logical", "_Bool") => "logical(c_bool)",
        ("logical", _) => "logical",
        (_, "int") => "integer(c_int)",
        (_, "int8_t") => "integer(c_int8_t)",
        (_, "int16_t") => "integer(c_int16_t)",
        (_, "int32_t") => "integer(c_int32_t)",
        (_, "int64_t") => "integer(c_int64_t)",
        (_, "short") => "integer(c_short)",
        (_, "long") => "integer(c_long)",
        (_, "long long") => "integer(c_long_long)",
        (_, "signed char") => "integer(c_signed_char)",
        (_, "size_t") => "integer(c_size_t)",
        (_, "intptr_t") => "integer(c_intptr_t)",
        (_, "ptrdiff_t") => "integer(c_ptrdiff_t)",
        (_, "float") => "real(c_float)",
        (_, "double") => "real(c_double)",
        (_, "float complex") => "complex(c_float_complex)",
        _ => "complex(c_double_complex)",
    };
    Some(Type::Number(c, descriptor, fortran))
}
