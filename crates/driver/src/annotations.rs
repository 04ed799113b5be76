//! `NAME.d.lua` of a module with enums: written after the library, in which the enumerators have their values.

use crate::HostName;
use crate::build_request::write_marker;
use crate::target::Target;
use fishplate_plan::Plan;
use fishplate_toolchain::{BuildError, Request};
use std::path::{Path, PathBuf};

/// Takes the file out of what the build writes, if it depends on the library: gives its path.
pub(crate) fn take(plan: &Plan, host: HostName, request: &mut Request) -> Option<PathBuf> {
    if host != HostName::Lua || plan.enums.is_empty() {
        return None;
    }
    let is_it = |(name, _): &(String, String)| name.ends_with(".d.lua");
    let index = request.extra_files.iter().position(is_it)?;
    Some(request.out.join(request.extra_files.remove(index).0))
}

/// Writes it, if it is not there as it should be.
pub(crate) fn write(
    plan: &Plan,
    target: &Target,
    library: &Path,
    path: &Path,
) -> Result<(), BuildError> {
    let bytes = std::fs::read(library).map_err(|source| BuildError::Io {
        doing: "read".to_owned(),
        path: library.to_owned(),
        source,
    })?;
    let text = fishplate_host_lua::annotations(plan, &bytes, target.integers);
    if std::fs::read_to_string(path).is_ok_and(|existing| existing == text) {
        return Ok(());
    }
    write_marker(path, &text)
}
