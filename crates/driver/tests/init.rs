//! Drafts for plain headers of C and C++: the files in `tests/headers`.
//!
//! Purpose: compare the draft for a header, `NAME.h`, with a file that a person reviews,
//! `NAME.toml`.
//! Invariant: every draft passes `check`.
//! Reason: a changed guess is then visible in review next to its header. `UPDATE=1 cargo test`
//! rewrites the files.

mod support;

use fishplate_driver::{FirstInterface, InitOptions, Report, check_file, init};
use fishplate_host_python::Python;
use fishplate_model::Code;
use fishplate_testing::skip;
use std::fs;
use std::path::{Path, PathBuf};

fn options(header: &Path) -> InitOptions<'static> {
    InitOptions {
        headers: vec![header.to_string_lossy().into_owned()],
        name: None,
        libraries: Vec::new(),
        include_dirs: Vec::new(),
        defines: Vec::new(),
        language: None,
        standard: None,
        wanted: &|_| true,
        update: None,
        folder: header.parent().expect("a folder").to_owned(),
    }
}

fn headers() -> Vec<PathBuf> {
    let folder = fs::read_dir(support::root().join("tests/headers")).expect("tests/headers");
    let paths = folder.map(|entry| entry.expect("a readable folder").path());
    let is_header = |path: &PathBuf| path.extension().is_some_and(|one| one == "h" || one == "hpp");
    let mut headers: Vec<PathBuf> = paths.filter(is_header).collect();
    headers.sort();
    headers
}

#[test]
fn guesses_are_as_reviewed_and_check() {
    let update = std::env::var("UPDATE").is_ok_and(|value| value == "1");
    for header in headers() {
        let made = init(options(&header));
        if made.diagnostics.iter().any(|one| one.code == Code::ENVIRONMENT) {
            skip(&format!("{}; `cargo xtask setup --ci` installs it", made.diagnostics[0].message));
            continue;
        }
        let text = made.value.unwrap_or_else(|| panic!("{:?}", made.diagnostics)).text;
        let golden = header.with_extension("toml");
        if update {
            fs::write(&golden, &text).expect("a writable checkout");
        }
        let reviewed = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(text, reviewed, "{}: UPDATE=1 writes it", golden.display());
        let checked = check_file(&golden, &Python);
        assert_eq!(checked.diagnostics, [], "{}", golden.display());
        assert!(text.contains("[module]") && checked.value.is_some());
    }
}

/// The diagnostics for a header.
fn refused(text: &str) -> Report<FirstInterface> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = folder.path().join("wrong.h");
    fs::write(&header, text).expect("a writable folder");
    init(options(&header))
}

#[test]
fn bad_headers_have_separate_errors() {
    for (text, code, says) in [
        ("#error no\nint f(int x);", Code::PREPROCESSOR, "wrong.h:1: #error no"),
        (
            "#include \"absent.h\"\nint f(int x);",
            Code::PREPROCESSOR,
            "the header `absent.h` is not found",
        ),
        ("", Code::NO_FUNCTIONS, "no wanted function is declared in wrong.h itself"),
        ("#include <math.h>\n", Code::NO_FUNCTIONS, "no wanted function is declared"),
    ] {
        let made = refused(text);
        let found = &made.diagnostics[0];
        assert_eq!(found.code, code, "{text}");
        assert!(found.message.contains(says), "{text}: {}", found.message);
        assert!(!found.hint.is_empty() && made.value.is_none());
    }
    let missing = init(options(Path::new("nowhere/absent.h")));
    assert_eq!(missing.diagnostics[0].code, Code::NO_FILE);
}

#[test]
fn drafts_without_functions_have_the_reasons() {
    for (text, left_out) in [
        ("int f(int x;\n", "# int f(int x; (wrong.h:1): the declaration could not be parsed\n"),
        (
            "#define LIMIT 3\nenum kind { A, B };\nvoid *f(void *x);\nint g(double *x, ...);\n",
            "# f (wrong.h:3): the returned pointer has no known owner or length\n# g (wrong.h:4): the function is variadic\n",
        ),
    ] {
        let made = refused(text).value.expect("a file");
        assert_eq!(made.functions, 0);
        assert!(made.text.ends_with(left_out), "{}", made.text);
        // The compiler has confirmed nothing else.
        assert!(!made.text.contains("LIMIT") && !made.text.contains("[enum"));
    }
}

#[test]
fn selections_apply_to_constants_and_unused_enumerations() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let header = folder.path().join("paint.h");
    let text = "#define PAINT_LIMIT 3\n#define PAINT_RED 1\nenum { PAINT_OLD = 7, PAINT_NEW };
        enum hue { WARM, COLD };\nenum side { LEFT, RIGHT };\nenum unit { INCH, PIXEL };
        struct spot { enum side at; };
        int paint(enum hue h, const struct spot *s);\nint paint_limit(void);\n";
    fs::write(&header, text).expect("a writable folder");
    let draft = |wanted: &dyn Fn(&str) -> bool| {
        init(InitOptions { wanted, ..options(&header) }).value.expect("a draft").text
    };
    let all = draft(&|_| true);
    for one in ["LIMIT", "RED", "OLD", "enum.Hue", "enum.Side", "enum.Unit", "paint_limit"] {
        assert!(all.contains(one), "{one}: {all}");
    }
    let some = draft(&|name| name == "paint" || name == "PAINT_RED" || name == "PAINT_NEW");
    for (one, is_there) in [
        ("function.paint]", true),
        ("PAINT_RED", true),
        ("PAINT_NEW", true),
        // Functions use these, the first in a struct.
        ("enum.Side", true),
        ("enum.Hue", true),
        ("PAINT_LIMIT", false),
        ("PAINT_OLD", false),
        ("enum.Unit", false),
        ("paint_limit", false),
    ] {
        assert_eq!(some.contains(one), is_there, "{one}: {some}");
    }
    assert!(draft(&|name| name == "paint" || name == "unit").contains("enum.Unit"));
}

#[test]
fn bad_names_are_errors() {
    let header = support::root().join("tests/headers/lengths.h");
    let made = init(InitOptions { name: Some("two words".into()), ..options(&header) });
    assert_eq!(made.diagnostics[0].code, Code::BAD_NAME);
}
