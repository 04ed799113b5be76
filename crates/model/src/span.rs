//! Places in a source text.

use serde::Serialize;
use std::path::PathBuf;

/// A half-open range of byte offsets in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A value and its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs a value with its place.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// The source that spans refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The path of the file; relative paths in an interface are relative to its folder.
    pub path: PathBuf,
    /// The whole content.
    pub text: String,
}

/// The offsets at which lines start: an index for many lookups of the line of a byte.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The 1-based line of a byte offset.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// The offset at which the line of a byte begins.
    pub fn start(&self, offset: usize) -> usize {
        self.starts[self.line(offset).saturating_sub(1)]
    }

    /// The end of the line of a byte offset, with its line break, or the end of the source.
    pub fn end(&self, offset: usize, text: &str) -> usize {
        self.starts.get(self.line(offset)).copied().unwrap_or(text.len())
    }

    /// [`Source::line_column`] of the source to which these lines belong.
    pub fn line_column(&self, offset: usize, text: &str) -> (usize, usize) {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        (self.line(offset), text[self.start(offset)..offset].chars().count() + 1)
    }
}

impl Source {
    /// The lines of the source.
    pub fn lines(&self) -> Lines {
        let after_breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The 1-based line and column (in characters) of a byte offset.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        self.lines().line_column(offset, &self.text)
    }

    /// A line, counted from 1, without surrounding space; empty beyond the last line.
    pub fn line_span(&self, line: usize) -> Span {
        let mut start = 0;
        for (index, found) in self.text.split_inclusive('\n').enumerate() {
            if index + 1 == line {
                let indent = found.len() - found.trim_start().len();
                return Span::new(start + indent, start + indent + found.trim().len());
            }
            start += found.len();
        }
        Span::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_are_one_based_and_count_characters() {
        let source = Source { path: "x".into(), text: "ab\né c".into() };
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(3), (2, 1));
        assert_eq!(source.line_column(5), (2, 2));
        assert_eq!(source.line_column(4), (2, 1), "inside a character counts as its start");
        assert_eq!(source.line_column(999), (2, 4));
        let lines = source.lines();
        assert_eq!([0, 2, 3, 999].map(|offset| lines.line(offset)), [1, 1, 2, 2]);
        let spans = [1, 2, 3].map(|line| source.line_span(line));
        assert_eq!(spans, [Span::new(0, 2), Span::new(3, 7), Span::default()]);
    }
}
