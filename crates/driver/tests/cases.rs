//! The case folders in `tests/cases` and `tests/refused`, as far as they need no Python:
//! diagnostics, goldens, compilers.
//!
//! Purpose: compare the whole pipeline with files that a person reviews.
//! Invariant: a folder in `cases` is valid and has goldens; one in `refused` is refused, by
//! `fishplate check` (`expected.stderr`) or by a compiler (`build.stderr`, see
//! tests/test_cases.py).
//! Reason: a change of generated code is then visible in review, as a diff of real C or of hashes
//! (`support/goldens.rs`), and users' compilers were run on it. `UPDATE=1 cargo test` rewrites the
//! files. A known bug is described in `bug.txt` or `golden/refused.txt`, and the test must then
//! fail.

mod support;

use fishplate_driver::{EmittedModule, Environment, Host, emit_file, explain, plan_file};

use fishplate_host_lua::{Installation as LuaInstallation, Lua};
use fishplate_host_python::Python;
use std::fs;
use std::path::Path;
use support::{Case, Compiler, Failures, Headers, compilers, goldens, is_all};

#[test]
fn generated_files_match_goldens() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let emitted = emit_file(&case.interface(), &Python);
        let Some(emitted) = emitted.value else {
            if case.is_good() {
                failures.add(&case, format!("has errors: {:#?}", emitted.diagnostics));
            }
            continue;
        };
        if !case.is_good() {
            if !case.has("build.stderr") && case.bug().is_none() {
                failures.add(&case, "has no errors, and lies in tests/refused".to_owned());
            }
            continue;
        }
        let lua = case.is_for_lua().then(|| emit_file(&case.interface(), &Lua).value).flatten();
        let files = |host: &'static dyn Host, emitted: Option<EmittedModule>| {
            let files = emitted.map_or_else(Vec::new, |emitted| emitted.files).into_iter();
            files.filter_map(move |file| Some((support::golden_name(host, &file)?, file.contents)))
        };
        let generated: Vec<_> = files(&Python, Some(emitted)).chain(files(&Lua, lua)).collect();
        goldens::compare(&mut failures, &case, &generated);
    }
    failures.report();
}

/// For the cases that store hashes, the report names the function that differs, and the line.
#[test]
fn a_function_that_differs_is_named() {
    let text =
        "static int\nf(void)\n{\n    return 1;\n}\n\nstatic int\ng(void)\n{\n    return 2;\n}\n";
    let reviewed = goldens::hashes("python.c", text);
    goldens::keep_text(text);
    let report = goldens::difference("case", "python.c", &reviewed, &text.replace('2', "3"));
    let expected = "golden/python.c differs from line 10 on:\n  there:     return 2;\n  now:       return 3;\n  \
                    functions that differ: g\n";
    assert!(report.starts_with(expected), "{report}");
}

#[test]
fn explain_says_how_arguments_cross() {
    let mut failures = Failures::default();
    for case in support::cases().into_iter().filter(|case| case.is_good()) {
        let plan = plan_file(&case.interface(), &Python);
        let functions = plan.value.iter().flat_map(|plan| &plan.functions);
        let strings: Vec<String> = functions.map(|f| explain(f, &Python)).collect();
        failures.compare(&case, "explain.txt", &strings.join("\n"));
    }
    failures.report();
}

#[test]
fn diagnostics_are_printed_as_expected() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let (passed, report) = support::check(&case);
        let expected = std::fs::read_to_string(case.path("expected.stderr")).unwrap_or_default();
        if let (Some(bug), false) = (case.bug(), case.has("build.stderr")) {
            if report == expected {
                failures.add(&case, format!("prints what is expected: remove bug.txt\n{bug}"));
            }
        } else if passed != (case.is_good() || case.has("build.stderr")) {
            failures.add(&case, format!("`fishplate check` passed: {passed}\n{report}"));
        } else if case.has("expected.stderr") || !report.is_empty() {
            failures.compare(&case, "expected.stderr", &report);
        }
    }
    failures.report();
}

/// C that is generated for Lua has no warnings with any compiler, for every Lua on this machine.
#[test]
fn compilers_take_the_goldens_of_lua() {
    let cases: Vec<Case> = support::cases().into_iter().filter(|case| case.is_for_lua()).collect();
    let headers = Headers::of(&cases, &Lua, Vec::new());
    let luas = LuaInstallation::all(&Environment::current());
    if luas.is_empty() {
        support::skip("there is no Lua with its headers; run `cargo xtask setup --ci`");
    }
    let compilers = compilers();
    let mut jobs: Vec<(&Case, &Compiler, &LuaInstallation)> = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let of_case = compilers.iter().filter(|with| with.is_c() != case.is_cxx());
        let able: Vec<(&Compiler, &LuaInstallation)> = of_case
            .enumerate()
            // Each compiler with each Lua, by one of two standards: no Lua's headers depend on it.
            .flat_map(|(turn, with)| {
                luas.iter().skip(turn % 2).step_by(2).map(move |lua| (with, lua))
            })
            .collect();
        let turn = number % able.len().max(1);
        let chosen = able.iter().enumerate().filter(|(place, _)| is_all() || *place == turn);
        jobs.extend(chosen.map(|(_, (with, lua))| (case, *with, *lua)));
    }
    let failures = support::in_parallel(&jobs, |(case, compiler, lua)| {
        let report = compiler.refuses_for_lua(case, &headers, &lua.include_dir)?;
        Some((case.name(), format!("{} for {}:\n{report}", compiler.command, lua.name)))
    });
    Failures::of(failures).report();
}

/// Every golden has no warnings with any compiler, as C and as C++17; one of C++ as that. Each
/// compiler uses one standard of C: gcc with the other is tested wherever a module is built.
/// Compilers and languages take turns, one for each case; with `FISHPLATE_ALL=1` each compiles each case.
#[test]
fn compilers_take_the_goldens() {
    let cases: Vec<Case> = support::cases().into_iter().filter(Case::is_good).collect();
    let Some(headers) = Headers::find(&cases) else { return };
    let compilers = compilers();
    let mut jobs: Vec<(&Case, &Compiler)> = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let able: Vec<&Compiler> = compilers
            .iter()
            .filter(|with| !(case.is_cxx() && with.is_c()))
            .filter(|with| {
                !["gcc -x c -std=gnu17", "clang -x c -std=c99"].contains(&&*with.command)
            })
            .collect();
        let turn = number % able.len().max(1);
        let chosen = able.iter().enumerate().filter(|(place, _)| is_all() || *place == turn);
        jobs.extend(chosen.map(|(_, with)| (case, *with)));
    }
    let failures = support::in_parallel(&jobs, |(case, compiler)| {
        let refused = compiler.refuses(case, &headers);
        match (refused, case.excuse(compiler)) {
            (None, None) | (Some(_), Some(_)) => None,
            (Some(report), None) => Some((case.name(), format!("{}:\n{report}", compiler.command))),
            (None, Some(reason)) => Some((
                case.name(),
                format!("{} takes it now, in spite of: {reason}", compiler.command),
            )),
        }
    });
    Failures::of(failures).report();
}

/// A test reads every file of a case; a misspelt name would go unnoticed.
#[test]
fn every_file_has_a_purpose() {
    let mut failures = Failures::default();
    for case in support::cases() {
        let good = case.is_good();
        if good != case.has_script() {
            failures.add(&case, "a script is what cases have, and what is refused has not".into());
        }
        for name in case.files() {
            let known = match name.as_str() {
                "run.py" | "expected.stderr" | "build.stderr" | "bug.txt" => true,
                "run.lua" => good,
                "explain.txt" | "golden/refused.txt" => good,
                name if name.starts_with("golden/") => good && goldens::is_purposeful(&case, name),
                other => {
                    let extension = Path::new(other).extension().and_then(|e| e.to_str());
                    case.interface().ends_with(other)
                        || (["bug_", "run_"].iter().any(|start| other.starts_with(start))
                            && extension == Some("py"))
                        || matches!(extension, Some("c" | "h" | "cpp" | "hpp" | "f90"))
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
