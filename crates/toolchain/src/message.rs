//! Compiler messages as data.
//!
//! GCC and clang put a diagnostic on one line, `file:line:column: error: text`; gfortran spreads it
//! over several. Lines in neither format (source excerpts, carets, "In function") are dropped: the
//! raw output is stored as well.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// The unit did not compile.
    Error,
    /// It did, with a warning.
    Warning,
    /// Belongs to the previous message.
    Note,
}

/// One diagnostic of a compiler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompilerMessage {
    /// The file as named by the compiler; the unit if it named none.
    pub file: PathBuf,
    /// From 1; 0 if the message is about no line (an unknown flag, for example).
    pub line: usize,
    /// From 1, in bytes.
    pub column: Option<usize>,
    /// How bad it is.
    pub severity: Severity,
    /// The message, without position and severity.
    pub text: String,
}

impl fmt::Display for CompilerMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        write!(f, ": {severity}: {}", self.text)
    }
}

const MARKERS: [(&str, Severity); 4] = [
    (": fatal error: ", Severity::Error),
    (": error: ", Severity::Error),
    (": warning: ", Severity::Warning),
    (": note: ", Severity::Note),
];

/// The beginning of gfortran's message after a position, an excerpt and a caret.
const FORTRAN_MARKERS: [(&str, Severity); 3] = [
    ("Fatal Error: ", Severity::Error),
    ("Error: ", Severity::Error),
    ("Warning: ", Severity::Warning),
];

/// All diagnostics in a compiler's output about `unit`, in order.
pub(crate) fn parse(raw: &str, unit: &Path) -> Vec<CompilerMessage> {
    let raw = without_colors(raw);
    let mut messages = Vec::new();
    let mut pending: Option<(PathBuf, usize, Option<usize>)> = None;
    for line in raw.lines() {
        if let Some((head, severity, text)) = split_marker(line) {
            // Only reports that there were others, which are listed themselves.
            if text.ends_with("warnings being treated as errors") {
                continue;
            }
            let (file, line, column) = position(head).unwrap_or_else(|| (unit.to_owned(), 0, None));
            messages.push(CompilerMessage { file, line, column, severity, text: text.to_owned() });
        } else if let Some(found) = line.strip_suffix(':').and_then(position) {
            pending = Some(found);
        } else if let Some((severity, text)) = FORTRAN_MARKERS
            .iter()
            .find_map(|(marker, severity)| Some((*severity, line.strip_prefix(marker)?)))
        {
            let (file, line, column) = pending.take().unwrap_or_else(|| (unit.to_owned(), 0, None));
            messages.push(CompilerMessage { file, line, column, severity, text: text.to_owned() });
        }
    }
    messages
}

/// Splits at the first marker: a message may quote another one, a file name hardly contains one.
/// Zig prints messages about flags and libraries without a file name.
fn split_marker(line: &str) -> Option<(&str, Severity, &str)> {
    let (at, marker, severity) = MARKERS
        .iter()
        .filter_map(|(marker, severity)| {
            let bare = marker.trim_start_matches([':', ' ']);
            let (at, marker) =
                if line.starts_with(bare) { (0, bare) } else { (line.find(marker)?, *marker) };
            Some((at, marker, *severity))
        })
        .min_by_key(|(at, ..)| *at)?;
    Some((&line[..at], severity, line[at + marker.len()..].trim_end()))
}

/// `file:line` or `file:line:column`, parsed from the right: a file name may contain colons.
fn position(head: &str) -> Option<(PathBuf, usize, Option<usize>)> {
    let (rest, last) = head.rsplit_once(':')?;
    let last: usize = last.parse().ok()?;
    if let Some((file, line)) = rest.rsplit_once(':')
        && let Ok(line) = line.parse()
        && !file.is_empty()
    {
        return Some((file.into(), line, Some(last)));
    }
    (!rest.is_empty()).then(|| (rest.into(), last, None))
}

/// Drops `ESC [ … m`: a user's flags can ask for colours even in a pipe.
fn without_colors(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c == '\u{1b}' {
            for c in characters.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(raw: &str) -> Vec<String> {
        parse(raw, Path::new("unit.c")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn gcc_and_clang() {
        let raw = "\
In file included from a b.c:1:
x y.h:3:5: error: expected ';' before '}' token
    3 |     return 1
      |     ^~~~~~
a b.c: In function 'f':
a b.c:7: warning: unused: note: this [-Wunused]
\u{1b}[1mq.c:8:1:\u{1b}[m \u{1b}[31mfatal error: \u{1b}[mz.h: No such file or directory
C:/odd:name.c:9:2: note: here
cc1: error: unrecognized command-line option '-x'
cc1: all warnings being treated as errors
cc1: error: all warnings being treated as errors
";
        assert_eq!(
            of(raw),
            [
                "x y.h:3:5: error: expected ';' before '}' token",
                "a b.c:7: warning: unused: note: this [-Wunused]",
                "q.c:8:1: error: z.h: No such file or directory",
                "C:/odd:name.c:9:2: note: here",
                "unit.c: error: unrecognized command-line option '-x'",
            ]
        );
    }

    #[test]
    fn zig_names_no_file_before_flags_and_libraries() {
        let raw = "\
error: unable to find dynamic system library \"x\" using strategy paths_first. searched paths:
  /usr/lib/libx.so
";
        let text = "unit.c: error: unable to find dynamic system library \"x\" using strategy \
                    paths_first. searched paths:";
        assert_eq!(of(raw), [text]);
    }

    #[test]
    fn gfortran() {
        let raw = "\
s.f90:2:7:

    2 |   x = y
      |       1
Error: Symbol 'y' at (1) has no IMPLICIT type
f951: Warning: Nonexistent include directory 'q' [-Wmissing-include-dirs]
";
        assert_eq!(of(raw), ["s.f90:2:7: error: Symbol 'y' at (1) has no IMPLICIT type"]);
    }
}
