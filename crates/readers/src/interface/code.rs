//! C expressions as values of keys.
//!
//! Purpose: accept one expression, for the C compiler to check at its place.
//! Invariant: an accepted expression is valid in parentheses, on one line, if it is valid at all.
//! Reason: a stray bracket or comment would change the meaning of the generated code around it.

use super::values::Values;
use crate::names;
use fishplate_model::{Code, Spanned, words};

/// C that is valid in parentheses.
pub(super) fn one_piece(
    key: &str,
    code: Spanned<String>,
    values: &mut Values<'_>,
) -> Option<Spanned<String>> {
    let text = code.value.trim();
    let (message, hint) = if text.is_empty() {
        (format!("`{key}` is empty"), "write a C expression, or leave it out")
    } else if !is_balanced(text) || text.contains(['\n', ';', '#']) || text.contains("//") {
        (
            format!("`{}` is not one C expression", names::short(text, 40)),
            "write an expression on one line, as it could stand in parentheses",
        )
    } else {
        return Some(Spanned::new(text.to_owned(), code.span));
    };
    values.error(Code::WRONG_VALUE, code.span, message, hint);
    None
}

/// Every bracket outside of literals is matched.
fn is_balanced(code: &str) -> bool {
    let mut open = Vec::new();
    let mut quote = None;
    let mut characters = code.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => open.push(c),
            (None, ')' | ']' | '}') => {
                let other = open.pop();
                if !matches!((other, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}')) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty() && quote.is_none()
}

/// Returns whether an expression uses a name.
pub(super) fn uses(code: &str, name: &str) -> bool {
    words(code).any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::is_balanced;

    #[test]
    fn brackets_in_literals_do_not_count() {
        assert!(is_balanced("f(\")\", ')', a[status])"));
        assert!(is_balanced(r#"g("\"(")"#));
        for code in ["f(", "f)", "f(]", "\"x", ") || (", "'\\"] {
            assert!(!is_balanced(code), "{code}");
        }
    }
}
