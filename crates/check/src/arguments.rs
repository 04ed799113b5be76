//! Mistakes in one argument: intents, qualifiers, defaults.

use fishplate_model::{Argument, Code, Diagnostic, Expr, Intent, Passing, Scalar, ScalarClass};

/// The most dimensions an array may have: what every NumPy allows.
const MAX_DIMENSIONS: usize = 32;

/// The argument's intent, written or by default: `in` for values and for const pointers.
pub(crate) fn intent(argument: &Argument, diagnostics: &mut Vec<Diagnostic>) -> Intent {
    let name = &argument.name.value;
    match &argument.passing {
        // What C passes through is not seen.
        Passing::Data => return Intent::Hidden,
        // Who takes it says so.
        Passing::Callback(_) | Passing::List { .. } => return Intent::In,
        _ => {}
    }
    let by_value = argument.passing == Passing::Value;
    let Some(written) = &argument.intent else {
        if !by_value && !argument.is_const {
            let declared = match argument.passing {
                Passing::Array { .. } => "array",
                Passing::Pointer if argument.ctype.is_char() => "text",
                _ => "pointer",
            };
            diagnostics.push(
                Diagnostic::error(
                    Code::NO_INTENT,
                    argument.span,
                    format!("the {declared} `{name}` is not const and has no intent"),
                    "write `out`, `inplace`, `inout`, `in out` or `hidden` before its type, or \
                     `in` (or `const`) if C only reads it",
                )
                .label("may C write to it?"),
            );
        }
        return Intent::In;
    };
    let intent = written.value;
    if by_value && matches!(intent, Intent::Out | Intent::InAndOut) {
        // Of no harm: the compiler confirms that C takes a value.
        diagnostics.push(
            Diagnostic::warning(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is passed by value, so C cannot change it: the returned value is the given one"),
                format!(
                    "declare it as a pointer, `*{name}`, if C changes it, or drop `{}`",
                    intent.name()
                ),
            )
            .label("C cannot change it"),
        );
    } else if by_value && !matches!(intent, Intent::In | Intent::Hidden) {
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is passed by value, so C cannot change it"),
                format!("declare it as a pointer, `*{name}`, or drop `{}`", intent.name()),
            )
            .label(format!("`{}` needs a pointer or an array", intent.name())),
        );
    } else if argument.is_const
        && !matches!(intent, Intent::In | Intent::Hidden)
        && !matches!(argument.passing, Passing::Handed(_))
    {
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                written.span,
                format!("`{name}` is const, so C cannot write to it"),
                format!("drop `{}`, or the `const` if the header has none", intent.name()),
            )
            .label("this declares that C writes to it"),
        );
    }
    intent
}

/// Everything else that one argument can get wrong by itself.
pub(crate) fn check(argument: &Argument, intent: Intent, diagnostics: &mut Vec<Diagnostic>) {
    let name = &argument.name.value;
    let is_object = argument.ctype.handle().is_some() && argument.passing == Passing::Value;
    if let (Some(place), false) =
        (argument.invalidates, is_object && intent == Intent::In && argument.default.is_none())
    {
        diagnostics.push(
            Diagnostic::error(
                Code::INTENT_MISFIT,
                place,
                format!(
                    "`invalidates` applies to objects that the caller passes; `{name}` is not one"
                ),
                "remove it, or write it before the handle from which others were borrowed",
            )
            .label("what ends?"),
        );
    }
    if let Passing::Callback(_) | Passing::Data = argument.passing {
        return;
    }
    if argument.nullable {
        if argument.passing == Passing::Value && argument.ctype.handle().is_none() {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is passed by value, so it cannot be NULL"),
                "remove `nullable`; for an optional value, write a default: `= 0`",
            ));
        } else if let (Passing::Handed(_), Intent::Out) = (&argument.passing, intent) {
            // What C sets to NULL is None.
        } else if !intent.is_input() {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is {}, so no caller can pass None for it", intent.name()),
                "drop `nullable`",
            ));
        } else if let Some(default) = &argument.default {
            diagnostics.push(
                Diagnostic::error(
                    Code::BAD_DEFAULT,
                    default.span,
                    format!("`{name}` is nullable and has a default"),
                    "remove one of the two: `nullable` passes NULL if the argument is omitted",
                )
                .label("what should None mean?"),
            );
        }
    }
    if let Passing::Array { shape, .. } = &argument.passing
        && shape.len() > MAX_DIMENSIONS
    {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DIMENSION,
            argument.span,
            format!("`{name}` has {} dimensions", shape.len()),
            format!("an array may have {MAX_DIMENSIONS} at most"),
        ));
    }
    if let Some(handle) = argument.ctype.handle() {
        check_handle(argument, handle, intent, diagnostics);
    } else if let Some(default) = &argument.default
        && argument.passing != Passing::Text
        && argument.ctype.number().is_some()
    {
        check_literal(argument, default, diagnostics);
    }
}

/// A handle crosses by itself: C gets its pointer.
fn check_handle(
    argument: &Argument,
    handle: &str,
    intent: Intent,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &argument.name.value;
    let mut error = |code, span, message: String, hint: &str| {
        diagnostics.push(Diagnostic::error(code, span, message, hint));
    };
    match argument.passing {
        Passing::Value if intent.is_output() => error(
            Code::INTENT_MISFIT,
            argument.span,
            format!("`{name}` is passed by value, so C cannot return a `{handle}` in it"),
            "drop `out`, or declare it as C does: `out TYPE **NAME`",
        ),
        Passing::Value => {}
        Passing::Pointer => error(
            Code::UNSUPPORTED_TYPE,
            argument.span,
            format!("a pointer to a `{handle}` cannot be passed to C"),
            "write `out own TYPE **NAME` if C creates one; otherwise write a C function without it, and wrap that",
        ),
        Passing::Handed(_)
        | Passing::Text
        | Passing::List { .. }
        | Passing::Callback(_)
        | Passing::Data => {}
        Passing::Array { .. } => error(
            Code::UNSUPPORTED_TYPE,
            argument.span,
            format!("arrays of `{handle}` are not supported"),
            "write a C function that accepts one at a time, and wrap that",
        ),
    }
    if let Some(default) = &argument.default
        && let Some(text) = default.as_literal()
    {
        error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{name}` is a `{handle}`, not {text}"),
            "`nullable` passes NULL when it is left out",
        );
    }
}

/// A literal default must be a value of the argument's type: C would convert it silently.
fn check_literal(argument: &Argument, default: &Expr, diagnostics: &mut Vec<Diagnostic>) {
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
    fn floating_literals_are_told_from_integers() {
        assert!(is_floating("-1.5") && is_floating("1e3") && is_floating("0x1p3"));
        assert!(!is_floating("0x1e3") && !is_floating("42u"));
    }
}
