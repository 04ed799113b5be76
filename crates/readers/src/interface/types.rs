//! The `[types]` table.
//!
//! Purpose: names that a library gives to scalar types, such as `MKL_INT = "int64"`.
//! Invariant: a spelling that C gives a meaning keeps it; what is said of it is only confirmed.
//! Reason: the reader knows no header; which integer `MKL_INT` is must be said, and the C compiler
//! confirms it.

use super::values::Values;
use crate::names;
use crate::prototype::Types;
use fishplate_model::{CType, Code, Scalar, Spanned};
use toml::de::DeTable;

/// Words of prototypes that no type can be called.
const OURS: &[&str] = &["in", "inplace", "inout", "out", "hidden", "nullable", "fortran", "status"];

/// Reads the table; what is wrong is reported here, and not again where it is used. Gives what
/// prototypes may use, and what is to be confirmed.
pub(super) fn read(table: &DeTable<'_>, values: &mut Values<'_>) -> (Types, Vec<CType>) {
    let mut types = Types::default();
    let mut said = Vec::new();
    for (key, value) in values.entries(table) {
        let spelled = check_spelling(&key, values);
        let example = format!("{} = \"int64\"", names::short(&key.value, 40));
        let name = values.string(&names::short(&key.value, 40), value, &example);
        let scalar = name.as_ref().and_then(|name| Scalar::from_name(&name.value));
        if let (Some(name), None) = (&name, scalar) {
            let shown = names::short(&name.value, 40);
            values.error(
                Code::UNKNOWN_TYPE,
                name.span,
                format!("`{shown}` is not a type that can cross the border"),
                meant(&name.value),
            );
        }
        match scalar {
            _ if !spelled => {}
            Some(scalar) => {
                let words: Vec<&str> = key.value.split_whitespace().collect();
                said.push(CType { scalar, spelling: words.join(" "), span: key.span });
                if Scalar::from_words(&words).is_none() {
                    types.insert(&key.value, scalar);
                }
            }
            None => types.insert_unknown(&key.value),
        }
    }
    (types, said)
}

fn meant(name: &str) -> String {
    let arrays = Scalar::ALL.iter().map(|scalar| scalar.dtype_name());
    let spellings = Scalar::ALL.iter().map(|scalar| scalar.c_name());
    match names::closest(name, arrays.chain(spellings)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            "write a name such as `int64`, `float32`, `complex128` or `bool`, or C's `unsigned long`"
                .to_owned()
        }
    }
}

fn check_spelling(key: &Spanned<String>, values: &mut Values<'_>) -> bool {
    let words: Vec<&str> = key.value.split_whitespace().collect();
    let shown = names::short(&key.value, 40);
    if words.is_empty() || !words.iter().all(|word| names::is_identifier(word)) {
        values.error(
            Code::BAD_NAME,
            key.span,
            format!("`{shown}` is not the name of a C type"),
            "write one or more words, without `*` and without `[]`",
        );
    } else if let Some(word) = words.iter().find(|word| OURS.contains(word)) {
        values.error(
            Code::BAD_NAME,
            key.span,
            format!("`{word}` is a word of the interface language and cannot name a type"),
            "give the C type another name with a `typedef` in a header",
        );
    } else if Scalar::from_words(&words).is_some() {
        return true;
    } else if words.iter().all(|word| names::is_c_specifier(word)) {
        values.error(
            Code::BAD_NAME,
            key.span,
            format!("`{shown}` has its meaning from C, and is no type that can cross the border"),
            "remove it",
        );
    } else if names::is_c_keyword(words[words.len() - 1]) {
        values.error(
            Code::BAD_NAME,
            key.span,
            format!("`{shown}` does not end in the name of a type"),
            "write the type as the header has it, such as `\"enum color\"`",
        );
    } else {
        return true;
    }
    false
}
