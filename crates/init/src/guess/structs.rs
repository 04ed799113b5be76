//! Structs that contain only numbers.
//!
//! Purpose: a class for each struct that a prototype may use as a value.
//! Invariant: every field is a number, a struct of this sort, or an array of these of constant
//! size.
//! Reason: a pointer in a struct has an owner that the header does not specify.

use super::class::{Class, What};
use super::expressions;
use super::words::ClassNames;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Unit;
use fishplate_readers::names::is_identifier;

/// The limit on nested structs: more than any header has.
const MAX_DEPTH: usize = 8;

/// Adds the class of the struct with these words, and before it those of the structs in it. `words`
/// spell it, `key` is its name if it has several.
pub(super) fn add(
    words: &[&str],
    key: &str,
    unit: &Unit<'_>,
    names: &mut ClassNames<'_>,
    classes: &mut Vec<Class>,
    depth: usize,
) -> bool {
    if let Some(known) = classes.iter().find(|class| class.key == key) {
        return matches!(known.what, What::Struct { .. });
    }
    let tag = key.strip_prefix("struct ").unwrap_or(key);
    let Some(found) = unit.structs.get(tag) else { return false };
    if !found.is_whole || found.fields.is_empty() || depth > MAX_DEPTH {
        return false;
    }
    let (mut fields, mut spellings, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for field in &found.fields {
        let sizes = match &field.form {
            Form::Value => String::new(),
            Form::Array(sizes) => match expressions::sizes(sizes, unit) {
                Some(sizes) => sizes,
                None => return false,
            },
            _ => return false,
        };
        let spelling = match unit.meaning(&field.words) {
            Meaning::Scalar(_) => match enumeration(&field.words, unit, classes) {
                Some(class) => class.spelling(),
                None => field.words.join(" "),
            },
            Meaning::Foreign(_) => match unit.named(&field.words) {
                Some((inner, 0)) if add(&field.words, &inner, unit, names, classes, depth + 1) => {
                    let class = classes.iter().find(|class| class.key == inner);
                    class.map(Class::spelling).unwrap_or_default()
                }
                _ => return false,
            },
        };
        if !is_identifier(field.name) || field.name.starts_with("__") {
            return false;
        }
        let is_text =
            spelling == "char" && matches!(&field.form, Form::Array(sizes) if sizes.len() == 1);
        if is_text {
            remarks.push(format!("`{}` is a string", field.name));
        }
        let text = if is_text { "text " } else { "" };
        fields.push(format!("{text}{spelling} {}{sizes}", field.name));
        spellings.push(spelling);
    }
    let Some(name) = words.last().and_then(|last| names.name(last)) else { return false };
    classes.push(Class {
        name,
        key: key.to_owned(),
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        at: None,
        remarks,
        what: What::Struct { fields, spellings },
    });
    true
}

/// Why a struct cannot be a value: its first field, with those that lead to it, that is neither a number nor such a struct.
pub(super) fn obstacle(words: &[&str], unit: &Unit<'_>) -> Option<String> {
    let (path, what) = obstacle_in(&unit.named(words)?.0, unit, 0)?;
    Some(format!("whose field `{path}` is {what}"))
}

fn obstacle_in(key: &str, unit: &Unit<'_>, depth: usize) -> Option<(String, &'static str)> {
    let found = unit.structs.get(key.strip_prefix("struct ").unwrap_or(key))?;
    if !found.is_whole || depth > MAX_DEPTH {
        return None;
    }
    found.fields.iter().find_map(|field| {
        let name = field.name.to_owned();
        match &field.form {
            Form::Value | Form::Array(_) => match unit.meaning(&field.words) {
                Meaning::Scalar(_) => match &field.form {
                    Form::Array(sizes)
                        if !sizes.iter().all(|size| expressions::value(size, unit) > Some(0)) =>
                    {
                        Some((name, "an array of unknown size"))
                    }
                    _ => None,
                },
                Meaning::Foreign("a struct") => {
                    let inner = unit.named(&field.words)?.0;
                    let (path, what) = obstacle_in(&inner, unit, depth + 1)?;
                    Some((format!("{name}.{path}"), what))
                }
                Meaning::Foreign(what) => Some((name, what)),
            },
            Form::Pointer => Some((name, "a pointer")),
            Form::PointerToPointer | Form::Pointers => Some((name, "a pointer to pointers")),
            Form::ArrayPointer => Some((name, "a pointer to an array")),
            Form::Function | Form::FunctionPointer => Some((name, "a callback")),
        }
    })
}

/// The class of an enumeration.
pub(super) fn enumeration<'c>(
    words: &[&str],
    unit: &Unit<'_>,
    classes: &'c [Class],
) -> Option<&'c Class> {
    let (key, _) = unit.named(words)?;
    classes.iter().find(|class| class.key == key)
}
