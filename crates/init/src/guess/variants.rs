//! Functions that become one, for several types: `d_add`, `s_add` and `i_add`, or `scale` and
//! `scalef`.
//!
//! Purpose: find functions that differ only in a mark in their names and the type for which it
//! stands.
//! Invariant: everything but the number types is equal: names, order, pointers, `const`.
//! Reason: callers have arrays of one dtype or another, and need one function that accepts both.

use crate::Reserved;
use fishplate_model::Scalar;
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// The prefix for each type.
const PREFIXES: &[(&str, Scalar)] = &[
    ("d_", Scalar::Double),
    ("s_", Scalar::Float),
    ("f_", Scalar::Float),
    ("i_", Scalar::Int),
    ("l_", Scalar::Long),
    ("c_", Scalar::ComplexFloat),
    ("z_", Scalar::ComplexDouble),
];

/// The suffix for each type.
const SUFFIXES: &[(&str, Scalar)] = &[
    ("_double", Scalar::Double),
    ("_float", Scalar::Float),
    ("_int", Scalar::Int),
    ("_long", Scalar::Long),
    ("_d", Scalar::Double),
    ("_f", Scalar::Float),
    ("_i", Scalar::Int),
    ("_l", Scalar::Long),
    ("_f64", Scalar::Double),
    ("_f32", Scalar::Float),
    ("f", Scalar::Float),
    ("", Scalar::Double),
];

/// Functions that become one, each with its type; the arguments of the first determine those of the
/// others.
pub(crate) struct Variants<'a, 't> {
    /// The name without the mark.
    pub name: String,
    pub functions: Vec<&'a Declaration<'t>>,
}

impl Variants<'_, '_> {
    /// True if one of them has this name.
    pub(crate) fn is_of(&self, name: &str) -> bool {
        self.functions.iter().any(|function| function.name == name)
    }
}

/// Finds them among these functions.
pub(crate) fn find<'a, 't>(
    functions: &[&'a Declaration<'t>],
    unit: &Unit<'_>,
    reserved: Reserved,
) -> Vec<Variants<'a, 't>> {
    let mut by_stem: BTreeMap<String, Vec<(&'a Declaration<'t>, Scalar)>> = BTreeMap::new();
    for function in functions {
        let prefixes =
            PREFIXES.iter().map(|(mark, scalar)| (function.name.strip_prefix(mark), scalar));
        let suffixes =
            SUFFIXES.iter().map(|(mark, scalar)| (function.name.strip_suffix(mark), scalar));
        for (stem, scalar) in prefixes.chain(suffixes) {
            let Some(stem) = stem.filter(|stem| stem.len() > 1) else { continue };
            let known = by_stem.entry(stem.to_owned()).or_default();
            if !known.iter().any(|(one, other)| one.name == function.name || other == scalar) {
                known.push((function, *scalar));
            }
        }
    }
    let taken: BTreeSet<&str> = functions.iter().map(|function| function.name).collect();
    let mut found = Vec::new();
    for (name, mut members) in by_stem {
        // A number of another type shows what an integer is a length of.
        members.sort_by_key(|(_, scalar)| (scalar.is_integer(), *scalar != Scalar::Double));
        let Some((first, scalar)) = members.first().copied() else { continue };
        members.retain(|(other, of)| {
            other.name == first.name || is_variant((first, scalar), (other, *of), unit)
        });
        let is_free =
            !taken.contains(name.as_str()) || members.iter().any(|(member, _)| member.name == name);
        if members.len() > 1 && is_free && reserved.allows(&name) {
            let functions = members.into_iter().map(|(function, _)| function).collect();
            found.push(Variants { name, functions });
        }
    }
    found
}

/// Equal except for the types for which the two marks stand.
fn is_variant(
    (one, scalar): (&Declaration<'_>, Scalar),
    (other, of): (&Declaration<'_>, Scalar),
    unit: &Unit<'_>,
) -> bool {
    let matches = |first: &[&str], second: &[&str]| {
        let meanings = (unit.meaning(first), unit.meaning(second));
        first == second || meanings == (Meaning::Scalar(scalar), Meaning::Scalar(of))
    };
    let same = |(first, second): (&Parameter<'_>, &Parameter<'_>)| {
        first.name == second.name
            && first.name.is_some()
            && first.form == second.form
            && first.is_const == second.is_const
            && first.form != Form::Function
            && matches(&first.words, &second.words)
    };
    let differs = one
        .parameters
        .iter()
        .zip(&other.parameters)
        .any(|(first, second)| first.words != second.words);
    differs
        && one.parameters.len() == other.parameters.len()
        && one.parameters.iter().zip(&other.parameters).all(same)
        && one.variadic == other.variadic
        && one.result_form == other.result_form
        && one.result_is_const == other.result_is_const
        && matches(&one.result, &other.result)
}
