//! The command under development.

use crate::{Result, place, process};
use std::path::PathBuf;

/// The Cargo profile of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As for the other crates in tests, so that they are compiled once.
    Dev,
    /// As for users.
    Release,
}

impl Profile {
    /// The arguments for Cargo.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        }
    }

    /// Cargo's output folder in its target folder.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// Builds the command and returns its path.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let mut command = process::cargo();
    command.args(["build", "--package", "fishplate"]).args(profile.arguments());
    process::run(&mut command)?;
    let name = format!("fishplate{}", std::env::consts::EXE_SUFFIX);
    Ok(place::cargo_target().join(profile.folder()).join(name))
}
