//! Arrays of structs that are unpacked: each field becomes an array with an element for each struct.
//!
//! Purpose: from the argument that is a field of one struct to the argument that has it for all of them.
//! Invariant: C receives one array of structs, for which two arguments that no caller sees are the length and the memory.
//! Reason: an array of values, strings, objects or rows is an argument like any other.

use super::parser::error;
use fishplate_model::{
    Argument, BinaryOp, CType, Code, Diagnostic, Elements, Expr, ExprKind, Intent, Measure,
    Passing, PerArgument, Pointee, PointerList, ReturnedPointer, RowPointers, Scalar, Spanned,
    VariableId,
};
use std::ops::Range;

/// The arguments after the fields: the number of structs, and memory for them and for `pointers` of each. `spelling` is
/// their type.
pub(super) fn hidden(
    name: &Spanned<String>,
    spelling: &str,
    length: &Expr,
    pointers: usize,
) -> [Argument; 2] {
    let span = name.span;
    let count = format!("{}_count", name.value);
    let number = Expr::new(ExprKind::Name(count.clone()), span);
    let memory = memory(name, spelling, Some(number), pointers, &[]);
    let ctype = CType::of(Scalar::Size, "size_t".to_owned(), span);
    let count = Argument {
        intent: Some(Spanned::new(Intent::Hidden, span)),
        default: Some(length.clone()),
        ..Argument::new(Spanned::new(count, span), span, ctype, Passing::Value)
    };
    [count, memory]
}

/// An argument that is memory for one struct, or for `count` of them, for `more` elements of 8 bytes after each, and for
/// values of `other` types.
pub(super) fn memory(
    name: &Spanned<String>,
    spelling: &str,
    count: Option<Expr>,
    more: usize,
    other: &[String],
) -> Argument {
    let span = name.span;
    let expr = |kind| Expr::new(kind, span);
    let literal = |value: &str| Box::new(expr(ExprKind::Literal(value.to_owned())));
    // As many elements of 8 bytes as each struct needs.
    let elements = |spelling: &str| {
        let size = expr(ExprKind::SizeOf(spelling.to_owned()));
        let size = expr(ExprKind::Binary(BinaryOp::Add, Box::new(size), literal("7")));
        let size = expr(ExprKind::Paren(Box::new(size)));
        expr(ExprKind::Binary(BinaryOp::Div, Box::new(size), literal("8")))
    };
    let add = |one, other| expr(ExprKind::Binary(BinaryOp::Add, Box::new(one), other));
    let each = match more {
        0 => elements(spelling),
        more => add(elements(spelling), literal(&more.to_string())),
    };
    let each = other.iter().fold(each, |each, other| add(each, Box::new(elements(other))));
    let passing = Passing::array(count.into_iter().chain([each]).collect(), false);
    let ctype = CType::of(Scalar::Double, "double".to_owned(), span);
    Argument {
        intent: Some(Spanned::new(Intent::Hidden, span)),
        ..Argument::new(Spanned::new(format!("{}_memory", name.value), span), span, ctype, passing)
    }
}

/// Replaces the fields of one struct by those of `length` structs; the argument `count` has this number in the call.
pub(super) fn lift(
    arguments: &mut PerArgument<Argument>,
    fields: Range<usize>,
    (length, count): (&Expr, &Spanned<String>),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_count = |argument: &Argument| {
        argument.passing == Passing::Value
            && argument.ctype.number().is_some_and(Scalar::is_integer)
    };
    let lengths = take_lengths(arguments, fields.clone());
    let (fields, names) = in_each(arguments, fields);
    let counts: Vec<String> = fields
        .iter()
        .map(|at| &arguments[VariableId::from(*at)])
        .filter(|argument| is_count(argument))
        .map(|argument| argument.name.value.clone())
        .collect();
    let all: Vec<String> = arguments.iter().map(|one| one.name.value.clone()).collect();
    for at in fields {
        let argument = &mut arguments[VariableId::from(at)];
        if let Some((_, span)) = argument
            .default
            .iter()
            .flat_map(Expr::names)
            .find(|(name, _)| names.iter().any(|one| one == name))
        {
            let message =
                format!("`{}` is computed from another field of each struct", argument.name.value);
            let hint = "only `hidden size_t n = len(text)` is, where `text` is a string; otherwise the caller passes it";
            let found = error(span, message, hint);
            diagnostics.push(Diagnostic { code: Code::UNSUPPORTED_TYPE, ..found });
        }
        match lifted(argument, (length, count), &counts, (&names, &all)) {
            Some(Passing::List { length, is_const, .. }) => {
                let lengths = lengths.iter().find(|(text, _)| *text == argument.name.value);
                let lengths = lengths.map(|(_, lengths)| lengths.clone());
                argument.passing = Passing::List { length, is_const, lengths };
            }
            Some(passing) => argument.passing = passing,
            None => diagnostics.push(refused(argument)),
        }
        // A value in a struct is no pointer of the header.
        let is_input = argument.intent.is_none();
        argument.is_const |=
            is_input && matches!(argument.passing, Passing::Array { rows: None, .. });
    }
}

/// The fields that differ between the structs, and their names. A hidden value that is not computed from one of them is
/// the same in all structs, and stays one argument.
fn in_each(arguments: &PerArgument<Argument>, fields: Range<usize>) -> (Vec<usize>, Vec<String>) {
    let argument = |at: usize| &arguments[VariableId::from(at)];
    let name = |at: usize| argument(at).name.value.as_str();
    let mut differing: Vec<usize> = fields.collect();
    // A hidden value may be computed from another one, which the first round leaves out.
    loop {
        let is_same = |at: usize| {
            let argument = argument(at);
            let of_others = || argument.default.iter().flat_map(Expr::names);
            argument.is_hidden()
                && argument.passing == Passing::Value
                && argument.status.is_none()
                && argument.default.is_some()
                && !of_others().any(|(one, _)| differing.iter().any(|other| name(*other) == one))
        };
        let left: Vec<usize> = differing.iter().copied().filter(|at| !is_same(*at)).collect();
        if left.len() == differing.len() {
            let names = left.iter().map(|at| name(*at).to_owned()).collect();
            return (left, names);
        }
        differing = left;
    }
}

/// The strings whose lengths are other fields, `hidden size_t n = len(text)`, and these fields, whose values the call
/// stores.
fn take_lengths(
    arguments: &mut PerArgument<Argument>,
    fields: Range<usize>,
) -> Vec<(String, Spanned<String>)> {
    let strings: Vec<String> = fields
        .clone()
        .map(|at| &arguments[VariableId::from(at)])
        .filter(|argument| argument.passing == Passing::String)
        .map(|argument| argument.name.value.clone())
        .collect();
    let mut found: Vec<(String, Spanned<String>)> = Vec::new();
    for at in fields {
        let argument = &mut arguments[VariableId::from(at)];
        let is_integer = argument.passing == Passing::Value
            && argument.ctype.number().is_some_and(Scalar::is_integer);
        let measured = argument.default.as_ref().filter(|_| is_integer && argument.is_hidden());
        let Some(ExprKind::Measure { measure: Measure::Len, array: of, .. }) =
            measured.map(|one| &one.kind)
        else {
            continue;
        };
        let is_new = found.iter().all(|(text, _)| text != of);
        if is_new && strings.contains(of) {
            found.push((of.clone(), argument.name.clone()));
            argument.default = None;
        }
    }
    found
}

/// How C receives the field of all structs. `counts` are the integers among the fields, `names` all of them, and `all`
/// those of all arguments.
fn lifted(
    argument: &Argument,
    (length, count): (&Expr, &Spanned<String>),
    counts: &[String],
    (names, all): (&[String], &[String]),
) -> Option<Passing> {
    let is_plain = argument.status.is_none()
        && argument.values.is_none()
        && argument.terminator.is_none()
        && argument.consumed.is_none()
        && !argument.nullable;
    let length = length.clone();
    let of = |elements| {
        move |shape: Vec<Expr>, rows: Option<RowPointers>| Passing::Array {
            shape,
            fortran: false,
            elements,
            length: None,
            rows,
        }
    };
    let array = of(Elements::Numbers);
    let names_of =
        |size: &Expr| size.names().into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    Some(match &argument.passing {
        _ if !is_plain => return None,
        Passing::Value if argument.ctype.handle().is_some() => {
            Passing::List { length, is_const: true, lengths: None }
        }
        Passing::Value | Passing::Pointer
            if argument.ctype.number().is_some() || argument.ctype.class().is_some() =>
        {
            array(vec![length], None)
        }
        Passing::String => Passing::List { length, is_const: true, lengths: None },
        Passing::Array {
            shape,
            fortran: false,
            elements: Elements::Numbers,
            length: None,
            rows: None,
        } => match shape.as_slice() {
            [size] if size.as_name().is_some_and(|name| counts.iter().any(|one| one == name)) => {
                let lengths = Spanned::new(size.as_name()?.to_owned(), size.span);
                Passing::Jagged { length, lengths: Some(lengths), is_const: true }
            }
            sizes if sizes.iter().flat_map(names_of).any(|name| names.contains(&name)) => {
                return None;
            }
            sizes if !sizes.iter().flat_map(names_of).any(|name| all.contains(&name)) => {
                array(std::iter::once(length).chain(sizes.iter().cloned()).collect(), None)
            }
            sizes => {
                let shape = std::iter::once(length).chain(sizes.iter().cloned()).collect();
                array(shape, Some(RowPointers { is_const: true }))
            }
        },
        Passing::Array {
            shape,
            fortran: false,
            elements: Elements::String,
            length: None,
            rows: None,
        } if shape.len() == 1 && !names_of(&shape[0]).iter().any(|name| all.contains(name)) => {
            of(Elements::String)(vec![length, shape[0].clone()], None)
        }
        Passing::OutPointer(pointer) if is_listed(argument, pointer) => {
            let number = Expr::new(ExprKind::Name(count.value.clone()), count.span);
            let list = PointerList {
                length: Some(number),
                capacity: Some(length),
                ..PointerList::default()
            };
            Passing::OutPointer(ReturnedPointer { holds: Pointee::List(list), ..pointer.clone() })
        }
        _ => return None,
    })
}

/// A pointer that C sets in each struct: to a string, or to an object that is a pointer.
fn is_listed(argument: &Argument, pointer: &ReturnedPointer) -> bool {
    let is_object =
        argument.ctype.handle().is_some() && argument.ctype.invalid_identifier().is_none();
    pointer.stored.is_none()
        && match pointer.holds {
            Pointee::String => true,
            Pointee::One => is_object,
            Pointee::Array { .. } | Pointee::List(_) => false,
        }
}

fn refused(argument: &Argument) -> Diagnostic {
    let found = error(
        argument.span,
        format!("`{}` cannot be a field of an array of structs", argument.name.value),
        "the fields are numbers, enums, plain structs, strings, objects, strings and arrays of a constant size, and arrays \
         that C reads and whose length is another field; for anything else, write a C function that accepts arrays, and wrap that",
    );
    Diagnostic { code: Code::UNSUPPORTED_TYPE, ..found }
}
