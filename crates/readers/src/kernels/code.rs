//! C code of the author in a configuration.
//!
//! Purpose: read `header_code`, `pre_call_code` and `post_call_code`, and add the output of
//! `debug`.
//! Invariant: C is unchanged from configparser; a line that configparser removes is reported.
//! Reason: `#define N 10` is a comment in this language, and C would silently lack it.

use super::document::Entry;
use fishplate_model::{Code, Diagnostic, Function, Span, Spanned};

/// C directives: words after `#` that make a line C code.
const DIRECTIVES: [&str; 11] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma",
    "error",
];

/// The code of a key; `None` where it is empty.
pub(super) fn read(entry: &Entry, diagnostics: &mut Vec<Diagnostic>) -> Option<Spanned<String>> {
    for comment in &entry.comments {
        let word = comment.value.trim_start_matches('#').split_whitespace().next();
        let is_directive =
            comment.value.starts_with('#') && word.is_some_and(|word| DIRECTIVES.contains(&word));
        if is_directive {
            diagnostics.push(Diagnostic::warning(
                Code::LOST_LINE,
                comment.span,
                "a line that begins with `#` is a comment, and not part of the C code",
                "move it to a header, and name that below `includes`",
            ));
        }
    }
    let code = entry.value.whole();
    (!code.value.is_empty()).then_some(code)
}

/// Prints each call to standard error, before and after all other code.
pub(super) fn trace(function: &mut Function, place: Span) {
    let name = function.name.value.clone();
    let say = |what: &str| format!("fprintf(stderr, \"{name}: {what}\\n\");");
    let before = function.pre_call.take().map_or(String::new(), |code| format!("\n{}", code.value));
    let behind = function.post_call.take().map_or(String::new(), |code| code.value + "\n");
    let pre_call = format!("{}{before}", say("calls C"));
    let post_call = format!("{behind}{}", say("C has returned"));
    function.pre_call = Some(Spanned::new(pre_call, place));
    function.post_call = Some(Spanned::new(post_call, place));
}
