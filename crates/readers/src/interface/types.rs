//! The `[types]` table.
//!
//! Purpose: parse the names that a library gives to scalar types, such as `MKL_INT = "int64"`, to pointers, such as
//! `soxr_error_t = "const char *"`, and to types of C++, such as `"lib::Names" = "std::vector<std::string>"`.
//! Invariant: a spelling that C defines keeps its meaning; a declaration is only confirmed.
//! Reason: the parser has no headers; the author specifies which integer `MKL_INT` is, and the C
//! compiler confirms it.

use super::values::Values;
use crate::names;
use crate::prototype::{Types, lexer};
use fishplate_model::{CType, Code, Scalar};
use toml::de::DeTable;

/// Reads the table; errors are reported here, and not again at each use. Returns the types for
/// prototypes, and those to be confirmed.
pub(super) fn read(table: &DeTable<'_>, values: &mut Values<'_>) -> (Types, Vec<CType>) {
    let mut types = Types::default();
    let mut ctypes = Vec::new();
    let mut aliases = Vec::new();
    for (key, value) in values.entries(table) {
        let refused = names::refuse_type(&key);
        let spelled = refused.is_none();
        values.diagnostics().extend(refused);
        let example = format!("{} = \"int64\"", names::short(&key.value, 40));
        let name = values.string(&names::short(&key.value, 40), value, &example);
        let scalar = name.as_ref().and_then(|name| Scalar::from_name(&name.value));
        if let (Some(name), None, true) = (&name, scalar, spelled)
            && is_other_type(&key.value, &name.value)
        {
            let map = values.map(value.span(), &name.value);
            let tokens = lexer::lex(&name.value, &map, values.diagnostics());
            types.insert_alias(key.value.trim(), &tokens);
            aliases.push(key);
            continue;
        }
        if let (Some(name), None) = (&name, scalar) {
            let shown = names::short(&name.value, 40);
            values.error(
                Code::UNKNOWN_TYPE,
                name.span,
                format!("`{shown}` is not a supported type"),
                names::meant_scalar(&name.value),
            );
        }
        match scalar {
            _ if !spelled => {}
            Some(scalar) => {
                let words: Vec<&str> = key.value.split_whitespace().collect();
                ctypes.push(CType::of(scalar, words.join(" "), key.span));
                if Scalar::from_words(&words).is_none() {
                    types.insert(&key.value, scalar);
                }
            }
            None => types.insert_unknown(&key.value),
        }
    }
    let circular = types.resolve_aliases();
    for alias in aliases.iter().filter(|one| circular.contains(&one.value)) {
        values.error(
            Code::WRONG_VALUE,
            alias.span,
            format!("`{}` is a part of itself", names::short(&alias.value, 40)),
            "write the type that the header has for this name, after `using` or `typedef`",
        );
        types.insert_unknown(&alias.value);
    }
    (types, ctypes)
}

/// A pointer, a template, or a type in a namespace, for one name.
fn is_other_type(name: &str, of: &str) -> bool {
    let is_one = name.split_whitespace().count() == 1;
    is_one
        && Scalar::from_words(&[name.trim()]).is_none()
        && (of.contains("::") || of.contains('<') || of.trim_end().ends_with('*'))
}
