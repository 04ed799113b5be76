//! From an annotated declaration of a header to an annotated prototype.
//!
//! Purpose: assemble the preprocessed tokens, with keywords in place of annotations.
//! Invariant: nothing else is changed, omitted or reordered, except that shapes and defaults follow
//! the name as in prototypes.
//! Reason: the parser of prototypes then reports all mistakes, in the same way for every front end.

use super::declarator::Parameter;
use super::mask::{Annotation, Masked};
use super::places::Written;
use super::syntax::Declaration;
use crate::prototype::lexer;
use crate::span_map::SpanMap;
use fishplate_model::Span;
use std::ops::Range;

/// Linkage keywords, which do not affect calls.
const LINKAGE: &[&str] = &["extern", "static", "inline", "__inline", "__inline__"];

/// An annotation that becomes a keyword of the prototype: the keyword, and the macro.
const QUALIFIERS: &[(&str, &str)] = &[
    ("in", "FP_IN"),
    ("inplace", "FP_INPLACE"),
    ("inout", "FP_INOUT"),
    ("out", "FP_OUT"),
    ("hidden", "FP_HIDDEN"),
    ("nullable", "FP_NULLABLE"),
    ("fortran", "FP_FORTRAN"),
    ("bytes", "FP_BYTES"),
    ("text", "FP_TEXT"),
    ("own", "FP_OWN"),
    ("borrow", "FP_BORROW"),
    ("offsets", "FP_OFFSETS"),
    ("index", "FP_INDEX"),
    ("status", "FP_STATUS"),
    ("macro", "FP_MACRO"),
];

/// The macro for this keyword.
pub(crate) fn macro_of(word: &str) -> Option<&'static str> {
    QUALIFIERS.iter().find(|(known, _)| *known == word).map(|(_, name)| *name)
}

/// The macro of an annotation, as spelled in a header.
pub(crate) fn written(annotation: &str) -> String {
    format!("FP_{}", annotation.to_ascii_uppercase())
}

/// An assembled prototype.
#[derive(Debug, Default)]
pub(crate) struct Prototype {
    pub text: String,
    pub tokens: Vec<Written>,
}

/// The prototype of a function. `own` are the annotations of the function itself.
pub(crate) fn prototype(
    function: &Declaration<'_>,
    masked: &Masked<'_>,
    own: &[&Annotation],
) -> Prototype {
    let mut prototype = Prototype::default();
    let (macros, others): (Vec<_>, Vec<_>) = own.iter().partition(|one| one.name == "macro");
    for annotation in macros.into_iter().chain(others) {
        prototype.qualifier(annotation);
    }
    for token in masked.tokens_in(&function.head) {
        if !LINKAGE.contains(&token.text) {
            prototype.push(token.text, None);
        }
    }
    let mut at = function.declarator.start;
    for parameter in &function.parameters {
        prototype.verbatim(masked, at..parameter.region.start);
        prototype.parameter(masked, parameter);
        at = parameter.region.end;
    }
    prototype.verbatim(masked, at..function.declarator.end);
    if let Some(shape) = own.iter().find(|annotation| annotation.name == "shape") {
        prototype.shape(&shape.argument);
    }
    prototype
}

/// It specifies the owner of a pointer.
pub(crate) fn is_owner(annotation: &Annotation) -> bool {
    matches!(annotation.name.as_str(), "own" | "borrow")
}

/// The annotations of a parameter itself, not those of the parameters of a function that it points to.
pub(crate) fn own_annotations<'m>(
    masked: &'m Masked<'_>,
    parameter: &Parameter<'_>,
) -> Vec<&'m Annotation> {
    let is_own = |annotation: &&Annotation| {
        !parameter.called().iter().any(|inner| inner.region.contains(&annotation.at))
    };
    masked.annotations_in(&parameter.region).iter().filter(is_own).collect()
}

/// True for an annotation in a dimension of a parameter.
pub(crate) fn is_in_brackets(
    masked: &Masked<'_>,
    parameter: &Parameter<'_>,
    annotation: &Annotation,
) -> bool {
    let before = masked.tokens_in(&(parameter.region.start..annotation.at));
    let count = |mark: &str| before.iter().filter(|token| token.is(mark)).count();
    count("[") > count("]")
}

/// The pointers and arrays that C has to follow to a value of the parameter.
fn levels(masked: &Masked<'_>, parameter: &Parameter<'_>) -> usize {
    let tokens = masked.tokens_in(&parameter.region);
    let stars = tokens.iter().filter(|token| token.is("*")).count();
    stars + usize::from(tokens.iter().any(|token| token.is("[")))
}

impl Prototype {
    fn verbatim(&mut self, masked: &Masked<'_>, range: Range<usize>) {
        for token in masked.tokens_in(&range) {
            self.push(token.text, None);
        }
    }

    fn parameter(&mut self, masked: &Masked<'_>, parameter: &Parameter<'_>) {
        let annotations = own_annotations(masked, parameter);
        let shape = annotations.iter().find(|annotation| annotation.name == "shape");
        let value = annotations.iter().find(|annotation| annotation.name == "default");
        let called = parameter.called();
        // Misplaced annotations of the function have been reported.
        let mut waiting = annotations.iter().filter(|found| found.name != "macro").peekable();
        // A shape specifies what the last level leaves open: of an out-pointer, and of an array of pointers, one `*` more
        // is left.
        let is_owned = annotations.iter().any(|one| is_owner(one));
        let mut stars = usize::from(is_owned).max(levels(masked, parameter).saturating_sub(1));
        let mut depth = 0usize;
        let mut nested = called.iter().peekable();
        for token in masked.tokens_in(&parameter.region) {
            if let Some(inner) = nested.next_if(|next| next.region.start <= token.span.start) {
                self.parameter(masked, inner);
            }
            if called.iter().any(|inner| inner.region.contains(&token.span.start)) {
                continue;
            }
            while let Some(annotation) = waiting.next_if(|next| next.at < token.span.start) {
                self.qualifier(annotation);
            }
            depth += usize::from(token.is("["));
            let is_left = token.is("*") && stars > 0;
            if shape.is_none() || is_left || !(depth > 0 || token.is("*")) {
                self.push(token.text, None);
            }
            stars -= usize::from(is_left);
            depth = depth.saturating_sub(usize::from(token.is("]")));
        }
        for annotation in waiting {
            self.qualifier(annotation);
        }
        if let Some(shape) = shape {
            self.shape(&shape.argument);
        }
        if let Some(value) = value {
            self.push("=", Some("FP_DEFAULT"));
            self.text.push(' ');
            self.insert(&value.argument);
        }
    }

    /// `[m][n]` for `m, n`.
    fn shape(&mut self, argument: &str) {
        let mut before = "FP_SHAPE";
        for dimension in arguments(argument) {
            self.push("[", Some(before));
            self.insert(dimension.trim());
            self.push("]", Some(")"));
            before = ",";
        }
    }

    fn qualifier(&mut self, annotation: &Annotation) {
        if let Some((word, name)) = QUALIFIERS.iter().find(|(word, _)| *word == annotation.name) {
            self.push(word, Some(name));
            if !annotation.argument.trim().is_empty() {
                self.push("(", Some("("));
                self.insert(annotation.argument.trim());
                self.push(")", Some(")"));
            }
        }
    }

    /// Adds a token, and a space before it where one is usual.
    fn push(&mut self, text: &str, source: Option<&'static str>) {
        let after = self.text.chars().next_back();
        let tight_before = matches!(after, None | Some('(' | '[' | '*'));
        let tight = tight_before || matches!(text, ")" | "]" | "[" | "," | "(");
        if !tight {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.tokens.push(Written { at: Span::new(start, self.text.len()), source });
    }

    /// Adds a string unchanged, token by token, so that each is found in the header.
    fn insert(&mut self, text: &str) {
        let map = SpanMap::verbatim(text, self.text.len());
        let tokens = lexer::lex(text, &map, &mut Vec::new());
        self.tokens.extend(tokens.iter().map(|token| Written { at: token.span, source: None }));
        self.text.push_str(text);
    }
}

/// Splits at commas outside of brackets.
pub(crate) fn arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
