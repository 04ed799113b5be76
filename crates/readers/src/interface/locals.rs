//! The key `locals` of a function: values that a call computes, and C does not receive.
//!
//! Purpose: parse the declarations, and add them to the arguments of each prototype.
//! Invariant: a local is a hidden argument of the call; only the C that calls the function leaves it out.
//! Reason: sizes of results come from other functions, into variables that the function itself does not take.

use super::values::{Value, Values};
use crate::prototype::{argument_of, brackets, lexer};
use fishplate_model::{
    Argument, CType, Callee, Code, Intent, Layout, Member, MemberKind, Overload, Retention, Span,
    Spanned, Type, Unpacked,
};

const LOCALS: &str = "locals = \"int rank = rank_of(object); long dims[rank]\"";

/// Adds the locals of a function to all of its prototypes.
pub(super) fn add(
    value: &Value<'_>,
    types: &crate::prototype::Types,
    overloads: &mut [Overload],
    values: &mut Values<'_>,
) {
    let Some(text) = values.string("locals", value, LOCALS) else { return };
    if values.is_broken(value) {
        return;
    }
    let map = values.map(value.span(), &text.value);
    let tokens = lexer::lex(&text.value, &map, values.diagnostics());
    if let Some(found) = brackets::unbalanced(&tokens) {
        values.diagnostics().push(found);
        return;
    }
    let declarations = tokens.split(|token| token.is(";")).filter(|one| !one.is_empty());
    let mut locals: Vec<Argument> = Vec::new();
    for declaration in declarations {
        let index = locals.len();
        let read = argument_of(declaration, index, types, values.diagnostics());
        locals.extend(read.and_then(|one| hidden(one, values)));
    }
    if locals.is_empty() && values.diagnostics().is_empty() {
        let message = "there are no declarations in `locals`";
        values.error(Code::WRONG_VALUE, text.span, message, format!("write `{LOCALS}`"));
    }
    for overload in overloads {
        let is_variadic = matches!(overload.callee, Callee::Variadic(_));
        if is_variadic || overload.adapter.is_some() {
            let message = format!("`{}` cannot have locals", overload.c_name.value);
            let hint = "write a C function without a variable number of arguments and without types of C++, and wrap that";
            values.error(Code::UNSUPPORTED, text.span, message, hint);
            continue;
        }
        add_to(overload, &locals, text.span);
    }
}

/// The local as a hidden argument.
fn hidden(local: Argument, values: &mut Values<'_>) -> Option<Argument> {
    if let Some(intent) = local.intent.as_ref().filter(|one| one.value != Intent::Hidden) {
        values.error(
            Code::INTENT_MISFIT,
            intent.span,
            format!("`{}` is a local, which C does not receive", local.name.value),
            "remove the intent, or write it as an argument of the prototype",
        );
        return None;
    }
    let intent = Some(Spanned::new(Intent::Hidden, local.name.span));
    Some(Argument { intent, ..local })
}

fn add_to(overload: &mut Overload, locals: &[Argument], span: Span) {
    let members = locals.iter().map(|local| Member {
        path: local.name.clone(),
        what: MemberKind::Field { is_set: false, condition: None },
    });
    overload.unpacked.push(Unpacked {
        name: None,
        spelling: String::new(),
        span,
        is_result: false,
        is_local: true,
        is_list: false,
        length: None,
        retention: Retention::default(),
        by_address: false,
        is_const: false,
        layout: Layout {
            ctype: CType { what: Type::Opaque, spelling: String::new(), span },
            members: members.collect(),
        },
        first: overload.arguments.next_key(),
    });
    locals.iter().for_each(|local| {
        overload.arguments.push(local.clone());
    });
}
