//! The front end for a file, by its name.

use crate::{Installations, convert, headers};
use fishplate_model::{Code, Diagnostic, Source, Span};
use fishplate_readers::interface::Reading;
use fishplate_readers::{interface, kernels};
use std::path::Path;

/// Reads a file with the front end for its suffix; folders may be relative to the named
/// installations.
pub(crate) fn read(source: Source, wanted: &Installations) -> Reading {
    if headers::is_header(&source.path) {
        headers::read(source, wanted)
    } else if source.path.extension().is_some_and(|ending| ending == "cfg") {
        kernels::read(source)
    } else {
        interface::read(source)
    }
}

/// Why files with this suffix are not read.
pub(crate) fn refuse(path: &Path) -> Option<Diagnostic> {
    if convert::is_signature_file(path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("`{name}` is a signature file of f2py, not an interface");
        let hint = format!("convert it first: `fishplate convert {name} --out NAME.toml`");
        return Some(Diagnostic::error(Code::NO_FILE, Span::default(), message, hint));
    }
    let ending = path.extension()?.to_str()?;
    let (what, hint) = match ending {
        "c" | "cc" | "cpp" | "cxx" | "c++" | "cu" | "f" | "f90" => (
            "a source file",
            "name the interface, which lists its `sources`; `fishplate init` writes a first one of a \
             header",
        ),
        "hh" | "hpp" | "hxx" => (
            "a header of C++",
            "name a `.toml` interface with `language = \"c++\"`, which lists it in `headers`",
        ),
        "py" | "pyi" | "lua" | "json" | "yaml" | "yml" | "so" | "o" | "a" => {
            ("another kind of file", "name an interface file, such as `stats.toml`")
        }
        _ => return None,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let message = format!("`{name}` is {what}, not an interface");
    Some(Diagnostic::error(Code::NO_FILE, Span::default(), message, hint))
}

/// Words hints in the terms of the file's language.
pub(crate) fn in_its_words(source: &Source, diagnostics: &mut [Diagnostic]) {
    if headers::is_header(&source.path) {
        headers::in_words_of_headers(source, diagnostics);
    }
}
