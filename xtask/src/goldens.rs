//! `cargo xtask goldens`: the changes in generated files that are stored as hashes.
//!
//! Purpose: show the diff of generated C for which `golden/hashes.txt` only has a hash.
//! Invariant: no file that git tracks is written; a difference is shown between two files that
//! exist.
//! Reason: the test of the goldens stores its output by hash in `target/goldens`. Files that are
//! missing there, because another checkout generated them, are generated again in a worktree of the
//! revision.

use crate::{Result, place, process};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `goldens`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Cases to show in full; without any, the first difference of each file that differs
    cases: Vec<String>,
    /// The revision to compare the generator of the working tree with
    #[arg(long, default_value = "HEAD", value_name = "REV")]
    since: String,
}

const HASHES: &str = "golden/hashes.txt";

/// The hashes of a case's files, by their names.
type Files = BTreeMap<String, String>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    generate(place::root())?;
    let mut differing = Vec::new();
    for (case, then) in reviewed(&arguments.since)? {
        if !arguments.cases.is_empty() && !arguments.cases.contains(&case) {
            continue;
        }
        // A case that was removed has nothing to compare.
        let Ok(now) = fs::read_to_string(store().join(&case)) else { continue };
        let now = files(&now);
        for (file, hash) in then {
            if let Some(other) = now.get(&file).filter(|other| **other != hash) {
                differing.push((format!("{case}/golden/{file}"), hash, other.clone()));
            }
        }
    }
    if differing.iter().any(|(_, then, _)| !store().join(then).is_file()) {
        generate_at(&arguments.since)?;
    }
    for (name, then, now) in &differing {
        process::heading(name);
        println!("{}", difference(then, now, !arguments.cases.is_empty())?);
    }
    println!("\n{} generated files differ from {}", differing.len(), arguments.since);
    println!("those that are stored whole: git diff {} -- tests/cases", arguments.since);
    Ok(())
}

fn store() -> PathBuf {
    place::target("goldens")
}

/// Runs the test of the goldens in a checkout, so that it stores its output. Whether it passes does
/// not matter.
fn generate(checkout: &Path) -> Result<()> {
    let test = || {
        let mut cargo = process::cargo();
        cargo.args(["test", "--quiet", "-p", "fishplate-driver", "--test", "cases"]);
        cargo.current_dir(checkout).env("FISHPLATE_GOLDENS", store()).env_remove("UPDATE");
        // Crates outside of the workspace are not compiled again for another checkout.
        cargo.env("CARGO_TARGET_DIR", place::cargo_target());
        cargo
    };
    process::capture(test().arg("--no-run"))?;
    process::succeeds(test().arg("generated_files_match_goldens"));
    Ok(())
}

fn generate_at(revision: &str) -> Result<()> {
    process::heading(&format!("generating the goldens of {revision}"));
    let tree = place::target("goldens-worktree");
    let git = |words: &[&str]| -> Command {
        let mut git = process::command("git");
        git.arg("worktree").args(words).arg(&tree);
        git
    };
    process::succeeds(&mut git(&["remove", "--force"]));
    process::capture(git(&["add", "--detach"]).arg(revision))?;
    let done = generate(&tree);
    process::capture(&mut git(&["remove", "--force"]))?;
    done
}

/// The hashes of a revision, by case.
fn reviewed(revision: &str) -> Result<Vec<(String, Files)>> {
    let mut list = process::command("git");
    list.args(["ls-tree", "-r", "--name-only", revision, "tests/cases"]);
    let listed = process::capture(&mut list)?;
    let paths = listed.lines().filter(|path| path.ends_with(HASHES));
    paths
        .map(|path| {
            let mut show = process::command("git");
            let text = process::capture(show.arg("show").arg(format!("{revision}:{path}")))?;
            let case = path.split('/').nth(2).unwrap_or_default();
            Ok((case.to_owned(), files(&text)))
        })
        .collect()
}

/// The lines `NAME HASH COUNT lines` of a case's hashes; those of functions are indented.
fn files(hashes: &str) -> Files {
    let lines = hashes.lines().filter(|line| !line.starts_with([' ', '#']));
    let words = lines.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    words.filter_map(|words| Some((words.first()?.clone(), words.get(1)?.clone()))).collect()
}

/// The difference of two stored files: all of it, or its first hunk.
fn difference(then: &str, now: &str, is_whole: bool) -> Result<String> {
    let mut git = process::command("git");
    git.args(["diff", "--no-index", "--unified=5", "--"]);
    let output = git.arg(store().join(then)).arg(store().join(now)).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The lines before the first hunk name the files by their hashes.
    let hunks: Vec<&str> = text.split("\n@@ ").skip(1).collect();
    let shown = if is_whole { hunks.len() } else { hunks.len().min(1) };
    let mut lines: Vec<String> = hunks[..shown].iter().map(|hunk| format!("@@ {hunk}")).collect();
    if shown < hunks.len() {
        lines.push(format!("… and {} further hunks", hunks.len() - shown));
    }
    Ok(lines.join("\n"))
}
