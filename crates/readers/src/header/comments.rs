//! Documentation comments.
//!
//! Purpose: find `/** ... */` or `///` lines directly above a declaration, or on its line; for
//! drafts, plain comments too.
//! Invariant: licences, rulers, code that is commented out and titles above several declarations
//! are not documentation.
//! Reason: documentation comments are the convention of every C documentation tool; most headers of
//! small projects have plain ones, and a person reviews a draft.

use super::doxygen::Documentation;

/// The documentation of the declaration in the line of this byte.
pub(crate) fn above(text: &str, at: usize) -> Option<Documentation> {
    let before = text.get(..at)?;
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let own = text[line..].lines().next().unwrap_or_default();
    documentation(text, line).or_else(|| on_line(own, &["/**", "/*!"]))
}

/// The same; without documentation, a plain comment there.
pub fn near(text: &str, at: usize) -> Option<Documentation> {
    let before = text.get(..at)?;
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let own = text[line..].lines().next().unwrap_or_default();
    above(text, at)
        .or_else(|| on_line(own, &["/*"]))
        .or_else(|| plain(text, line).filter(|_| !heads_several(&text[line..])))
}

/// The comment at the beginning of a line, before the declaration, or the `/**<` or `///<` at its
/// end.
fn on_line(line: &str, marks: &[&str]) -> Option<Documentation> {
    let line = line.trim();
    let mark = marks.iter().find(|mark| line.starts_with(**mark));
    if let Some((inside, rest)) = mark.and_then(|mark| line[mark.len()..].split_once("*/")) {
        let text = tidy(&[inside.trim_start_matches('*')]);
        return (!rest.trim().is_empty() && is_sentence(&text.text())).then_some(text);
    }
    let (_, behind) = line.split_once("/**<").or_else(|| line.split_once("///<"))?;
    let text = tidy(&[behind.split("*/").next().unwrap_or_default()]);
    is_sentence(&text.text()).then_some(text)
}

/// The plain comment directly above a line.
fn plain(text: &str, line: usize) -> Option<Documentation> {
    let before = text[..line].strip_suffix('\n')?.trim_end_matches([' ', '\t', '\r']);
    let lines: Vec<&str> = match before.strip_suffix("*/") {
        Some(inside) => {
            let start = inside.rfind("/*")?;
            // After a declaration, the comment belongs to it.
            let own = inside[..start].rsplit('\n').next().unwrap_or_default();
            if !own.trim().is_empty() {
                return None;
            }
            without_stars(&inside[start + 2..])
        }
        None => {
            let rest = before.lines().rev().map(str::trim_start);
            let mut lines: Vec<&str> = rest.map_while(|line| line.strip_prefix("//")).collect();
            lines.reverse();
            lines
        }
    };
    let text = tidy(&lines);
    is_sentence(&text.text()).then_some(text)
}

/// Prose: not a licence, a ruler, or C.
fn is_sentence(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_ruler =
        |line: &str| ["---", "===", "***", "___", "###"].iter().any(|rule| line.contains(rule));
    text.contains(char::is_alphabetic)
        && !["copyright", "licen", "spdx", "#if", "#endif", "eslint", "clang-format"]
            .iter()
            .any(|word| lower.contains(word))
        && !lower.lines().any(is_ruler)
        && !text.trim_end().ends_with([';', '{', '}'])
}

/// The declaration at the beginning of `text` is followed by another without its own comment.
fn heads_several(text: &str) -> bool {
    let Some((_, rest)) = text.split_once(';') else { return false };
    let mut lines = rest.lines().skip(1).map(str::trim);
    let next = lines.next().unwrap_or_default();
    next.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) && rest.contains(';')
}

/// The documentation comment directly above a line.
fn documentation(text: &str, line: usize) -> Option<Documentation> {
    let before = text[..line].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n').unwrap_or(before).trim_end_matches([' ', '\t', '\r']);
    let lines = match before.strip_suffix("*/") {
        Some(inside) => block(inside)?,
        None => line_comments(before),
    };
    let documentation = tidy(&lines);
    (!documentation.text().is_empty()).then_some(documentation)
}

/// The lines of `/** ...`, if the comment that ends here is one.
fn block(inside: &str) -> Option<Vec<&str>> {
    let start = inside.rfind("/*")?;
    let body = inside[start + 2..].strip_prefix(['*', '!'])?;
    // `/***** a ruler`
    if body.starts_with('*') {
        return None;
    }
    Some(without_stars(body))
}

/// The lines of a block comment, without their leaders.
fn without_stars(body: &str) -> Vec<&str> {
    let star = |line: &str| {
        let trimmed = line.trim_start();
        let body = trimmed.strip_prefix('*').unwrap_or(trimmed);
        // `** of x`; emphasis has no space.
        let body = body.strip_prefix('*').filter(|rest| rest.starts_with(' ')).unwrap_or(body);
        line.len() - body.len()
    };
    body.lines().map(|line| &line[star(line)..]).collect()
}

/// The `///` lines at the end of `text`.
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

/// Without common indentation, empty lines around it, and Doxygen's commands.
fn tidy(lines: &[&str]) -> Documentation {
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
    Documentation::read(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(comment: &str) -> Option<String> {
        let text = format!("int before;\n{comment}\nint f(void);");
        above(&text, text.find("int f").unwrap()).map(|found| found.text())
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
        assert!(above("é", 1).is_none());
        assert!(above("int f;", 0).is_none());
    }

    #[test]
    fn plain_comments_of_first_interfaces() {
        let of = |text: &str| near(text, text.find("int f").unwrap()).map(|found| found.text());
        for (text, comment) in [
            ("\n/* Mean\n * of x. */\nint f(void);", Some("Mean\nof x.")),
            ("\n/* Mean\n** of x.\n*/\nint f(void);", Some("Mean\nof x.")),
            ("\n// Mean\n// of x.\nint f(void);\n", Some("Mean\nof x.")),
            ("/** Mean. */ int f(void);", Some("Mean.")),
            ("/* Mean. */ int f(void);", Some("Mean.")),
            ("int f(void); /**< Mean. */", Some("Mean.")),
            ("\n/* Means */\nint f(void);\nint g(void);\n", None),
            ("\n/* Means */\nint f(void);\n\nint g(void);\n", Some("Means")),
            ("\n/* Copyright me */\nint f(void);", None),
            ("\n/* --- Means --- */\nint f(void);", None),
            ("\n/* int e(void); */\nint f(void);", None),
            ("int e(void); /* of e */\nint f(void);", None),
        ] {
            assert_eq!(of(text).as_deref(), comment, "{text}");
        }
        let above = above("/** Mean. */ int f(void);", 13).map(|found| found.text());
        assert_eq!(above.as_deref(), Some("Mean."));
    }
}
