//! The prototypes of a kernel: plain C.
//!
//! Purpose: split a value into prototypes, parse each, and compare them.
//! Invariant: all prototypes of a kernel that are returned have the same arguments, in C's order;
//! only types may differ.
//! Reason: the lists of a kernel apply to all of its prototypes at once.

use super::document::Value;
use crate::names;
use crate::prototype::lexer::{self, Kind};
use crate::prototype::{self, Form, Types};
use crate::span_map::SpanMap;
use fishplate_model::{Argument, Callee, Code, Diagnostic, Overload, Span};

/// Reads a list of prototypes, each ended by `;` or by the end of its line; `None` for each that
/// cannot be parsed.
pub(super) fn read(
    value: &Value,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Option<Overload>> {
    split(&value.text)
        .into_iter()
        .map(|span| {
            let text = &value.text[span.start..span.end];
            let map = value.map.part(span.start, span.end);
            let read = prototype::read_as(Form::Plain, text, &map, types, diagnostics);
            read.map(|overload| Overload { callee: Callee::Either, ..overload })
        })
        .collect()
}

/// The place of each prototype.
fn split(text: &str) -> Vec<Span> {
    // A prototype that cannot be parsed is reported at its place.
    let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new());
    let mut spans = Vec::new();
    let mut open: Option<Span> = None;
    let mut depth = 0usize;
    let mut complete = false;
    for token in &tokens {
        let begins_line = open.is_some_and(|open| text[open.end..token.span.start].contains('\n'));
        if complete && begins_line && token.kind == Kind::Word {
            spans.extend(open.take());
            complete = false;
        }
        match token.text {
            "(" | "[" | "{" if token.kind == Kind::Mark => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Mark => depth = depth.saturating_sub(1),
            _ => {}
        }
        complete = complete || (depth == 0 && token.is(")"));
        let ends = depth == 0 && token.is(";");
        // A `;` alone ends no prototype.
        if !ends || open.is_some() {
            open = Some(open.map_or(token.span, |open| open.to(token.span)));
        }
        if ends {
            spans.extend(open.take());
            complete = false;
        }
    }
    spans.extend(open);
    // If there is source but no token, the lexer reports why.
    if spans.is_empty() && !text.trim().is_empty() {
        spans.push(Span::new(0, text.len()));
    }
    spans
}

/// Drops, and reports, prototypes whose arguments differ from the first one's.
pub(super) fn agree<T>(overloads: &mut Vec<(T, Overload)>, diagnostics: &mut Vec<Diagnostic>) {
    let Some((_, first)) = overloads.first() else { return };
    let first = first.clone();
    overloads.retain(|(_, overload)| match difference(&first, overload) {
        None => true,
        Some((message, span)) => {
            let place = first.c_name.span;
            diagnostics.push(
                Diagnostic::error(
                    Code::PROTOTYPES_DIFFER,
                    span,
                    message,
                    "the prototypes of a kernel have the same arguments, and only types may \
                     differ; write a separate `[KERNEL]` for this one",
                )
                .also(place, "the first prototype"),
            );
            false
        }
    });
}

fn difference(first: &Overload, other: &Overload) -> Option<(String, Span)> {
    let counts = (first.arguments.len(), other.arguments.len());
    if counts.0 != counts.1 {
        let s = if counts.1 == 1 { "" } else { "s" };
        let message = format!(
            "`{}` has {} argument{s}, and `{}` has {}",
            other.c_name.value, counts.1, first.c_name.value, counts.0
        );
        return Some((message, other.c_name.span));
    }
    let names = |argument: &Argument| argument.name.value.clone();
    let pairs = first.arguments.iter().zip(&other.arguments);
    let (mine, theirs) = pairs.into_iter().find(|(a, b)| a.name.value != b.name.value)?;
    let shown = names::short(&names(theirs), 40);
    let message = format!(
        "`{}` has an argument `{shown}` where `{}` has `{}`",
        other.c_name.value,
        first.c_name.value,
        names::short(&names(mine), 40)
    );
    Some((message, theirs.name.span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prototype_ends_with_its_semicolon_or_its_line() {
        let parts = |text: &'static str| -> Vec<&str> {
            split(text).into_iter().map(|span| &text[span.start..span.end]).collect()
        };
        assert_eq!(
            parts("\nint f(int n);\nint g(\nint n\n)\n;"),
            ["int f(int n);", "int g(\nint n\n)\n;"]
        );
        assert_eq!(parts("int f(void); int g(void)"), ["int f(void);", "int g(void)"]);
        assert_eq!(parts("int f(int n)\nint g(int n)"), ["int f(int n)", "int g(int n)"]);
        assert_eq!(parts("int\nf(int n) /* ; */;;"), ["int\nf(int n) /* ; */;"]);
        assert_eq!(parts(" @ "), [" @ "]);
        assert_eq!(parts("\n"), Vec::<&str>::new());
    }
}
