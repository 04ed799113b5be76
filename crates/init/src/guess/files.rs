//! Open files: `FILE *`.
//!
//! Purpose: pass a file where C uses it during the call.
//! Invariant: only the name of the function shows that; a function that may retain the stream is left out.
//! Reason: the stream is closed after the call.

use super::argument::{Argument, Of};
use super::words::has_word;

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

/// Refuses a file that C may use after the call.
pub(super) fn check(
    function: &str,
    arguments: &[Argument],
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let has = |list: &[&str]| has_word(function, list);
    for file in arguments.iter().filter(|argument| argument.of == Of::File) {
        let name = &file.name;
        if !has(WORK) || has(RETAIN) {
            return Err(format!("C may use the stream `{name}` after the function returns"));
        }
        remarks.push(format!("C does not use the stream `{name}` after the function returns"));
    }
    Ok(())
}
