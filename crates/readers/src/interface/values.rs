//! TOML values as the interface needs them.
//!
//! Purpose: read strings, lists and tables with their places, and report values of another type.
//! Invariant: every place is inside the file, on character boundaries, and strings are without
//! their quotes.
//! Reason: each table is then a list of its keys, and the messages for wrong types and unknown keys
//! are the same everywhere.

use super::syntax::in_header;
use crate::names;
use crate::span_map::SpanMap;
use fishplate_model::{Code, Diagnostic, Span, Spanned};
use toml::de::{DeTable, DeValue};

/// A value from the TOML parser.
pub(super) type Value<'i> = toml::Spanned<DeValue<'i>>;

/// Names of keys in other tools: the name, the key, and an example of its value.
const OTHER_WORDS: &[(&str, &str, &str)] = &[
    ("cname", "proto", "the C function has its name there"),
    ("c-name", "proto", "the C function has its name there"),
    ("prototype", "proto", "it is the annotated C prototype"),
    ("signature", "proto", "it is the annotated C prototype"),
    ("args", "proto", "arguments are in the prototype"),
    ("arguments", "proto", "arguments are in the prototype"),
    ("parameters", "proto", "arguments are in the prototype"),
    ("result", "proto", "the result is in the prototype"),
    ("outputs", "returns", "it lists the outputs"),
    ("docstring", "doc", "it is the docstring"),
    ("description", "doc", "it is the docstring"),
    ("nogil", "gil", "`gil = \"release\"`"),
    ("error", "status", "it has the meanings of return codes"),
    ("errors", "status", "it has the meanings of return codes"),
    ("parallel", "threads", "it is how many threads run a batch"),
    ("include", "headers", "they are included"),
    ("includes", "headers", "they are included"),
    ("include-path", "include-dirs", "it lists folders of headers"),
    ("link", "libraries", "it lists the libraries to link"),
    ("libs", "libraries", "it lists the libraries to link"),
    ("compile-args", "cflags", "it lists options of the compiler"),
    ("extra-compile-args", "cflags", "it lists options of the compiler"),
    ("macros", "defines", "it lists macros"),
    ("define-macros", "defines", "it lists macros"),
    ("constructor", "new", "it is the prototype that creates an object"),
    ("destructor", "free", "it is the function that releases an object"),
    ("destroy", "free", "it is the function that releases an object"),
    ("type", "ctype", "it is the type in C"),
    ("members", "fields", "it has the declarations of the fields"),
];

/// Access to a file's values, and the errors in them.
pub(super) struct Values<'i> {
    text: &'i str,
    diagnostics: Vec<Diagnostic>,
    /// The places of the TOML parser's errors. Values there are its guesses, and a missing key may
    /// be one that it skipped.
    broken: Vec<Span>,
    /// The places of unknown keys, each with the key that was probably meant.
    misspelt: Vec<(Span, String)>,
}

impl<'i> Values<'i> {
    pub(super) fn new(text: &'i str) -> Self {
        Values { text, diagnostics: Vec::new(), broken: Vec::new(), misspelt: Vec::new() }
    }

    pub(super) fn text(&self) -> &'i str {
        self.text
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// For parts of the source that are read separately.
    pub(super) fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }

    pub(super) fn error(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message, hint));
    }

    pub(super) fn syntax_error(&mut self, span: Span, message: String, hint: &str) {
        self.broken.push(span);
        self.error(Code::TOML_SYNTAX, span, message, hint);
    }

    /// A table lacks a required key, unless the TOML parser may have skipped it. A misspelt one has been reported as an
    /// unknown key: the keys of the table are read first.
    pub(super) fn missing(
        &mut self,
        table: &DeTable<'_>,
        key: &str,
        place: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        if self.broken.is_empty() && !self.is_misspelt(table, key) {
            self.error(Code::MISSING_KEY, place, message, hint);
        }
    }

    /// Whether an unknown key of the table has been reported that was probably meant to be this one.
    pub(super) fn is_misspelt(&self, table: &DeTable<'_>, key: &str) -> bool {
        let of_key = self.misspelt.iter().filter(|(_, meant)| meant == key);
        of_key.into_iter().any(|(place, _)| {
            table.keys().any(|key| self.map(key.span(), key.get_ref()).whole() == *place)
        })
    }

    /// A value of the wrong type.
    pub(super) fn wrong(
        &mut self,
        value: &Value<'_>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        if !self.is_broken(value) {
            self.error(Code::WRONG_VALUE, self.span(value), message, hint);
        }
    }

    /// True if a value is the TOML parser's guess.
    pub(super) fn is_broken(&self, value: &Value<'_>) -> bool {
        let span = value.span();
        let touches = |broken: &Span| broken.start <= span.end && span.start <= broken.end;
        !self.broken.is_empty() && (span.is_empty() || self.broken.iter().any(touches))
    }

    /// True for a key that is in no header, after an error of the TOML parser: it may belong to a
    /// table with a broken header.
    pub(super) fn may_be_misplaced(&self, key: &Spanned<String>) -> bool {
        !in_header(self.text, key.span.start)
            && self.broken.iter().any(|broken| broken.start <= key.span.start)
    }

    /// The place of a value, quotes and brackets included; a table's place is its header.
    pub(super) fn span(&self, value: &Value<'_>) -> Span {
        self.checked(value.span())
    }

    fn checked(&self, range: std::ops::Range<usize>) -> Span {
        // The TOML parser's guesses may have no place.
        if self.text.get(range.clone()).is_some() {
            Span::new(range.start, range.end)
        } else {
            Span::new(0, 0)
        }
    }

    /// A table's keys and values, in the order of the file.
    pub(super) fn entries<'t, 'v>(
        &self,
        table: &'t DeTable<'v>,
    ) -> Vec<(Spanned<String>, &'t Value<'v>)> {
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| {
                let span = self.map(key.span(), key.get_ref()).whole();
                (Spanned::new(key.get_ref().clone().into_owned(), span), value)
            })
            .collect();
        entries.sort_by_key(|(key, _)| key.span);
        entries
    }

    /// The table `[what.NAME]`; `example` shows a possible key.
    pub(super) fn named_table<'t, 'v>(
        &mut self,
        what: &str,
        name: &Spanned<String>,
        value: &'t Value<'v>,
        example: &str,
    ) -> Option<&'t DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let shown = names::short(&name.value, 40);
            let message = format!("the {what} `{shown}` is a table, not {}", kind(value.get_ref()));
            self.wrong(value, message, format!("write `[{what}.{shown}]`, and `{example}` below"));
        }
        table
    }

    /// Reports which of these keys, each with an example, the table `[what.NAME]` lacks.
    pub(super) fn report_missing(
        &mut self,
        what: &str,
        name: &Spanned<String>,
        value: &Value<'_>,
        keys: &[(&str, &str)],
    ) {
        let Some(table) = value.get_ref().as_table() else { return };
        for (key, example) in keys.iter().filter(|(key, _)| table.get(*key).is_none()) {
            let shown = names::short(&name.value, 40);
            let message = format!("the {what} `{shown}` has no `{key}`");
            self.missing(table, key, self.span(value), message, format!("add `{example}`"));
        }
    }

    /// The map from a string's decoded text to the file.
    pub(super) fn map(&self, range: std::ops::Range<usize>, decoded: &str) -> SpanMap {
        let span = self.checked(range);
        SpanMap::of_toml(&self.text[span.start..span.end], span.start, decoded)
    }

    /// The value as a string; `example` shows how to write it.
    pub(super) fn string(
        &mut self,
        key: &str,
        value: &Value<'_>,
        example: &str,
    ) -> Option<Spanned<String>> {
        let Some(text) = value.get_ref().as_str() else {
            let kind = kind(value.get_ref());
            self.wrong(
                value,
                format!("`{key}` is a string, not {kind}"),
                format!("write `{example}`"),
            );
            return None;
        };
        let span = self.map(value.span(), text).whole();
        if text.contains('\0') {
            self.error(
                Code::WRONG_VALUE,
                span,
                format!("`{key}` contains a NUL character, which ends a C string"),
                "remove it",
            );
            return None;
        }
        Some(Spanned::new(text.to_owned(), span))
    }

    /// The value of a key that is true or false; `example` is the other value than the default.
    pub(super) fn boolean(&mut self, key: &str, example: bool, value: &Value<'_>) -> Option<bool> {
        if let DeValue::Boolean(chosen) = value.get_ref() {
            return Some(*chosen);
        }
        self.wrong(
            value,
            format!("`{key}` is true or false, not {}", kind(value.get_ref())),
            format!("write `{key} = {example}`"),
        );
        None
    }

    /// The value as one of a few keywords.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let text = self.string(key, value, &format!("{key} = {:?}", choices[0].0))?;
        self.chosen(key, &text, choices)
    }

    /// The value for one of a few keywords.
    pub(super) fn chosen<T: Copy>(
        &mut self,
        key: &str,
        text: &Spanned<String>,
        choices: &[(&str, T)],
    ) -> Option<T> {
        if let Some((_, chosen)) = choices.iter().find(|(word, _)| *word == text.value) {
            return Some(*chosen);
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let hint = match names::closest(&text.value, words.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("write {}", names::list(&words, "or")),
        };
        let message = format!("`{key}` cannot be `{}`", names::short(&text.value, 40));
        self.error(Code::WRONG_VALUE, text.span, message, hint);
        None
    }

    /// The value as a list of strings; other entries are reported and omitted.
    pub(super) fn strings(
        &mut self,
        key: &str,
        value: &Value<'_>,
        example: &str,
    ) -> Vec<Spanned<String>> {
        let Some(array) = value.get_ref().as_array() else {
            let hint = match value.get_ref().as_str() {
                Some(text) => {
                    let entries: Vec<_> =
                        text.split([',', ' ']).filter(|part| !part.is_empty()).collect();
                    format!("write `{key} = {entries:?}`")
                }
                None => format!("write `{key} = {example}`"),
            };
            let kind = kind(value.get_ref());
            self.wrong(value, format!("`{key}` is a list of strings, not {kind}"), hint);
            return Vec::new();
        };
        let example = format!("{key} = {example}");
        let strings: Vec<_> =
            array.iter().filter_map(|entry| self.string(key, entry, &example)).collect();
        let (empty, strings): (Vec<_>, Vec<_>) =
            strings.into_iter().partition(|text| text.value.trim().is_empty());
        for text in empty {
            let message = format!("`{key}` has an empty string");
            self.error(Code::WRONG_VALUE, text.span, message, "remove it, or fill it in");
        }
        strings
    }

    /// The value as a table.
    pub(super) fn table<'t, 'v>(
        &mut self,
        key: &str,
        value: &'t Value<'v>,
    ) -> Option<&'t DeTable<'v>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let header = if key == "function" { "[function.NAME]" } else { &format!("[{key}]") };
            let kind = kind(value.get_ref());
            self.wrong(
                value,
                format!("`{key}` is a table, not {kind}"),
                format!("write `{header}` on a line of its own, and its keys below"),
            );
        }
        table
    }

    /// An unknown key.
    pub(super) fn unknown(&mut self, table: &str, key: &Spanned<String>, known: &[&str]) {
        let dashed = key.value.replace('_', "-").to_ascii_lowercase();
        let other =
            OTHER_WORDS.iter().find(|(word, key, _)| *word == dashed && known.contains(key));
        let (meant, hint) = if known.contains(&dashed.as_str()) {
            (Some(dashed.as_str()), format!("it is written `{dashed}`"))
        } else if let Some((_, key, example)) = other {
            (Some(*key), format!("did you mean `{key}`? {example}"))
        } else if let Some(meant) = names::closest(&key.value, known.iter().copied()) {
            (Some(meant), format!("did you mean `{meant}`?"))
        } else {
            (None, format!("its keys are {}", names::list(known, "and")))
        };
        let name = names::short(&key.value, 40);
        self.unknown_but(key, meant, format!("unknown key `{name}` of {table}"), hint);
    }

    /// An unknown key, and the one that was probably meant.
    pub(super) fn unknown_but(
        &mut self,
        key: &Spanned<String>,
        meant: Option<&str>,
        message: String,
        hint: String,
    ) {
        self.misspelt.extend(meant.map(|meant| (key.span, meant.to_owned())));
        self.error(Code::UNKNOWN_KEY, key.span, message, hint);
    }
}

/// The type of a value with its article, for "not an integer".
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
