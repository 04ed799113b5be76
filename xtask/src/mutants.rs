//! `cargo xtask mutants`: bugs in the runtime, each of which a test must detect.
//!
//! Purpose: introduce the bugs of `xtask/mutants.toml` one at a time, run the tests that should
//! detect each, and report which were not detected.
//! Invariant: only a test that fails, or a crash, kills a mutant; C that no longer compiles does
//! not. Each of the tests passes without a bug.
//! Reason: a test that passes whatever the runtime does is worth nothing.

mod tests;
mod tree;

use crate::{Result, place, process, setup};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;
use tests::{Runner, Verdict};
use tree::Tree;

/// Arguments of `mutants`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the mutants whose names contain one of these
    names: Vec<String>,
    /// Do not run the tests without a bug first
    #[arg(long)]
    quick: bool,
}

/// `xtask/mutants.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutants {
    mutant: Vec<Mutant>,
}

/// One bug.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    /// The consequence for a user.
    #[serde(rename = "about")]
    _about: String,
    /// Relative to the root of the repository.
    file: PathBuf,
    /// Occurs once in the file.
    find: String,
    /// The replacement; not longer, so that it fits into the libraries that embed the file.
    replace: String,
    /// The crate whose Rust tests detect it; by default, Python tests do.
    #[serde(rename = "crate")]
    package: Option<String>,
    /// The tests that detect it: arguments of pytest, or parts of names of Rust tests.
    tests: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut mutants = read()?;
    if !arguments.names.is_empty() {
        mutants.retain(|mutant| arguments.names.iter().any(|name| mutant.name.contains(name)));
    }
    let venv = setup::ensure()?;
    let tree = Tree::copy()?;
    // All are read before any is tried: one whose source has changed is reported at once.
    let wrong: Vec<String> = mutants.iter().filter_map(|mutant| tree.read(mutant).err()).collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    let runner = Runner::new(&tree, &venv)?;
    if !arguments.quick {
        pass_without(&mutants, &runner)?;
    }
    process::heading("with a mistake");
    let mut left = Vec::new();
    for mutant in &mutants {
        let start = Instant::now();
        let verdict =
            tree.with(mutant, || runner.try_to_kill(mutant.package.as_deref(), &mutant.tests))?;
        let (word, detail) = match &verdict {
            Verdict::Killed(by) => ("killed", by),
            Verdict::Survived => ("SURVIVED", &String::new()),
            Verdict::Broken(why) => ("BROKEN", why),
        };
        let seconds = start.elapsed().as_secs_f64();
        println!("{word:<8} {seconds:6.1} s  {:<32} {detail}", mutant.name);
        if !matches!(verdict, Verdict::Killed(_)) {
            left.push(mutant.name.as_str());
        }
    }
    println!("\n{} of {} killed", mutants.len() - left.len(), mutants.len());
    if left.is_empty() { Ok(()) } else { Err(format!("not killed: {}", left.join(", "))) }
}

/// The tests pass without a bug; each is run once.
fn pass_without(mutants: &[Mutant], runner: &Runner<'_>) -> Result<()> {
    process::heading("without a mistake");
    let packages: BTreeSet<_> = mutants.iter().map(|mutant| mutant.package.as_deref()).collect();
    for package in packages {
        let chosen = mutants.iter().filter(|mutant| mutant.package.as_deref() == package);
        let tests: BTreeSet<&String> = chosen.flat_map(|mutant| &mutant.tests).collect();
        runner.pass(package, &tests.into_iter().cloned().collect::<Vec<_>>())?;
    }
    Ok(())
}

fn read() -> Result<Vec<Mutant>> {
    let file = place::root().join("xtask/mutants.toml");
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(&file)))?;
    let Mutants { mutant } =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", place::shown(&file)))?;
    Ok(mutant)
}

impl Mutant {
    /// The content of its file with the bug.
    fn change(&self, text: &str) -> Result<String> {
        let count = text.matches(&self.find).count();
        if count != 1 {
            let file = self.file.display();
            return Err(format!("{}: {file} has {:?} {count} times", self.name, self.find));
        }
        let Some(padding) = self.find.len().checked_sub(self.replace.len()) else {
            return Err(format!(
                "{}: the mistake is longer than the code that it replaces",
                self.name
            ));
        };
        let mistake = format!("{}{}", self.replace, " ".repeat(padding));
        Ok(text.replacen(&self.find, &mistake, 1))
    }
}

#[cfg(test)]
mod unit_tests {
    use super::{place, read};
    use std::collections::BTreeSet;
    use std::fs;

    /// A change that moves the source of a mutant fails here.
    #[test]
    fn every_mutant_applies() {
        let mutants = read().unwrap();
        let names: BTreeSet<&String> = mutants.iter().map(|mutant| &mutant.name).collect();
        assert_eq!(names.len(), mutants.len(), "two mutants have one name");
        for mutant in &mutants {
            let text = fs::read_to_string(place::root().join(&mutant.file)).unwrap();
            mutant.change(&text).unwrap();
            assert!(!mutant.tests.is_empty(), "{}", mutant.name);
            if mutant.package.is_some() {
                continue;
            }
            // Python tests run with libraries in which the embedded text is replaced.
            let is_rust = mutant.file.extension().is_some_and(|extension| extension == "rs");
            assert!(!is_rust, "{}: Rust is not embedded", mutant.name);
            for test in &mutant.tests {
                let (file, function) = test.split_once("::").unwrap_or((test, ""));
                let text = fs::read_to_string(place::root().join(file)).unwrap();
                let function = function.split('[').next().unwrap();
                assert!(text.contains(&format!("def {function}")), "{}: {test}", mutant.name);
            }
        }
    }
}
