//! Explanations of diagnostics: the sections of `docs/diagnostics.md`.
//!
//! Purpose: to explain a code without a browser and a checkout.
//! Invariant: every code has a page, whose examples are tested.
//! Reason: one source; a second text would differ from the document one day.

use fishplate_model::Code;

const DOCUMENT: &str = include_str!("../../../docs/diagnostics.md");

/// The explanation of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagnosticPage {
    /// The code and its title, as the heading has them: `FP0303: an undefined name in an expression`.
    pub heading: &'static str,
    /// Markdown, with links relative to `docs`: an explanation, an example and its remedy.
    pub text: &'static str,
}

/// All pages, in the order of the codes.
pub fn diagnostic_pages() -> impl Iterator<Item = DiagnosticPage> {
    let sections = DOCUMENT.split("\n## ").skip(1);
    sections.map(|section| {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        DiagnosticPage { heading, text: text.trim() }
    })
}

/// The page of a code, written as in `FP0303`.
///
/// # Errors
///
/// The code that is most like this one, where it is not a code.
pub fn diagnostic_page(id: &str) -> Result<DiagnosticPage, Code> {
    let of = |id: &str| diagnostic_pages().find(|page| page.heading.starts_with(&format!("{id}:")));
    of(id).ok_or_else(|| nearest(id))
}

/// One of the same subject, if there are any; mistyped digits count more than how far apart two codes are.
fn nearest(id: &str) -> Code {
    let subject = |id: &str| id.get(..4).map(str::to_owned);
    let number = |id: &str| id.trim_start_matches("FP").parse().unwrap_or(u64::MAX);
    let unlikeness = |code: &&Code| {
        let is_of_another = subject(id) != subject(code.id);
        let typed = strsim::osa_distance(id, code.id);
        (is_of_another, typed, number(id).abs_diff(number(code.id)))
    };
    *Code::ALL.iter().min_by_key(unlikeness).unwrap_or(&Code::TOML_SYNTAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_do_not_exist_are_near_to_others() {
        for (mistyped, meant) in [
            ("FP303", "FP0303"),
            ("FP0033", "FP0303"),
            ("FP03013", "FP0313"),
            ("FP0319", "FP0316"),
            ("FP0599", "FP0505"),
            ("FP99999999999999999999", "FP0609"),
        ] {
            let nearest = diagnostic_page(mistyped).expect_err(mistyped);
            assert_eq!(nearest.id, meant, "{mistyped}");
        }
    }
}
