//! C expressions as values of keys.
//!
//! Purpose: accept one expression, for the C compiler to check at its place.
//! Invariant: an accepted expression is valid in parentheses, on one line, if it is valid at all.
//! Reason: a stray bracket or comment would change the meaning of the generated code around it.

use super::values::Values;
use crate::names;
use fishplate_model::{Code, Message, Spanned, words};

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

/// A message: an expression, after `own(FUNCTION)` if the caller frees the string.
pub(super) fn message(code: Spanned<String>, values: &mut Values<'_>) -> Option<Message> {
    let code = one_piece("message", code, values)?;
    let Some((free, text)) = owned(&code.value) else { return Some(Message::retained(code)) };
    if !names::is_qualified(free) || names::is_c_keyword(free) {
        let message = match free {
            "" => "`own` does not name the function that frees the message".to_owned(),
            _ => format!("`{}` is not the name of a function", names::short(free, 40)),
        };
        let hint =
            "write a function that accepts the string alone, as in `own(free) lib_message(status)`";
        values.error(Code::BAD_NAME, code.span, message, hint);
        return None;
    }
    let text = Spanned::new(text.to_owned(), code.span);
    Some(Message { text, free: Some(free.to_owned()) })
}

/// The function and the expression of `own(free) f(status)`; without the function, it is empty.
fn owned(code: &str) -> Option<(&str, &str)> {
    let after = code.strip_prefix("own")?;
    let (free, text) = match after.trim_start().strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => ("", after.strip_prefix(' ')?),
    };
    // `own(status)` and `own(status)->text` are calls of C.
    let is_expression =
        |text: &str| text.starts_with(|c: char| c.is_alphabetic() || "_:*(".contains(c));
    Some((free.trim(), text.trim_start())).filter(|(_, text)| is_expression(text))
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
    use super::{is_balanced, owned};

    #[test]
    fn only_a_word_before_an_expression_says_who_frees_it() {
        assert_eq!(owned("own(free) f(status)"), Some(("free", "f(status)")));
        assert_eq!(owned("own ( lib::drop )f(status)"), Some(("lib::drop", "f(status)")));
        assert_eq!(owned("own f(status)"), Some(("", "f(status)")));
        for code in [
            "own(status)",
            "own",
            "owner(status)",
            "own_text(status)",
            "own->text",
            "own(status)->text",
        ] {
            assert_eq!(owned(code), None, "{code}");
        }
    }

    #[test]
    fn brackets_in_literals_do_not_count() {
        assert!(is_balanced("f(\")\", ')', a[status])"));
        assert!(is_balanced(r#"g("\"(")"#));
        for code in ["f(", "f)", "f(]", "\"x", ") || (", "'\\"] {
            assert!(!is_balanced(code), "{code}");
        }
    }
}
