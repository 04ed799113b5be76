//! Loads libclang, and parses headers with it.
//!
//! Purpose: from headers to a translation unit, and from that to a [`Unit`].
//! Invariant: one thread at a time uses libclang, which is unloaded afterwards.
//! Reason: only a compiler of C++ can read C++; it is needed for drafts alone, so it is loaded for these.

use super::syntax_tree::Walk;
use crate::headers::{Found, plain_name};
use clang::diagnostic::Severity;
use clang::{Clang, Index, Unsaved};
use fishplate_init::cplusplus::declarations::Unit;
use fishplate_model::{Code, Diagnostic, Span};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The file that includes the headers; it exists in memory only.
const MAIN: &str = "fishplate_headers.cpp";

/// The reason why libclang could not be loaded: the library does not try again.
static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Headers, and the options for parsing them.
pub(super) struct Parsing<'a> {
    /// The headers as they were named.
    pub named: &'a [String],
    /// The files whose declarations are wanted.
    pub own: Vec<PathBuf>,
    pub include_dirs: &'a [PathBuf],
    pub defines: &'a [String],
    /// `c++20`
    pub standard: &'a str,
    /// The folders of the compiler, which libclang may lack.
    pub compiler_dirs: Vec<PathBuf>,
}

impl Parsing<'_> {
    fn arguments(&self) -> Vec<String> {
        let mut all: Vec<String> = vec!["-xc++".to_owned(), format!("-std={}", self.standard)];
        all.extend(self.include_dirs.iter().map(|dir| format!("-I{}", dir.display())));
        all.extend(self.defines.iter().map(|define| format!("-D{define}")));
        for dir in &self.compiler_dirs {
            all.extend(["-idirafter".to_owned(), dir.display().to_string()]);
        }
        all
    }

    fn source(&self, headers: &[Found]) -> String {
        let line = |(name, found): (&String, &Found)| match found.is_file {
            true => {
                let path = std::path::absolute(&found.path).unwrap_or_else(|_| found.path.clone());
                format!("#include \"{}\"\n", path.display())
            }
            false => format!("#include <{}>\n", plain_name(name)),
        };
        self.named.iter().zip(headers).map(line).collect()
    }
}

/// The declarations of the files in `own`.
pub(super) fn parse(parsing: &Parsing<'_>, headers: &[Found]) -> Result<Unit, Vec<Diagnostic>> {
    let mut failure = FAILURE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(reason) = failure.as_ref() {
        return Err(vec![absent(reason)]);
    }
    let clang = Clang::new().map_err(|reason| {
        *failure = Some(reason.clone());
        vec![absent(&reason)]
    })?;
    let index = Index::new(&clang, false, false);
    let mut parser = index.parser(MAIN);
    let unsaved = Unsaved::new(MAIN, parsing.source(headers));
    parser.arguments(&parsing.arguments()).unsaved(&[unsaved]).skip_function_bodies(true);
    let unit = parser.parse().map_err(|error| {
        let hint = "check the headers and the options `-I` and `-D`, and `--standard`";
        vec![refused(format!("libclang cannot parse the headers: {error}"), hint)]
    })?;
    let errors: Vec<Diagnostic> = (unit.get_diagnostics().iter())
        .filter(|one| one.get_severity() >= Severity::Error)
        .map(|one| {
            let place = one.get_location().get_file_location();
            let file = place.file.map(|file| file.get_path()).unwrap_or_default();
            let name = Path::new(&file).display().to_string();
            let message = format!("{name}:{}: {}", place.line, one.get_text());
            refused(
                message,
                "libclang refuses the header; `--standard c++20` selects a standard, `-D NAME` defines a macro",
            )
        })
        .take(5)
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Walk::new(&parsing.own).unit(unit.get_entity()))
}

fn refused(message: String, hint: &str) -> Diagnostic {
    Diagnostic::error(Code::PREPROCESSOR, Span::default(), message, hint)
}

fn absent(reason: &str) -> Diagnostic {
    // A search that finds none lists all folders.
    let reason = match reason.starts_with("couldn't find") {
        true => String::new(),
        false => format!(": {}", reason.lines().next().unwrap_or_default()),
    };
    Diagnostic::error(
        Code::ENVIRONMENT,
        Span::default(),
        format!("libclang, which reads headers of C++, is not installed{reason}"),
        "run `pip install libclang` where `fishplate` is installed, or `apt install libclang1`; LIBCLANG_PATH names the \
         file or the folder of another one",
    )
}
