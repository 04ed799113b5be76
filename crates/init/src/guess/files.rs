//! Open files: `FILE *`.
//!
//! Purpose: pass a file where C uses it during the call.
//! Invariant: only the name of the function shows that; a function that may retain the stream is left out.
//! Reason: the stream is closed after the call.

use super::argument::{Argument, Of};
use super::context::Context;
use super::words::has_word;
use fishplate_readers::header::declarator::{Form, Parameter};

/// The type of a stream.
const FILE: &str = "FILE";

/// Words for work that ends with the call.
const WORK: &[&str] = &[
    "print", "fprint", "printf", "fprintf", "write", "fwrite", "read", "fread", "scan", "scanf",
    "fscan", "fscanf", "get", "put", "dump", "save", "load", "show", "display", "export", "import",
    "parse", "out", "inp", "output", "input", "copy", "report",
];

/// Words for functions that may retain a stream.
const RETAIN: &[&str] = &[
    "open", "fopen", "fdopen", "init", "set", "new", "create", "attach", "begin", "start", "stdio",
    "use", "bind", "redirect", "log", "trace", "alloc", "make",
];

/// The argument, if it is an open file: a stream without a class of its own.
pub(super) fn argument(
    parameter: &Parameter<'_>,
    index: usize,
    context: &Context<'_, '_>,
) -> Option<Argument> {
    let is_file = parameter.words == [FILE]
        && parameter.form == Form::Pointer
        && context.classes.find(&parameter.words, context.unit).is_none();
    is_file.then(|| {
        let argument = Argument::new(parameter, index, context);
        let whole = Some(format!("{FILE} *{}", argument.name));
        Argument { of: Of::Other, whole, ..argument }
    })
}

/// Refuses a file that C may use after the call.
pub(super) fn check(
    function: &str,
    arguments: &[Argument],
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let has = |list: &[&str]| has_word(function, list);
    let is_file = |one: &&Argument| one.of == Of::Other && one.spelling == FILE;
    for file in arguments.iter().filter(is_file) {
        let name = &file.name;
        if !has(WORK) || has(RETAIN) {
            return Err(format!("C may use the stream `{name}` after the function returns"));
        }
        remarks.push(format!("C does not use the stream `{name}` after the function returns"));
    }
    Ok(())
}
