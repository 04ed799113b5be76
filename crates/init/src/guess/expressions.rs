//! Constant expressions of C, as sizes in structs.
//!
//! Purpose: the number that an expression of integers, enumerators and `sizeof` has.
//! Invariant: it is what a C compiler computes, or `None`; the compiler confirms the struct that has such a size.
//! Reason: a plain struct has a dtype, whose size must be known before C is compiled.

use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Unit;
use std::iter::Peekable;
use std::vec::IntoIter;

/// The limit on operands within others, and on enumerators that are defined by others.
const MAX_DEPTH: usize = 40;

/// The operators with two operands; later ones bind more tightly.
const BINARY: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// The value of an expression.
pub(super) fn value(text: &str, unit: &Unit<'_>) -> Option<i64> {
    evaluate(text, unit, 0)
}

/// The sizes of an array, each as a number: `[3][4]`. `None` if one is unknown, or not positive.
pub(super) fn sizes(sizes: &[&str], unit: &Unit<'_>) -> Option<String> {
    let size = |text: &&str| value(text, unit).filter(|size| *size > 0);
    sizes.iter().map(|text| size(text).map(|size| format!("[{size}]"))).collect()
}

fn evaluate(text: &str, unit: &Unit<'_>, depth: usize) -> Option<i64> {
    let mut rest = Rest { tokens: tokens(text)?.into_iter().peekable(), unit, depth };
    let value = rest.binary(0)?;
    rest.tokens.next().is_none().then_some(value)
}

fn tokens(text: &str) -> Option<Vec<String>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '<' | '>' => 2,
            '(' | ')' | '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '~' => 1,
            _ => return None,
        };
        let token = rest.get(..length)?;
        if token.starts_with(['<', '>']) && !matches!(token, "<<" | ">>") {
            return None;
        }
        found.push(token.to_owned());
        rest = rest[length..].trim_start();
    }
    Some(found)
}

struct Rest<'u, 't> {
    tokens: Peekable<IntoIter<String>>,
    unit: &'u Unit<'t>,
    depth: usize,
}

impl Rest<'_, '_> {
    fn is_next(&mut self, token: &str) -> bool {
        self.tokens.next_if(|next| next == token).is_some()
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.tokens.next_if(|next| operators.contains(&next.as_str())) {
            let right = self.binary(level + 1)?;
            let shift = || u32::try_from(right).ok();
            left = match operator.as_str() {
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "<<" => left.checked_mul(1_i64.checked_shl(shift()?).filter(|_| right < 62)?)?,
                ">>" => left.checked_shr(shift()?).filter(|_| left >= 0)?,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = match self.tokens.next()?.as_str() {
            "-" => self.unary()?.checked_neg()?,
            "+" => self.unary()?,
            "~" => !self.unary()?,
            "(" => {
                let value = self.binary(0)?;
                self.is_next(")").then_some(value)?
            }
            "sizeof" => self.size_of()?,
            word => self.word(word)?,
        };
        self.depth -= 1;
        Some(value)
    }

    /// `sizeof(double)`, the same wherever the header is compiled: of numbers of a known size.
    fn size_of(&mut self) -> Option<i64> {
        if !self.is_next("(") {
            return None;
        }
        let mut words = Vec::new();
        while !self.is_next(")") {
            words.push(self.tokens.next()?);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match self.unit.meaning(&words) {
            Meaning::Scalar(scalar) => i64::try_from(scalar.size()).ok(),
            Meaning::Foreign(_) => None,
        }
    }

    fn word(&self, word: &str) -> Option<i64> {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            return self.enumerator(word);
        }
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => i64::from_str_radix(&digits[2..], 16).ok(),
            [b'0', _, ..] => i64::from_str_radix(digits, 8).ok(),
            _ => digits.parse().ok(),
        }
    }

    fn enumerator(&self, name: &str) -> Option<i64> {
        let all = self.unit.enumerations.iter();
        let (values, at) = all.map(|one| &one.values).find_map(|values| {
            Some((values, values.iter().position(|value| value.name == name)?))
        })?;
        // The last value that is written, and those that follow it.
        let written = values[..=at].iter().rposition(|value| value.value.is_some());
        let first = match written {
            Some(first) => evaluate(values[first].value?, self.unit, self.depth + 1)?,
            None => 0,
        };
        first.checked_add(i64::try_from(at - written.unwrap_or_default()).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn sizes_in_structs_are_computed() {
        for size in [
            "LAST",
            "NEXT",
            "(16)",
            "0x10",
            "020",
            "4 * 4u",
            "(1 << 4)",
            "sizeof(double) * 2",
            "sizeof (word) + 12",
            "20 - LAST / 4",
            "~-17",
            "NEXT - +0",
            "35 % 19",
            "48 >> 1 & 16 | 0",
        ] {
            let header = format!(
                "typedef int word; enum {{ FIRST = 15, NEXT, AGAIN = FIRST + 1, LAST = AGAIN }};
                 typedef struct {{ double x[{size}]; char name[{size}]; }} kept; double f(const kept *k);"
            );
            assert_eq!(proto(&header), "double f(const kept *k)", "{size}");
        }
        for size in ["UNKNOWN", "1 ? 2 : 3", "sizeof(void *)", "1 / 0", "-1", "0", "1 <", "(1"] {
            let header =
                format!("typedef struct {{ double x[{size}]; }} kept; double f(const kept *k);");
            let reason = left_out(&header);
            assert!(reason.starts_with("`k` is a pointer to a struct"), "{size}: {reason}");
        }
    }
}
