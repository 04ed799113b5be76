//! `cargo xtask lint`: all checks that do not run tests.

use crate::{Result, process, setup};
use std::process::Command;

pub(crate) fn run() -> Result<()> {
    let venv = setup::ensure()?;
    let ruff = |words: &[&str]| {
        let mut command = process::command(venv.program("ruff"));
        command.args(words).arg(".");
        command
    };
    let mut doc = process::cargo();
    doc.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    let steps = [
        process::cargo().args(["fmt", "--all", "--check"]),
        &mut clippy(&["--all-targets"]),
        // The package as pip builds it, and as wheels have it.
        &mut clippy(&["--no-default-features"]),
        &mut clippy(&["--features", "fishplate-python/abi3"]),
        &mut doc,
        &mut ruff(&["check", "--output-format=concise"]),
        &mut ruff(&["format", "--check", "--output-format=concise"]),
    ]
    .map(process::run);
    // All of them have run, so that every failure is visible.
    let failed: Vec<String> = steps.into_iter().filter_map(Result::err).collect();
    if failed.is_empty() {
        println!("nothing to complain about");
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

/// Of the whole workspace, so that each library is checked once.
fn clippy(words: &[&str]) -> Command {
    let mut command = process::cargo();
    command.args(["clippy", "--quiet", "--workspace"]).args(words).args(["--", "-D", "warnings"]);
    command
}
