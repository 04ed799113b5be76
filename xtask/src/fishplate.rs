//! The command under development.

use crate::{Result, place, process};
use std::path::PathBuf;
use std::process::Command;

/// The Cargo profile of the command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As for the other crates in tests, so that they are compiled once.
    Dev,
    /// As for users.
    Release,
}

impl Profile {
    /// The command for Cargo that builds a package.
    ///
    /// Features of libraries depend on which packages are built together: tests are built with the whole workspace, so
    /// that `Dev` builds everything and each library is compiled once.
    pub(crate) fn build(self, package: &str) -> Command {
        let mut command = process::cargo();
        command.arg("build");
        match self {
            Profile::Dev => command.arg("--workspace"),
            Profile::Release => command.args(["--release", "--package", package]),
        };
        command
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
    process::run(&mut profile.build("fishplate"))?;
    let name = format!("fishplate{}", std::env::consts::EXE_SUFFIX);
    Ok(place::cargo_target().join(profile.folder()).join(name))
}
