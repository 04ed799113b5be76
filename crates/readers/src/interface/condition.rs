//! Members of unions that C chooses: `out double as.number if type == VALUE_NUMBER`.
//!
//! Purpose: read the condition of a field of an unpacked struct.
//! Invariant: the condition names a member of its struct, and the field is one that C sets.
//! Reason: only the member that C has set may be read, and C reports in another one which that is.

use super::values::Values;
use crate::prototype::brackets;
use crate::prototype::lexer::Token;
use fishplate_model::{Code, Condition, Layout, Member, MemberKind, Span};

/// The tokens of a declaration, and those of its condition.
pub(super) fn divide<'a, 't>(
    tokens: &'a [Token<'t>],
) -> (&'a [Token<'t>], Option<&'a [Token<'t>]>) {
    match tokens.iter().position(|token| token.is_word("if")) {
        Some(at) if at > 0 => (&tokens[..at], Some(&tokens[at..])),
        _ => (tokens, None),
    }
}

/// Stores the condition of these members, which `declaration` has declared.
pub(super) fn add(
    condition: &[Token<'_>],
    members: &mut [Member],
    declaration: &[Token<'_>],
    values: &mut Values<'_>,
) {
    let span = condition[0].span.to(condition[condition.len() - 1].span);
    let has = |word: &str| declaration.iter().any(|token| token.is_word(word));
    let mut refuse = |message: &str, hint: &str| {
        values.error(Code::WRONG_VALUE, span, message, hint);
    };
    if condition.len() == 1 {
        return refuse("the condition is missing", "write it as in C: `if type == VALUE_NUMBER`");
    }
    if !has("out") || has("status") {
        return refuse(
            "a condition applies to fields that C sets",
            "write `out` before the field, or remove the condition; for an input write a table for each member of the union",
        );
    }
    if (has("own") || has("borrow")) && !has("nullable") {
        return refuse(
            "a pointer is NULL where its condition is false",
            "write `nullable`: the result is None then",
        );
    }
    // `if (type == 1)` as in C: compilers warn of further parentheses.
    let whole = &condition[1..];
    let inside = match whole {
        [open, inside @ .., _] if open.is("(") && brackets::closing(whole) + 1 == whole.len() => {
            inside
        }
        all => all,
    };
    let parts: Vec<(String, bool)> =
        inside.iter().map(|token| (token.text.to_owned(), false)).collect();
    for member in members {
        match &mut member.what {
            MemberKind::Field { condition, .. } => {
                *condition = Some(Condition { parts: parts.clone(), span });
            }
            MemberKind::Struct { .. } => {
                return refuse(
                    "a condition applies to single fields",
                    "write it after each field of the struct",
                );
            }
        }
    }
}

/// Finds the members of the struct in all conditions.
pub(super) fn resolve(layout: &mut Layout, values: &mut Values<'_>) {
    let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
    let names: Vec<String> = layout.members.iter().map(|one| first(&one.path.value)).collect();
    let mut unknown: Vec<Span> = Vec::new();
    for member in &mut layout.members {
        let MemberKind::Field { condition: Some(condition), .. } = &mut member.what else {
            continue;
        };
        let mut is_inner = false;
        for (text, is_member) in &mut condition.parts {
            *is_member = !is_inner && names.contains(text);
            is_inner = matches!(text.as_str(), "." | "->");
        }
        if !condition.parts.iter().any(|(_, is_member)| *is_member) {
            unknown.push(condition.span);
        }
    }
    unknown.dedup();
    for span in unknown {
        values.error(
            Code::UNKNOWN_NAME,
            span,
            "the condition names no field of the struct",
            "declare the field in which C stores its choice, as in `out int type`, and compare it",
        );
    }
}
