//! Doxygen's commands in documentation comments.
//!
//! Purpose: translate `@param` and `\return` to descriptions of parameters and of the result, and
//! other commands to sentences as in docstrings.
//! Invariant: documentation without commands is unchanged; otherwise no command is left.
//! Reason: people and Python's tools read docstrings, and neither interprets Doxygen.

/// Commands about the subject of the documentation, its authors or dates: irrelevant for a caller.
const DROPPED: &[&str] = &[
    "file",
    "fn",
    "def",
    "struct",
    "union",
    "enum",
    "var",
    "typedef",
    "author",
    "authors",
    "date",
    "copyright",
    "version",
    "since",
    "ingroup",
    "addtogroup",
    "defgroup",
    "weakgroup",
    "name",
    "internal",
    "endinternal",
    "endcond",
    "cond",
    "private",
    "public",
    "memberof",
    "relates",
    "headerfile",
    "todo",
    "bug",
    "test",
    "nosubgrouping",
    "hideinitializer",
    "callgraph",
    "anchor",
    "section",
    "subsection",
];

/// Markers around code that is left unchanged.
const MARKERS: &[&str] = &["code", "endcode", "verbatim", "endverbatim", "rst", "endrst", "n", "f"];

/// The prefix for the paragraph of a command.
fn title(command: &str) -> Option<&'static str> {
    Some(match command {
        "brief" | "short" | "details" | "par" | "remark" | "remarks" | "li" | "arg" => "",
        "return" | "returns" | "result" => "Returns: ",
        "note" => "Note: ",
        "warning" | "attention" | "important" => "Warning: ",
        "pre" => "Before the call: ",
        "post" => "After the call: ",
        "see" | "sa" => "See also: ",
        "deprecated" => "Deprecated: ",
        _ => return None,
    })
}

/// The content of a comment.
#[derive(Clone, Debug, Default)]
pub struct Documentation {
    lines: Vec<Line>,
    /// The parameters that the function only sets: `@param[out] x`.
    outputs: Vec<String>,
}

/// A line of it.
#[derive(Clone, Debug, Default)]
struct Line {
    /// The parameter that it describes; `result` for the result of the function.
    of: Option<String>,
    /// The line in the documentation.
    text: String,
    /// The line in a description.
    description: String,
}

/// The key of a description of the result.
const RESULT: &str = "result";

impl Documentation {
    /// Parses a comment and replaces its commands by their meaning.
    pub(crate) fn read(text: &str) -> Self {
        let mut documentation = Documentation::default();
        let mut is_dropped = false;
        let mut list = None;
        let mut of: Option<String> = None;
        let is_frame =
            |line: &&str| line.trim().len() > 3 && line.trim().bytes().all(|c| c == b'*');
        for line in text.lines().filter(|line| !is_frame(line)) {
            let Some((command, rest)) = command(line.trim_start()) else {
                let line = inline(line);
                // The lines below a command belong to it up to an empty line.
                is_dropped &= !line.trim().is_empty();
                if is_dropped {
                    continue;
                }
                let is_item = list.is_some() && !line.trim().is_empty();
                list = list.filter(|_| is_item);
                of = of.filter(|_| !line.trim().is_empty());
                let description = line.trim().to_owned();
                let text = if is_item { format!("  {description}") } else { line };
                documentation.lines.push(Line { of: of.clone(), text, description });
                continue;
            };
            is_dropped = DROPPED.contains(&command);
            let rest = inline(rest);
            let rest = rest.trim();
            if is_dropped || matches!(command, "{" | "}") {
                continue;
            }
            let now = match command {
                "param" | "tparam" | "retval" => Some(command),
                _ => None,
            };
            let is_new = now.is_none() || now != list;
            list = now;
            if is_new && !MARKERS.contains(&command) {
                documentation.begin_paragraph();
            }
            of = None;
            let (text, description) = match (command, title(command)) {
                ("param" | "tparam", _) => {
                    let (name, means) = parameter(rest);
                    of = Some(name.to_owned());
                    if rest.starts_with("[out]") {
                        documentation.outputs.push(name.to_owned());
                    }
                    (format!("- `{name}`: {means}"), means.to_owned())
                }
                ("retval", _) => {
                    let (value, means) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                    of = Some(RESULT.to_owned());
                    let means = means.trim();
                    (format!("Returns `{value}`: {means}"), format!("`{value}`: {means}"))
                }
                (_, Some(title)) => {
                    of = (title == "Returns: ").then(|| RESULT.to_owned());
                    (format!("{title}{rest}"), rest.to_owned())
                }
                _ if rest.is_empty() => continue,
                _ => (rest.to_owned(), rest.to_owned()),
            };
            documentation.lines.push(Line { of: of.clone(), text, description });
        }
        documentation
    }

    fn begin_paragraph(&mut self) {
        if self.lines.last().is_some_and(|line| !line.text.trim().is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// The parameters that the function only sets.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The whole documentation.
    pub fn text(&self) -> String {
        joined(self.lines.iter().map(|line| line.text.as_str()))
    }

    /// The descriptions for these names, and the rest.
    pub fn split(&self, names: &[&str]) -> (String, Vec<(String, String)>) {
        let mut descriptions: Vec<(String, String)> = Vec::new();
        let mut others: Vec<&str> = Vec::new();
        for line in &self.lines {
            let Some(name) = line.of.as_ref().filter(|name| names.contains(&name.as_str())) else {
                others.push(&line.text);
                continue;
            };
            match descriptions.iter_mut().find(|(known, _)| known == name) {
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&line.description);
                }
                None => descriptions.push((name.clone(), line.description.clone())),
            }
        }
        descriptions.retain(|(_, text)| !text.trim().is_empty());
        (joined(others.into_iter()), descriptions)
    }
}

/// Lines without repeated empty ones, and without empty ones at the ends.
fn joined<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let joined = lines.collect::<Vec<_>>().join("\n");
    let mut text = joined.trim().to_owned();
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text
}

/// The command at the beginning of a line, and the rest of the line.
fn command(line: &str) -> Option<(&str, &str)> {
    let body = line.strip_prefix(['@', '\\'])?;
    if body.starts_with(['{', '}']) {
        return Some((&body[..1], &body[1..]));
    }
    let end = body.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(body.len());
    let (name, rest) = body.split_at(end);
    let is_known = title(name).is_some()
        || DROPPED.contains(&name)
        || MARKERS.contains(&name)
        || matches!(name, "param" | "tparam" | "retval");
    is_known.then_some((name, rest))
}

/// `x the values`, possibly with `[in]` before it: the name and the description.
fn parameter(rest: &str) -> (&str, &str) {
    let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest.trim_start(),
        None => rest,
    };
    let (name, means) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let means = means.trim().trim_start_matches([':', '-']).trim_start();
    (name.trim_end_matches([':', ',']), means)
}

/// Commands inside of a line, such as `@p x`, of which the words are retained.
fn inline(line: &str) -> String {
    if !line.contains(['@', '\\']) {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut is_quoted = false;
    for piece in line.split_inclusive(' ') {
        let bare = piece.trim_end();
        let word = bare.trim_start_matches(['(', '"']);
        let before = &bare[..bare.len() - word.len()];
        match word.strip_prefix(['@', '\\']) {
            Some("p" | "a" | "c" | "e" | "em" | "b") if bare.len() < piece.len() => {
                out.push_str(before);
                is_quoted = true;
                continue;
            }
            Some("ref" | "link" | "copydoc" | "n") => continue,
            Some("endlink") => continue,
            _ => {}
        }
        if std::mem::take(&mut is_quoted) {
            let end = bare.trim_end_matches(['.', ',', ';', ':', ')']).len();
            out.push_str(&format!("`{}`{}", &bare[..end], &piece[end..]));
        } else {
            out.push_str(piece);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Documentation;

    #[test]
    fn commands_become_sentences() {
        for (text, plain) in [
            ("Mean of x.", "Mean of x."),
            (
                "@brief Mean.\n\n@param[in] x the values\n@param n how many,\n  at least 1\n@return The mean.",
                "Mean.\n\n- `x`: the values\n- `n`: how many,\n  at least 1\n\nReturns: The mean.",
            ),
            (
                "Mean of \\p x, see @ref median.\n\\note Slow.",
                "Mean of `x`, see median.\n\nNote: Slow.",
            ),
            ("@file a.h\n@author me\n\nText with a@b.c and \\0.", "Text with a@b.c and \\0."),
            (
                "Opens.\n@retval 0 fine\n@retval -1 not",
                "Opens.\n\nReturns `0`: fine\nReturns `-1`: not",
            ),
            ("@{", ""),
        ] {
            assert_eq!(Documentation::read(text).text(), plain, "{text}");
        }
    }

    #[test]
    fn parameters_are_described() {
        let documentation = Documentation::read(
            "Scales.\n\n@param[in,out] x the values,\n   all of them\n@param by a factor\n@param y not there\n\
             @return how many\n@retval 0 none\n\nSlow.",
        );
        let (text, descriptions) = documentation.split(&["x", "by", "result"]);
        assert_eq!(text, "Scales.\n\n- `y`: not there\n\nSlow.");
        let described = [
            ("x", "the values,\nall of them"),
            ("by", "a factor"),
            ("result", "how many\n`0`: none"),
        ];
        assert_eq!(descriptions, described.map(|(name, text)| (name.to_owned(), text.to_owned())));
        let (text, descriptions) = documentation.split(&[]);
        assert_eq!((text, descriptions), (documentation.text(), Vec::new()));
    }
}
