//! Properties of the headers that are determined before functions are guessed.
//!
//! Purpose: collect the classes, the return codes and the types of a library, and the names in its
//! headers.
//! Invariant: nothing here depends on the order in which functions are guessed.
//! Reason: any function may use any class, whatever their order in the headers.

use super::class::Classes;
use super::families::Families;
use super::memory::{self, Frees};
use super::status::{self, Statuses};
use super::words::{self, ClassNames};
use super::{callbacks, enums, handles, structs};
use crate::Reserved;
use fishplate_readers::header::bodies::Enumeration;
use fishplate_readers::header::syntax::{Declaration, PointerVariable, Unit};
use fishplate_readers::prototype::Types;
use std::collections::HashSet;

/// The declarations of the named headers themselves.
#[derive(Debug, Default)]
pub(crate) struct Own<'a, 't> {
    pub functions: Vec<&'a Declaration<'t>>,
    pub enumerations: Vec<&'a Enumeration<'t>>,
    pub pointers: Vec<&'a PointerVariable<'t>>,
    /// Macros that are constants.
    pub macros: Vec<&'a str>,
    /// Those of them that are 0.
    pub zeros: Vec<&'a str>,
    /// Types of objects that the headers call by another name for `void *`.
    pub sorts: Vec<&'t str>,
    /// Macros that select functions and types.
    pub families: Families<'a>,
    /// Names that the interface cannot use.
    pub reserved: Reserved,
}

/// The context of conventions.
pub(crate) struct Context<'a, 't> {
    /// The declarations of the headers.
    pub unit: &'a Unit<'t>,
    /// The classes of its types.
    pub classes: Classes,
    /// Its types, for prototypes.
    pub types: Types,
    /// The meaning of its return codes.
    pub statuses: Option<Statuses>,
    /// The name of the argument for return codes that most functions have.
    pub code: Option<String>,
    /// The functions that free the library's memory, apart from handles.
    pub frees: Frees,
    /// Names that the interface cannot use.
    pub reserved: Reserved,
    /// Every word of the headers' own source: the preprocessor keeps no macro's name.
    words: HashSet<&'a str>,
}

impl<'a, 't> Context<'a, 't> {
    /// `words` are those of the headers' own source.
    pub(crate) fn new(unit: &'a Unit<'t>, own: &Own<'a, 't>, words: HashSet<&'a str>) -> Self {
        let library = words::library(own.functions.iter().map(|function| function.name));
        let statuses = status::find(&own.functions, &own.enumerations, &own.zeros, unit);
        let functions = own.functions.iter().map(|function| function.name);
        let pointers = own.pointers.iter().map(|pointer| pointer.name);
        let taken = functions.chain(pointers).chain(own.macros.iter().copied());
        let mut names = ClassNames::new(&library, taken, &own.families, own.reserved);
        let mut all = Vec::new();
        for found in &own.enumerations {
            let class = enums::class(found, &mut names);
            let is_status = |key: &str| statuses.as_ref().is_some_and(|one| one.is_type(key));
            all.extend(class.filter(|class| !is_status(&class.key)));
        }
        let globals: Vec<String> = own
            .pointers
            .iter()
            .filter_map(|pointer| unit.named(&pointer.words))
            .filter_map(|(key, stars)| (stars == 0).then_some(key))
            .collect();
        handles::add(&own.functions, unit, &library, &globals, &own.sorts, &mut names, &mut all);
        let used = used(&own.functions, unit);
        for (key, words) in used.iter().filter(|(_, words)| !unit.is_complex_struct(words)) {
            structs::add(words, key, unit, &mut names, &mut all, 0);
        }
        let mut context = Context {
            unit,
            classes: Classes { all },
            types: Types::default(),
            statuses,
            code: status::convention(&own.functions),
            frees: memory::frees(&own.functions, unit),
            reserved: own.reserved,
            words,
        };
        for (key, words) in &used {
            let is_known = context.classes.all.iter().any(|class| class.key == *key);
            if !is_known && let Some(class) = callbacks::class(words, key, &mut names, &context) {
                context.classes.all.push(class);
            }
        }
        context.types = context.classes.types(unit);
        context
    }

    /// The name of a constant if the headers define it, else its value.
    pub(super) fn constant(&self, name: &'static str, value: &'static str) -> &'static str {
        if self.words.contains(name) { name } else { value }
    }
}

/// The own types that functions take or return, each with its words, in source order.
fn used<'t>(functions: &[&Declaration<'t>], unit: &Unit<'_>) -> Vec<(String, Vec<&'t str>)> {
    let mut found: Vec<(String, Vec<&'t str>)> = Vec::new();
    for function in functions {
        let parameters = function.parameters.iter().map(|parameter| &parameter.words);
        for words in parameters.chain([&function.result]) {
            let Some((key, 0)) = unit.named(words) else { continue };
            if !found.iter().any(|(known, _)| *known == key) {
                found.push((key, words.clone()));
            }
        }
    }
    found
}
