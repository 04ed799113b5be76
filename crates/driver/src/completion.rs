//! Files next to a module that are generated from the built library.

use crate::build_request::{is_hand_written, write_marker};
use fishplate_emit::{Emitted, FileRole, Host};
use fishplate_plan::Plan;
use fishplate_toolchain::{BuildError, Target};
use std::path::Path;

/// Writes such files into the output folder, if they are missing or different.
pub(crate) fn write(
    plan: &Plan,
    host: &dyn Host,
    target: &Target,
    emitted: &Emitted,
    library: &Path,
    out: &Path,
) -> Result<(), BuildError> {
    for file in emitted.files.iter().filter(|file| file.role == FileRole::Completed) {
        let bytes = std::fs::read(library).map_err(|source| BuildError::Io {
            doing: "read".to_owned(),
            path: library.to_owned(),
            source,
        })?;
        let Some(text) = host.complete(plan, target, &bytes) else { continue };
        let path = out.join(&file.name);
        let existing = std::fs::read_to_string(&path).unwrap_or_default();
        if existing != text && !is_hand_written(&path) {
            write_marker(&path, &text)?;
        }
    }
    Ok(())
}
