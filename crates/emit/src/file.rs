//! A C file in the making: named sections that are filled in any order, and printed in theirs.

use fishplate_model::Span;
use std::collections::HashSet;

/// The parts of a file, in the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// What the file is.
    Banner,
    /// Included files.
    Includes,
    /// What the compiler is asked to confirm.
    Checks,
    /// Small declarations that functions share.
    Declarations,
    /// The functions.
    Functions,
    /// The module.
    Module,
}

const SECTIONS: usize = 6;

/// Marks a line that is to say where the file itself goes on.
const RESTORE_LINE: &str = "\u{1}restore";

/// A C file.
#[derive(Debug, Default)]
pub struct CFile {
    sections: [Vec<(String, Option<Span>)>; SECTIONS],
    declared: HashSet<String>,
}

impl CFile {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text, which may have several lines, to a section.
    pub fn add(&mut self, section: Section, text: impl Into<String>) {
        self.sections[section as usize].push((text.into(), None));
    }

    /// Adds text that serves a place of the interface.
    pub fn add_for(&mut self, section: Section, span: Span, text: impl Into<String>) {
        self.sections[section as usize].push((text.into(), Some(span)));
    }

    /// Adds text to a section unless the same `key` has asked for it before.
    pub fn once(&mut self, section: Section, key: &str, text: impl FnOnce() -> String) {
        if self.declared.insert(format!("{section:?} {key}")) {
            self.add(section, text());
        }
    }

    /// Adds lines that the compiler shall count as line `line` of `file`: its messages about them
    /// then name that place.
    pub fn add_at_line(&mut self, section: Section, file: &str, line: usize, text: &str) {
        let file = crate::c_string(file);
        self.add(section, format!("#line {line} {file}\n{text}\n{RESTORE_LINE}"));
    }

    /// The text, as a file called `name`, and which lines serve which place of the interface.
    pub fn print(self, name: &str) -> (String, Vec<(usize, Span)>) {
        let mut out = String::new();
        let mut origins = Vec::new();
        let mut line = 1;
        for (index, section) in self.sections.into_iter().enumerate() {
            if section.is_empty() {
                continue;
            }
            if index > 0 {
                out.push('\n');
                line += 1;
            }
            for (text, span) in section {
                if let Some(span) = span {
                    origins.push((line, span));
                }
                for part in text.lines() {
                    if part == RESTORE_LINE {
                        out.push_str(&format!("#line {} {}\n", line + 1, crate::c_string(name)));
                    } else {
                        out.push_str(part);
                        out.push('\n');
                    }
                    line += 1;
                }
            }
        }
        (out, origins)
    }
}

/// Lines of C, indented by the blocks they are in.
#[derive(Debug, Default)]
pub struct Body {
    text: String,
    depth: usize,
}

impl Body {
    /// No lines yet, at this depth of blocks.
    pub fn at_depth(depth: usize) -> Self {
        Body { text: String::new(), depth }
    }

    /// How deep in blocks its lines are.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// One line; an empty one stays empty.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Ends the last line with a semicolon: that of a statement over several lines.
    pub fn end_statement(&mut self) {
        if self.text.ends_with('\n') {
            self.text.truncate(self.text.len() - 1);
        }
        self.text.push_str(";\n");
    }

    /// A line that is not indented: a label.
    pub fn label(&mut self, name: &str) {
        self.text.push_str(name);
        self.text.push_str(":\n");
    }

    /// `head {`, what `inside` writes one level deeper, `}`.
    pub fn block(&mut self, head: impl AsRef<str>, inside: impl FnOnce(&mut Body)) {
        self.open(head.as_ref());
        inside(self);
        self.close();
    }

    /// `head {`: what follows is one level deeper, up to the [`close`](Self::close) of it.
    pub fn open(&mut self, head: &str) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
    }

    /// `}`
    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// `if (test) { statement }`, as every failing step wants it.
    pub fn when(&mut self, test: impl AsRef<str>, statement: &str) {
        self.block(format!("if ({})", test.as_ref()), |body| body.line(statement));
    }

    /// The lines of another body, as they are indented there.
    pub fn append(&mut self, other: Body) {
        self.text.push_str(&other.text);
    }

    /// The lines.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_print_in_order_and_lines_are_restored() {
        let mut file = CFile::new();
        file.add_for(Section::Functions, Span::new(3, 4), "int f;");
        file.add(Section::Banner, "/* hello */");
        file.add_at_line(Section::Checks, "a.toml", 7, "int check;");
        let (text, origins) = file.print("a.c");
        assert_eq!(
            text,
            "/* hello */\n\n#line 7 \"a.toml\"\nint check;\n#line 6 \"a.c\"\n\nint f;\n"
        );
        assert_eq!(origins, vec![(7, Span::new(3, 4))]);
    }

    #[test]
    fn once_is_once() {
        let mut file = CFile::new();
        file.once(Section::Includes, "x", || "x".into());
        file.once(Section::Includes, "x", || "y".into());
        assert_eq!(file.print("f.c").0, "\nx\n");
    }
}
