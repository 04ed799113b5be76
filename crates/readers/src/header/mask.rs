//! Preprocessed C without extensions that grammars of C lack.
//!
//! Purpose: copy the source with compiler extensions blanked, and collect the annotations among
//! them.
//! Invariant: the copy has the same length, and everything that is not blanked keeps its place.
//! Reason: attributes, asm labels and annotations may occur almost anywhere, and do not affect
//! types; without them, a grammar of plain C parses every header.

use super::preprocessed::unquoted;
use crate::prototype::lexer::{self, Kind, Token};
use crate::span_map::SpanMap;
use std::ops::Range;

/// The expansions of the macros of `fishplate.h` when a header is read; see `reading.h`.
const ANNOTATION: &str = "__fishplate__";

/// Extensions that take an argument in parentheses.
const WITH_ARGUMENT: &[&str] = &[
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "__declspec",
    "_Alignas",
    "_Static_assert",
    "static_assert",
];

/// Extensions of one word, and linkage keywords that do not affect types.
const WORDS: &[&str] = &[
    "__extension__",
    "_Noreturn",
    "noreturn",
    "_Thread_local",
    "__thread",
    "__forceinline",
    "__always_inline",
    "__cdecl",
    "__stdcall",
    "__restrict",
    "__restrict__",
    "restrict",
    "_Nonnull",
    "_Nullable",
    "_Null_unspecified",
];

/// Source that a grammar of plain C can parse.
pub struct Masked<'t> {
    /// The source with extensions blanked.
    pub(crate) text: String,
    /// All tokens that were not blanked, in order, with their places.
    pub(crate) tokens: Vec<Token<'t>>,
    /// The annotations, in order.
    pub(crate) annotations: Vec<Annotation>,
}

impl<'t> Masked<'t> {
    /// The tokens that begin in a range.
    pub(crate) fn tokens_in(&self, range: &Range<usize>) -> &[Token<'t>] {
        in_range(&self.tokens, range, |token| token.span.start)
    }

    /// The annotations that begin in a range.
    pub(crate) fn annotations_in(&self, range: &Range<usize>) -> &[Annotation] {
        in_range(&self.annotations, range, |annotation| annotation.at)
    }
}

/// The elements of `sorted` whose place is in the range, found by bisection: a header has thousands
/// of functions.
pub(crate) fn in_range<'s, T>(
    sorted: &'s [T],
    range: &Range<usize>,
    place: impl Fn(&T) -> usize,
) -> &'s [T] {
    let from = sorted.partition_point(|one| place(one) < range.start);
    let length = sorted[from..].partition_point(|one| place(one) < range.end);
    &sorted[from..from + length]
}

/// `FP_NAME` or `FP_NAME(argument)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Annotation {
    /// In lower case and without its prefix: `out`, `default`.
    pub name: String,
    /// The content of its parentheses, as written.
    pub argument: String,
    /// Its place in the preprocessed source.
    pub at: usize,
}

/// Blanks what grammars of plain C reject: compiler extensions, and annotations, which it collects.
pub fn mask(text: &str) -> Masked<'_> {
    // Characters that form no token in C form no token of a declaration either.
    let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new());
    let mut bytes = text.as_bytes().to_vec();
    let mut masked = Masked {
        text: String::new(),
        tokens: Vec::with_capacity(tokens.len()),
        annotations: Vec::new(),
    };
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let length = extension(&tokens[at..]);
        if length == 0 {
            if token.is_word("_Complex") || token.is_word("__complex__") {
                // A specifier that grammars of C lack, where a qualifier may occur.
                let padded = format!("{:<width$}", "volatile", width = token.text.len());
                bytes[token.span.start..token.span.end].copy_from_slice(padded.as_bytes());
            }
            masked.tokens.push(*token);
            at += 1;
            continue;
        }
        if token.is_word(ANNOTATION) {
            masked.annotations.extend(annotation(&tokens[at..at + length]));
        }
        let end = tokens[at + length - 1].span.end;
        for byte in &mut bytes[token.span.start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += length;
    }
    // Whole characters were blanked: tokens begin and end between characters.
    masked.text = String::from_utf8(bytes).unwrap_or_default();
    masked
}

/// The number of tokens of the extension here, or 0.
pub(crate) fn extension(tokens: &[Token<'_>]) -> usize {
    let first = tokens[0];
    if first.kind == Kind::Word && WORDS.contains(&first.text) {
        return 1;
    }
    let takes = first.text == ANNOTATION || WITH_ARGUMENT.contains(&first.text);
    if first.kind == Kind::Word && takes {
        return 1 + tokens.get(1).filter(|next| next.is("(")).map_or(0, |_| group(&tokens[1..]));
    }
    // `[[nodiscard]]`
    if first.is("[") && tokens.get(1).is_some_and(|next| next.is("[")) {
        return group(tokens);
    }
    0
}

/// The number of tokens of a bracketed group, brackets included; an unclosed one is its bracket.
fn group(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" if token.kind == Kind::Mark => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Mark => depth = depth.saturating_sub(1),
            // No extension extends beyond its declaration.
            ";" if token.kind == Kind::Mark && depth < 2 => return 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    1
}

/// `__fishplate__(default, "n + 1")`
fn annotation(tokens: &[Token<'_>]) -> Option<Annotation> {
    let name = tokens.get(2).filter(|token| token.kind == Kind::Word)?;
    let quoted = tokens.get(4).filter(|token| token.kind == Kind::String);
    Some(Annotation {
        name: name.text.to_owned(),
        argument: quoted.map(|text| unquoted(&text.text[1..])).unwrap_or_default(),
        at: tokens[0].span.start,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_blanked_where_they_stand() {
        let text = "extern double _Complex f(int *__restrict x) __asm__(\"é\" \"g\")\n\
                    __attribute__((a(b), c)); [[nodiscard]] int g(int a[[x]], int b[2][3]);";
        let masked = mask(text);
        assert_eq!(masked.text.len(), text.len());
        let words: Vec<&str> = masked.text.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "extern double volatile f(int * x) ; int g(int a , int b[2][3]);"
        );
        assert!(masked.tokens.iter().any(|token| token.is_word("_Complex")));
    }

    #[test]
    fn annotations_are_kept_with_their_arguments() {
        let text = "int f(__fishplate__(out) int *x __fishplate__(shape, \"n, \\\"(\\\"\"));";
        let found = mask(text).annotations;
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].name.as_str(), found[0].at), ("out", 6));
        assert_eq!(found[1].argument, "n, \"(\"");
    }

    #[test]
    fn unclosed_comments_hide_nothing_else() {
        let masked = mask("int f(int x __attribute__((y); int g(void); [[ int h(void);");
        assert!(masked.text.contains("int g(void);") && masked.text.contains("int h(void);"));
    }
}
