//! The library that the modules of a language share, whose sources are in its host.

use crate::{Installations, VERSION, hosts, store};
use fishplate_emit::Host;
use fishplate_toolchain::{Event, build};
use std::path::{Path, PathBuf};

/// Builds the library of a host into a folder, and returns its path.
///
/// The host has none, or there is no usable installation; as a message.
///
/// The host has none, there is no installation, or those of a build; in words.
pub fn build_shared_library(
    host: &dyn Host,
    wanted: &Installations,
    out: &Path,
    observe: &mut dyn FnMut(Event),
) -> Result<PathBuf, String> {
    let target = host.find(&store::environment(), wanted.of(host))?;
    let request = host.shared_library(&target);
    let mut request = request
        .ok_or_else(|| format!("modules for {} share no library", host.capabilities().language))?;
    request.out = out.to_owned();
    request.identity.push(format!("fishplate {VERSION}"));
    request.work = store::build_folder(&request.out, &request.file_name);
    let built = build(&request, &hosts::usual_toolchain(wanted), observe);
    built.map(|built| built.path).map_err(|error| error.to_string())
}
