//! A C file under construction: named sections, filled in any order and printed in a fixed one.

use fishplate_model::Span;
use std::collections::HashSet;

/// The sections of a file, in the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// The description of the file.
    Banner,
    /// Included files.
    Includes,
    /// Checks by the compiler that the headers agree with the interface.
    Checks,
    /// Small declarations that functions share.
    Declarations,
    /// The functions.
    Functions,
    /// The module.
    Module,
}

/// The maximal width of a line with several declarations.
const MAX_LINE: usize = 100;

/// Marks a line that is replaced by a `#line` back to the file itself.
const RESTORE_LINE: &str = "\u{1}restore";

/// A C file.
#[derive(Debug, Default)]
pub struct CFile {
    entries: Vec<(Section, Entry)>,
    declared: HashSet<String>,
    function: Option<usize>,
}

/// Text of a section.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub text: String,
    /// The place of the interface that it belongs to.
    span: Option<Span>,
    /// The function that it belongs to.
    pub function: Option<usize>,
}

impl Entry {
    /// Text that belongs to nothing.
    pub fn plain(text: String) -> Self {
        Self { text, span: None, function: None }
    }
}

impl CFile {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins the text that belongs to a function, counted from 0, or to none. If the file is
    /// [divided](Self::units), it goes where its function does.
    pub fn begin_function(&mut self, function: Option<usize>) {
        self.function = function;
    }

    /// Adds text, which may have several lines, to a section.
    pub fn add(&mut self, section: Section, text: impl Into<String>) {
        self.push(section, None, text.into());
    }

    /// Adds text that is generated for a place of the interface.
    pub fn add_for(&mut self, section: Section, span: Span, text: impl Into<String>) {
        self.push(section, Some(span), text.into());
    }

    fn push(&mut self, section: Section, span: Option<Span>, text: String) {
        self.entries.push((section, Entry { text, span, function: self.function }));
    }

    /// Adds text to a section unless text with the same `key` has been added before.
    pub fn once(&mut self, section: Section, key: &str, text: impl FnOnce() -> String) {
        if self.declared.insert(format!("{section:?} {key}")) {
            self.entries.push((section, Entry::plain(text())));
        }
    }

    /// Adds lines that the compiler counts as line `line` of `file`: its messages about them then
    /// name that place.
    pub fn add_at_line(&mut self, section: Section, file: &str, line: usize, text: &str) {
        let file = crate::c_string(file);
        self.add(section, format!("#line {line} {file}\n{text}\n{RESTORE_LINE}"));
    }

    /// Returns the text, as a file called `name`, and which of its lines belong to which place of
    /// the interface.
    pub fn print(self, name: &str) -> (String, Vec<(usize, Span)>) {
        print_sections(self.entries, name)
    }

    pub(crate) fn entries(&self) -> &[(Section, Entry)] {
        &self.entries
    }

    pub(crate) fn into_entries(self) -> Vec<(Section, Entry)> {
        self.entries
    }
}

/// The text of a file called `name`, and which of its lines belong to which place of the interface.
pub(crate) fn print_sections(
    mut entries: Vec<(Section, Entry)>,
    name: &str,
) -> (String, Vec<(usize, Span)>) {
    entries.sort_by_key(|(section, _)| *section);
    let mut out = String::new();
    let mut origins = Vec::new();
    let mut line = 1;
    for section in entries.chunk_by(|(one, _), (other, _)| one == other) {
        if section[0].0 != Section::Banner {
            out.push('\n');
            line += 1;
        }
        for (_, Entry { text, span, .. }) in section {
            if let Some(span) = span {
                origins.push((line, *span));
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

/// Lines of C, indented by the depth of their blocks.
#[derive(Debug, Default)]
pub struct Body {
    text: String,
    depth: usize,
    last: Option<Leaving>,
    /// The type of the variables that the last line declares, and where that line ends.
    declared: Option<(String, usize)>,
}

/// The last block of a body: a test that leaves the function, or jumps to its cleanups.
#[derive(Debug)]
struct Leaving {
    tests: Vec<String>,
    statement: String,
    /// The start and the end of the block in the text.
    start: usize,
    end: usize,
}

impl Body {
    /// Creates an empty body at this depth of blocks.
    pub fn at_depth(depth: usize) -> Self {
        Body { text: String::new(), depth, last: None, declared: None }
    }

    /// The depth of blocks of its lines.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Adds a line; an empty one stays empty.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if !text.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// Declares a variable. Adjacent declarations of one type share a line, up to its maximal
    /// width.
    pub fn declare(&mut self, declaration: impl AsRef<str>) {
        let declaration = declaration.as_ref();
        let end = self.text.len();
        let start = self.text[..end.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
        let plain =
            declaration.rsplit_once(' ').filter(|_| !declaration.contains(['*', '[', '(', '=']));
        match (plain, self.declared.take()) {
            (Some((ctype, name)), Some((last, at)))
                if last == ctype && at == end && end - start + name.len() < MAX_LINE =>
            {
                self.text.truncate(end - ";\n".len());
                self.text.push_str(&format!(", {name};\n"));
            }
            _ => self.line(format!("{declaration};")),
        }
        self.declared = plain.map(|(ctype, _)| (ctype.to_owned(), self.text.len()));
    }

    /// Ends the last line with a semicolon, after a statement over several lines.
    pub fn end_statement(&mut self) {
        if self.text.ends_with('\n') {
            self.text.truncate(self.text.len() - 1);
        }
        self.text.push_str(";\n");
    }

    /// Adds a line without indentation: a label.
    pub fn label(&mut self, name: &str) {
        self.text.push_str(name);
        self.text.push_str(":\n");
    }

    /// Adds `head {`, the lines that `inside` adds one level deeper, and `}`.
    pub fn block(&mut self, head: impl AsRef<str>, inside: impl FnOnce(&mut Body)) {
        self.open(head.as_ref());
        inside(self);
        self.close();
    }

    /// Adds `head {`: the following lines are one level deeper, up to [`close`](Self::close).
    pub fn open(&mut self, head: &str) {
        self.line(format!("{head} {{").trim_start());
        self.depth += 1;
    }

    /// Adds `}`.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    /// Adds `if (test) { statement }`, as every step that may fail needs it. Adjacent tests with
    /// the same statement are joined to one condition.
    pub fn when(&mut self, test: impl AsRef<str>, statement: &str) {
        let end = self.text.len();
        let mut leaving = match self.last.take() {
            Some(last) if last.end == end && last.statement == statement => {
                self.text.truncate(last.start);
                last
            }
            _ => Leaving { tests: Vec::new(), statement: statement.to_owned(), start: end, end },
        };
        leaving.tests.push(test.as_ref().to_owned());
        let condition = match leaving.tests.as_slice() {
            [test] => test.clone(),
            tests => {
                let tests: Vec<String> = tests.iter().map(|test| operand_of_or(test)).collect();
                let line = tests.join(" || ");
                let indent = "    ".repeat(self.depth + 1);
                if indent.len() + line.len() + "if () {".len() <= MAX_LINE {
                    line
                } else {
                    tests.join(&format!("\n{indent}|| "))
                }
            }
        };
        self.block(format!("if ({condition})"), |body| body.line(statement));
        if ["goto ", "return "].iter().any(|word| statement.starts_with(word)) {
            self.last = Some(Leaving { end: self.text.len(), ..leaving });
        }
    }

    /// Ends a function that returns 1 if its steps have succeeded and 0 if one has failed: with the
    /// value of its last tests, or 1.
    pub fn return_success(&mut self) {
        let end = self.text.len();
        let last = self.last.take().filter(|last| last.end == end && last.statement == "return 0;");
        let calls = last.as_ref().and_then(|last| {
            last.tests.iter().map(|test| negated(test)).collect::<Option<Vec<&str>>>()
        });
        match (&last, calls) {
            (Some(last), Some(calls)) => {
                let indent = "    ".repeat(self.depth + 1);
                let success = calls.join(&format!("\n{indent}&& "));
                self.text.truncate(last.start);
                self.line(format!("return {success};"));
            }
            _ => self.line("return 1;"),
        }
    }

    /// Adds `else if (test) { statement }`.
    pub fn else_when(&mut self, test: impl AsRef<str>, statement: &str) {
        self.block(format!("else if ({})", test.as_ref()), |body| body.line(statement));
    }

    /// The test of a body that consists of one `if (test) { statement }` only.
    pub fn only_test(&self, statement: &str) -> Option<&str> {
        let last = self.last.as_ref().filter(|last| last.statement == statement)?;
        match last.tests.as_slice() {
            [test] if last.start == 0 && last.end == self.text.len() => Some(test),
            _ => None,
        }
    }

    /// The statement of a body that only sets a variable to a value without a call.
    pub fn only_setting(&self) -> Option<&str> {
        let statement = self.text.trim();
        let is_one = statement.ends_with(';') && statement.matches(['\n', ';']).count() == 1;
        (is_one && statement.contains(" = ") && !statement.contains('(')).then_some(statement)
    }

    /// True if the body has no lines yet.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Appends the lines of another body, with their indentation.
    pub fn append(&mut self, other: Body) {
        self.text.push_str(&other.text);
    }

    /// The lines as text.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// The operand of a negated test, if it is a single call or a condition in parentheses.
pub fn negated(test: &str) -> Option<&str> {
    let denied = test.strip_prefix('!')?;
    let is_call = !denied.contains("||") && !denied.contains("&&");
    (is_call || is_in_parentheses(denied)).then_some(denied)
}

/// True if the first parenthesis of an expression is closed at its end.
fn is_in_parentheses(expression: &str) -> bool {
    let mut depth = 0;
    expression.starts_with('(')
        && expression.bytes().rposition(|byte| byte == b')') == Some(expression.len() - 1)
        && expression[..expression.len() - 1].bytes().all(|byte| {
            depth += i32::from(byte == b'(') - i32::from(byte == b')');
            depth > 0
        })
}

/// A test as an operand of `||`, in parentheses if it has other operators: compilers warn
/// otherwise.
fn operand_of_or(test: &str) -> String {
    let binds_otherwise = test.contains("&&") || test.contains(" ? ") || test.contains(" = ");
    if binds_otherwise { format!("({test})") } else { test.to_owned() }
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
    fn neighbours_of_one_type_share_a_line() {
        let mut body = Body::at_depth(0);
        for declaration in
            ["int a", "int b", "char *s", "char *t", "int c[2]", "int d", "unsigned int e"]
        {
            body.declare(declaration);
        }
        assert_eq!(
            body.into_text(),
            "int a, b;\nchar *s;\nchar *t;\nint c[2];\nint d;\nunsigned int e;\n"
        );
    }

    #[test]
    fn tests_that_leave_alike_are_one_condition() {
        let mut body = Body::at_depth(1);
        body.when("!a()", "return NULL;");
        body.when("b && !c()", "return NULL;");
        body.when("d()", "goto undo;");
        body.when("e()", "f();");
        body.when("g()", "f();");
        assert_eq!(
            body.into_text(),
            "    if (!a() || (b && !c())) {\n        return NULL;\n    }\n    \
             if (d()) {\n        goto undo;\n    }\n    if (e()) {\n        f();\n    }\n    \
             if (g()) {\n        f();\n    }\n"
        );
    }

    #[test]
    fn once_is_once() {
        let mut file = CFile::new();
        file.once(Section::Includes, "x", || "x".into());
        file.once(Section::Includes, "x", || "y".into());
        assert_eq!(file.print("f.c").0, "\nx\n");
    }
}
