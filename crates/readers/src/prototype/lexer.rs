//! C tokens, as far as prototypes and expressions need them.
//!
//! Purpose: split an annotated prototype into words, literals and punctuation, without comments.
//! Invariant: tokens carry their place in the *file*, so later code needs no span map.
//! Reason: characters that form no token are reported here and skipped, so that the parser receives
//! only tokens of known kinds.

use crate::names;
use crate::span_map::SpanMap;
use fishplate_model::{Code, Diagnostic, Span};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword, of C or of the interface language; in C++, with its namespaces
    /// and classes.
    Word,
    /// An integer or floating literal.
    Number,
    /// `'a'`
    Character,
    /// `"text"`
    String,
    /// Punctuation, whole operators such as `<<=` included.
    Mark,
}

/// A token, its spelling and its place in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub span: Span,
}

impl Token<'_> {
    /// True for this punctuation.
    pub(crate) fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// True for this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
}

/// Punctuation of more than one character, the longest first.
const LONG_MARKS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::",
];

/// Punctuation of one character.
const MARKS: &str = "()[]{},;:?=+-*/%<>!~&|^.";

/// All tokens of `text`; anything else is reported and skipped.
pub(crate) fn lex<'t>(
    text: &'t str,
    map: &SpanMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token<'t>> {
    let mut lexer = Lexer { text, at: 0, map, diagnostics, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'t, 'd> {
    text: &'t str,
    at: usize,
    map: &'d SpanMap,
    diagnostics: &'d mut Vec<Diagnostic>,
    tokens: Vec<Token<'t>>,
}

impl<'t> Lexer<'t, '_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        let second = rest[first.len_utf8()..].chars().next();
        if first.is_ascii_whitespace() {
            self.at += 1;
        } else if first == '\\' && matches!(second, Some('\n' | '\r')) {
            // C's own line continuation, kept by literal TOML strings.
            self.at += 1;
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.comment(rest);
        } else if first == '_' || first.is_ascii_alphabetic() {
            self.token(Kind::Word, name_length(rest));
        } else if first.is_ascii_digit()
            || (first == '.' && second.is_some_and(|c| c.is_ascii_digit()))
        {
            self.number(rest);
        } else if first == '"' || first == '\'' {
            self.quoted(rest, first);
        } else if let Some(mark) = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.token(Kind::Mark, mark.len());
        } else if MARKS.contains(first) {
            self.token(Kind::Mark, 1);
        } else {
            self.stray(rest);
        }
    }

    fn token(&mut self, kind: Kind, length: usize) {
        let (start, end) = (self.at, self.at + length);
        let span = self.map.span(start, end);
        self.tokens.push(Token { kind, text: &self.text[start..end], span });
        self.at = end;
    }

    fn error(&mut self, length: usize, message: String, hint: &str) {
        let span = self.map.span(self.at, self.at + length);
        self.diagnostics.push(Diagnostic::error(Code::PROTO_SYNTAX, span, message, hint));
        self.at += length;
    }

    fn comment(&mut self, rest: &str) {
        match rest[2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                // Only the opening delimiter is underlined, but nothing after it can be parsed.
                self.error(2, "a comment is not closed".into(), "end it with `*/`");
                self.at = self.text.len();
            }
        }
    }

    fn number(&mut self, rest: &str) {
        let mut previous = ' ';
        let length = length_while(rest, |c| {
            let sign = (c == '+' || c == '-')
                && (matches!(previous, 'p' | 'P')
                    || (matches!(previous, 'e' | 'E') && !is_hexadecimal(rest)));
            let inside = sign || c == '.' || c == '_' || c.is_ascii_alphanumeric();
            previous = c;
            inside
        });
        if is_number(&rest[..length]) {
            self.token(Kind::Number, length);
        } else {
            let message = format!("`{}` is not a number in C", names::short(&rest[..length], 40));
            let hint = "write it as C does: `10`, `0x1F`, `10UL`, `1.5e-3`, `2.0f`";
            self.bad_literal(length, message, hint);
        }
    }

    fn quoted(&mut self, rest: &str, quote: char) {
        let kind = if quote == '"' { Kind::String } else { Kind::Character };
        let mut escaped = false;
        let closing = rest[1..].char_indices().find(|(_, c)| {
            let found = (*c == quote && !escaped) || *c == '\n';
            escaped = *c == '\\' && !escaped;
            found
        });
        match closing {
            Some((0, '\'')) if quote == '\'' => {
                self.bad_literal(2, "a character literal is empty".into(), "write it as `'a'`");
            }
            Some((length, c)) if c == quote => self.token(kind, length + 2),
            _ => {
                let length = closing.map_or(rest.len(), |(length, _)| length + 1);
                let hint = format!("end it with {quote} on the same line");
                self.bad_literal(length, "a literal is not closed".into(), &hint);
            }
        }
    }

    /// Reports a literal and replaces it, so that the parser does not report a missing value there.
    fn bad_literal(&mut self, length: usize, message: String, hint: &str) {
        let span = self.map.span(self.at, self.at + length);
        self.error(length, message, hint);
        self.tokens.push(Token { kind: Kind::Number, text: "0", span });
    }

    /// A run of invalid characters gets one diagnostic, not one each.
    fn stray(&mut self, rest: &str) {
        let known = |c: char| {
            c.is_ascii_whitespace()
                || c == '_'
                || c == '"'
                || c == '\''
                || c.is_ascii_alphanumeric()
                || MARKS.contains(c)
        };
        let length = length_while(rest, |c| !known(c)).max(1);
        let text = &rest[..length];
        let shown: String = names::short(text, 20).escape_debug().collect();
        let hint = if text.starts_with('#') {
            "write one prototype, as it is after the C preprocessor"
        } else if text.starts_with(|c: char| c.is_alphabetic()) {
            "use ASCII letters, digits and `_` in names"
        } else {
            "remove it"
        };
        self.error(length, format!("`{shown}` has no meaning in a prototype"), hint);
    }
}

fn length_while(text: &str, mut accept: impl FnMut(char) -> bool) -> usize {
    text.char_indices().find(|(_, c)| !accept(*c)).map_or(text.len(), |(at, _)| at)
}

/// The length of a name; in C++, with its scopes: `std::size_t`.
fn name_length(text: &str) -> usize {
    let word = |text: &str| length_while(text, |c| c == '_' || c.is_ascii_alphanumeric());
    let mut length = word(text);
    while let Some(rest) = text[length..].strip_prefix("::")
        && rest.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
    {
        length += 2 + word(rest);
    }
    length
}

fn is_hexadecimal(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

/// C99 6.4.4.1 and 6.4.4.2, and `0b` which every compiler has.
fn is_number(text: &str) -> bool {
    let radix = |prefix: &str| {
        (text.len() > 2 && text[..2].eq_ignore_ascii_case(prefix)).then(|| &text[2..])
    };
    if let Some(digits) = radix("0b") {
        return is_integer(digits, 2);
    }
    if let Some(digits) = radix("0x") {
        return is_integer(digits, 16) || is_floating(digits, 16);
    }
    let octal = text.len() > 1 && text.starts_with('0');
    is_integer(text, if octal { 8 } else { 10 }) || is_floating(text, 10)
}

fn is_integer(text: &str, radix: u32) -> bool {
    let digits = length_while(text, |c| c.is_digit(radix));
    let suffix = text[digits..].replace("ll", "l").replace("LL", "L").to_ascii_lowercase();
    digits > 0 && matches!(suffix.as_str(), "" | "u" | "l" | "ul" | "lu")
}

fn is_floating(text: &str, radix: u32) -> bool {
    let whole = length_while(text, |c| c.is_digit(radix));
    let mut rest = &text[whole..];
    let mut digits = whole;
    let mut point = false;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = length_while(fraction, |c| c.is_digit(radix));
        (point, digits, rest) = (true, digits + length, &fraction[length..]);
    }
    let marks = if radix == 16 { ['p', 'P'] } else { ['e', 'E'] };
    let exponent = rest.strip_prefix(marks).map(|power| {
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        let length = length_while(power, |c| c.is_ascii_digit());
        rest = &power[length..];
        length > 0
    });
    let complete = match exponent {
        Some(valid) => valid,
        // A hexadecimal floating literal needs an exponent.
        None => point && radix == 10,
    };
    digits > 0 && complete && matches!(rest, "" | "f" | "F" | "l" | "L")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(text: &str) -> (Vec<&str>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let tokens = lex(text, &SpanMap::verbatim(text, 0), &mut diagnostics);
        for token in &tokens {
            let written = &text[token.span.start..token.span.end];
            assert!(token.text == written || !diagnostics.is_empty());
        }
        (tokens.iter().map(|token| token.text).collect(), diagnostics)
    }

    #[test]
    fn words_marks_and_comments() {
        let (tokens, diagnostics) =
            strings("double f(/* how many */ int n, // then\n const\\\n x[n<<1]->y...);");
        let expected = [
            "double", "f", "(", "int", "n", ",", "const", "x", "[", "n", "<<", "1", "]", "->", "y",
            "...", ")", ";",
        ];
        assert_eq!(tokens, expected);
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn numbers_as_c_has_them() {
        for number in [
            "0",
            "10",
            "017",
            "0x1F",
            "0XfUL",
            "1u",
            "1lu",
            "1ULL",
            "1llu",
            "0b101",
            "1.",
            ".5",
            "1.5",
            "1e3",
            "1E-3f",
            "1.e+3L",
            "0x1p3",
            "0x1.8p-3f",
            "0x.8P2",
            "09.5",
        ] {
            assert_eq!(strings(number), (vec![number], vec![]), "{number}");
        }
        for number in ["0x", "08", "1lul", "1lL", "1e", "0x1.8", "1_000", "1.2.3", "5x", "1.0i"] {
            let (tokens, diagnostics) = strings(number);
            assert_eq!((tokens, diagnostics.len()), (vec!["0"], 1), "{number}");
        }
        assert_eq!(strings("0xe+1").0, ["0xe", "+", "1"]);
        assert_eq!(strings("x.y").0, ["x", ".", "y"]);
    }

    #[test]
    fn literals() {
        assert_eq!(
            strings(r#"'a' '\'' "a\"b" "\\" '"'"#).0,
            ["'a'", r"'\''", r#""a\"b""#, r#""\\""#, "'\"'"]
        );
        for bad in ["'a", "\"a", "''", "\"a\nb", "'\\'"] {
            assert_eq!(strings(bad).1.len(), 1, "{bad}");
        }
    }

    #[test]
    fn strays_are_reported_once_a_run_and_skipped() {
        let (tokens, diagnostics) = strings("int @@é n");
        assert_eq!(tokens, ["int", "n"]);
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].primary.span, Span::new(4, 8));
        assert_eq!(strings("/* open").1[0].message, "a comment is not closed");
    }
}
