//! TOML syntax errors.
//!
//! Purpose: translate the errors of the TOML parser to diagnostics with hints.
//! Invariant: every error is reported, unless it is a mere consequence of the previous one.
//! Reason: TOML's own messages ("expected literal string") are about the grammar; a hint shows the
//! correction.

use super::values::Values;
use fishplate_model::Span;
use toml::de::Error;

/// The TOML parser's message for a duplicate key or table.
const DUPLICATE: &str = "duplicate key";

/// Reports the errors of the TOML parser.
pub(super) fn report(errors: &[Error], values: &mut Values<'_>) {
    let text = values.text();
    // A duplicate table is one error, though each key in it is a duplicate, too.
    let mut repeated_table: Option<Span> = None;
    let mut places: Vec<(Span, &Error)> = errors
        .iter()
        .map(|error| {
            let span = error.span().unwrap_or(0..0);
            (at_characters(text, span.start, span.end), error)
        })
        .collect();
    places.sort_by_key(|(span, _)| span.start);
    // The parser reports several errors in a line that it cannot parse: the first counts.
    let line = |span: Span| text[..span.start].rfind('\n');
    places.dedup_by(|(next, error), (before, _)| {
        error.message() != DUPLICATE && line(*next) == line(*before)
    });
    for (span, error) in places {
        let duplicate = error.message() == DUPLICATE;
        if duplicate && repeated_table.is_some_and(|table| same_table(text, table, span)) {
            continue;
        }
        repeated_table = (duplicate && in_header(text, span.start)).then_some(span);
        let message = if duplicate {
            format!("duplicate key `{}`", &text[span.start..span.end])
        } else {
            format!("this is not valid TOML: {}", error.message())
        };
        values.syntax_error(span, message, hint(error.message(), repeated_table.is_some()));
    }
}

fn hint(message: &str, header: bool) -> &'static str {
    if message == DUPLICATE && header {
        "merge the two tables; overloads are a list: `proto = [\"...\", \"...\"]`"
    } else if message == DUPLICATE {
        "remove one of the two, or rename it"
    } else if message.contains("quote") || message.contains("string") {
        "write strings in double quotes, a string of several lines in `\"\"\"`"
    } else if message.contains("escape") || message.contains("unicode") {
        "write `\\\\` for a backslash, or the string in single quotes"
    } else if message.contains("array") || message.contains("`]`") {
        "write a list as `[\"a\", \"b\"]`"
    } else if message.contains("key") {
        "write each line as `key = value`, a name with other characters in quotes"
    } else {
        "write `key = \"value\"` lines below `[table]` headers, as on https://toml.io"
    }
}

/// The span on character boundaries; if it is empty, the character after it or else before it, so
/// that something is underlined.
fn at_characters(text: &str, start: usize, end: usize) -> Span {
    let mut start = start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let visible = |c: &char| !matches!(c, '\n' | '\r');
    if start == end {
        if let Some(next) = text[end..].chars().next().filter(visible) {
            end += next.len_utf8();
        } else if let Some(before) = text[..start].chars().next_back().filter(visible) {
            start -= before.len_utf8();
        }
    }
    Span::new(start, end)
}

/// True if the line before `at` starts a table.
pub(super) fn in_header(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[line..at].trim_start().starts_with('[')
}

/// True if no table starts between the two places.
fn same_table(text: &str, header: Span, span: Span) -> bool {
    text.get(header.end..span.start).is_some_and(|between| {
        !in_header(text, span.start)
            && !between.lines().skip(1).any(|line| line.trim_start().starts_with('['))
    })
}
