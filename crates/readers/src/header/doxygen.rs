//! Doxygen's commands in documentation comments.
//!
//! Purpose: `@param`, `\return` and their like as sentences that a reader of a docstring expects.
//! Invariant: text without commands stays as it is; no command is left in what has them.
//! Reason: a docstring is read by people and by Python's tools, which know nothing of Doxygen.

/// Commands that say what documentation is of, or who wrote it when: nothing of this is for a caller.
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

/// Markers around code that stays as it is.
const MARKERS: &[&str] = &["code", "endcode", "verbatim", "endverbatim", "rst", "endrst", "n", "f"];

/// What stands in front of the paragraph of a command.
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

/// The text with what its commands mean in their place.
pub(crate) fn without_commands(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut is_dropped = false;
    let mut list = None;
    for line in text.lines() {
        let Some((command, rest)) = command(line.trim_start()) else {
            let line = inline(line);
            // What goes on below a command belongs to it up to an empty line.
            is_dropped &= !line.trim().is_empty();
            if is_dropped {
                continue;
            }
            let is_item = list.is_some() && !line.trim().is_empty();
            list = list.filter(|_| is_item);
            out.push(if is_item { format!("  {}", line.trim()) } else { line });
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
        if is_new
            && out.last().is_some_and(|line| !line.trim().is_empty())
            && !MARKERS.contains(&command)
        {
            out.push(String::new());
        }
        list = now;
        match (command, title(command)) {
            ("param" | "tparam", _) => out.push(parameter(rest)),
            ("retval", _) => {
                let (value, means) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                out.push(format!("Returns `{value}`: {}", means.trim()));
            }
            (_, Some(title)) => out.push(format!("{title}{rest}")),
            _ if rest.is_empty() => {}
            _ => out.push(rest.to_owned()),
        }
    }
    let joined = out.join("\n");
    let mut text = joined.trim().to_owned();
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text
}

/// The command that a line begins with, and the rest of the line.
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

/// `x the values`, also with `[in]` before it.
fn parameter(rest: &str) -> String {
    let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest.trim_start(),
        None => rest,
    };
    let (name, means) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let means = means.trim().trim_start_matches([':', '-']).trim_start();
    format!("- `{}`: {means}", name.trim_end_matches([':', ',']))
}

/// Commands inside of a line, such as `@p x`, of which the words stay.
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
    use super::without_commands;

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
            assert_eq!(without_commands(text), plain, "{text}");
        }
    }
}
