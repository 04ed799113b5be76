//! `docs/diagnostics.md` and the codes match.
//!
//! Every code has a section under its own title, in order; if `fishplate check` reports it, the
//! section's `wrong.toml` causes that code and no other, and its `right.toml` none; likewise
//! `wrong.h` and `wrong.cfg`.

mod support;

use fishplate_driver::{check_file, diagnostic_page, diagnostic_pages};
use fishplate_host_python::Python;
use fishplate_model::Code;
use std::fs;

/// The codes that `check` reports for the example with this name, in whichever language it is;
/// `None` if there is no example.
fn codes_in(section: &str, name: &str) -> Option<Vec<Code>> {
    let find = |file: &str, language: &str, comment: &str| {
        let from = section.split_once(&format!("```{language}\n{comment} {file}\n"))?.1;
        Some(from.split_once("\n```")?.0.to_owned())
    };
    let languages = [
        ("toml", "toml", "#", "[module]\nname = \"stats\"\n\n"),
        ("cfg", "ini", "#", "[MODULE stats]\nellipses: none\n\n"),
        ("h", "c", "//", ""),
    ];
    let (name, example, module) =
        languages.into_iter().find_map(|(ending, language, comment, module)| {
            let file = format!("{name}.{ending}");
            find(&file, language, comment).map(|example| (file, example, module))
        })?;
    let has_module = example.to_lowercase().contains("[module");
    let module = if has_module { "" } else { module };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(&name);
    fs::write(folder.path().join("stats.c"), "").expect("a writable folder");
    fs::write(&path, format!("{module}{example}\n")).expect("a writable folder");
    let report = check_file(&path, &Python);
    Some(report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
}

#[test]
fn every_code_is_documented_under_its_title() {
    let headings: Vec<&str> = diagnostic_pages().map(|page| page.heading).collect();
    let codes: Vec<String> =
        Code::ALL.iter().map(|code| format!("{}: {}", code.id, code.title)).collect();
    assert_eq!(headings, codes);
    for code in Code::ALL {
        let page = diagnostic_page(code.id).unwrap_or_else(|_| panic!("{code} has no page"));
        assert!(page.heading.starts_with(code.id) && !page.text.is_empty(), "{code}");
    }
}

/// Codes about the machine, about a user's sources, or of `convert` alone.
const NOT_OF_THE_INTERFACE: [Code; 4] =
    [Code::ENVIRONMENT, Code::C_WARNING, Code::NEW_FUNCTIONS, Code::LEFT_OUT];

#[test]
fn examples_are_wrong_and_right_as_they_say() {
    for (page, code) in diagnostic_pages().zip(Code::ALL) {
        let heading = page.heading;
        let (wrong, right) = (codes_in(page.text, "wrong"), codes_in(page.text, "right"));
        if NOT_OF_THE_INTERFACE.contains(code) {
            assert_eq!((wrong, right), (None, None), "{heading}: no interface leads to it");
            continue;
        }
        let mut wrong = wrong.unwrap_or_else(|| panic!("{heading}: there is no wrong example"));
        wrong.dedup();
        if !code.id.starts_with("FP05") {
            assert_eq!(wrong, [*code], "{heading}: the wrong example");
        } else {
            assert_eq!(wrong, [], "{heading}: only a build finds it");
        }
        assert_eq!(right, Some(Vec::new()), "{heading}: the right example");
    }
}

/// Each code that an interface can cause has a case.
#[test]
fn every_code_has_a_case() {
    let names: Vec<String> = support::cases().iter().map(support::Case::name).collect();
    let missing: Vec<&Code> = Code::ALL
        .iter()
        .filter(|code| !NOT_OF_THE_INTERFACE.contains(code))
        .filter(|code| !names.iter().any(|name| name.starts_with(&code.id.to_lowercase())))
        .collect();
    assert_eq!(missing, Vec::<&Code>::new());
}
