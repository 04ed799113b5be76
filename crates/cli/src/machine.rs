//! Options about another machine.

use fishplate_driver::{CrossBuild, Installations, Machine};
use std::path::PathBuf;

/// `--target` and `--sysroot`.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct MachineOptions {
    /// The machine to build for, if it is not this one: aarch64-linux-gnu, with the oldest version of its C library
    /// as in aarch64-linux-gnu.2.17, x86_64-linux-musl, aarch64-macos, x86_64-windows-gnu.
    #[arg(long, value_name = "MACHINE", value_parser = Machine::parse)]
    target: Option<Machine>,
    /// A folder with headers and libraries of the target, as they are below its `/`.
    #[arg(long, value_name = "DIR", requires = "target", value_parser = folder)]
    sysroot: Option<PathBuf>,
}

impl MachineOptions {
    /// Installations on that machine.
    pub(crate) fn applied_to(&self, installations: Installations) -> Installations {
        let Self { target, sysroot } = self.clone();
        installations.on(target.map(|machine| CrossBuild { machine, sysroot }))
    }
}

/// An existing folder, which must be found from any folder.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.canonicalize() {
        Ok(path) if path.is_dir() => Ok(path),
        _ => Err(format!("`{text}` is not a folder")),
    }
}
