//! One declaration of C++: qualifiers of the interface, a type with template arguments, a reference, a name.
//!
//! Purpose: split the tokens of a parameter, a result or a template argument into these parts.
//! Invariant: a declaration of another form, such as a pointer to a function, is none.
//! Reason: the rules for types compare names, and are independent of the order of `const`.

use crate::names;
use crate::prototype::brackets;
use crate::prototype::lexer::{self, Kind, Token};
use crate::prototype::owner;
use crate::prototype::parser::joined;
use crate::prototype::qualifiers::Qualifier;
use crate::span_map::SpanMap;
use fishplate_model::Span;

/// The declarator after a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    None,
    /// `&`
    Left,
    /// `&&`
    Right,
}

/// The parts of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Declaration<'a, 't> {
    /// Words of the interface before the type, with one space between them: `out`, `own(free) nullable`.
    pub qualifiers: String,
    pub is_const: bool,
    /// `struct` or `enum` before the type.
    pub tag: Option<Token<'t>>,
    /// The words of the type: `std::vector`, `unsigned long`.
    pub words: Vec<Token<'t>>,
    /// The arguments of the template.
    pub arguments: Vec<&'a [Token<'t>]>,
    pub stars: usize,
    pub reference: Reference,
    pub name: Option<Token<'t>>,
    /// The dimensions after the name, and the default: `[n] = 0`.
    pub rest: &'a [Token<'t>],
    /// The type as spelled, without qualifiers of the interface: `const std::vector<double> &`.
    pub spelling: String,
    /// The same, without `const` and the reference.
    pub value: String,
    pub span: Span,
}

impl<'a, 't> Declaration<'a, 't> {
    /// Splits these tokens; `is_named`: the last word is the name, unless it completes the type.
    pub(super) fn read(tokens: &'a [Token<'t>], is_named: bool) -> Option<Self> {
        let span = tokens.first()?.span.to(tokens.last()?.span);
        let end =
            tokens.iter().position(|token| token.is("[") || token.is("=")).unwrap_or(tokens.len());
        let (before, rest) = tokens.split_at(end);
        let start = qualifiers(before);
        let its_name = before.last().filter(|last| {
            let is_name = last.kind == Kind::Word && !names::is_c_specifier(last.text);
            is_named && is_name && !last.is_word("const") && before.len() > start + 1
        });
        let name = its_name.copied();
        let its_type = &before[start..before.len() - usize::from(name.is_some())];
        let mut read = Declaration {
            qualifiers: joined(&before[..start]),
            is_const: false,
            tag: None,
            words: Vec::new(),
            arguments: Vec::new(),
            stars: 0,
            reference: Reference::None,
            name,
            rest,
            spelling: joined(its_type),
            value: String::new(),
            span,
        };
        let mut value: Vec<Token<'t>> = Vec::new();
        let mut at = 0;
        while let Some(token) = its_type.get(at).copied() {
            let is_open = read.stars == 0 && read.reference == Reference::None;
            match token.text {
                "const" if read.stars == 0 => read.is_const = true,
                "const" | "volatile" => {}
                "typename" | "class" => {}
                // A part of the name in C; C++ may have it.
                "struct" | "enum" => {
                    read.tag = Some(token);
                    value.push(token);
                }
                "*" if read.reference == Reference::None => read.stars += 1,
                "&" => read.reference = Reference::Left,
                "&&" => read.reference = Reference::Right,
                "<" if is_open && !read.words.is_empty() && read.arguments.is_empty() => {
                    let close = at + closing(&its_type[at..])?;
                    read.arguments = split(&its_type[at + 1..close]);
                    value.extend(&its_type[at..=close]);
                    at = close;
                }
                _ if token.kind == Kind::Word && is_open && read.arguments.is_empty() => {
                    read.words.push(token);
                    value.push(token);
                }
                _ => return None,
            }
            at += 1;
        }
        read.value = joined(&value);
        (!read.words.is_empty()).then_some(read)
    }

    /// The words of the type, with one space between them.
    pub(super) fn base(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| word.text).collect();
        words.join(" ")
    }

    /// It is a type of C, as far as punctuation shows: no reference and no template.
    pub(super) fn is_plain(&self) -> bool {
        self.reference == Reference::None && self.arguments.is_empty()
    }

    /// The qualifiers contain this word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.qualifiers.split([' ', '(']).any(|one| one == word)
    }

    /// The dimensions and the default as spelled.
    pub(super) fn rest(&self) -> String {
        joined(self.rest)
    }

    /// The default as spelled, with its `=`.
    pub(super) fn default(&self) -> String {
        let at = brackets::outside(self.rest, "=").unwrap_or(self.rest.len());
        joined(&self.rest[at..])
    }
}

/// The number of tokens that are qualifiers of the interface, which precede the type.
fn qualifiers(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_ours = Qualifier::of(token.text).is_some_and(Qualifier::is_ours);
        at += match token.kind {
            Kind::Word if owner::has_brackets(&tokens[at..]) => {
                2 + brackets::closing(&tokens[at + 1..])
            }
            Kind::Word if is_ours || token.text == "status" => 1,
            _ => break,
        };
    }
    at
}

/// The index of the `>` that closes the first token, a `<`.
pub(super) fn closing(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().position(|token| {
        match token.text {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// The parts between commas that are outside of all brackets, also those of templates.
pub(super) fn split<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let mut depth = 0usize;
    let parts = tokens.split(|token| {
        match token.text {
            "<" | "(" | "[" | "{" => depth += 1,
            ">" | ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is(",")
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// The tokens of a declaration, with places in this text.
pub(super) fn tokens_of(text: &str) -> Vec<Token<'_>> {
    without_shifts(&lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new()))
}

/// The tokens with each `>>` that closes two templates as two tokens.
pub(crate) fn without_shifts<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut depth = 0usize;
    let mut all = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let follows_word = at > 0 && tokens[at - 1].kind == Kind::Word;
        match token.text {
            "<" if follows_word && token.kind == Kind::Mark => depth += 1,
            ">" if token.kind == Kind::Mark => depth = depth.saturating_sub(1),
            ">>" if depth > 1 => {
                depth -= 2;
                all.extend([Token { text: ">", ..*token }; 2]);
                continue;
            }
            _ => {}
        }
        all.push(*token);
    }
    all
}
