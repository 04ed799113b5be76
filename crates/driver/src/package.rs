//! The file for a language's package manager that builds the module of an interface.

use crate::{Installations, Report, read_file, store};
use fishplate_emit::{Host, Package};
use fishplate_model::Diagnostic;
use std::path::Path;

/// Writes the file for an interface; `None` also if the host has no package manager that builds C.
pub fn package_file(path: &Path, host: &dyn Host) -> Report<Package> {
    read_file(path, &Installations::default()).and_then(|_, interface, diagnostics| {
        if diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        host.package(path, &interface.module, &store::environment())
    })
}
