//! Which reader a file is for: its name says so.

use crate::headers;
use fishplate_model::{Diagnostic, Source};
use fishplate_readers::interface::Reading;
use fishplate_readers::{interface, kernels};
use std::path::Path;

/// Reads a file with the reader for its ending; `python` is the chosen one.
pub(crate) fn read(source: Source, python: Option<&Path>) -> Reading {
    if headers::is_header(&source.path) {
        headers::read(source, python)
    } else if source.path.extension().is_some_and(|ending| ending == "cfg") {
        kernels::read(source)
    } else {
        interface::read(source)
    }
}

/// Says hints in the words of the language that the file is written in.
pub(crate) fn in_its_words(source: &Source, diagnostics: &mut [Diagnostic]) {
    if headers::is_header(&source.path) {
        headers::in_words_of_headers(source, diagnostics);
    }
}
