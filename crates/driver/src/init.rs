//! Drafts an interface for plain headers of C and C++, and for Fortran sources.
//!
//! The preprocessor determines the declarations, the drafter guesses, and `check`, the compiler and
//! the linker decide: functions that they refuse are omitted with the reason, so that a file with
//! functions is valid whatever the header.

mod cplusplus;
mod fortran;
mod place;
mod schema;
mod trial;
mod update;

use crate::Report;
use crate::headers::{self, Included, Including, Refusal};
use fishplate_init::{Draft, LeftOut};
use fishplate_model::{Code, Diagnostic, Interface, Language, Source, Span};
use fishplate_readers::header::{Header, macros};
use std::path::{Path, PathBuf};
use trial::Trial as _;

/// The input of a draft.
pub struct InitOptions<'a> {
    /// Header files, names that the compiler finds: `zlib.h`, or one Fortran source.
    pub headers: Vec<String>,
    /// The module's name; by default that of the first header.
    pub name: Option<String>,
    /// Libraries to link.
    pub libraries: Vec<String>,
    /// Folders for `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The language of the headers; by default that of their names and their text.
    pub language: Option<Language>,
    /// The standard of C++: `c++20`.
    pub standard: Option<String>,
    /// The selection of functions, enumerations and constants, by name.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// The interface file to extend; its headers and options are the defaults.
    pub update: Option<PathBuf>,
    /// The folder for the interface: paths in it are relative to this.
    pub folder: PathBuf,
}

/// An interface that passes `check`, if it has functions; otherwise the reasons why it has none.
#[derive(Debug)]
pub struct FirstInterface {
    /// The file's content.
    pub text: String,
    /// The module's name.
    pub name: String,
    /// It was compiled, and linked if its libraries are known: an installation of the default host
    /// is present.
    pub is_compiled: bool,
    /// The number of its functions.
    pub functions: usize,
    /// The functions that are omitted.
    pub left_out: Vec<LeftOut>,
    /// A source that belongs next to the file, which names it.
    pub shims: Option<Shims>,
}

/// Procedures of C, in Fortran, for procedures that C cannot call.
#[derive(Debug)]
pub struct Shims {
    /// The file's name.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Drafts an interface.
pub fn init(mut options: InitOptions<'_>) -> Report<FirstInterface> {
    let mut path = options.headers.first().map(PathBuf::from).unwrap_or_default();
    let mut known = None;
    if let Some(file) = options.update.clone() {
        match update::read(&file) {
            Ok(interface) => {
                update::complete(&mut options, &interface, &file);
                known = Some(interface);
            }
            Err(diagnostics) => {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                return Report { source: Source { path: file, text }, diagnostics, value: None };
            }
        }
        path = file;
    }
    let source = Source { path, text: String::new() };
    let fortran = options.headers.iter().any(|name| fortran::is_source(name));
    if fortran {
        return fortran::init(&options, source);
    }
    let is_cplusplus = options.language.map_or_else(
        || {
            known.as_ref().is_some_and(|one| one.module.language == Language::Cxx)
                || options.standard.is_some()
                || options.headers.iter().any(|name| headers::is_cplusplus(name))
                || (known.is_none() && cplusplus::are_headers(&options))
        },
        |language| language == Language::Cxx,
    );
    if is_cplusplus {
        return cplusplus::init(&options, source);
    }
    match first_interface(&options, known.as_ref()) {
        Ok(found) => Report { source, diagnostics: Vec::new(), value: Some(found) },
        Err(diagnostics) => Report { source, diagnostics, value: None },
    }
}

/// The functions of the headers of an interface file that it does not name, not even in a comment.
pub(crate) fn new_functions(
    file: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    let known = update::read(file)?;
    let mut options = InitOptions {
        headers: Vec::new(),
        name: None,
        libraries: Vec::new(),
        include_dirs: Vec::new(),
        defines: Vec::new(),
        language: None,
        standard: None,
        wanted,
        update: Some(file.to_owned()),
        folder: PathBuf::new(),
    };
    update::complete(&mut options, &known, file);
    let (draft, _) = draft(&options, Some(&known))?;
    let mut names = draft.function_names();
    names.retain(|name| wanted(name));
    Ok(names)
}

fn first_interface(
    options: &InitOptions<'_>,
    known: Option<&Interface>,
) -> Result<FirstInterface, Vec<Diagnostic>> {
    let (mut draft, headers) = draft(options, known)?;
    let is_compiled = trial::leave_out_what_is_refused(&mut draft, options, known)?;
    if draft.functions.is_empty() && draft.left_out.is_empty() && known.is_none() {
        return Err(vec![nothing(&draft, &headers)]);
    }
    let comment = match known {
        Some(_) => String::new(),
        None => schema::comment(&options.folder),
    };
    Ok(FirstInterface {
        text: comment + &draft.text(known),
        name: draft.module.name,
        is_compiled,
        functions: draft.functions.len(),
        left_out: draft.left_out,
        shims: None,
    })
}

/// The guesses for the functions that the headers declare, without those that `known` names.
fn draft(
    options: &InitOptions<'_>,
    known: Option<&Interface>,
) -> Result<(Draft, Vec<Header>), Vec<Diagnostic>> {
    let included = include(options, String::new())?;
    let module = place::module(options, &included.headers, &["c"]);
    let printed = included.printed;
    let mut headers: Vec<Header> = included.headers.into_iter().map(|found| found.header).collect();
    // Other headers need these, for `FILE` or `size_t`. Their functions are not those of the library.
    if headers.iter().any(|header| !is_standard(header)) {
        headers.retain(|header| !is_standard(header));
    }
    let drafted = |headers: &[Header]| -> Result<Draft, Vec<Diagnostic>> {
        let defined = headers.iter().flat_map(|header| macros::defined(&header.text)).collect();
        let answers = macros::answers(&include(options, macros::asking(&defined))?.printed);
        let (module, reserved) = (module.clone(), crate::hosts::reserved_words());
        Ok(fishplate_init::draft(&printed, headers, &answers, module, options.wanted, reserved))
    };
    let mut draft = drafted(&headers)?;
    if draft.functions.is_empty() && draft.left_out.is_empty() {
        let parts = place::parts(&headers, draft.elsewhere.keys());
        if !parts.is_empty() {
            headers.extend(parts);
            draft = drafted(&headers)?;
        }
    }
    if let Some(known) = known {
        draft.take_out_known(known);
    }
    Ok((draft, headers))
}

/// The headers of C's standard library, by ISO C23, 7.1.2, without `.h`.
const STANDARD: [&str; 31] = [
    "assert",
    "complex",
    "ctype",
    "errno",
    "fenv",
    "float",
    "inttypes",
    "iso646",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdalign",
    "stdarg",
    "stdatomic",
    "stdbit",
    "stdbool",
    "stdckdint",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "stdnoreturn",
    "string",
    "tgmath",
    "threads",
    "time",
    "uchar",
    "wchar",
    "wctype",
];

fn is_standard(header: &Header) -> bool {
    header.name.strip_suffix(".h").is_some_and(|name| STANDARD.contains(&name))
}

/// The preprocessor's output for the headers, with `behind` after them.
fn include(options: &InitOptions<'_>, behind: String) -> Result<Included, Vec<Diagnostic>> {
    let request = Including {
        headers: options.headers.clone(),
        include_dirs: options.include_dirs.clone(),
        defines: options.defines.clone(),
        flags: Vec::new(),
        behind,
        ..Including::default()
    };
    let included = headers::include(&request);
    included.map_err(|found| found.into_iter().map(Refusal::alone).collect())
}

fn nothing(draft: &Draft, headers: &[Header]) -> Diagnostic {
    let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
    let message = format!("no wanted function is declared in {} itself", names.join(", "));
    let hint = match draft.elsewhere.iter().max_by_key(|(_, count)| **count) {
        Some((file, count)) => {
            format!("it includes {file}, which declares {count}: name that header too")
        }
        None => "name the headers that declare the functions".to_owned(),
    };
    Diagnostic::error(Code::NO_FUNCTIONS, Span::default(), message, hint)
}
