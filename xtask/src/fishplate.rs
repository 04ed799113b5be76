//! The command under development.

use crate::{Result, place, process};
use std::path::PathBuf;

/// How Cargo builds the command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As the tests' other crates are, so that they are compiled once.
    Dev,
    /// As users have it.
    Release,
}

impl Profile {
    /// What tells Cargo.
    pub(crate) fn arguments(self) -> &'static [&'static str] {
        match self {
            Profile::Dev => &[],
            Profile::Release => &["--release"],
        }
    }

    /// Where Cargo puts what it builds, below its target folder.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Profile::Dev => "debug",
            Profile::Release => "release",
        }
    }
}

/// Builds the command and says where it is.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let mut command = process::cargo();
    command.args(["build", "--package", "fishplate"]).args(profile.arguments());
    process::run(&mut command)?;
    let name = format!("fishplate{}", std::env::consts::EXE_SUFFIX);
    Ok(place::cargo_target().join(profile.folder()).join(name))
}
