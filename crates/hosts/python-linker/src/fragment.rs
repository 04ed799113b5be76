//! C code of users, and its place in the linked function.

/// The owner of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A variable's type.
    Variable(usize),
    /// A node's op.
    Node(usize),
}

/// A fragment of a type or an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The method that returned it: `c_code`.
    pub hook: &'static str,
    /// The type or op, by name.
    pub by: String,
    /// The variable, or the node as an equation.
    pub of: String,
    /// Its owner.
    pub owner: Owner,
    /// The code.
    pub text: String,
}

impl Fragment {
    /// `add.c_code in c = add(x, y)`.
    pub fn title(&self) -> String {
        match self.owner {
            Owner::Variable(_) => format!("{}.{} of {}", self.by, self.hook, self.of),
            Owner::Node(_) => format!("{}.{} in {}", self.by, self.hook, self.of),
        }
    }
}

/// Lines of the linked function that are a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The first line, from 1.
    pub line: usize,
    pub lines: usize,
    /// Index of the fragment.
    pub fragment: usize,
}

/// A message of the C compiler about the linked function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerNote {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub text: String,
}

/// The fragment, with each message under its line.
pub(crate) fn annotated(fragment: &Fragment, notes: &[(usize, &str)]) -> String {
    let mut out = format!("{}:\n", fragment.title());
    let width = fragment.text.lines().count().to_string().len();
    for (index, line) in fragment.text.lines().enumerate() {
        out.push_str(&format!("  {:>width$} | {line}\n", index + 1));
        for (_, text) in notes.iter().filter(|(at, _)| *at == index) {
            out.push_str(&format!("  {:>width$} ^ {text}\n", ""));
        }
    }
    out
}

/// The number of unclosed braces; those in comments, strings and characters do not count.
pub(crate) fn open_braces(text: &str) -> i32 {
    let mut open = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            '"' | '\'' => {
                while let Some(inner) = chars.next().filter(|inner| *inner != c) {
                    if inner == '\\' {
                        chars.next();
                    }
                }
            }
            '/' if chars.peek() == Some(&'/') => {
                chars.by_ref().find(|c| *c == '\n');
            }
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut last = ' ';
                chars.by_ref().find(|c| std::mem::replace(&mut last, *c) == '*' && *c == '/');
            }
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::open_braces;

    #[test]
    fn braces() {
        assert_eq!(open_braces("if (a) { b(); }"), 0);
        assert_eq!(open_braces("if (a) { /* } */ b(\"}\"); c = '}'; // }\n"), 1);
        assert_eq!(open_braces("} '\\'' /**/"), -1);
    }
}
