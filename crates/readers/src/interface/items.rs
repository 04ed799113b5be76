//! The `items` of `[handle.NAME]`.
//!
//! Purpose: parse the type of the items of C++ objects to the functions that iterate them, and to the class of iterators.
//! Invariant: the types of all iterators are declared before any prototype is read.
//! Reason: plans and hosts then have no iterations, only methods that are operators.

use super::values::{Value, Values};
use crate::names;
use crate::prototype::cplusplus::{self, Iteration};
use crate::prototype::lexer::{self, Kind, Token};
use crate::prototype::{self, Form, Types, Written};
use fishplate_model::{CType, Code, Destructor, Function, Handle, Operator, Span, Spanned, Status};

/// An example for hints.
pub(super) const ITEMS: &str = "items = \"const lib::Item &\"";

/// The class that a pointer of this type leads to.
fn class_of(ctype: &CType) -> Option<&str> {
    ctype.spelling.strip_suffix('*').map(str::trim).filter(|of| *of != "void")
}

/// The name of the class of iterators, which no handle has.
pub(super) fn iterator_of(
    class: &Spanned<String>,
    is_handle: impl Fn(&str) -> bool,
) -> Spanned<String> {
    let mut name = format!("{}Iterator", class.value);
    while is_handle(&name) {
        name.push('_');
    }
    Spanned::new(name, class.span)
}

/// Declares the type of iterators.
pub(super) fn declare(
    own: &Spanned<String>,
    ctype: &CType,
    item: &Value<'_>,
    types: &mut Types,
    values: &mut Values<'_>,
) {
    // Mistakes are reported when it is read.
    if let (Some(class), Some(text)) = (class_of(ctype), item.get_ref().as_str()) {
        let tokens = lexer::lex(text, &values.map(item.span(), text), &mut Vec::new());
        let iterator = cplusplus::iterator(class, &types.expand(&tokens));
        types.insert_handle(&[&iterator], true, &own.value);
    }
}

/// The functions that iterate the objects of a class, and the class of iterators if there is one.
pub(super) fn read(
    name: &Spanned<String>,
    own: Spanned<String>,
    ctype: &CType,
    item: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> (Vec<Function>, Option<Handle>) {
    // A value of another kind is reported with the other keys.
    let Some(text) = item.get_ref().as_str() else { return (Vec::new(), None) };
    let span = values.span(item);
    let Some(class) = class_of(ctype) else {
        values.error(
            Code::WRONG_VALUE,
            span,
            format!("the items of a `{}` are not known", names::short(&name.value, 40)),
            "`items` is for handles whose `ctype` is a pointer to a class of C++",
        );
        return (Vec::new(), None);
    };
    let map = values.map(item.span(), text);
    let tokens = types.expand(&lexer::lex(text, &map, values.diagnostics()));
    let text = &types.expand_text(text);
    let mut function = |class: &str, name: &str, operator: &str, adapted| {
        let mut function = Function::named(Spanned::new(name.to_owned(), span));
        function.class = Some(class.to_owned());
        function.operator = Operator::named(operator).map(|one| Spanned::new(one, span));
        let written = Written { text, span, form: Form::Annotated };
        let found = values.diagnostics();
        function.overloads = prototype::read_adapted(written, adapted, types, Vec::new(), found)
            .into_iter()
            .collect();
        (!function.overloads.is_empty()).then_some(function)
    };
    match cplusplus::iterate(class, &tokens, span, types) {
        Err(mistake) => {
            values.diagnostics().push(*mistake);
            (Vec::new(), None)
        }
        Ok(Iteration::Array(adapted)) => {
            (function(&name.value, "iterate", "iter", *adapted).into_iter().collect(), None)
        }
        Ok(Iteration::Iterator(both)) => {
            let [begin, next] = *both;
            let functions = [
                function(&name.value, "iterate", "iter", begin),
                function(&own.value, "next", "next", next),
            ];
            let spelled = cplusplus::iterator(class, &tokens);
            (functions.into_iter().flatten().collect(), handle(own, &spelled, span, types))
        }
    }
}

/// The class of iterators.
fn handle(name: Spanned<String>, spelled: &str, span: Span, types: &Types) -> Option<Handle> {
    let words = [Token { kind: Kind::Word, text: spelled, span }];
    let (ctype, _) = types.handle(&words, 1, false)?;
    Some(Handle {
        doc: "An iteration.".to_owned(),
        ctype,
        bases: Vec::new(),
        safety: None,
        fields: String::new(),
        items: String::new(),
        stored: None,
        constructor: None,
        destructor: Some(Destructor::Expression(Spanned::new("delete object".to_owned(), span))),
        user_data: None,
        context: None,
        status: Status::default(),
        name,
    })
}
