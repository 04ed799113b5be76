//! Fields of objects that the headers define.
//!
//! Purpose: attributes for the numbers in the struct that a handle points to.
//! Invariant: each is read-only, and a number, an enumeration, or an array of these of constant size.
//! Reason: reading a number is always right, while the library may rely on the value that it has stored, and a pointer in
//! a struct has an owner and a size that the header does not specify.

use super::class::{Class, What};
use super::words::lower_words;
use super::{expressions, structs};
use crate::Reserved;
use fishplate_readers::header::bodies::Field;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Unit;

/// Words in the names of fields that are no part of an interface.
const INTERNAL: [&str; 8] =
    ["dummy", "internal", "opaque", "pad", "padding", "private", "reserved", "unused"];

/// The fields of a class of handles as attributes, and the spellings of their types. `is_free` is false for a name that a
/// method of the class has.
pub(crate) fn find(
    class: &Class,
    classes: &[Class],
    unit: &Unit<'_>,
    reserved: Reserved,
    is_free: &dyn Fn(&str) -> bool,
) -> (Vec<String>, Vec<String>) {
    let tag = class.key.strip_prefix("struct ").unwrap_or(&class.key);
    let found = match (&class.what, unit.structs.get(tag)) {
        (What::Handle { star: true, is_sort: false, .. }, Some(found)) => &found.fields,
        _ => return Default::default(),
    };
    let is_good = |field: &&Field<'_>| {
        reserved.allows(field.name)
            && !field.name.starts_with('_')
            && !lower_words(field.name).iter().any(|word| INTERNAL.contains(&word.as_str()))
            // Every object has these.
            && !matches!(field.name, "close" | "closed")
            && is_free(field.name)
    };
    found.iter().filter(is_good).filter_map(|field| attribute(field, classes, unit)).unzip()
}

/// The declaration of one field, and the spelling of its type.
fn attribute(field: &Field<'_>, classes: &[Class], unit: &Unit<'_>) -> Option<(String, String)> {
    let Meaning::Scalar(_) = unit.meaning(&field.words) else { return None };
    let sizes = match &field.form {
        Form::Value => String::new(),
        Form::Array(sizes) => expressions::sizes(sizes, unit)?,
        _ => return None,
    };
    let class = structs::enumeration(&field.words, unit, classes);
    let spelling = class.map_or_else(|| field.words.join(" "), Class::spelling);
    Some((format!("const {spelling} {}{sizes}", field.name), spelling))
}
