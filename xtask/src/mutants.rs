//! `cargo xtask mutants`: plants mistakes in the runtime headers, one at a time, and has the tests find each.
//!
//! Purpose: to show that the tests notice a skipped release, a writable view of borrowed bytes, a wrong bound.
//! Invariant: a mutant is a copy of the command in which one text of a header, which is there once, is another of
//! the same length; sources are not touched, and nothing is compiled anew but the generated modules.
//! Reason: a test that passes whatever the runtime does is worth nothing.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, examples, fishplate, package, place, process, setup};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `mutants`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the mutants with these names
    names: Vec<String>,
}

/// `xtask/mutants.toml`.
#[derive(Deserialize)]
struct Mutants {
    mutant: Vec<Mutant>,
}

/// One mistake.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    /// What a user would suffer.
    about: String,
    /// The header, below `crates/hosts/`.
    file: PathBuf,
    /// Text of the header; it occurs once in the command.
    find: String,
    /// The mistake; not longer.
    replace: String,
    /// Arguments of pytest: the tests that must find it.
    tests: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let file = place::root().join("xtask/mutants.toml");
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", place::shown(&file)))?;
    let Mutants { mutant: mut mutants } =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", place::shown(&file)))?;
    if !arguments.names.is_empty() {
        mutants.retain(|mutant| arguments.names.contains(&mutant.name));
    }
    let venv = setup::ensure()?;
    let bench = Bench {
        command: fishplate::build(Profile::Dev)?,
        package: package::build(Profile::Dev)?,
        venv,
    };
    let original =
        fs::read(&bench.command).map_err(|error| format!("cannot read the command: {error}"))?;
    // All are planted before any is tried: an anchor that a change of a header has moved is found at once.
    let planted = mutants
        .iter()
        .map(|mutant| Ok((mutant, mutant.plant(&original)?)))
        .collect::<Result<Vec<_>>>()?;
    process::heading("without a mistake");
    let selections: BTreeSet<&[String]> = mutants.iter().map(|mutant| &*mutant.tests).collect();
    for tests in selections {
        if !bench.passes(&bench.command, tests)? {
            return Err(format!("{tests:?} fail without a mistake"));
        }
    }
    let mut survivors = Vec::new();
    for (mutant, bytes) in planted {
        let survives = bench.passes(&write(&bytes)?, &mutant.tests)?;
        println!(
            "{}  {}: {}",
            if survives { "SURVIVED" } else { "killed  " },
            mutant.name,
            mutant.about
        );
        if survives {
            survivors.push(mutant.name.as_str());
        }
    }
    println!("\n{} of {} killed", mutants.len() - survivors.len(), mutants.len());
    if survivors.is_empty() { Ok(()) } else { Err(format!("survived: {}", survivors.join(", "))) }
}

impl Mutant {
    /// The command with the mistake in it.
    fn plant(&self, command: &[u8]) -> Result<Vec<u8>> {
        let file = place::root().join("crates/hosts").join(&self.file);
        let header = fs::read_to_string(&file).map_err(|error| {
            format!("{}: cannot read {}: {error}", self.name, place::shown(&file))
        })?;
        let count = header.matches(&self.find).count();
        if count != 1 {
            return Err(format!(
                "{}: {} has {:?} {count} times",
                self.name,
                self.file.display(),
                self.find
            ));
        }
        let Some(padding) = self.find.len().checked_sub(self.replace.len()) else {
            return Err(format!("{}: the mistake is longer than what it replaces", self.name));
        };
        let places: Vec<usize> = memchr::memmem::find_iter(command, &self.find).collect();
        let [place] = places[..] else {
            return Err(format!(
                "{}: the command has {:?} {} times",
                self.name,
                self.find,
                places.len()
            ));
        };
        let mut planted = command.to_vec();
        let mistake = format!("{}{}", self.replace, " ".repeat(padding));
        planted[place..place + self.find.len()].copy_from_slice(mistake.as_bytes());
        Ok(planted)
    }
}

fn write(command: &[u8]) -> Result<PathBuf> {
    let path = place::target("mutants").join("fishplate");
    place::make_folder_of(&path)?;
    let write = |path: &Path| -> std::io::Result<()> {
        fs::write(path, command)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
    };
    write(&path).map_err(|error| format!("cannot write {}: {error}", place::shown(&path)))?;
    Ok(path)
}

/// What tests run with.
struct Bench {
    command: PathBuf,
    package: PathBuf,
    venv: Venv,
}

impl Bench {
    fn passes(&self, command: &Path, tests: &[String]) -> Result<bool> {
        let mut pytest: Command = process::command(self.venv.python());
        pytest.args(["-m", "pytest", "-q", "-x"]);
        pytest.args(tests);
        pytest
            .env("FISHPLATE", command)
            .env("PYTHONPATH", &self.package)
            .envs(examples::openblas(&self.venv)?);
        let output = pytest.output().map_err(|error| format!("cannot run pytest: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        // 1: tests failed. Anything else is a wrong selection, which must not pass for a kill.
        match output.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(format!(
                "pytest cannot run {tests:?}:\n{text}{}",
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }
}
