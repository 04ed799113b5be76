//! The `fields` of `[handle.NAME]`.
//!
//! Purpose: parse fields of objects, as their class declares them, to functions that get and set them.
//! Invariant: each is a property of the class.
//! Reason: plans and hosts then have no fields of objects, only functions.

use super::values::{Value, Values};
use crate::names;
use crate::prototype::cplusplus::{Field, without_shifts};
use crate::prototype::lexer;
use crate::prototype::{self, Form, Types, Written};
use fishplate_model::{CType, Code, Function, Spanned};

/// An example for hints.
pub(super) const FIELDS: &str = "fields = \"double x; const int n\"";

/// The functions of all fields of a class.
pub(super) fn read_all(
    class: &Spanned<String>,
    ctype: &CType,
    value: &Value<'_>,
    types: &Types,
    values: &mut Values<'_>,
) -> Vec<Function> {
    let mut functions = Vec::new();
    // A value of another kind is reported with the other keys.
    let Some(text) = value.get_ref().as_str() else { return functions };
    let Some(of) = ctype.spelling.strip_suffix('*').map(str::trim).filter(|of| *of != "void")
    else {
        values.error(
            Code::WRONG_VALUE,
            values.span(value),
            format!("the fields of a `{}` are not known", names::short(&class.value, 40)),
            "`fields` is for handles whose `ctype` is a pointer to a struct or class",
        );
        return functions;
    };
    let map = values.map(value.span(), text);
    let tokens = without_shifts(&types.expand(&lexer::lex(text, &map, values.diagnostics())));
    let declarations = tokens.split(|token| token.is(";")).filter(|one| !one.is_empty());
    let fields: Vec<_> = declarations.map(|one| (one, Field::read(one))).collect();
    let siblings: Vec<&str> =
        fields.iter().filter_map(|(_, field)| Some(field.as_ref()?.name.text)).collect();
    for (declaration, field) in fields {
        let span = declaration[0].span.to(declaration[declaration.len() - 1].span);
        let Some(mut field) = field else {
            values.error(
                Code::WRONG_VALUE,
                span,
                "a field has a type and a name",
                format!("write fields as the header does, each with its type: `{FIELDS}`"),
            );
            continue;
        };
        field.siblings = &siblings;
        let name = Spanned::new(field.name.text.to_owned(), field.name.span);
        if let Some(refused) = names::refuse_member(&name, "a field") {
            values.diagnostics().push(refused);
            continue;
        }
        match field.functions(of, types) {
            Err(mistake) => values.diagnostics().push(*mistake),
            Ok(adapted) => {
                let mut function = Function::named(name);
                function.class = Some(class.value.clone());
                function.property = Some(span);
                let text = field.text();
                let written = Written { text: &text, span, form: Form::Annotated };
                function.overloads = adapted
                    .into_iter()
                    .filter_map(|one| {
                        let found = values.diagnostics();
                        prototype::read_adapted(written, one, types, Vec::new(), found)
                    })
                    .collect();
                functions.extend((!function.overloads.is_empty()).then_some(function));
            }
        }
    }
    functions
}
