//! Prototypes of C++: types that C does not have, methods, constructors.
//!
//! Purpose: replace the prototype of a C++ function by that of the C function that calls it, and describe how.
//! Invariant: a prototype that C could have is left as it is.
//! Reason: the rest of the parser, and all later phases, then see arrays, strings, objects and lengths.

mod declaration;
mod dense;
mod fields;
mod functions;
mod items;
mod nested;
mod overridable;
mod parameters;
mod results;

use super::brackets;
use super::lexer::{self, Kind, Token};
use super::types::Types;
use crate::span_map::SpanMap;
pub(crate) use declaration::without_shifts;
use declaration::{Declaration, Reference, split, tokens_of};
pub(crate) use fields::Field;
use fishplate_model::{
    Adapter, CallForm, Code, Conversion, Converted, Diagnostic, ReturnedValue, Span,
};
pub(crate) use items::{Iteration, iterate, iterator};
pub(crate) use overridable::{Overridable, class_of_virtual, overridable};
use parameters::ValueType;

/// The function of the runtime that frees the memory of a converted value.
const FREE: &str = "fp_free_moved";

/// A token that may not be in the source.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    kind: Kind,
    text: String,
    span: Span,
}

impl Piece {
    pub(crate) fn token(&self) -> Token<'_> {
        Token { kind: self.kind, text: &self.text, span: self.span }
    }

    pub(crate) fn of(token: &Token<'_>) -> Piece {
        Piece { kind: token.kind, text: token.text.to_owned(), span: token.span }
    }
}

/// A prototype of C in place of one of C++.
pub(crate) struct Adapted {
    pub pieces: Vec<Piece>,
    pub adapter: Adapter,
}

/// The names and types that a prototype may use.
struct Scope<'a> {
    types: &'a Types,
    /// All words of the prototype, which new names avoid.
    words: Vec<String>,
    /// It is a method, whose first argument is `self`.
    has_self: bool,
}

impl Scope<'_> {
    /// A name that nothing else in the prototype has: `x_size`.
    fn fresh(&self, name: &str, suffix: &str) -> String {
        let mut fresh = match suffix {
            "" => name.to_owned(),
            _ => format!("{name}_{suffix}"),
        };
        while self.words.contains(&fresh) {
            fresh.push('_');
        }
        fresh
    }
}

fn unsupported(span: Span, message: impl Into<String>, hint: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::UNSUPPORTED_TYPE, span, message, hint))
}

/// The parts of a prototype, before its types are known.
struct Parts<'a, 't> {
    /// Words without a meaning for types are removed: `virtual`, `inline`.
    result: Vec<Token<'t>>,
    is_static: bool,
    is_virtual: bool,
    is_friend: bool,
    name: String,
    name_span: Span,
    parameters: Vec<&'a [Token<'t>]>,
    /// The tokens after the parameters.
    qualifiers: &'a [Token<'t>],
    /// `= 0` follows them.
    is_pure: bool,
}

/// The C prototype in place of this one, and that of a function which assigns to its result, if it returns a reference to
/// an item; `None` if C could have it.
pub(crate) fn adapt(
    tokens: &[Token<'_>],
    types: &Types,
) -> Option<Result<Vec<Adapted>, Box<Diagnostic>>> {
    if tokens.first()?.is_word("macro") || brackets::unbalanced(tokens).is_some() {
        return None;
    }
    let tokens = without_shifts(tokens);
    let parts = parts(&tokens)?;
    let is_constructor = parts.result.is_empty() && types.is_object(&parts.name);
    // The class of a constructor may be a part of another one.
    let class = class_of(&parts, types).filter(|_| !is_constructor);
    let scope = Scope {
        types,
        words: tokens.iter().map(|token| token.text.to_owned()).collect(),
        has_self: class.is_some(),
    };
    let is_special = class.is_some() || is_constructor || needs(&parts, &scope);
    is_special.then(|| {
        let mut all = vec![convert(&parts, class.clone(), is_constructor, &scope)?];
        all.extend(class.and_then(|class| assignment(&parts, class, &scope)));
        Ok(all)
    })
}

/// `object[k] = value`, for an operator that returns a reference.
fn assignment(parts: &Parts<'_, '_>, class: String, scope: &Scope<'_>) -> Option<Adapted> {
    let item = Declaration::read(&parts.result, false)?;
    let is_item = parts.name.ends_with("operator[]") && item.reference == Reference::Left;
    if !is_item || item.is_const {
        return None;
    }
    let name = scope.fresh("value", "");
    let value = match scope.value_type(&item) {
        ValueType::Number(_) => format!("{} {name}", item.value),
        _ => format!("const {} &{name}", item.value),
    };
    let value: Vec<_> =
        tokens_of(&value).into_iter().map(|one| Token { span: item.span, ..one }).collect();
    let setter = Parts {
        result: tokens_of("void"),
        is_static: false,
        is_virtual: false,
        is_friend: false,
        name: parts.name.clone(),
        name_span: parts.name_span,
        parameters: parts.parameters.iter().copied().chain([value.as_slice()]).collect(),
        qualifiers: parts.qualifiers,
        is_pure: false,
    };
    // An item that cannot be an argument is only got.
    let mut adapted = convert(&setter, Some(class), false, scope).ok()?;
    adapted.adapter.result.clone_from(&item.spelling);
    if let CallForm::Method { is_assigned, .. } = &mut adapted.adapter.form {
        *is_assigned = true;
    }
    Some(adapted)
}

/// Splits a prototype at its name and its parameters.
fn parts<'a, 't>(tokens: &'a [Token<'t>]) -> Option<Parts<'a, 't>> {
    let operator = tokens.iter().position(|token| {
        token.kind == Kind::Word && (token.text == "operator" || token.text.ends_with("::operator"))
    });
    let (name_at, open) = match operator {
        Some(at) => {
            let marks = &tokens[at + 1..];
            let is_call = matches!(marks, [open, close, ..] if open.is("(") && close.is(")"));
            let skipped = if is_call { 2 } else { marks.iter().position(|one| one.is("("))? };
            (at, at + 1 + skipped)
        }
        None => {
            let open = super::parser::opening(tokens)?;
            let name = super::parser::template_start(&tokens[..open]).unwrap_or(open);
            (name.checked_sub(1)?, open)
        }
    };
    let close = open + brackets::closing(tokens.get(open..)?);
    let name = super::parser::joined(&tokens[name_at..open]);
    let name_span = tokens[name_at].span.to(tokens[open - 1].span);
    if tokens[name_at].kind != Kind::Word {
        return None;
    }
    let is_noise = |token: &&Token<'_>| {
        !matches!(
            token.text,
            "static" | "virtual" | "inline" | "explicit" | "constexpr" | "friend" | "extern"
        )
    };
    let inside = &tokens[open + 1..close];
    let parameters = match inside {
        [void] if void.is_word("void") => Vec::new(),
        _ => split(inside),
    };
    let mut qualifiers = &tokens[close + 1..];
    while let Some((last, rest)) = qualifiers.split_last()
        && last.is(";")
    {
        qualifiers = rest;
    }
    let is_pure = matches!(qualifiers, [.., equals, zero] if equals.is("=") && zero.text == "0");
    if is_pure {
        qualifiers = &qualifiers[..qualifiers.len() - 2];
    }
    let mut result: Vec<Token<'t>> = tokens[..name_at].iter().filter(is_noise).copied().collect();
    // A conversion, `operator bool() const`, has its result in its name.
    if result.is_empty() && operator.is_some() {
        result = tokens[name_at + 1..open].to_vec();
    }
    Some(Parts {
        result,
        is_static: tokens[..name_at].iter().any(|token| token.is_word("static")),
        is_virtual: tokens[0].is_word("virtual"),
        is_friend: tokens[..name_at].iter().any(|token| token.is_word("friend")),
        name,
        name_span,
        parameters,
        qualifiers,
        is_pure,
    })
}

/// The class of which the function is a method.
fn class_of(parts: &Parts<'_, '_>, types: &Types) -> Option<String> {
    // The operator may be `<`, or a conversion to a qualified type.
    let end = parts.name.find("operator").unwrap_or(parts.name.len());
    let (class, _) = match parts.name[..end].strip_suffix("::") {
        Some(class) => (class, ""),
        None => parts.name[..end].rsplit_once("::")?,
    };
    (!parts.is_static && types.is_object(class)).then(|| class.to_owned())
}

/// Some type is not one of C.
fn needs(parts: &Parts<'_, '_>, scope: &Scope<'_>) -> bool {
    let is_foreign = |one: Declaration<'_, '_>| {
        let is_object = one.stars == 0 && scope.types.is_object(&one.base());
        let is_text = parameters::is_text(&one.base());
        let is_dense = scope.dense(&one).is_some();
        let is_owned = one.has("own") && scope.types.is_counted(&one.base());
        !one.is_plain() || is_object || is_text || is_owned || is_dense
    };
    let result = Declaration::read(&parts.result, false);
    let mut parameters = parts.parameters.iter();
    result.is_some_and(is_foreign)
        || parameters.any(|one| Declaration::read(one, true).is_some_and(is_foreign))
}

fn convert(
    parts: &Parts<'_, '_>,
    class: Option<String>,
    is_constructor: bool,
    scope: &Scope<'_>,
) -> Result<Adapted, Box<Diagnostic>> {
    let mut text = Writer::default();
    let mut adapter = Adapter {
        form: CallForm::Function,
        is_friend: parts.is_friend,
        parameters: Vec::new(),
        result: String::new(),
        values: Vec::new(),
        lengths: Vec::new(),
        objects: Vec::new(),
    };
    let result = if is_constructor {
        let is_counted = scope.types.is_counted(&parts.name);
        let class = parts.name.clone();
        adapter.form = CallForm::Constructor { class, is_counted, overrides: Vec::new() };
        adapter.values = vec![ReturnedValue::Plain];
        results::Returning {
            head: format!("{} *", parts.name),
            values: vec![ReturnedValue::Plain],
            ..results::Returning::default()
        }
    } else {
        let Some(read) = Declaration::read(&parts.result, false) else {
            return Err(unsupported(
                parts.name_span,
                format!("the result of `{}` is not a type", parts.name),
                "write it as the header does; for `auto`, write the type that the function returns",
            ));
        };
        adapter.result.clone_from(&read.spelling);
        scope.add_contained(&read, &mut adapter.objects);
        match is_stream(&read) && passes_stream(parts) {
            true => results::Returning { head: "void".to_owned(), ..Default::default() },
            false => scope.result(&read)?,
        }
    };
    let head_span = parts
        .result
        .first()
        .map_or(parts.name_span, |first| first.span.to(parts.result[parts.result.len() - 1].span));
    text.add(&result.head, head_span);
    text.pieces.push(Piece { kind: Kind::Word, text: parts.name.clone(), span: parts.name_span });
    text.add("(", parts.name_span);
    let mut separator = "";
    let about_object = about_object(parts.qualifiers);
    if let (None, Some(word)) = (&class, about_object.first()) {
        return Err(unsupported(
            word.span,
            format!("`{}` has no object to which `{}` applies", parts.name, word.text),
            "after the parameters it qualifies the object of a method; write it before an argument",
        ));
    }
    if let Some(class) = class {
        text.pieces.extend(about_object.iter().map(Piece::of));
        let qualifiers = super::parser::joined(parts.qualifiers);
        let is_const = parts.qualifiers.iter().any(|token| token.is_word("const"));
        let constant = if is_const { "const " } else { "" };
        text.add(constant, parts.name_span);
        text.word(&class, parts.name_span);
        text.add("*self", parts.name_span);
        separator = ",";
        let qualifiers = without_noise(&qualifiers);
        let is_virtual = parts.is_virtual && scope.types.is_overridable(&parts.name);
        let is_shared = scope.types.is_counted(&class) && scope.types.has_overridable();
        adapter.form =
            CallForm::Method { class, qualifiers, is_assigned: false, is_virtual, is_shared };
        adapter.parameters.push(Converted {
            spelling: None,
            count: 1,
            conversion: Conversion::Pointee,
        });
    }
    for one in &parts.parameters {
        let span = one[0].span.to(one[one.len() - 1].span);
        text.add(separator, span);
        separator = ",";
        match scope.parameter(one)? {
            Some(parameter) => {
                text.add(&parameter.declarations, span);
                if let Some(read) = Declaration::read(one, true) {
                    scope.add_contained(&read, &mut adapter.objects);
                }
                for class in parameter.objects {
                    if !adapter.objects.iter().any(|known| known.name == class.name) {
                        adapter.objects.push(class);
                    }
                }
                adapter.parameters.push(parameter.converted);
                adapter.lengths.extend(parameter.lengths);
            }
            None if scope.types.unpacked(one).is_some() => {
                return Err(unsupported(
                    span,
                    "a function with types of C++ cannot have a struct that is unpacked",
                    "write a function with C's types, or with C++'s, in `header-code` say, and wrap that",
                ));
            }
            None => {
                text.pieces.extend(one.iter().map(Piece::of));
                let conversion = Conversion::Value;
                adapter.parameters.push(Converted { spelling: None, count: 1, conversion });
            }
        }
    }
    if let CallForm::Constructor { class, overrides, .. } = &mut adapter.form {
        *overrides = scope.add_overrides(class, &mut separator, &mut text);
    }
    for argument in &result.arguments {
        text.add(separator, head_span);
        separator = ",";
        text.add(argument, head_span);
    }
    text.add(")", parts.name_span);
    text.add(&result.dimensions, head_span);
    adapter.values = result.values;
    adapter.lengths.extend(result.lengths);
    Ok(Adapted { pieces: text.pieces, adapter })
}

/// The words about the object of a method, which are where C++ has its own: `void clear() invalidates`, `int close() own`.
fn about_object<'s, 't>(qualifiers: &'s [Token<'t>]) -> &'s [Token<'t>] {
    let is_word = |token: &Token<'_>| token.is_word("invalidates") || token.is_word("own");
    let Some(start) = qualifiers.iter().position(is_word) else { return &[] };
    let words = &qualifiers[start..];
    let length = match words {
        [own, open, ..] if own.is_word("own") && open.is("(") => 2 + brackets::closing(&words[1..]),
        _ => 1,
    };
    &words[..length.min(words.len())]
}

/// `std::ostream &`
fn is_stream(one: &Declaration<'_, '_>) -> bool {
    one.base() == "std::ostream" && one.reference == Reference::Left && !one.is_const
}

/// It writes to a stream, and the one that it returns is that of the caller.
fn passes_stream(parts: &Parts<'_, '_>) -> bool {
    let mut parameters = parts.parameters.iter();
    parameters.any(|one| Declaration::read(one, true).is_some_and(|one| is_stream(&one)))
}

/// The qualifiers of a method's type: `const &`.
fn without_noise(qualifiers: &str) -> String {
    let words = qualifiers.split(' ').filter(|word| matches!(*word, "const" | "&" | "const&"));
    words.collect::<Vec<_>>().join(" ")
}

/// The tokens of a prototype that is being written.
#[derive(Default)]
struct Writer {
    pieces: Vec<Piece>,
}

impl Writer {
    /// Adds the tokens of a text, at the place of what it replaces.
    fn add(&mut self, text: &str, span: Span) {
        let tokens = lexer::lex(text, &SpanMap::verbatim(text, 0), &mut Vec::new());
        self.pieces.extend(tokens.iter().map(|token| Piece { span, ..Piece::of(token) }));
    }
}
