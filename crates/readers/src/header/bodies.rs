//! The bodies of enumerations and structs.
//!
//! Purpose: find the enumerators, and the fields with their declarators.
//! Invariant: a field that cannot be parsed makes the whole struct incomplete.
//! Reason: a struct can be recognised only if all its fields are known.

use super::declarator::{self, Form, Signature};
use tree_sitter::Node;

/// An enumeration with its enumerators.
#[derive(Clone, Debug)]
pub struct Enumeration<'t> {
    /// Its place.
    pub at: usize,
    /// Its tag.
    pub tag: Option<&'t str>,
    /// The name of a typedef for it.
    pub typedef: Option<&'t str>,
    /// In source order.
    pub values: Vec<Enumerator<'t>>,
}

/// An enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator<'t> {
    /// Its name.
    pub name: &'t str,
    /// The expression after `=`.
    pub value: Option<&'t str>,
}

/// A struct with its fields.
#[derive(Clone, Debug)]
pub struct Struct<'t> {
    /// In source order.
    pub fields: Vec<Field<'t>>,
    /// Every field was parsed, and none is a bit field.
    pub is_whole: bool,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field<'t> {
    /// Its name.
    pub name: &'t str,
    /// The words of its type, without qualifiers.
    pub words: Vec<&'t str>,
    /// The declarator's form.
    pub form: Form<'t>,
    /// The function type, if it is a function pointer.
    pub signature: Option<Signature<'t>>,
}

/// The enumerators of a body.
pub(crate) fn enumerators<'t>(source: &'t str, body: Node<'_>) -> Vec<Enumerator<'t>> {
    let mut cursor = body.walk();
    let found = body.named_children(&mut cursor).filter_map(|child| {
        let name = child.child_by_field_name("name")?;
        let value = child.child_by_field_name("value").map(|value| &source[value.byte_range()]);
        Some(Enumerator { name: &source[name.byte_range()], value })
    });
    found.collect()
}

/// The fields of a body.
pub(crate) fn fields<'t>(source: &'t str, body: Node<'_>) -> Struct<'t> {
    let mut found = Struct { fields: Vec::new(), is_whole: !body.has_error() };
    let mut cursor = body.walk();
    for child in body.named_children(&mut cursor) {
        if child.kind() != "field_declaration" {
            found.is_whole &= child.kind() == "comment";
            continue;
        }
        let mut cursor = child.walk();
        let declarators: Vec<_> = child.children_by_field_name("declarator", &mut cursor).collect();
        let mut cursor = child.walk();
        let has_bits = child.children(&mut cursor).any(|part| part.kind() == "bitfield_clause");
        found.is_whole &= !declarators.is_empty() && !has_bits;
        for declarator in declarators {
            let read = declarator::read(source, declarator);
            let Some(name) = read.name else {
                found.is_whole = false;
                continue;
            };
            let words = declarator::words(source, child);
            let signature = read.function.map(|function| function.signature(source, child));
            found.fields.push(Field { name, words, form: read.form, signature });
        }
    }
    found
}
