//! Documentation comments.
//!
//! Purpose: the text of `/** ... */` or of `///` lines directly above a declaration.
//! Invariant: a plain comment documents nothing.
//! Reason: it is the convention of every C documentation tool, and a licence above the first
//! declaration must not become a docstring.

/// The documentation above the line that begins at or around this byte of the text.
pub(crate) fn above(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let before = text[..line].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n').unwrap_or(before).trim_end_matches([' ', '\t', '\r']);
    let lines = match before.strip_suffix("*/") {
        Some(inside) => block(inside)?,
        None => line_comments(before),
    };
    let documentation = tidy(&lines);
    (!documentation.is_empty()).then_some(documentation)
}

/// The lines of `/** ...`, if the comment that ends here is such a one.
fn block(inside: &str) -> Option<Vec<&str>> {
    let start = inside.rfind("/*")?;
    let body = inside[start + 2..].strip_prefix(['*', '!'])?;
    // `/***** a ruler`
    if body.starts_with('*') {
        return None;
    }
    let without_star = |line: &'_ str| -> usize {
        let trimmed = line.trim_start();
        let rest = trimmed.strip_prefix('*').unwrap_or(trimmed);
        line.len() - rest.len()
    };
    Some(body.lines().map(|line| &line[without_star(line)..]).collect())
}

/// The `///` lines at the end of the text.
fn line_comments(before: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in before.lines().rev() {
        let line = line.trim_start();
        let body = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        match body {
            Some(body) if !body.starts_with('/') => lines.push(body),
            _ => break,
        }
    }
    lines.reverse();
    lines
}

/// Without common indentation, empty lines around it, and Doxygen's mark of a first sentence.
fn tidy(lines: &[&str]) -> String {
    let indented = lines.iter().skip(1).filter(|line| !line.trim().is_empty());
    let indent = indented.map(|line| line.len() - line.trim_start_matches(' ').len()).min();
    let mut out: Vec<&str> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let line = if index == 0 {
            line.trim_start()
        } else {
            &line[indent.unwrap_or(0).min(line.len() - line.trim_start_matches(' ').len())..]
        };
        out.push(line.trim_end());
    }
    let text = out.join("\n");
    let text = text.trim();
    let text = text.strip_prefix("@brief").or_else(|| text.strip_prefix("\\brief")).unwrap_or(text);
    text.trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(comment: &str) -> Option<String> {
        let text = format!("int before;\n{comment}\nint f(void);");
        above(&text, text.find("int f").unwrap())
    }

    #[test]
    fn blocks_and_lines() {
        assert_eq!(of("/** Mean of `x`. */").unwrap(), "Mean of `x`.");
        assert_eq!(of("/**\n * Mean\n *\n *   of é.\n */").unwrap(), "Mean\n\n  of é.");
        assert_eq!(of("/*! \\brief Mean.\n    More. */").unwrap(), "Mean.\nMore.");
        assert_eq!(of("  /// Mean\n  /// of x.").unwrap(), "Mean\nof x.");
    }

    #[test]
    fn plain_comments_are_none() {
        for comment in
            ["/* Mean. */", "// Mean.", "/*** ruler ***/", "//// ruler", "", "*/", "/** Mean. */\n"]
        {
            assert_eq!(of(comment), None, "{comment}");
        }
        assert_eq!(above("é", 1), None);
        assert_eq!(above("int f;", 0), None);
    }
}
