//! The case folders in `tests/cases`, for what needs no Python: diagnostics, goldens, compilers.
//!
//! Purpose: hold the whole pipeline to files that a person reviews.
//! Invariant: a folder with `run.py` is good and has goldens; one without is refused, by
//! `fishplate check` (`expected.stderr`) or by a compiler (`build.stderr`, see tests/test_cases.py).
//! Reason: a change of generated code then shows up in review as a diff of real C, which the
//! compilers that users have were run on. `UPDATE=1 cargo test` rewrites the files. What cannot be
//! as it should yet is told in `bug.txt` or `golden/refused.txt`, and must then fail.

mod support;

use fishplate_driver::{HostName, Role, emit_file, explain, plan_file};
use std::fs;
use std::path::Path;
use support::{Case, Failures, Headers, compilers};

#[test]
fn goldens_say_what_is_generated() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let emitted = emit_file(&case.interface(), HostName::Python);
        let Some(emitted) = emitted.value else {
            if case.is_good() {
                failures.add(&case, format!("has errors: {:#?}", emitted.diagnostics));
            }
            continue;
        };
        if !case.is_good() && !case.has("build.stderr") && case.bug().is_none() {
            failures.add(&case, "has no errors, and no run.py that says what it does".to_owned());
        }
        if !case.is_good() {
            continue;
        }
        for file in emitted.files {
            let golden = match (file.role, file.name.rsplit_once('.')) {
                (Role::Unit, _) => "golden/python.c",
                (Role::Beside, Some((_, "pyi"))) => "golden/python.pyi",
                _ => continue,
            };
            failures.compare(&case, golden, &file.contents);
        }
    }
    failures.report();
}

#[test]
fn explain_says_how_arguments_cross() {
    let mut failures = Failures::default();
    for case in support::cases().into_iter().filter(|case| case.is_good()) {
        let plan = plan_file(&case.interface(), HostName::Python);
        let texts: Vec<String> =
            plan.value.iter().flat_map(|plan| &plan.functions).map(explain).collect();
        failures.compare(&case, "explain.txt", &texts.join("\n"));
    }
    failures.report();
}

#[test]
fn diagnostics_are_printed_as_expected() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let (passed, said) = support::check(&case);
        let expected = std::fs::read_to_string(case.path("expected.stderr")).unwrap_or_default();
        if let (Some(bug), false) = (case.bug(), case.has("build.stderr")) {
            if said == expected {
                failures.add(&case, format!("prints what is expected: remove bug.txt\n{bug}"));
            }
        } else if passed != (case.is_good() || case.has("build.stderr")) {
            failures.add(&case, format!("`fishplate check` passed: {passed}\n{said}"));
        } else if case.has("expected.stderr") || !said.is_empty() {
            failures.compare(&case, "expected.stderr", &said);
        }
    }
    failures.report();
}

/// Every golden is clean with every compiler, as C99 and as C++17.
#[test]
fn compilers_take_the_goldens() {
    let cases: Vec<Case> =
        support::cases().into_iter().filter(|case| case.has("golden/python.c")).collect();
    let Some(headers) = Headers::find(&cases) else { return };
    let compilers = compilers();
    let jobs: Vec<(&Case, &support::Compiler)> =
        cases.iter().flat_map(|case| compilers.iter().map(move |with| (case, with))).collect();
    let failures = support::in_parallel(&jobs, |(case, compiler)| {
        let refused = compiler.refuses(case, &headers);
        match (refused, case.excuse(compiler)) {
            (None, None) | (Some(_), Some(_)) => None,
            (Some(said), None) => Some((case.name(), format!("{}:\n{said}", compiler.command))),
            (None, Some(reason)) => Some((
                case.name(),
                format!("{} takes it now, in spite of: {reason}", compiler.command),
            )),
        }
    });
    Failures::of(failures).report();
}

/// A case's files are the ones that something looks at; a typo in a name would go unseen.
#[test]
fn every_file_has_a_purpose() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let good = case.is_good();
        for name in case.files() {
            let known = match name.as_str() {
                "run.py" | "expected.stderr" | "build.stderr" | "bug.txt" => true,
                "explain.txt" | "golden/python.c" | "golden/python.pyi" | "golden/refused.txt" => {
                    good
                }
                other => {
                    let extension = Path::new(other).extension().and_then(|e| e.to_str());
                    case.interface().ends_with(other)
                        || (["bug_", "run_"].iter().any(|start| other.starts_with(start))
                            && extension == Some("py"))
                        || matches!(extension, Some("c" | "h" | "cpp" | "f90"))
                }
            };
            if !known {
                failures.add(&case, format!("nothing looks at {name}"));
            }
        }
        let first = fs::read_to_string(case.interface()).unwrap_or_default();
        if !["# ", "/* ", "// "].iter().any(|start| first.starts_with(start)) {
            failures.add(&case, "its interface does not begin with a comment that says why".into());
        }
    }
    failures.report();
}
