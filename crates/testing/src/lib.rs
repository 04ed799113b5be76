//! Common helpers of several crates' tests: the compilers of this machine, and skips.
//!
//! Purpose: one place that defines the compilers to try, and the treatment of missing ones.
//! Invariant: a skip prints one line that names what to install, and fails under `CI=true`.
//! Reason: a machine with one compiler must pass, and CI must not pass with tests omitted.
#![expect(clippy::disallowed_methods, reason = "tests start compilers and look at the environment")]

use std::io::Write as _;
use std::process::{Command, Stdio};

/// True under a CI service, where every test must run.
pub fn is_ci() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}

/// Prints a line about an omitted test, past the test harness, which hides the output of passing
/// tests.
///
/// # Panics
///
/// Under `CI=true`.
pub fn skip(what: &str) {
    assert!(!is_ci(), "{what}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}");
}

/// The compilers in `names` that are installed and run; the others are skipped, with a line each.
pub fn compilers(names: &[&'static str]) -> Vec<&'static str> {
    let runs = |name: &str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let (found, missing): (Vec<_>, Vec<_>) = names.iter().copied().partition(|name| runs(name));
    for name in missing {
        skip(&format!("{name} is not installed; `cargo xtask setup --ci` says how to get it"));
    }
    found
}

/// Compiles a unit of C99 that includes no header of Fishplate, with gcc and clang; warnings are
/// errors.
///
/// # Panics
///
/// If a compiler refuses it.
pub fn compile_strictly(name: &str, source: &str, flags: &[&str]) {
    for compiler in compilers(&["gcc", "clang"]) {
        let mut child = Command::new(compiler)
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .args(flags)
            .args(["-x", "c", "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the compiler ran just now");
        child.stdin.take().expect("piped").write_all(source.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler}, {name}:\n{messages}\n{source}");
    }
}
