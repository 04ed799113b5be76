//! Drafts an interface for headers of C++.
//!
//! Purpose: preprocess the headers, parse them with libclang, and try the draft as that of C.
//! Invariant: as of headers of C: the result passes `check`, and compiles if there is an installation.
//! Reason: tree-sitter has no types, and without types C++ cannot be read.

mod libclang;
mod syntax_tree;
mod types;

use super::trial::{Trial, leave_out_what_is_refused};
use super::{FirstInterface, InitOptions, place, schema};
use crate::headers::{self, Found, Including, Refusal};
use crate::{Installations, Report, compiler_errors, usual_toolchain};
use fishplate_init::cplusplus::{self, Draft};
use fishplate_model::{Code, Diagnostic, Interface, Source, Span};
use fishplate_readers::header::{Header, language};
use fishplate_toolchain::{SourceLanguage, include_dirs};
use libclang::Parsing;
use std::path::{Path, PathBuf};

/// The standard without another: that of compilers, with what adapters need.
const STANDARD: &str = "c++17";

/// So many files are read to find the language of a header.
const MOST_FILES: usize = 50;

/// True for headers whose names end with `.h`, if their text is C++, or that of a header which they include from their own
/// folder.
pub(super) fn are_headers(options: &InitOptions<'_>) -> bool {
    let folders = [PathBuf::new()].into_iter().chain(options.include_dirs.iter().cloned());
    let folders: Vec<PathBuf> =
        folders.chain(["/usr/local/include", "/usr/include"].map(PathBuf::from)).collect();
    let find = |name: &String| {
        let name = headers::plain_name(name);
        folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let mut files: Vec<PathBuf> = options.headers.iter().filter_map(find).collect();
    let mut at = 0;
    while let Some(file) = files.get(at).filter(|_| at < MOST_FILES).cloned() {
        at += 1;
        let bytes = std::fs::read(&file).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        if language::is_cplusplus(&text) {
            return true;
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let included = language::included(&text).map(|name| folder.join(name));
        let new: Vec<PathBuf> =
            included.filter(|one| one.is_file() && !files.contains(one)).collect();
        files.extend(new);
    }
    false
}

/// Drafts an interface.
pub(super) fn init(options: &InitOptions<'_>, source: Source) -> Report<FirstInterface> {
    match first_interface(options) {
        Ok(found) => Report { source, diagnostics: Vec::new(), value: Some(found) },
        Err(diagnostics) => Report { source, diagnostics, value: None },
    }
}

fn first_interface(options: &InitOptions<'_>) -> Result<FirstInterface, Vec<Diagnostic>> {
    let refuse = |code, message: String, hint: &str| {
        Err(vec![Diagnostic::error(code, Span::default(), message, hint)])
    };
    if options.update.is_some() {
        let message = "interfaces of C++ headers cannot be updated".to_owned();
        return refuse(Code::UNSUPPORTED, message, "write another file with --out, and compare");
    }
    let standard = options.standard.as_deref().unwrap_or(STANDARD);
    let included = headers::include(&Including {
        headers: options.headers.clone(),
        include_dirs: options.include_dirs.clone(),
        defines: options.defines.clone(),
        flags: vec!["-xc++".to_owned(), format!("-std={standard}")],
        ..Including::default()
    });
    let included = included
        .map_err(|found| found.into_iter().map(Refusal::alone).collect::<Vec<Diagnostic>>())?;
    let (headers, unit) = parse(options, standard, &included.headers, &included.files)?;
    let module = place::module(options, &included.headers, &["cpp", "cc", "cxx"]);
    let reserved = crate::hosts::reserved_words();
    let mut draft = cplusplus::draft(&unit, &headers, module, standard, options.wanted, reserved);
    let is_compiled = leave_out_what_is_refused(&mut draft, options, None)?;
    if draft.is_empty() && draft.left_out.is_empty() {
        let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
        let message = format!("nothing is declared in {} itself", names.join(", "));
        let hint = "name the headers that declare the functions and classes";
        return refuse(Code::NO_FUNCTIONS, message, hint);
    }
    Ok(FirstInterface {
        text: schema::comment(&options.folder) + &draft.print(),
        name: draft.module.name.clone(),
        is_compiled,
        functions: draft.functions(),
        left_out: draft.left_out,
        shims: None,
    })
}

/// The declarations of the headers; if there are none, those of their parts.
fn parse(
    options: &InitOptions<'_>,
    standard: &str,
    found: &[Found],
    files: &[String],
) -> Result<(Vec<Header>, cplusplus::declarations::Unit), Vec<Diagnostic>> {
    let toolchain = usual_toolchain(&Installations::default());
    let compiler_dirs = include_dirs(&toolchain, SourceLanguage::Cxx)
        .map_err(|error| vec![compiler_errors::environment(&error.to_string())])?;
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut headers: Vec<Header> = found.iter().map(|found| found.header.clone()).collect();
    let mut parsing = Parsing {
        named: &options.headers,
        own: found.iter().map(|found| canonical(&found.path)).collect(),
        include_dirs: &options.include_dirs,
        defines: &options.defines,
        standard,
        compiler_dirs,
    };
    let unit = libclang::parse(&parsing, found)?;
    if !unit.is_empty() {
        return Ok((headers, unit));
    }
    let parts = place::parts(&headers, files.iter());
    let parts: Vec<Header> = parts.into_iter().filter(|part| !part.markers.is_empty()).collect();
    let paths = parts.iter().map(|part| canonical(Path::new(&part.markers[0])));
    let paths: Vec<PathBuf> = paths.collect();
    for (part, path) in parts.into_iter().zip(paths) {
        if !parsing.own.contains(&path) {
            parsing.own.push(path);
            headers.push(part);
        }
    }
    Ok((headers, libclang::parse(&parsing, found)?))
}

impl Trial for Draft {
    fn is_empty(&self) -> bool {
        Draft::is_empty(self)
    }

    fn text(&self, _: Option<&Interface>) -> String {
        self.print()
    }

    fn leave_out(&mut self, table: &str, entry: &str, reason: &str) -> bool {
        Draft::leave_out(self, table, entry, reason)
    }

    fn leave_out_symbol(&mut self, symbol: &str, reason: &str) -> bool {
        Draft::leave_out_symbol(self, symbol, reason)
    }

    fn set_undefined(&mut self, symbols: Vec<String>) {
        self.module.undefined = symbols;
    }
}
