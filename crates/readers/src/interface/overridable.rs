//! The virtual methods that the target language may override.
//!
//! Purpose: find the `virtual` prototypes in `[function.CLASS.NAME]`, for the constructors of the class and of those derived
//! from it.
//! Invariant: all are declared before a constructor is read.
//! Reason: each is an argument of these constructors, wherever its function is in the file.

use super::handle::Declared;
use super::values::{Value, Values};
use crate::names;
use crate::prototype::Types;
use crate::prototype::cplusplus::{self, Overridable};
use crate::prototype::lexer;
use fishplate_model::Code;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Declares the virtual methods of all classes.
pub(super) fn declare(
    root: &DeTable<'_>,
    handles: &[Declared<'_, '_>],
    types: &mut Types,
    values: &mut Values<'_>,
) {
    let Some(functions) = root.get("function").and_then(|value| value.get_ref().as_table()) else {
        return;
    };
    let mut own: BTreeMap<&str, Vec<Overridable>> = BTreeMap::new();
    for handle in handles {
        let class = handle.name();
        let methods = functions.get(class).and_then(|value| value.get_ref().as_table());
        let Some(methods) = methods.filter(|table| table.get("proto").is_none()) else { continue };
        for (method, value) in values.entries(methods) {
            let proto = value.get_ref().as_table().and_then(|table| table.get("proto"));
            if let Some(found) = proto.and_then(|proto| read(&method.value, proto, types, values)) {
                own.entry(class).or_default().push(found);
            }
        }
    }
    for handle in handles {
        let Some(class) = handle.class() else { continue };
        let mut all = Vec::new();
        collect(handle.name(), handles, &own, &mut all, handles.len());
        if all.is_empty() {
            continue;
        }
        types.insert_overridable(class, all);
    }
}

/// Adds the methods of a class, then those of its bases that it does not have; `depth` limits a cycle of bases.
fn collect(
    class: &str,
    handles: &[Declared<'_, '_>],
    own: &BTreeMap<&str, Vec<Overridable>>,
    all: &mut Vec<Overridable>,
    depth: usize,
) {
    for one in own.get(class).into_iter().flatten() {
        if !all.iter().any(|other| other.is_same(one)) {
            all.push(one.clone());
        }
    }
    let handle = handles.iter().find(|handle| handle.name() == class);
    if let (Some(handle), Some(depth)) = (handle, depth.checked_sub(1)) {
        for base in handle.base_names() {
            collect(base, handles, own, all, depth);
        }
    }
}

/// The virtual method that the prototypes of a function declare.
fn read(
    method: &str,
    proto: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Option<Overridable> {
    let all = match proto.get_ref() {
        DeValue::Array(all) => all.iter().collect(),
        _ => vec![proto],
    };
    for one in &all {
        let Some(text) = one.get_ref().as_str() else { continue };
        // Mistakes in its tokens are reported when the function is read.
        let tokens = lexer::lex(text, &values.map(one.span(), text), &mut Vec::new());
        let tokens = types.expand(&tokens);
        if cplusplus::class_of_virtual(&tokens, types).is_none() {
            continue;
        }
        if all.len() > 1 {
            values.error(
                Code::WRONG_VALUE,
                values.span(one),
                format!(
                    "`{}` has several prototypes, one of which can be overridden",
                    names::short(method, 40)
                ),
                "remove `virtual`, or declare it as a method of its own, with another name",
            );
            return None;
        }
        match cplusplus::overridable(method, &tokens, types) {
            Ok(found) => return found,
            Err(mistake) => values.diagnostics().push(*mistake),
        }
    }
    None
}
