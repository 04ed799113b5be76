//! Places in a header for the parts of a preprocessed declaration.
//!
//! Purpose: map a prototype that was assembled from preprocessed tokens to the header's source.
//! Invariant: places keep their order, and are in the lines that the preprocessor named.
//! Reason: the preprocessor keeps lines but not columns. Most tokens are unchanged, so the longest
//! common subsequence of tokens recovers their places; the expansion of a macro has the place of
//! its use.

use crate::prototype::lexer::{self, Kind, Token};
use crate::span_map::SpanMap;
use fishplate_model::{Lines, Source, Span};

/// Longer declarations are not compared token by token, which would take too long.
const MAX_COMPARISONS: usize = 4_000_000;

/// The source of a header.
pub(crate) struct Raw<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    lines: Lines,
}

/// A token of a prototype that was assembled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    /// Its place in the prototype.
    pub at: Span,
    /// Its spelling in the header, if that differs: `FP_OUT` for `out`.
    pub source: Option<&'static str>,
}

impl<'t> Raw<'t> {
    pub(crate) fn new(source: &'t Source) -> Self {
        let map = SpanMap::verbatim(&source.text, 0);
        let tokens = lexer::lex(&source.text, &map, &mut Vec::new());
        Raw { text: &source.text, tokens, lines: source.lines() }
    }

    /// The line of a token.
    fn line(&self, token: &Token<'_>) -> usize {
        self.lines.line(token.span.start)
    }

    /// The tokens on these lines, both included, that belong to the declaration of `name`.
    pub(crate) fn declaration(&self, name: &str, first: usize, last: usize) -> &[Token<'t>] {
        let start = self.tokens.partition_point(|token| self.line(token) < first);
        let named = self.tokens[start..].iter().position(|token| token.is_word(name));
        // A declaration may continue below the last line from which one of its tokens came.
        let named = named.map(|at| start + at).filter(|at| {
            let lines = &self.tokens[start..*at];
            self.line(&self.tokens[*at]) <= last || !lines.iter().any(|token| token.is(";"))
        });
        let ends = |token: &Token<'_>| token.is(";") || token.is("{");
        let Some(named) = named else {
            let length = self.tokens[start..].partition_point(|token| self.line(token) <= last);
            return &self.tokens[start..start + length];
        };
        let before =
            self.tokens[start..named].iter().rposition(|token| ends(token) || token.is("}"));
        let from = before.map_or(start, |at| start + at + 1);
        let length = self.tokens[named..].iter().position(ends);
        let to = length.map_or(self.tokens.len(), |length| named + length);
        &self.tokens[from..to]
    }

    /// The place of a line, without surrounding space.
    pub(crate) fn line_span(&self, line: usize) -> Span {
        let start = self.tokens.partition_point(|token| self.line(token) < line);
        let length = self.tokens[start..].partition_point(|token| self.line(token) <= line);
        match &self.tokens[start..start + length] {
            [first, .., last] => first.span.to(last.span),
            [only] => only.span,
            [] => Span::default(),
        }
    }

    /// The first place of a token on this line, else on the next lines of its declaration.
    pub(crate) fn word_span(&self, word: &str, line: usize) -> Option<Span> {
        let start = self.tokens.partition_point(|token| self.line(token) < line);
        let found = |tokens: &[Token<'_>]| {
            tokens.iter().find(|token| token.text == word).map(|token| token.span)
        };
        let before = self.tokens[..start].iter().rposition(|token| token.is(";") || token.is("}"));
        found(&self.tokens[start..])
            .or_else(|| found(&self.tokens[before.map_or(0, |at| at)..start]))
    }

    /// The place of a token on this line, by the number of earlier occurrences.
    pub(crate) fn nth_on_line(&self, word: &str, line: usize, nth: usize) -> Option<Span> {
        let start = self.tokens.partition_point(|token| self.line(token) < line);
        let length = self.tokens[start..].partition_point(|token| self.line(token) <= line);
        let mut found =
            self.tokens[start..start + length].iter().filter(|token| token.is_word(word));
        found.nth(nth).map(|token| token.span)
    }

    /// The arguments of each use of a function-like macro: the macro's token, and the tokens
    /// between the parentheses.
    pub(crate) fn uses(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (Token<'t>, &[Token<'t>])> {
        let used = move |at: usize| {
            let token = self.tokens[at];
            let defined = at > 0 && self.tokens[at - 1].is_word("define");
            let opened = self.tokens.get(at + 1).is_some_and(|next| next.is("("));
            if !token.is_word(name) || defined || !opened {
                return None;
            }
            let inside = &self.tokens[at + 2..];
            let length = inside.iter().position(|token| token.is(")"))?;
            Some((token, &inside[..length]))
        };
        (0..self.tokens.len()).filter_map(used)
    }

    /// The map of a prototype with these tokens, which `declaration` declares.
    pub(crate) fn map(
        &self,
        text: &str,
        written: &[Written],
        declaration: &[Token<'t>],
    ) -> SpanMap {
        let whole = match declaration {
            [first, .., last] => first.span.to(last.span),
            [only] => only.span,
            [] => Span::default(),
        };
        let pairs = if written.len().saturating_mul(declaration.len()) <= MAX_COMPARISONS {
            common(text, written, declaration)
        } else {
            vec![None; written.len()]
        };
        let mut stretches = Vec::with_capacity(2 * written.len());
        let mut end = Span::new(0, whole.start);
        for (index, token) in written.iter().enumerate() {
            let place = match pairs[index] {
                Some(at) => declaration[at].span,
                None => between(&pairs, index, declaration).unwrap_or(whole),
            };
            let gap = Span::new(end.end, place.start.max(end.end));
            stretches.push((Span::new(end.start, token.at.start), gap));
            stretches.push((token.at, place));
            end = Span::new(token.at.end, place.end);
        }
        stretches.push((Span::new(end.start, text.len()), Span::new(end.end, end.end)));
        stretches.retain(|(decoded, _)| decoded.start < decoded.end);
        SpanMap::of_stretches(text, stretches, self.text, whole)
    }
}

/// For each token of the prototype, the index of the equal token of the header.
fn common(text: &str, written: &[Written], declaration: &[Token<'_>]) -> Vec<Option<usize>> {
    let same = |token: &Written, other: &Token<'_>| {
        let source = token.source.unwrap_or(&text[token.at.start..token.at.end]);
        source == other.text
    };
    // longest[i][j]: the length of the longest common subsequence from i and from j on.
    let width = declaration.len() + 1;
    let mut longest = vec![0u32; (written.len() + 1) * width];
    for (i, token) in written.iter().enumerate().rev() {
        for (j, other) in declaration.iter().enumerate().rev() {
            longest[i * width + j] = if same(token, other) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut pairs = vec![None; written.len()];
    let (mut i, mut j) = (0, 0);
    while i < written.len() && j < declaration.len() {
        if same(&written[i], &declaration[j]) {
            pairs[i] = Some(j);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// For a token that the header lacks: the header's tokens between its neighbours, which are the
/// macro that produced it. Without any, the neighbour.
fn between(pairs: &[Option<usize>], index: usize, declaration: &[Token<'_>]) -> Option<Span> {
    let before = pairs[..index].iter().rev().find_map(|pair| *pair);
    let after = pairs[index..].iter().find_map(|pair| *pair);
    let from = before.map_or(0, |at| at + 1);
    let to = after.unwrap_or(declaration.len());
    match declaration.get(from..to) {
        Some([first, .., last]) => Some(first.span.to(last.span)),
        Some([only]) => Some(only.span),
        _ => before.or(after).map(|at| declaration[at].span),
    }
}

/// True for a string literal.
pub(crate) fn is_text(token: &Token<'_>) -> bool {
    token.kind == Kind::String
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place in the header of each token of a prototype.
    fn placed(header: &str, proto: &str, sources: &[(&str, &'static str)]) -> Vec<String> {
        let source = Source { path: "x.h".into(), text: header.to_owned() };
        let raw = Raw::new(&source);
        let tokens = lexer::lex(proto, &SpanMap::verbatim(proto, 0), &mut Vec::new());
        let source_of =
            |text: &str| sources.iter().find(|(word, _)| *word == text).map(|(_, s)| *s);
        let written: Vec<Written> = tokens
            .iter()
            .map(|token| Written { at: token.span, source: source_of(token.text) })
            .collect();
        let map = raw.map(proto, &written, raw.declaration("f", 1, 9));
        tokens
            .iter()
            .map(|token| {
                let span = map.span(token.span.start, token.span.end);
                header[span.start..span.end].to_owned()
            })
            .collect()
    }

    #[test]
    fn tokens_are_found_where_they_were_written() {
        let header = "int e(void);\nAPI REAL f(int n, /* é */ FP_OUT REAL y[n]); int g(int n);";
        let places = placed(header, "double f(int n, out double y[n])", &[("out", "FP_OUT")]);
        assert_eq!(
            places,
            ["API REAL", "f", "(", "int", "n", ",", "FP_OUT", "REAL", "y", "[", "n", "]", ")"]
        );
    }

    #[test]
    fn expansions_are_placed_at_the_macro_call() {
        let places = placed("\nDECLARE(double)\n", "double f(double x)", &[]);
        assert_eq!(places, ["DECLARE", "DECLARE", "(", "double", "double", ")"]);
        assert_eq!(placed("", "int f(int x)", &[]), [""; 6]);
    }
}
