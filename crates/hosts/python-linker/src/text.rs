//! The linked function's source under construction, with the lines of fragments.

use crate::fragment::Origin;

/// Lines of C.
#[derive(Debug, Default)]
pub(crate) struct Text {
    text: String,
    lines: usize,
    depth: usize,
    origins: Vec<Origin>,
}

impl Text {
    /// Generated lines.
    pub(crate) fn line(&mut self, line: &str) {
        for line in line.split('\n') {
            // Labels and preprocessor directives are not indented.
            if !line.is_empty() && !line.starts_with('#') {
                self.text.push_str(&"    ".repeat(self.depth));
            }
            self.text.push_str(line);
            self.text.push('\n');
            self.lines += 1;
        }
    }

    pub(crate) fn label(&mut self, name: &str) {
        self.text.push_str(name);
        self.text.push_str(":\n");
        self.lines += 1;
    }

    /// `head {` or `{`
    pub(crate) fn open(&mut self, head: &str) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
    }

    /// Adds `}` and `tail`.
    pub(crate) fn close(&mut self, tail: &str) {
        self.depth -= 1;
        self.line(&format!("}}{tail}"));
    }

    /// A user's code, moved to the indentation of its place.
    pub(crate) fn fragment(&mut self, index: usize, text: &str) {
        let text = dedented(text);
        if text.is_empty() {
            return;
        }
        let line = self.lines + 1;
        for line in &text {
            let line = line.trim_end();
            if !line.is_empty() {
                self.text.push_str(&"    ".repeat(self.depth));
            }
            self.text.push_str(line);
            self.text.push('\n');
            self.lines += 1;
        }
        self.origins.push(Origin { line, lines: text.len(), fragment: index });
    }

    /// The source, and the lines of its fragments.
    pub(crate) fn finish(self) -> (String, Vec<Origin>) {
        (self.text, self.origins)
    }
}

/// A fragment as its author would read it: without surrounding empty lines and common indentation.
pub(crate) fn tidy(text: &str) -> String {
    dedented(text).join("\n")
}

/// The lines from the first to the last that are not blank, without the indentation that all share.
fn dedented(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let is_blank = |line: &&str| line.trim().is_empty();
    let Some(first) = lines.iter().position(|line| !is_blank(line)) else { return Vec::new() };
    let last = lines.iter().rposition(|line| !is_blank(line)).unwrap_or(first);
    let lines = &lines[first..=last];
    if has_long_string(text) {
        return lines.to_vec();
    }
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    // A line that begins right after the quotes does not count for the indentation of the others.
    let from = usize::from(first == 0);
    let rest = lines[from..].iter().filter(|line| !is_blank(line));
    let common = rest.map(indent).min().unwrap_or(0);
    let mut out: Vec<&str> = lines.iter().map(|line| line.get(common..).unwrap_or("")).collect();
    if first == 0 {
        out[0] = lines[0].trim_start_matches([' ', '\t']);
    }
    out
}

/// True if a string may continue on the next line, whose indentation is then part of it.
fn has_long_string(text: &str) -> bool {
    let is_open = |line: &str| line.ends_with('\\') && line.matches('"').count() % 2 == 1;
    text.contains("R\"") || text.lines().any(is_open)
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_fragment_loses_the_indentation_of_its_surroundings() {
        assert_eq!(tidy("\n        a;\n          b;\n\n        c;\n    "), "a;\n  b;\n\nc;");
        assert_eq!(tidy("if (a) {\n            b;\n        }"), "if (a) {\n    b;\n}");
        assert_eq!(tidy("  \n "), "");
    }
}
