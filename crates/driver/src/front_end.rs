//! Which reader a file is for: its name says so.

use fishplate_model::Source;
use fishplate_readers::interface::Reading;
use fishplate_readers::{interface, kernels};

/// Reads a file with the reader for its ending.
pub(crate) fn read(source: Source) -> Reading {
    match source.path.extension().and_then(|ending| ending.to_str()) {
        Some("cfg") => kernels::read(source),
        _ => interface::read(source),
    }
}
