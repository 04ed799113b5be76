//! Guesses of what a plain C prototype does not say.
//!
//! Purpose: intents, shapes and hidden values for a function of a header, from the conventions that
//! people follow when they name arguments; or why there is no guess.
//! Invariant: a guess is a prototype that reads without a mistake, and each thing that the header
//! does not say has a remark.
//! Reason: a person who checks a guess is faster than one who starts from nothing, if it is plain
//! what was guessed; and a function that is left out does less harm than one that overruns memory.

mod argument;
mod blas;
mod counts;

use super::declarator::Form;
use super::meaning::Meaning;
use super::syntax::{Declaration, Unit};
use crate::prototype::{self, Types};
use crate::span_map::SpanMap;
use argument::Argument;
use fishplate_model::Scalar;
use std::collections::HashSet;

/// A prototype and what in it was guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    /// The annotated prototype.
    pub proto: String,
    /// What to check: a sentence each.
    pub remarks: Vec<String>,
    /// The spellings of the types that it uses.
    pub spellings: Vec<String>,
}

/// What conventions may ask of the headers.
pub(crate) struct Context<'a, 't> {
    /// What the headers declare.
    pub unit: &'a Unit<'t>,
    /// Their types, as prototypes name them.
    pub types: &'a Types,
    /// Every word of the headers' own text: the preprocessor leaves no macro's name behind.
    pub words: HashSet<&'a str>,
}

impl<'a> Context<'a, '_> {
    /// The words of a header's own text.
    pub(crate) fn words(text: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric())
    }

    /// The name of a constant if the headers have it, else its value.
    fn constant(&self, name: &'static str, value: &'static str) -> &'static str {
        if self.words.contains(name) { name } else { value }
    }
}

/// Guesses one function; the error says why it is left out.
pub(crate) fn guess(
    function: &Declaration<'_>,
    context: &Context<'_, '_>,
) -> Result<Guess, String> {
    let mut remarks = Vec::new();
    if function.variadic {
        return Err("it takes a variable number of arguments".to_owned());
    }
    let (result, star) = result(function, context.unit)?;
    if !star.is_empty() {
        remarks.push("what it returns is a text that the library keeps".to_owned());
    }
    let void = blas::complex_by_name(function.name);
    let parameters = function.parameters.iter().enumerate();
    let mut arguments = parameters
        .map(|(index, parameter)| Argument::of(parameter, index, context.unit, void))
        .collect::<Result<Vec<_>, _>>()?;
    if function.parameters.iter().any(|parameter| parameter.name.is_none()) {
        remarks.push("the header does not name its arguments".to_owned());
    }
    texts(&arguments, &mut remarks)?;
    let status = if blas::follows(function.name, &arguments) {
        blas::apply(function.name, &mut arguments, context, &mut remarks)?
    } else {
        counts::apply(&mut arguments, &mut remarks)?;
        false
    };
    if status {
        remarks.push(format!("the {result} is 0 for success"));
    }
    let printed: Vec<String> = arguments.iter().map(Argument::print).collect();
    let list = if printed.is_empty() { "void".to_owned() } else { printed.join(", ") };
    let status = if status { "status " } else { "" };
    let constant = if star.is_empty() { "" } else { "const " };
    let proto = format!("{status}{constant}{result} {star}{}({list})", function.name);
    // Whatever else a prototype cannot say is known to its reader.
    let mut found = Vec::new();
    let map = SpanMap::verbatim(&proto, 0);
    if prototype::read(&proto, &map, context.types, &mut found).is_none() {
        let message = found.into_iter().next().map(|diagnostic| diagnostic.message);
        return Err(message.unwrap_or_else(|| "it cannot be written as a prototype".to_owned()));
    }
    let mut spellings = vec![result];
    spellings.extend(arguments.into_iter().map(|argument| argument.spelling));
    Ok(Guess { proto, remarks, spellings })
}

/// A text ends with its NUL, or where a length says so; which one it is, a guess must not get wrong.
fn texts(arguments: &[Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    for (index, text) in arguments.iter().enumerate().filter(|(_, argument)| argument.is_text) {
        if arguments.get(index + 1).is_some_and(Argument::is_count) {
            return Err(format!("`{}` may be a string with a length", text.name));
        }
        remarks.push(format!("`{}` is a text that ends with a NUL", text.name));
    }
    Ok(())
}

/// The type of what C returns, as it is spelled without `const`, and the `*` of a text.
fn result(function: &Declaration<'_>, unit: &Unit<'_>) -> Result<(String, &'static str), String> {
    let words = &function.result;
    let is_const = function.result_is_const;
    if let (Form::Pointer, Meaning::Scalar(Scalar::Char), true) =
        (&function.result_form, unit.meaning(words), is_const)
    {
        return Ok((words.join(" "), "*"));
    }
    match (&function.result_form, unit.meaning(words)) {
        (Form::Value, Meaning::Scalar(_) | Meaning::Foreign("`void`")) => Ok((words.join(" "), "")),
        (Form::Value, Meaning::Foreign(what)) => Err(format!("it returns {what}")),
        _ => Err("it returns a pointer".to_owned()),
    }
}

#[cfg(test)]
mod tests;
