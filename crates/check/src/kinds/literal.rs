//! Literals as values of numbers.

use super::Mistakes;
use fishplate_model::{Argument, Code, Diagnostic, Expr, Scalar, ScalarClass};

/// A literal default must be a value of the argument's type: C would convert it silently.
pub(super) fn check(argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
    let Some(text) = default.as_literal() else { return };
    let scalar = argument.ctype.scalar();
    let bad = |what: String| {
        Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            what,
            format!("write a value that {} can represent", argument.ctype.spelling),
        )
    };
    if text.starts_with('"') {
        diagnostics.push(bad(format!("`{}` is a number, not a string", argument.name.value)));
        return;
    }
    match scalar.class() {
        ScalarClass::Signed | ScalarClass::Unsigned => {
            if is_floating(&text) {
                diagnostics
                    .push(bad(format!("`{}` is an integer, not {text}", argument.name.value)));
            } else if let Some(value) = integer_value(&text) {
                let bits = 8 * scalar.size() as u32;
                let (min, max) = if scalar.class() == ScalarClass::Signed {
                    (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                } else {
                    (0, (1i128 << bits) - 1)
                };
                if !(min..=max).contains(&value) {
                    diagnostics.push(bad(format!(
                        "{text} is out of range for {} ({min} to {max})",
                        argument.ctype.spelling
                    )));
                }
            }
        }
        ScalarClass::Bool => {
            if !matches!(integer_value(&text), Some(0 | 1)) {
                diagnostics
                    .push(bad(format!("`{}` is true or false, not {text}", argument.name.value)));
            }
        }
        ScalarClass::Float | ScalarClass::Complex => {
            let is_single = matches!(scalar, Scalar::Float | Scalar::ComplexFloat);
            let most = if is_single { f64::from(f32::MAX) } else { f64::MAX };
            if floating_value(&text).is_some_and(|value| value.abs() > most) {
                let what = format!("{text} is out of range for {}", argument.ctype.spelling);
                diagnostics.push(bad(what));
            }
        }
    }
}

/// The value of a decimal literal with an optional sign; infinite where no double holds it.
fn floating_value(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
    digits.parse().ok().filter(|_| digits.contains(|c: char| c.is_ascii_digit()))
}

/// True for a floating literal: `1.0`, `1e3`, `.5f`, `0x1p3`.
fn is_floating(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    if digits.starts_with('\'') {
        return false;
    }
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    digits.contains('.') || digits.contains(if hex { ['p', 'P'] } else { ['e', 'E'] })
}

/// The value of an integer literal with an optional sign (C99 6.4.4.1).
pub(crate) fn integer_value(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        i128::from_str_radix(&digits[1..], 8)
    } else {
        digits.parse()
    };
    value.ok().map(|value| if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_literals_have_values() {
        assert_eq!(integer_value("-0x1FuL"), Some(-31));
        assert_eq!(integer_value("017"), Some(15));
        assert_eq!(integer_value("0"), Some(0));
        assert_eq!(integer_value("1.0"), None);
    }

    #[test]
    fn floating_literals_differ_from_integers() {
        assert!(is_floating("-1.5") && is_floating("1e3") && is_floating("0x1p3"));
        assert!(!is_floating("0x1e3") && !is_floating("42u"));
    }
}
