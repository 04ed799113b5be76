//! The output of the C preprocessor, with the origin of each part.
//!
//! Purpose: remove line markers, and find the file and line of any byte.
//! Invariant: the length is that of the preprocessor's output, so offsets are valid for both.
//! Reason: markers may occur inside of a declaration, where no grammar accepts them.

/// Preprocessed source and its origins.
pub struct Preprocessed {
    /// The source; directives are blanked.
    pub text: String,
    files: Vec<String>,
    /// The beginnings of stretches of lines from one file, in order.
    stretches: Vec<Stretch>,
    /// The offset at which each line of `text` begins.
    lines: Vec<usize>,
}

struct Stretch {
    /// The first line of `text` in the stretch, counted from 0.
    first: usize,
    file: usize,
    /// The line of the file for this first line, counted from 1.
    line: usize,
}

/// A file, as index into the names in markers, and a line of it, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file's index.
    pub file: usize,
    /// The line.
    pub line: usize,
}

impl Preprocessed {
    /// Parses the preprocessor's output.
    pub fn new(printed: &str) -> Self {
        let mut found = Preprocessed {
            text: String::with_capacity(printed.len()),
            files: vec![String::new()],
            stretches: vec![Stretch { first: 0, file: 0, line: 1 }],
            lines: Vec::new(),
        };
        for (index, line) in printed.split_inclusive('\n').enumerate() {
            found.lines.push(found.text.len());
            if !line.trim_start().starts_with('#') {
                found.text.push_str(line);
                continue;
            }
            // Any other line with `#` is a pragma, and irrelevant to declarations.
            found.text.extend(line.chars().map(|c| if c == '\n' { "\n" } else { blank(c) }));
            if let Some((line, name)) = marker(line) {
                let known = found.files.iter().position(|file| *file == name);
                let file = known.unwrap_or_else(|| {
                    found.files.push(name);
                    found.files.len() - 1
                });
                found.stretches.push(Stretch { first: index + 1, file, line });
            }
        }
        found
    }

    /// The file's name in markers.
    pub fn file(&self, line: Line) -> &str {
        self.files.get(line.file).map_or("", String::as_str)
    }

    /// Every name in markers, in order; the first is empty.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// The origin of a byte.
    pub fn line(&self, offset: usize) -> Line {
        let index = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let after = self.stretches.partition_point(|stretch| stretch.first <= index);
        let stretch = &self.stretches[after.saturating_sub(1)];
        Line { file: stretch.file, line: stretch.line.saturating_add(index - stretch.first) }
    }
}

/// As many spaces as the character has bytes.
fn blank(c: char) -> &'static str {
    &"    "[..c.len_utf8()]
}

/// `# 28 "/usr/include/zlib.h" 3 4`, or `#line 28 "..."`: the line and the file's name.
fn marker(line: &str) -> Option<(usize, String)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let quoted = rest[digits..].trim_start().strip_prefix('"')?;
    Some((number, unquoted(quoted)))
}

/// The string up to the closing quote, with C's escapes decoded. clang escapes the bytes of names that are not ASCII.
pub(crate) fn unquoted(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => match bytes.next() {
                Some(b'n') => out.push(b'\n'),
                Some(b't') => out.push(b'\t'),
                Some(first @ b'0'..=b'7') => {
                    let mut code = u32::from(first - b'0');
                    for _ in 0..2 {
                        let Some(digit) = bytes.next_if(|byte| matches!(byte, b'0'..=b'7')) else {
                            break;
                        };
                        code = code * 8 + u32::from(digit - b'0');
                    }
                    out.extend(u8::try_from(code));
                }
                other => out.extend(other),
            },
            _ => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_markers() {
        let text = "# 1 \"a \\\"b\\\".h\" 1 3\nint x;\n\nint\n# 7 \"c.h\" 2\n#pragma x\né;\n";
        let found = Preprocessed::new(text);
        assert_eq!(found.text.len(), text.len());
        let place = |needle: &str| {
            let line = found.line(found.text.find(needle).unwrap());
            (found.file(line), line.line)
        };
        assert_eq!(place("int x"), ("a \"b\".h", 1));
        assert_eq!(place("int\n"), ("a \"b\".h", 3));
        assert_eq!(place("é"), ("c.h", 8));
        assert!(!found.text.contains('#') && !found.text.contains("pragma"));
        let odd = Preprocessed::new("# 99999999999999999999 \"x\"\n# 5\n#\n#line 4 \"y\"\n");
        assert_eq!(odd.files(), ["", "y"]);
        // As clang writes it.
        let escaped = Preprocessed::new("# 1 \"\\303\\251t\\303\\251/\\0678.h\"\n");
        assert_eq!(escaped.files(), ["", "été/78.h"]);
        assert_eq!(odd.line(usize::MAX).line, 4);
    }
}
