//! The `[types]` table.
//!
//! Purpose: parse the names that a library gives to scalar types, such as `MKL_INT = "int64"`.
//! Invariant: a spelling that C defines keeps its meaning; a declaration is only confirmed.
//! Reason: the parser has no headers; the author specifies which integer `MKL_INT` is, and the C
//! compiler confirms it.

use super::values::Values;
use crate::names;
use crate::prototype::Types;
use fishplate_model::{CType, Code, Scalar};
use toml::de::DeTable;

/// Reads the table; errors are reported here, and not again at each use. Returns the types for
/// prototypes, and those to be confirmed.
pub(super) fn read(table: &DeTable<'_>, values: &mut Values<'_>) -> (Types, Vec<CType>) {
    let mut types = Types::default();
    let mut ctypes = Vec::new();
    for (key, value) in values.entries(table) {
        let refused = names::refuse_type(&key);
        let spelled = refused.is_none();
        values.diagnostics().extend(refused);
        let example = format!("{} = \"int64\"", names::short(&key.value, 40));
        let name = values.string(&names::short(&key.value, 40), value, &example);
        let scalar = name.as_ref().and_then(|name| Scalar::from_name(&name.value));
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
    (types, ctypes)
}
