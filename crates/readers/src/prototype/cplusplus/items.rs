//! The items of a class that is iterated: `begin()` and `end()`.
//!
//! Purpose: for the type of an item, the C prototypes of the functions that iterate an object.
//! Invariant: an iteration has its own copy of strings, numbers and values, and the addresses of items that it refers to.
//! Reason: an object that changes during an iteration then invalidates what it invalidates in any case: references.

use super::declaration::{Declaration, Reference};
use super::parameters::ValueType;
use super::{Adapted, Parts, Piece, Scope, Writer, convert, unsupported};
use crate::prototype::lexer::{self, Kind, Token};
use crate::prototype::parser::joined;
use crate::prototype::types::Types;
use crate::span_map::SpanMap;
use fishplate_model::{Adapter, CallForm, Conversion, Converted, Diagnostic, ReturnedValue, Span};

/// The functions that iterate an object.
pub(crate) enum Iteration {
    /// It returns all items, as an array.
    Array(Box<Adapted>),
    /// The first returns an iterator, the second its next item.
    Iterator(Box<[Adapted; 2]>),
}

/// The class of iterators over the items of a class, which these tokens declare.
pub(crate) fn iterator(class: &str, item: &[Token<'_>]) -> String {
    format!("fp_cpp::items<{class}, {}>", joined(item))
}

/// The functions that iterate the objects of `class`; `span` is the place of the item's type.
pub(crate) fn iterate(
    class: &str,
    item: &[Token<'_>],
    span: Span,
    types: &Types,
) -> Result<Iteration, Box<Diagnostic>> {
    let scope = Scope { types, words: Vec::new(), has_self: true };
    let Some(one) = Declaration::read(item, false) else {
        return Err(refuse(span, &joined(item)));
    };
    let inner = one.arguments.first().and_then(|inner| Declaration::read(inner, false));
    let inner = inner.map(|inner| scope.value_type(&inner));
    let constant = if one.is_const { "const " } else { "" };
    let value = &one.value;
    let next = match (scope.value_type(&one), inner) {
        (ValueType::Number(_), _) if one.stars == 0 => return array(class, &one, &scope),
        (ValueType::String, _) if one.stars == 0 => "std::optional<std::string>".to_owned(),
        (ValueType::Object(_), _) if one.reference == Reference::Left || one.stars == 1 => {
            format!("nullable borrow(self) {constant}{value} *")
        }
        (ValueType::Object(_), _) if one.stars == 0 => format!("std::optional<{value}>"),
        (_, Some(ValueType::Object(_))) if one.base() == "std::shared_ptr" => {
            format!("nullable {value}")
        }
        _ => return Err(refuse(one.span, &one.spelling)),
    };
    let iterator = iterator(class, item);
    let next = lex(&next);
    let parts = Parts {
        result: next,
        is_static: false,
        is_virtual: false,
        is_friend: false,
        name: format!("{iterator}::next"),
        name_span: one.span,
        parameters: Vec::new(),
        qualifiers: &[],
        is_pure: false,
    };
    let mut next = convert(&parts, Some(iterator.clone()), false, &scope)?;
    next.pieces.iter_mut().for_each(|piece| piece.span = one.span);
    Ok(Iteration::Iterator(Box::new([begin(class, &iterator, one.span), next])))
}

/// A function that returns the numbers of an object.
fn array(
    class: &str,
    one: &Declaration<'_, '_>,
    scope: &Scope<'_>,
) -> Result<Iteration, Box<Diagnostic>> {
    let (result, object) = (format!("std::vector<{}>", one.value), format!("{class} &self"));
    let object = lex(&object);
    let parts = Parts {
        result: lex(&result),
        is_friend: false,
        is_static: false,
        is_virtual: false,
        name: format!("fp_cpp::collected<{class}, {}>", one.value),
        name_span: one.span,
        parameters: vec![&object],
        qualifiers: &[],
        is_pure: false,
    };
    let mut adapted = convert(&parts, None, false, scope)?;
    adapted.pieces.iter_mut().for_each(|piece| piece.span = one.span);
    Ok(Iteration::Array(Box::new(adapted)))
}

/// The function that returns an iterator, which keeps the object.
fn begin(class: &str, iterator: &str, span: Span) -> Adapted {
    let mut text = Writer::default();
    text.add("own keep(self)", span);
    text.word(iterator, span);
    text.add("*", span);
    text.word("iterate", span);
    text.add(&format!("({class} *self)"), span);
    let object = Converted { spelling: None, count: 1, conversion: Conversion::Pointee };
    let adapter = Adapter {
        form: CallForm::Constructor {
            class: iterator.to_owned(),
            is_counted: false,
            overrides: Vec::new(),
        },
        is_friend: false,
        parameters: vec![object],
        result: String::new(),
        values: vec![ReturnedValue::Plain],
        lengths: Vec::new(),
        objects: Vec::new(),
    };
    Adapted { pieces: text.pieces, adapter }
}

fn lex(text: &str) -> Vec<Token<'_>> {
    lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new())
}

fn refuse(span: Span, spelling: &str) -> Box<Diagnostic> {
    unsupported(
        span,
        format!("items of the type `{}` are not supported", crate::names::short(spelling, 60)),
        "items are numbers, strings, objects, references to objects or `std::shared_ptr`s: `items = \"const lib::Item &\"`",
    )
}

impl Writer {
    /// Adds a word that the lexer would split: the name of a class with template arguments.
    pub(super) fn word(&mut self, text: &str, span: Span) {
        self.pieces.push(Piece { kind: Kind::Word, text: text.to_owned(), span });
    }
}
