//! Names for types that have no table: `using Paths = std::vector<Path>;`, `typedef const char *soxr_error_t;`.
//!
//! Purpose: replace such a name in a prototype by its type.
//! Invariant: the tokens that are returned contain no alias, and are at most `MAX_TOKENS` for each.
//! Reason: prototypes have the names of the header, and the rest of the parser sees types that it knows.

use super::cplusplus::Piece;
use super::expression::MAX_TOKENS;
use super::lexer::{self, Kind, Token};
use super::parser::joined;
use crate::span_map::SpanMap;
use std::collections::BTreeMap;

/// The types by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases(BTreeMap<String, Vec<Piece>>);

impl Aliases {
    pub(super) fn insert(&mut self, name: &str, tokens: &[Token<'_>]) {
        self.0.insert(name.to_owned(), tokens.iter().map(Piece::of).collect());
    }

    /// Replaces the names in the types themselves. Returns those that are a part of themselves, which are removed.
    pub(super) fn resolve(&mut self) -> Vec<String> {
        let names: Vec<_> = self.0.keys().cloned().collect();
        let is_alias = |piece: &Piece, all: &BTreeMap<_, _>| all.contains_key(piece.token().text);
        for _ in 0..names.len() {
            for name in &names {
                let pieces = &self.0[name];
                if !pieces.iter().any(|piece| is_alias(piece, &self.0)) {
                    continue;
                }
                let tokens: Vec<_> = pieces.iter().map(Piece::token).collect();
                let expanded: Vec<_> = self.expand(&tokens).iter().map(Piece::of).collect();
                if expanded.len() <= MAX_TOKENS {
                    self.0.insert(name.clone(), expanded);
                }
            }
        }
        let refers = |pieces: &[Piece]| pieces.iter().any(|piece| is_alias(piece, &self.0));
        let circular = self.0.iter().filter(|(_, pieces)| refers(pieces));
        let circular: Vec<_> = circular.map(|(name, _)| name.clone()).collect();
        for name in &circular {
            self.0.remove(name);
        }
        circular
    }

    /// The tokens with types in place of their names, each at the place of the name.
    pub(super) fn expand<'t>(&'t self, tokens: &[Token<'t>]) -> Vec<Token<'t>> {
        let mut all = Vec::with_capacity(tokens.len());
        for token in tokens {
            match self.pieces(token) {
                Some(pieces) => {
                    let is_pointer = is_pointer(pieces);
                    let constant =
                        all.pop_if(|last: &mut Token<'t>| is_pointer && last.is_word("const"));
                    all.extend(pieces.iter().map(|one| Token { span: token.span, ..one.token() }));
                    all.extend(constant);
                }
                None => all.push(*token),
            }
        }
        all
    }

    /// The same in a text, which is otherwise left as it is.
    pub(super) fn expand_text(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut all = String::new();
        let mut end = 0;
        for token in lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new()) {
            if let Some(pieces) = self.pieces(&token) {
                let tokens: Vec<_> = pieces.iter().map(Piece::token).collect();
                all += &text[end..token.span.start];
                let before = all.trim_end().strip_suffix("const").map(str::len);
                all.truncate(before.filter(|_| is_pointer(pieces)).unwrap_or(all.len()));
                all += &joined(&tokens);
                if before.is_some() && is_pointer(pieces) {
                    all += " const";
                }
                end = token.span.end;
            }
        }
        all + &text[end..]
    }

    fn pieces(&self, token: &Token<'_>) -> Option<&Vec<Piece>> {
        self.0.get(token.text).filter(|_| token.kind == Kind::Word)
    }
}

/// A pointer: `const` before its name is about the pointer itself, and follows the `*`.
fn is_pointer(pieces: &[Piece]) -> bool {
    pieces.last().is_some_and(|one| one.token().is("*"))
}
