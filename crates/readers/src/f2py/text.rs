//! Statements, words and lists in the text of a signature file.
//!
//! Purpose: lines without comments and continuations, and the few operations on expressions that
//! the other modules share.
//! Invariant: brackets and strings are respected; no text causes a panic.
//! Reason: expressions of signature files are C, so they are copied rather than parsed: only their
//! words have to be found.

/// A statement, and the number of its first line.
pub(super) struct Statement {
    pub text: String,
    pub line: usize,
}

/// The statements of a file. Text in `'''` is part of its statement, with the line ends.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut continues = false;
    let mut quoted = false;
    for (index, raw) in text.lines().enumerate() {
        if quoted {
            let Some(last) = found.last_mut() else { continue };
            last.text.push('\n');
            last.text.push_str(raw);
            quoted = !raw.contains("'''");
            continue;
        }
        if let Some(at) = raw.find("'''") {
            let opens = !raw[at + 3..].contains("'''");
            found.push(Statement { text: raw.trim().to_owned(), line: index + 1 });
            (quoted, continues) = (opens, false);
            continue;
        }
        let line = without_comment(raw).trim();
        if line.is_empty() {
            continue;
        }
        let (line, goes_on) = match line.strip_suffix('&') {
            Some(line) => (line.trim_end(), true),
            None => (line, false),
        };
        match found.last_mut().filter(|_| continues) {
            // A `&` at the beginning continues within a word.
            Some(last) => match line.strip_prefix('&') {
                Some(rest) => last.text.push_str(rest),
                None => {
                    last.text.push(' ');
                    last.text.push_str(line);
                }
            },
            None => found.push(Statement { text: line.to_owned(), line: index + 1 }),
        }
        continues = goes_on;
    }
    found
}

/// The line up to its `!`. `!=` is an operator of the expressions in `check(...)`.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let bytes = line.as_bytes();
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '!') if bytes.get(at + 1) != Some(&b'=') => return &line[..at],
            _ => {}
        }
    }
    // An apostrophe in the words after a `!`, or a lone one, is not a string.
    if quote.is_some() { line.split('!').next().unwrap_or(line) } else { line }
}

/// The parts between separators that are in no brackets or strings.
pub(crate) fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, _) if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// `(inside) rest`: the text in the brackets with which `text` begins, and the rest.
pub(crate) fn brackets(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if !text.starts_with('(') {
        return None;
    }
    let (mut depth, mut quote) = (0i32, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    return Some((text[1..at].trim(), &text[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// The size after the name of a Fortran type, and the rest: `(kind=8)`, `*8` and `*(*)` without their brackets.
pub(crate) fn type_size(text: &str) -> (Option<&str>, &str) {
    let text = text.trim_start();
    let (size, is_bytes) = match text.strip_prefix('*') {
        Some(size) => (size.trim_start(), true),
        None => (text, false),
    };
    match brackets(size) {
        Some((inside, rest)) => (Some(inside), rest),
        None if is_bytes => {
            let end = size.find(|c: char| !c.is_ascii_digit()).unwrap_or(size.len());
            (Some(&size[..end]), &size[end..])
        }
        None => (None, text),
    }
}

/// The name with which `text` begins, and the rest.
pub(crate) fn name(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts.then(|| text.split_at(end))
}

/// The text after a keyword.
pub(crate) fn after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    name(text).filter(|(first, _)| first.eq_ignore_ascii_case(word)).map(|(_, rest)| rest)
}

pub(crate) fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The replacement of a word, and the number of the bytes after the word that it replaces too.
pub(crate) type Replaced = (String, usize);

/// The text with other words: `change` sees each word and what follows it.
pub(crate) fn replace(
    text: &str,
    change: &mut dyn FnMut(&str, &str) -> Option<Replaced>,
) -> String {
    let mut out = String::new();
    let mut at = 0;
    let mut quote: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        let is_word = quote.is_none() && (c.is_ascii_alphabetic() || c == '_');
        let is_number = quote.is_none() && c.is_ascii_digit();
        if !is_word && !is_number {
            match quote {
                Some(open) if open == c => quote = None,
                None if matches!(c, '\'' | '"') => quote = Some(c),
                _ => {}
            }
            out.push(c);
            at += c.len_utf8();
            continue;
        }
        let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |length| at + length);
        let word = &text[at..end];
        match change(word, &text[end..]).filter(|_| is_word) {
            Some((other, more)) => {
                out.push_str(&other);
                at = end + more;
            }
            None => {
                out.push_str(word);
                at = end;
            }
        }
    }
    out
}

/// The words of an expression.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    replace(text, &mut |word, _| {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            found.push(word.to_owned());
        }
        None
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_no_comments_and_continuations() {
        let text = "a ! it's b\n\nc(1!=2 &\n  &3) ! d\nusercode '''\n! kept\n'''\nlast & \n";
        let found: Vec<(String, usize)> =
            statements(text).into_iter().map(|one| (one.text, one.line)).collect();
        let expected = [("a", 1), ("c(1!=23)", 3), ("usercode '''\n! kept\n'''", 5), ("last", 8)];
        assert_eq!(found, expected.map(|(text, line)| (text.to_owned(), line)));
    }

    #[test]
    fn lists_and_brackets_nest() {
        assert_eq!(split("a(1,2), ',', b", ','), ["a(1,2)", "','", "b"]);
        assert_eq!(brackets(" (a(')')) rest"), Some(("a(')')", " rest")));
        assert_eq!(brackets("(a"), None);
        assert_eq!(words("len(x) + 2e3*\"no\""), ["len", "x"]);
    }
}
