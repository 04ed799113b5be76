//! An overload as the annotated prototype that a person would write.
//!
//! Purpose: model to text, for interfaces that were not written as annotated prototypes.
//! Invariant: [`read`](super::read) makes the same overload of what is printed, apart from places
//! and from its kinds, which stand outside the prototype.
//! Reason: what was read from another language is shown in ours, wherever it is shown.

use fishplate_model::{Argument, CResult, Overload, Passing};
use std::fmt::Write as _;

/// One line, without a semicolon: `void f(long n, out double x[n])`.
pub fn print(overload: &Overload) -> String {
    let arguments: Vec<String> = overload.arguments.iter().map(argument).collect();
    let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
    let result = match &overload.result {
        CResult::Void => "void".to_owned(),
        CResult::Value(ctype) => ctype.spelling.clone(),
        CResult::Status(ctype) => format!("status {}", ctype.spelling),
    };
    format!("{result} {}({arguments})", overload.c_name.value)
}

/// `in out fortran double a[m][n] = 0`
fn argument(argument: &Argument) -> String {
    let mut words: Vec<&str> = Vec::new();
    words.extend(argument.intent.as_ref().map(|intent| intent.value.name()));
    if argument.nullable {
        words.push("nullable");
    }
    if let Passing::Array { fortran: true, .. } = argument.passing {
        words.push("fortran");
    }
    if argument.is_const {
        words.push("const");
    }
    words.push(&argument.ctype.spelling);
    let star = if argument.passing == Passing::Pointer { "*" } else { "" };
    let mut text = format!("{} {star}{}", words.join(" "), argument.name.value);
    if let Passing::Array { shape, .. } = &argument.passing {
        for dimension in shape {
            let _ = write!(text, "[{dimension}]");
        }
    }
    if let Some(default) = &argument.default {
        let _ = write!(text, " = {default}");
    }
    text
}
