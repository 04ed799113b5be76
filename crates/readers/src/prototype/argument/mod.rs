//! One argument of a prototype.
//!
//! Purpose: parse qualifiers, type, name, dimensions and default of one argument, in any order that
//! is valid in C or natural for a person.
//! Invariant: parses the tokens of this argument only, so that its mistakes do not hide those of
//! its neighbours.
//! Reason: the meaning of a word depends on later tokens, so the parts are collected first, and
//! interpreted together.

mod any_array;
mod meaning;
mod refusals;
mod terminator;
mod values;

pub(super) use any_array::infer_ranks;
pub(super) use meaning::holds;

use super::Form;
use super::brackets;
use super::callback;
use super::dimension::{self, Dimension};
use super::expression;
use super::lexer::{Kind, Token};
use super::message::message;
use super::owner::{self, Ownership};
use super::qualifiers::{Qualifier, Qualifiers};
use super::retention;
use super::types::Types;
use crate::names;
use fishplate_model::{
    Argument, Code, Diagnostic, DtypeChoice, Expr, Intent, Passing, Span, Spanned, Terminator,
    ValueRule,
};

/// Parses the argument at this place of its prototype; mistakes are added to `diagnostics`, and
/// then `None` is returned. There is at least one token.
pub(crate) fn parse(
    tokens: &[Token<'_>],
    index: usize,
    form: Form,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Argument> {
    let before = diagnostics.len();
    if let Some(found) = refusals::annotation(tokens) {
        diagnostics.push(found);
        return None;
    }
    let equals = brackets::outside(tokens, "=");
    let declaration = &tokens[..equals.unwrap_or(tokens.len())];
    let pointer = if form == Form::Plain { None } else { callback::declarator(declaration, types) };
    let argument = Reader {
        index,
        form,
        types,
        diagnostics,
        qualifiers: Qualifiers::default(),
        words: Vec::new(),
        stars: Vec::new(),
        is_pointer_const: false,
        name: None,
        ownership: Ownership::default(),
        dimensions: Vec::new(),
        length: None,
        lengths: None,
        any_rank: None,
        dtypes: None,
        brackets: None,
        is_unsized: false,
        is_set: equals.is_some(),
        is_null: equals.is_some_and(|at| is_null(&tokens[at + 1..])),
        values: None,
        terminator: None,
        has_open_rows: false,
        is_null_terminated: false,
        keywords: callback::Keywords::default(),
        retention: retention::Words::default(),
        pointer: pointer.as_ref(),
    };
    let argument = match &pointer {
        Some(pointer) => argument.read(&pointer.plain, tokens),
        None => argument.read(declaration, tokens),
    };
    let default = equals.and_then(|at| default(tokens[at], &tokens[at + 1..], types, diagnostics));
    argument
        .filter(|_| diagnostics.len() == before)
        .map(|argument| Argument { default, ..argument })
}

/// Returns whether `status` qualifies a declaration that begins here, and is not itself a type: it
/// is one in `status x` and in `status *x`.
fn is_return_code(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [first, _, ..] if first.kind == Kind::Word)
}

/// True for the literal `NULL` alone.
fn is_null(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [only] if only.is_word("NULL") || only.is_word("nullptr"))
}

fn default(
    equals: Token<'_>,
    tokens: &[Token<'_>],
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expr> {
    if tokens.is_empty() {
        diagnostics.push(Diagnostic::error(
            Code::PROTO_SYNTAX,
            equals.span,
            "a value is missing after `=`",
            "write the default, as in `int n = 1`",
        ));
        return None;
    }
    expression::parse(tokens, types).map_err(|found| diagnostics.push(*found)).ok()
}

/// The parts of a declaration.
struct Reader<'a, 't, 'd> {
    index: usize,
    form: Form,
    types: &'a Types,
    diagnostics: &'d mut Vec<Diagnostic>,
    qualifiers: Qualifiers,
    /// The words of the type.
    words: Vec<Token<'t>>,
    stars: Vec<Token<'t>>,
    /// There is a `const` after the last star.
    is_pointer_const: bool,
    name: Option<Token<'t>>,
    /// The owner of C-allocated memory.
    ownership: Ownership,
    dimensions: Vec<Expr>,
    /// The expression after the `:` of the first dimension.
    length: Option<Expr>,
    /// The array with the lengths of the rows.
    lengths: Option<Spanned<String>>,
    /// It has any rank.
    any_rank: Option<any_array::AnyRank>,
    /// The dtypes of an array of any rank.
    dtypes: Option<DtypeChoice>,
    /// From the first `[` to the last `]`.
    brackets: Option<Span>,
    /// Some dimension has no size, and needs none.
    is_unsized: bool,
    /// There is a value after `=`.
    is_set: bool,
    /// The value is NULL.
    is_null: bool,
    /// The rule for the values of an array.
    values: Option<Spanned<ValueRule>>,
    /// The element by which C finds the end.
    terminator: Option<Spanned<Terminator>>,
    /// The rows have no length: `x[m][]`.
    has_open_rows: bool,
    /// A NULL terminates the array of pointers that C allocates: `own(free) char **x[]`.
    is_null_terminated: bool,
    /// The properties of a callback.
    keywords: callback::Keywords,
    /// How long C uses it.
    retention: retention::Words,
    /// The parts of a function pointer.
    pointer: Option<&'a callback::Declarator<'a, 't>>,
}

impl<'t> Reader<'_, 't, '_> {
    fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message, hint));
    }

    fn read(mut self, declaration: &[Token<'t>], all: &[Token<'t>]) -> Option<Argument> {
        let span = all[0].span.to(all[all.len() - 1].span);
        let mut at = 0;
        while let Some(token) = declaration.get(at).copied() {
            let next = declaration.get(at + 1).copied();
            if let (true, count @ 1..) = (next.is_some(), self.of_result(&declaration[at..])) {
                at += count;
                continue;
            }
            match (token.kind, token.text) {
                (Kind::Word, "until" | "replace")
                    if self.name.is_none()
                        && (owner::has_brackets(&declaration[at..])
                            || token.text == "replace"
                                && self.retention.has_until()
                                && self.words.is_empty()) =>
                {
                    let until = token.text == "until";
                    let word = if until { Qualifier::Until } else { Qualifier::Replace };
                    self.qualifiers.add(word, token, self.diagnostics);
                    at += self.retention.read(&declaration[at..], self.diagnostics) - 1;
                }
                (Kind::Word, "data" | "fails")
                    if self.name.is_none() && owner::has_brackets(&declaration[at..]) =>
                {
                    at += self.about_callback(&declaration[at..]) - 1;
                }
                (Kind::Word, "own" | "borrow" | "keep")
                    if owner::has_brackets(&declaration[at..]) && self.name.is_none() =>
                {
                    at += self.ownership(&declaration[at..]) - 1;
                }
                (Kind::Word, "offsets" | "index")
                    if values::begins(&declaration[at..]) && self.name.is_none() =>
                {
                    at += self.value_rule(&declaration[at..]) - 1;
                }
                (Kind::Word, "terminated")
                    if terminator::begins(&declaration[at..]) && self.name.is_none() =>
                {
                    at += self.terminator(&declaration[at..]) - 1;
                }
                (Kind::Word, "dtype")
                    if next.is_some_and(|next| next.is("(")) && self.name.is_none() =>
                {
                    at += self.dtypes(&declaration[at..]) - 1;
                }
                (Kind::Word, "status")
                    if self.words.is_empty() && is_return_code(&declaration[at + 1..]) =>
                {
                    self.qualifiers.add(Qualifier::Status, token, self.diagnostics);
                }
                (Kind::Word, _) => {
                    let last = next.is_none_or(|next| next.is("[") || next.is(":"));
                    self.word(token, last)?;
                }
                (Kind::Mark, "*") if !self.words.is_empty() && self.name.is_none() => {
                    self.stars.push(token);
                }
                (Kind::Mark, "[") if !self.words.is_empty() || self.name.is_some() => {
                    let close = at + brackets::closing(&declaration[at..]);
                    self.dimension(&declaration[at..=close]);
                    at = close;
                }
                _ => {
                    self.unexpected(token, next);
                    return None;
                }
            }
            at += 1;
        }
        self.finish(span)
    }

    /// The number of tokens that are about the result of a function pointer, apart from its type.
    fn of_result(&self, tokens: &[Token<'t>]) -> usize {
        if self.pointer.is_none() {
            return 0;
        }
        match (tokens[0].text, Qualifier::of(tokens[0].text)) {
            // A part of the type, as its words are.
            (_, Some(Qualifier::Const)) => 0,
            ("status", _) | (_, Some(_)) => callback::about_result(tokens, !self.words.is_empty()),
            _ => 0,
        }
    }

    /// The written intent. A return code has none: the caller never sees it.
    fn intent(&mut self) -> Option<Spanned<Intent>> {
        let intent = self.qualifiers.intent(self.diagnostics)?;
        if let Some(place) = self.qualifiers.place(Qualifier::Status) {
            self.diagnostics.push(
                Diagnostic::error(
                    Code::BAD_QUALIFIERS,
                    intent.span,
                    format!("`{}` contradicts `status`", intent.value.name()),
                    "remove it: the call raises if C writes a failure there, and the caller does \
                     not see the value; or remove `status`, and the value is an output",
                )
                .also(place, "the return code"),
            );
        }
        Some(intent)
    }

    /// Parses a keyword about ownership, and returns the number of its tokens.
    fn ownership(&mut self, tokens: &[Token<'t>]) -> usize {
        let word = if tokens[0].text == "keep" { Qualifier::Keep } else { Qualifier::Own };
        if tokens[0].text != "borrow" || !self.ownership.owns_array() {
            self.qualifiers.add(word, tokens[0], self.diagnostics);
        }
        self.ownership.read(tokens, self.types, self.diagnostics)
    }

    /// Parses a keyword about callbacks and its brackets, and returns the number of their tokens.
    fn about_callback(&mut self, tokens: &[Token<'t>]) -> usize {
        let word = match tokens[0].text {
            "data" => Qualifier::Data,
            _ => Qualifier::Fails,
        };
        self.qualifiers.add(word, tokens[0], self.diagnostics);
        self.keywords.read(tokens, self.types, self.diagnostics)
    }

    fn word(&mut self, token: Token<'t>, last: bool) -> Option<()> {
        let qualifier = Qualifier::of(token.text);
        // Bytes need no type.
        let typed = self.name.is_none()
            && (!self.words.is_empty()
                || self.pointer.is_some()
                || self.qualifiers.place(Qualifier::Bytes).is_some());
        // An intent keyword is the name if only a name can follow: `in double in`, `int out[n]`.
        let can_be_name =
            !names::is_c_specifier(token.text) && qualifier.is_none_or(Qualifier::is_ours);
        if last && typed && can_be_name {
            self.name = Some(token);
        } else if let Some(qualifier) = qualifier {
            // After a star, `const` applies to the pointer: the elements of an array of pointers. A single pointer is
            // passed by value.
            if !self.stars.is_empty() && qualifier == Qualifier::Const {
                self.is_pointer_const = true;
            } else {
                if matches!(qualifier, Qualifier::Own | Qualifier::Borrow | Qualifier::Keep) {
                    self.ownership(&[token]);
                } else {
                    self.qualifiers.add(qualifier, token, self.diagnostics);
                }
            }
        } else if self.stars.is_empty() && self.name.is_none() {
            self.words.push(token);
        } else {
            self.unexpected(token, None);
            return None;
        }
        Some(())
    }

    /// `tokens` is `[` up to and including the matching `]`.
    fn dimension(&mut self, tokens: &[Token<'t>]) {
        let (open, close) = (tokens[0], tokens[tokens.len() - 1]);
        let span = open.span.to(close.span);
        self.brackets = Some(self.brackets.map_or(span, |brackets| brackets.to(span)));
        match dimension::parse(tokens, self.types) {
            Ok(Dimension::Open) => self.open_dimension(span),
            Ok(Dimension::Any) => self.any_rank = Some(any_array::AnyRank { span, dims: None }),
            Ok(Dimension::Listed(dims)) if self.dimensions.is_empty() && self.stars.is_empty() => {
                self.any_rank = Some(any_array::AnyRank { span, dims: Some(dims) });
            }
            Ok(Dimension::Listed(lengths))
                if self.dimensions.len() == 1 && self.stars.len() == 1 =>
            {
                self.lengths = Some(lengths);
            }
            Ok(Dimension::Listed(lengths)) => self.error(
                Code::PROTO_SYNTAX,
                lengths.span,
                "an array of lengths is that of rows to which C receives pointers, or of all dimensions",
                format!(
                    "write `*NAME[m][{0}[]]`, where the type has one `*`; an array whose dimensions are the elements of \
                     `{0}` is `NAME[{0}[]]`",
                    lengths.value
                ),
            ),
            Ok(Dimension::Sized(_, Some(length))) if !self.dimensions.is_empty() => self.error(
                Code::PROTO_SYNTAX,
                length.span,
                "only the first dimension may be another after the call",
                "write one size here",
            ),
            Ok(Dimension::Sized(expr, length)) => {
                self.dimensions.push(expr);
                self.length = self.length.take().or(length);
            }
            Err(found) => self.diagnostics.push(*found),
        }
    }

    fn finish(mut self, span: Span) -> Option<Argument> {
        let words = std::mem::take(&mut self.words);
        let intent = match (self.qualifiers.place(Qualifier::Status), self.intent()) {
            (Some(place), None) => Some(Spanned::new(Intent::Hidden, place)),
            (_, written) => written,
        };
        let name = match self.name {
            Some(name) => Spanned::new(name.text.to_owned(), name.span),
            None if self.form == Form::Plain && !words.is_empty() => {
                Spanned::new(format!("arg{}", self.index), span)
            }
            None => {
                self.no_name(&words, span);
                return None;
            }
        };
        if names::is_c_keyword(&name.value) {
            self.error(
                Code::BAD_NAME,
                name.span,
                format!("`{}` is a keyword of C and cannot be a name", name.value),
                format!("rename it, such as to `{}`", names::identifier_like(&name.value)),
            );
        }
        let hidden = intent.as_ref().is_some_and(|intent| intent.value == Intent::Hidden);
        if let (true, Some(ctype)) = (hidden && self.is_set, self.opaque(&words)) {
            return Some(Argument { intent, ..Argument::new(name, span, ctype, Passing::Value) });
        }
        if let Some(place) = self.qualifiers.place(Qualifier::Status)
            && self.spells_string_pointer(&words)
        {
            let is_const = self.qualifiers.place(Qualifier::Const).is_some();
            let ctype = message(is_const, &self.ownership, place, self.diagnostics);
            let argument = Argument::new(name, span, ctype, Passing::Pointer);
            return Some(Argument { intent, status: Some(place), ..argument });
        }
        let (ctype, is_const, passing) = match self.callback(&words, &name, span) {
            Some(read) => {
                let (ctype, callback) = read.unzip();
                let passing = callback.map(|callback| Passing::Callback(Box::new(callback)));
                let is_const = self.qualifiers.place(Qualifier::Const).is_some();
                (ctype, is_const && self.pointer.is_none(), passing)
            }
            None => {
                let (ctype, is_const) = self.ctype(&words, span);
                let intent = intent.as_ref().map(|intent| intent.value);
                let passing = self.passing(&name.value, ctype.as_ref(), intent);
                (ctype, is_const, passing)
            }
        };
        let consumed = self.consumed(ctype.as_ref(), passing.as_ref());
        if let Some(passing) = &passing {
            self.misplaced_terminator(&name.value, passing);
        }
        if passing.is_some() {
            self.misplaced(&name.value, passing.as_ref(), consumed.is_some());
        }
        let keeps = match passing {
            Some(Passing::OutPointer(_)) => &[],
            _ => self.ownership.keeps.as_slice(),
        };
        let retention = self.retention.retention(keeps, self.diagnostics);
        Some(Argument {
            is_const,
            intent,
            nullable: self.qualifiers.place(Qualifier::Nullable).is_some(),
            invalidates: self.qualifiers.place(Qualifier::Invalidates),
            consumed,
            retention,
            status: self.qualifiers.place(Qualifier::Status),
            values: self.values,
            terminator: self.terminator,
            ..Argument::new(name, span, ctype?, passing?)
        })
    }
}
