//! Statements of Fortran in free and in fixed form.
//!
//! Purpose: statements in lower case, without comments and continuations, each with its line, and the comment above it.
//! Invariant: text in quotes keeps its case; no text causes a panic.
//! Reason: Fortran has no difference between cases, so everything else compares plain text.

/// A statement.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Statement {
    pub text: String,
    /// The number of its first line.
    pub line: usize,
    /// The comment directly above.
    pub comment: String,
}

/// The statements of a file.
pub(super) fn statements(text: &str, is_fixed: bool) -> Vec<Statement> {
    let mut found: Vec<Statement> = Vec::new();
    let mut comment = String::new();
    let mut continues = false;
    for (index, raw) in text.lines().enumerate() {
        let is_comment = is_fixed && raw.starts_with(['c', 'C', '*', 'd', 'D']);
        let (code, remark) = if is_comment { ("", Some(&raw[1..])) } else { divide(raw) };
        // Columns 1 to 5 are a label, and column 6 marks a continuation.
        let marked = is_fixed
            && code.get(..5).is_some_and(|label| {
                label.trim().is_empty()
                    && code[5..].starts_with(|c: char| !" 0".contains(c) && c.is_ascii())
            });
        let code = if marked { &code[6..] } else { code };
        let line = code.trim();
        if line.is_empty() {
            match remark {
                Some(remark) if !continues => {
                    let remark = remark.trim_start_matches(['!', '>', '<', '*']).trim();
                    comment.push_str(remark);
                    comment.push('\n');
                }
                None => comment.clear(),
                Some(_) => {}
            }
            continue;
        }
        let (line, goes_on) = match line.strip_suffix('&') {
            Some(line) if !is_fixed => (line.trim_end(), true),
            _ => (line, false),
        };
        if continues || marked {
            if let Some(last) = found.last_mut() {
                match line.strip_prefix('&') {
                    // A `&` at the beginning continues within a word.
                    Some(rest) if !is_fixed => last.text.push_str(&lower(rest)),
                    _ => last.text.push_str(&format!(" {}", lower(line))),
                }
            }
        } else {
            for part in line.split(';').map(str::trim).filter(|part| !part.is_empty()) {
                let comment = std::mem::take(&mut comment);
                found.push(Statement { text: lower(part), line: index + 1, comment });
            }
        }
        comment.clear();
        continues = goes_on;
    }
    found
}

/// A line up to its `!`, and the comment.
fn divide(line: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '!') => return (&line[..at], Some(&line[at + 1..])),
            _ => {}
        }
    }
    (line, None)
}

/// In lower case, except in quotes.
fn lower(text: &str) -> String {
    let mut quote = None;
    let change = |c: char| {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            _ => {}
        }
        if quote.is_some() { c } else { c.to_ascii_lowercase() }
    };
    text.chars().map(change).collect()
}
