//! The configuration language: Python's `configparser`, with places.
//!
//! Purpose: parse sections, keys and values like `configparser.ConfigParser(interpolation=None)`:
//! `key: value` or `key = value`, values that continue on indented lines, whole-line comments after
//! `#` or `;`, case-insensitive keys.
//! Invariant: every line belongs to an entry or is reported; a value equals Python's, and its map
//! leads back into the file.
//! Reason: the crates for this language return values without their places (and differ from Python
//! in comments and continuations), but a diagnostic must point into a value.

use crate::names;
use crate::span_map::SpanMap;
use fishplate_model::{Code, Diagnostic, Span, Spanned};

/// A section and its entries.
pub(super) struct Section {
    /// The name between the brackets.
    pub header: Spanned<String>,
    pub entries: Vec<Entry>,
    /// Some lines could not be parsed: a missing key may be in them.
    pub is_broken: bool,
}

impl Section {
    fn new(header: Spanned<String>) -> Self {
        Section { header, entries: Vec::new(), is_broken: false }
    }
}

/// A key and its value.
pub(super) struct Entry {
    /// In lower case, as in Python.
    pub key: Spanned<String>,
    pub value: Value,
    /// Comments between the value's lines, which may have been intended as C code.
    pub comments: Vec<Spanned<String>>,
}

/// A value: its lines without indentation, joined with newlines.
pub(super) struct Value {
    pub text: String,
    pub map: SpanMap,
}

impl Value {
    fn new(mut lines: Vec<(usize, &str)>, place: usize) -> Self {
        while lines.last().is_some_and(|(_, line)| line.is_empty()) {
            lines.pop();
        }
        let text = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
        Value { text, map: SpanMap::of_lines(&lines, place) }
    }

    /// Its place.
    pub(super) fn span(&self) -> Span {
        self.map.whole()
    }

    /// The whole value, without the empty line at the start of a value on separate lines.
    pub(super) fn whole(&self) -> Spanned<String> {
        Spanned::new(self.text.trim().to_owned(), self.span())
    }

    /// The parts between occurrences of `separator`, without white space, empty ones omitted.
    pub(super) fn parts(&self, separator: impl Fn(char) -> bool) -> Vec<Spanned<String>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for piece in self.text.split_inclusive(&separator) {
            let part = piece.strip_suffix(&separator).unwrap_or(piece);
            let trimmed = part.trim();
            if !trimmed.is_empty() {
                let at = start + (part.len() - part.trim_start().len());
                let span = self.map.span(at, at + trimmed.len());
                parts.push(Spanned::new(trimmed.to_owned(), span));
            }
            start += piece.len();
        }
        parts
    }

    /// Its lines.
    pub(super) fn lines(&self) -> Vec<Spanned<String>> {
        self.parts(|c| c == '\n')
    }
}

/// Parses a file; lines that are not valid are reported.
pub(super) fn read(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Section> {
    let mut reader = Reader { diagnostics, sections: Vec::new(), open: None, indent: 0 };
    if let Some(nul) = text.find('\0') {
        let span = Span::new(nul, nul + 1);
        reader.error(span, "this is a NUL character, which ends a C string", "remove it");
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        reader.line(at, line);
        at += line.len();
    }
    reader.close();
    reader.sections
}

/// The key whose value may continue.
struct Open<'t> {
    /// `None` if the key could not be parsed: its further lines are skipped.
    key: Option<Spanned<String>>,
    lines: Vec<(usize, &'t str)>,
    comments: Vec<Spanned<String>>,
    /// The place at which the value would begin.
    place: usize,
}

struct Reader<'t, 'd> {
    diagnostics: &'d mut Vec<Diagnostic>,
    sections: Vec<Section>,
    open: Option<Open<'t>>,
    indent: usize,
}

impl<'t> Reader<'t, '_> {
    fn error(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.diagnostics.push(Diagnostic::error(Code::CFG_SYNTAX, span, message, hint));
    }

    fn line(&mut self, at: usize, line: &'t str) {
        let start = at + (line.len() - line.trim_start().len());
        let content = line.trim();
        let span = Span::new(start, start + content.len());
        if content.is_empty() {
            if let Some(open) = &mut self.open {
                open.lines.push((at, ""));
            }
        } else if content.starts_with(['#', ';']) {
            if let Some(open) = &mut self.open {
                open.comments.push(Spanned::new(content.to_owned(), span));
            }
        } else {
            let indent = line[..start - at].chars().count();
            match &mut self.open {
                Some(open) if indent > self.indent => open.lines.push((start, content)),
                _ => {
                    self.close();
                    self.indent = indent;
                    self.begin(content, span);
                }
            }
        }
    }

    /// A line that continues no value.
    fn begin(&mut self, content: &'t str, span: Span) {
        if content.starts_with('[') {
            self.section(content, span);
        } else if self.sections.is_empty() {
            self.error(span, "expected a section before this line", "begin with `[MODULE name]`");
            self.sections.push(Section::new(Spanned::new(String::new(), span)));
            self.read_over(span);
        } else if let Some(delimiter) = content.find([':', '=']) {
            let key = content[..delimiter].trim_end();
            let place = span.start + delimiter + 1;
            let value = content[delimiter + 1..].trim_start();
            if key.is_empty() {
                self.error(span, "a key is missing here", "write `key: value`");
                self.read_over(span);
                return;
            }
            let key_span = Span::new(span.start, span.start + key.len());
            let lines = vec![(span.end - value.len(), value)];
            let key = Some(Spanned::new(key.to_lowercase(), key_span));
            self.open = Some(Open { key, lines, comments: Vec::new(), place });
        } else {
            self.error(
                span,
                format!("`{}` is neither a section nor a key", names::short(content, 40)),
                "write `key: value`; a value that continues in the next line is indented there",
            );
            self.read_over(span);
        }
    }

    /// The continuation of a reported line is not reported again.
    fn read_over(&mut self, span: Span) {
        self.sections.last_mut().into_iter().for_each(|section| section.is_broken = true);
        let nothing = Open { key: None, lines: Vec::new(), comments: Vec::new(), place: span.end };
        self.open = Some(nothing);
    }

    fn section(&mut self, content: &str, span: Span) {
        let end = content.find(']');
        let inside = &content[1..end.unwrap_or(content.len())];
        let behind = end.map_or("", |end| content[end + 1..].trim());
        if end.is_none() {
            self.error(span, "a section's `[` is not closed", "end it with `]`");
        } else if !behind.is_empty() && !behind.starts_with(['#', ';']) {
            let behind = Span::new(span.end - behind.len(), span.end);
            self.error(behind, "nothing may follow a section's `]`", "begin a new line");
        }
        let trimmed = inside.trim();
        let at = span.start + 1 + (inside.len() - inside.trim_start().len());
        let header = Spanned::new(trimmed.to_owned(), Span::new(at, at + trimmed.len()));
        let header = if trimmed.is_empty() { Spanned { span, ..header } } else { header };
        self.sections.push(Section::new(header));
    }

    /// Ends the current value.
    fn close(&mut self) {
        let Some(Open { key: Some(key), lines, comments, place }) = self.open.take() else {
            return;
        };
        if let Some(section) = self.sections.last_mut() {
            let value = Value::new(lines, place);
            section.entries.push(Entry { key, value, comments });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section's header, and its keys and values.
    type Read = (String, Vec<(String, String)>);

    fn sections(text: &str) -> (Vec<Read>, Vec<String>) {
        let mut diagnostics = Vec::new();
        let read = read(text, &mut diagnostics);
        for value in read.iter().flat_map(|section| &section.entries).map(|entry| &entry.value) {
            for line in value.lines() {
                assert_eq!(text[line.span.start..line.span.end], line.value);
            }
        }
        let pairs = |section: &Section| {
            let pair = |entry: &Entry| (entry.key.value.clone(), entry.value.text.clone());
            section.entries.iter().map(pair).collect()
        };
        let read =
            read.iter().map(|section| (section.header.value.clone(), pairs(section))).collect();
        (read, diagnostics.into_iter().map(|found| found.message).collect())
    }

    #[test]
    fn keys_values_comments_and_continuations_as_python_has_them() {
        let text = "# a comment\n[MODULE m]\nKinds: C, Xnd\nincludes =\n\ta.h\n  # no\n\n  b.h\n\n\
                    ; no\nx=a: b = c\n[ KERNEL  k ] # why not\n  indented: 1\n  again = 2\n    more\n";
        let (read, wrong) = sections(text);
        assert_eq!(wrong, Vec::<String>::new());
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            read,
            [
                (
                    "MODULE m".to_owned(),
                    vec![
                        pair("kinds", "C, Xnd"),
                        pair("includes", "\na.h\n\nb.h"),
                        pair("x", "a: b = c")
                    ]
                ),
                ("KERNEL  k".to_owned(), vec![pair("indented", "1"), pair("again", "2\nmore")]),
            ]
        );
    }

    #[test]
    fn files_that_are_no_configuration_are_reported_once() {
        for (text, told) in [
            ("a: 1\nb: 2\n", "expected a section"),
            ("[M]\nwhat\n  is this\n", "neither a section nor a key"),
            ("[M]\n: 1\n  2\n", "a key is missing"),
            ("[M\na: 1\n", "is not closed"),
            ("[M] a\n", "nothing may follow"),
        ] {
            let (_, wrong) = sections(text);
            assert!(wrong.len() == 1 && wrong[0].contains(told), "{text:?}: {wrong:?}");
        }
    }
}
