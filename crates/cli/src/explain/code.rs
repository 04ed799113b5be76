//! The page of a diagnostic, for a terminal.

use crate::report;
use fishplate_driver::{DiagnosticPage, diagnostic_page};
use regex::{Captures, Regex};
use serde_json::json;

/// Prints the page of a code.
pub(super) fn explain(code: &str, as_json: bool) -> bool {
    let page = diagnostic_page(code).map_err(|nearest| {
        format!("unknown diagnostic {code}; did you mean {nearest}: {}?", nearest.title)
    });
    match (&page, as_json) {
        (Ok(page), false) => print!("{}", plain(page)),
        (Err(problem), false) => anstream::eprintln!("error: {problem}"),
        (Ok(DiagnosticPage { heading, text }), true) => report::print_json(
            &json!({"ok": true, "diagnostics": [], "heading": heading, "text": text}),
        ),
        (Err(problem), true) => {
            report::print_json(&json!({"ok": false, "diagnostics": [], "error": problem}));
        }
    }
    page.is_ok()
}

/// Markdown as people write mails: examples are indented, and the address of a link follows its words.
fn plain(page: &DiagnosticPage) -> String {
    let mut parts = vec![page.heading.to_owned()];
    for (index, part) in page.text.split("```").enumerate() {
        let is_example = index % 2 == 1;
        parts.push(match part.split_once('\n') {
            // The language of an example is on the line of its fence.
            Some((_language, example)) if is_example => indented(example.trim_end()),
            _ => linked(part.trim()),
        });
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n") + "\n"
}

fn indented(example: &str) -> String {
    let lines = example.lines().map(|line| match line {
        "" => String::new(),
        line => format!("    {line}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// `[words](address)` as `words (address)`; pages of the documentation are in `docs`.
fn linked(text: &str) -> String {
    let Ok(link) = Regex::new(r"\[([^\]]+)\]\(([^)\s]+)\)") else { return text.to_owned() };
    let followed = |link: &Captures| {
        let (words, address) = (&link[1], &link[2]);
        match address.split('#').next() {
            Some(page) if !address.contains("://") => format!("{words} (docs/{page})"),
            _ => format!("{words} ({address})"),
        }
    };
    link.replace_all(text, followed).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_plain_text() {
        let text = "It is not [a](x/y.md#z), but [the\nb](https://b.test/c#d).\n\n\
                    ```toml\n# wrong.toml\n[f]\n\nproto = \"g[n](x)\"\n```\n\nMore.";
        let page = DiagnosticPage { heading: "FP0001: a mistake", text };
        let expected = "FP0001: a mistake\n\n\
                        It is not a (docs/x/y.md), but the\nb (https://b.test/c#d).\n\n    \
                        # wrong.toml\n    [f]\n\n    proto = \"g[n](x)\"\n\nMore.\n";
        assert_eq!(plain(&page), expected);
    }

    #[test]
    fn no_page_has_markdown_that_is_not_understood() {
        let mut pages = 0;
        for page in fishplate_driver::diagnostic_pages() {
            let text = plain(&page);
            assert!(!text.contains("```") && !text.contains(".md#"), "{text}");
            pages += 1;
        }
        assert!(pages > 50, "only {pages} pages");
    }
}
