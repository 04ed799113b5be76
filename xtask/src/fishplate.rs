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

/// Builds the command and says where it is.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let mut command = process::cargo();
    command.args(["build", "--quiet", "--package", "fishplate"]);
    let folder = match profile {
        Profile::Dev => "debug",
        Profile::Release => {
            command.arg("--release");
            "release"
        }
    };
    process::run(&mut command)?;
    let name = format!("fishplate{}", std::env::consts::EXE_SUFFIX);
    Ok(place::cargo_target().join(folder).join(name))
}
