//! Lists of arguments: `input: a(n, m), s = 1`.
//!
//! Purpose: combine all lists of a kernel for each argument.
//! Invariant: an argument has at most one intent, one shape and one value; contradictions are
//! reported.
//! Reason: the old language distributes over several keys what a prototype states in one place.

use super::document::Value;
use super::keys::Entries;
use crate::names;
use crate::prototype::lexer::{self, Kind, Token};
use crate::prototype::{Types, brackets, expression};
use fishplate_model::{Code, Diagnostic, Expr, Intent, Span, Spanned};

/// The entries of all lists for one argument.
#[derive(Clone)]
pub(super) struct Listed {
    /// The place of its first mention.
    pub name: Spanned<String>,
    intents: Vec<Spanned<Word>>,
    /// The dimensions, and their place.
    pub shape: Option<Spanned<Vec<Expr>>>,
    pub value: Option<Expr>,
}

/// The key of an intent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Input,
    InPlace,
    InOut,
    Output,
    Hide,
}

const WORDS: [(&str, Word); 5] = [
    ("input", Word::Input),
    ("inplace", Word::InPlace),
    ("inout", Word::InOut),
    ("output", Word::Output),
    ("hide", Word::Hide),
];

impl Listed {
    /// The intent; `None` if no list has one.
    pub(super) fn intent(&self) -> Option<Spanned<Intent>> {
        let first = self.intents.first()?;
        let outputs = self.intents.iter().any(|word| word.value == Word::Output);
        let other = self.intents.iter().find(|word| word.value != Word::Output);
        let intent = match (other.map(|word| word.value), outputs) {
            (None | Some(Word::Output), _) | (Some(Word::Hide), true) => Intent::Out,
            (Some(Word::Hide), false) => Intent::Hidden,
            (Some(Word::Input), false) => Intent::In,
            (Some(Word::Input), true) => Intent::InAndOut,
            (Some(Word::InPlace), false) => Intent::InPlace,
            (Some(Word::InPlace), true) => Intent::InPlaceAndOut,
            (Some(Word::InOut), false) => Intent::InOut,
            (Some(Word::InOut), true) => Intent::InOutAndOut,
        };
        Some(Spanned::new(intent, first.span))
    }

    fn add_intent(&mut self, word: Word, key: &str, place: Span, found: &mut Vec<Diagnostic>) {
        let name = &self.name.value;
        let same = self.intents.iter().find(|other| other.value == word);
        let other =
            self.intents.iter().find(|other| other.value != Word::Output && word != Word::Output);
        let (message, hint, first) = match (same, other) {
            (Some(first), _) => {
                (format!("duplicate `{name}` in `{key}`"), "remove one of the two", first.span)
            }
            (None, Some(first)) => (
                format!("`{name}` is in two lists that contradict each other"),
                "write one of `input`, `inplace`, `inout` and `hide`; only `output` may accompany one",
                first.span,
            ),
            (None, None) => {
                self.intents.push(Spanned::new(word, place));
                return;
            }
        };
        let error = Diagnostic::error(Code::CONTRADICTION, place, message, hint);
        found.push(error.also(first, "the other one"));
    }

    fn add_shape(&mut self, shape: Spanned<Vec<Expr>>, found: &mut Vec<Diagnostic>) {
        match &self.shape {
            None => self.shape = Some(shape),
            Some(first) if text(&first.value) == text(&shape.value) => {}
            Some(first) => found.push(
                Diagnostic::error(
                    Code::CONTRADICTION,
                    shape.span,
                    format!("`{}` has two shapes", self.name.value),
                    "write its shape once",
                )
                .also(first.span, "the other one"),
            ),
        }
    }

    fn add_value(&mut self, value: Expr, found: &mut Vec<Diagnostic>) {
        match &self.value {
            None => self.value = Some(value),
            Some(first) if first.to_string() == value.to_string() => {}
            Some(first) => found.push(
                Diagnostic::error(
                    Code::CONTRADICTION,
                    value.span,
                    format!("`{}` has two values", self.name.value),
                    "write its value once",
                )
                .also(first.span, "the other one"),
            ),
        }
    }
}

fn text(shape: &[Expr]) -> String {
    shape.iter().map(Expr::to_string).collect::<Vec<_>>().join(", ")
}

/// Reads every list of a kernel.
pub(super) fn read(
    entries: &Entries<'_>,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Listed> {
    let mut all: Vec<Listed> = Vec::new();
    let words = WORDS.iter().map(|(key, word)| (*key, Some(*word)));
    for (key, word) in words.chain([("dimension", None)]) {
        let Some(entry) = entries.get(key) else { continue };
        for item in items(&entry.value, types, diagnostics) {
            let place = item.name.span;
            let at = all.iter().position(|listed| listed.name.value == item.name.value);
            let at = at.unwrap_or_else(|| {
                all.push(Listed {
                    name: item.name.clone(),
                    intents: Vec::new(),
                    shape: None,
                    value: None,
                });
                all.len() - 1
            });
            let listed = &mut all[at];
            match word {
                Some(word) => listed.add_intent(word, key, place, diagnostics),
                None if item.shape.is_none() => diagnostics.push(Diagnostic::error(
                    Code::BAD_LIST,
                    place,
                    format!("`dimension` has no shape for `{}`", item.name.value),
                    format!(
                        "write `{}(...)` with a size for each dimension, or remove it: it is a \
                         scalar then",
                        item.name.value
                    ),
                )),
                None => {}
            }
            if let Some(shape) = item.shape {
                listed.add_shape(shape, diagnostics);
            }
            if let Some(value) = item.value {
                listed.add_value(value, diagnostics);
            }
        }
    }
    all
}

/// Reads a list that may only contain names, for `key`.
pub(super) fn names(
    key: &str,
    value: &Value,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Spanned<String>> {
    let items = items(value, types, diagnostics);
    for item in &items {
        let more = item.shape.as_ref().map(|shape| shape.span);
        if let Some(span) = more.or(item.value.as_ref().map(|value| value.span)) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_LIST,
                span,
                format!("`{key}` is a list of names"),
                "write shapes and values in the list of the intent",
            ));
        }
    }
    items.into_iter().map(|item| item.name).collect()
}

/// One entry of a list.
struct Item {
    name: Spanned<String>,
    shape: Option<Spanned<Vec<Expr>>>,
    value: Option<Expr>,
}

const FORMS: &str = "write `a`, `a = value` or `a(shape)`, with commas between";

fn items(value: &Value, types: &Types, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let mut found = Vec::new();
    let text = without_comments(value, &mut found);
    let tokens = lexer::lex(&text, &value.map, &mut found);
    let mut items = Vec::new();
    match brackets::unbalanced(&tokens) {
        Some(unbalanced) => found.push(unbalanced),
        None => {
            let mut rest = tokens.as_slice();
            while !rest.is_empty() {
                let comma = brackets::outside(rest, ",");
                let (one, after) = rest.split_at(comma.unwrap_or(rest.len()));
                items.extend(item(one, after.first().or(rest.first()), types, &mut found));
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
    // The message is about a list, not about a prototype.
    for diagnostic in &mut found {
        if diagnostic.code == Code::PROTO_SYNTAX {
            diagnostic.code = Code::BAD_LIST;
        }
    }
    diagnostics.append(&mut found);
    items
}

/// The value with blanks in place of comments after it, which are reported: in the language,
/// comments are on separate lines only.
fn without_comments(value: &Value, found: &mut Vec<Diagnostic>) -> String {
    let mut text = String::with_capacity(value.text.len());
    for line in value.text.split_inclusive('\n') {
        let Some(at) = line.find('#') else {
            text.push_str(line);
            continue;
        };
        let (entry, comment) = line.split_at(at);
        text.push_str(entry);
        let start = text.len();
        let length = comment.trim_end().len();
        text.push_str(&" ".repeat(length));
        text.push_str(&comment[length..]);
        found.push(Diagnostic::error(
            Code::BAD_LIST,
            value.map.span(start, start + length),
            "a comment cannot follow a value",
            "write it in a line of its own, which begins with `#`",
        ));
    }
    text
}

/// `tokens` is one entry, `near` a token next to it.
fn item(
    tokens: &[Token<'_>],
    near: Option<&Token<'_>>,
    types: &Types,
    found: &mut Vec<Diagnostic>,
) -> Option<Item> {
    let mut error = |span: Span, message: String| {
        found.push(Diagnostic::error(Code::BAD_LIST, span, message, FORMS));
    };
    let Some((first, rest)) = tokens.split_first() else {
        error(near?.span, "a name is missing before `,`".to_owned());
        return None;
    };
    if first.kind != Kind::Word || names::is_c_keyword(first.text) {
        let shown = names::short(first.text, 40);
        error(first.span, format!("`{shown}` is not the name of an argument"));
        return None;
    }
    let name = Spanned::new(first.text.to_owned(), first.span);
    let close = match rest.first() {
        Some(open) if open.is("(") => Some(brackets::closing(rest)),
        _ => None,
    };
    let (shape, rest) = rest.split_at(close.map_or(0, |close| close + 1));
    let value = match rest.split_first() {
        None => None,
        Some((equals, value)) if equals.is("=") && !value.is_empty() => Some(value),
        Some((equals, _)) if equals.is("=") => {
            error(equals.span, format!("a value is missing after `{} =`", name.value));
            return None;
        }
        Some((other, _)) => {
            let shown = names::short(other.text, 40);
            error(other.span, format!("`{shown}` was not expected after `{}`", name.value));
            return None;
        }
    };
    let shape = if shape.is_empty() { None } else { Some(dimensions(shape, types, found)?) };
    let value = match value {
        Some(tokens) => {
            Some(expression::parse(tokens, types).map_err(|error| found.push(*error)).ok()?)
        }
        None => None,
    };
    Some(Item { name, shape, value })
}

/// `tokens` goes from `(` to the matching `)`.
fn dimensions(
    tokens: &[Token<'_>],
    types: &Types,
    found: &mut Vec<Diagnostic>,
) -> Option<Spanned<Vec<Expr>>> {
    let (open, close) = (tokens[0], tokens[tokens.len() - 1]);
    let span = open.span.to(close.span);
    let mut rest = &tokens[1..tokens.len() - 1];
    let mut shape = Vec::new();
    loop {
        let comma = brackets::outside(rest, ",");
        let (one, after) = rest.split_at(comma.unwrap_or(rest.len()));
        if one.is_empty() {
            let hint = "write a number, a name or an expression for each dimension";
            found.push(Diagnostic::error(Code::BAD_LIST, span, "a dimension is missing", hint));
            return None;
        }
        shape.push(expression::parse(one, types).map_err(|error| found.push(*error)).ok()?);
        match after.split_first() {
            None => return Some(Spanned::new(shape, span)),
            Some((_, others)) => rest = others,
        }
    }
}
