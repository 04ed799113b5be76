//! The command as a person or a script sees it: exit codes, what goes to which stream, JSON.

// Tests may read and write files.
#![allow(clippy::disallowed_methods)]

use std::path::Path;
use std::process::{Command, Output};

const GOOD: &str = "[module]\nname = \"roots\"\nheaders = [\"<math.h>\"]\n\n[function.root]\n\
                    doc = \"Square root.\"\nproto = \"double sqrt(double x)\"\n";
const BAD: &str = "[module]\nname = \"roots\"\n\n[function.root]\n\
                   proto = \"double f(double *x, duoble y)\"\n\n[function.other]\n\
                   proto = \"void g(double *x)\"\n";

fn fishplate(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fishplate"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the command starts")
}

fn folder_with(interface: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("roots.toml"), interface).expect("a file can be written");
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn check_says_that_all_is_well() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "roots.toml: 1 function, no errors\n");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn check_reports_all_mistakes_at_once_and_fails() {
    let folder = folder_with(BAD);
    let output = fishplate(folder.path(), &["check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let said = text(&output.stderr);
    assert!(said.contains("error[FP0202]") && said.contains("error[FP0301]"), "{said}");
    assert!(said.contains("roots.toml:5:") && said.contains("roots.toml:8:"), "{said}");
    assert!(!said.contains('\u{1b}'), "no colours where it is no terminal: {said}");
}

#[test]
fn json_is_one_value_on_standard_output() {
    let folder = folder_with(BAD);
    let output = fishplate(folder.path(), &["--json", "check", "roots.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["ok"], false);
    assert_eq!(value["diagnostics"][0]["code"], "FP0202");
    assert_eq!(value["diagnostics"][0]["primary"]["span"]["line"], 5);
}

#[test]
fn a_wrong_command_line_is_told_from_a_wrong_interface() {
    let folder = folder_with(GOOD);
    assert_eq!(fishplate(folder.path(), &["chekc", "roots.toml"]).status.code(), Some(2));
    let missing = fishplate(folder.path(), &["check", "none.toml"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("cannot read none.toml"));
}

#[test]
fn emit_writes_source_only() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["emit", "roots.toml", "--host", "python", "-o", "c"]);
    assert_eq!(output.status.code(), Some(0));
    for name in ["roots.c", "fishplate_python.h", "roots.pyi"] {
        assert!(folder.path().join("c").join(name).is_file(), "{name}");
    }
}

#[test]
fn explain_knows_its_functions() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["explain", "roots.toml", "root"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("call     sqrt"));
    let unknown = fishplate(folder.path(), &["explain", "roots.toml", "square"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("it has root"));
}

#[test]
fn help_teaches() {
    let folder = folder_with(GOOD);
    for arguments in [&["--help"][..], &["build", "--help"], &["explain", "--help"]] {
        let output = fishplate(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(
            text(&output.stdout).contains("fishplate build stats.toml")
                || text(&output.stdout).contains("fishplate explain stats.toml")
        );
    }
}

#[test]
fn schema_is_json_schema() {
    let folder = folder_with(GOOD);
    let output = fishplate(folder.path(), &["schema"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(value["$schema"].as_str().is_some_and(|schema| schema.contains("json-schema.org")));
}
