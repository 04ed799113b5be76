//! The schema of interface files, for the editor in which a draft is read next.

use std::path::Path;

/// The file that `fishplate schema` is written to.
const FILE: &str = "interface.schema.json";

/// The comment by which editors find the schema of an interface in this folder: with the nearest file, here or in a folder
/// above; empty if there is none, since editors report an address that leads nowhere.
pub(super) fn comment(folder: &Path) -> String {
    let Ok(folder) = folder.canonicalize() else { return String::new() };
    match folder.ancestors().position(|above| above.join(FILE).is_file()) {
        Some(0) => format!("#:schema ./{FILE}\n\n"),
        Some(levels) => format!("#:schema {}{FILE}\n\n", "../".repeat(levels)),
        None => String::new(),
    }
}
