//! From objects to a static library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::command::{quoted, run};
use crate::error::{BuildError, Doing};
use crate::request::SourceLanguage;
use crate::toolchain::{Family, Toolchain};

/// Creates a static library from objects, with `$AR`, else with `ar`, which comes with every
/// compiler.
///
/// # Errors
///
/// [`BuildError::NoCompiler`], [`BuildError::Link`] if `ar` fails, and [`BuildError::Io`] if it
/// cannot be started or nothing can be written.
pub fn archive(objects: &[PathBuf], out: &Path, toolchain: &Toolchain) -> Result<(), BuildError> {
    let compiler = toolchain.compiler(SourceLanguage::C)?;
    let mut command = match (toolchain.environment().get("AR"), compiler.family) {
        (Some(ar), _) if !ar.is_empty() => vec![ar.to_owned()],
        (_, Family::Zig) => {
            let mut command = compiler.command.clone();
            command.pop();
            command.push("ar".into());
            command
        }
        _ => vec!["ar".into()],
    };
    command.push("rcs".into());
    command.push(OsString::from(out));
    command.extend(objects.iter().map(OsString::from));
    // `ar` would add to an existing file.
    match std::fs::remove_file(out) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).doing("replace", out)?
        }
        _ => {}
    }
    let finished = run(&command, toolchain.environment()).doing("start", Path::new(&command[0]))?;
    if finished.status.success() {
        return Ok(());
    }
    Err(BuildError::Link { raw: finished.raw(), command: quoted(&command), undefined: Vec::new() })
}
