//! Conversion: interfaces in other languages as interface files.
//!
//! Purpose: rewrite a configuration of xndtools, or a signature file of f2py.
//! Invariant: the written interface passes `check` for the host.
//! Reason: a signature file may describe more than an interface can, so that each routine is
//! converted or left out by itself, while a configuration is an interface in another notation.

use crate::{Installations, Report, arrange_diagnostics, headers, read_file, resolve};
use fishplate_check::check;
use fishplate_emit::Host;
use fishplate_model::{Code, Diagnostic, Source, Span};
use fishplate_readers::f2py::{self, Conversion};
use fishplate_readers::interface;
use std::path::Path;

/// Rewrites an interface in another language as an interface file.
pub fn convert_file(path: &Path, host: &dyn Host) -> Report<String> {
    if is_signature_file(path) {
        return convert_signatures(path, host);
    }
    read_file(path, &Installations::default()).and_then(|source, interface, diagnostics| {
        if headers::is_header(path) {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                Span::default(),
                "an annotated header cannot be converted",
                "build it as it is: the header is the interface",
            ));
            return None;
        }
        let (checked, found) = check(&interface, &host.capabilities());
        diagnostics.extend(found);
        arrange_diagnostics(source, diagnostics);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        checked.filter(|_| !failed).map(|_| fishplate_readers::interface::write(&interface))
    })
}

/// True for a signature file of f2py, or a template of one.
pub(crate) fn is_signature_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".pyf") || name.ends_with(".pyf.src")
}

/// Rewrites a signature file. Routines without an equivalent are warnings.
fn convert_signatures(path: &Path, host: &dyn Host) -> Report<String> {
    let source = match resolve::read(path, "name a signature file, such as `lapack.pyf`") {
        Ok(source) => source,
        Err(reasons) => return Report::refused(path, reasons),
    };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let text = match path.extension() {
        Some(ending) if ending == "src" => f2py::expand(&source.text, &read),
        _ => source.text,
    };
    let source = Source { text, ..source };
    let mut conversion = f2py::convert(&source.text);
    let remaining = leave_out_what_check_refuses(&mut conversion, host);
    let mut diagnostics: Vec<Diagnostic> =
        conversion.left_out.iter().map(|left| left_out(left, &source.text)).collect();
    if conversion.functions() == 0 {
        diagnostics.push(Diagnostic::error(
            Code::NO_FUNCTIONS,
            Span::default(),
            format!("{} has no routine with an equivalent", path.display()),
            "a signature file has a module with an `interface` of routines",
        ));
    }
    if conversion.functions() > 0 {
        diagnostics.extend(remaining);
    }
    arrange_diagnostics(&source, &mut diagnostics);
    let is_valid = !diagnostics.iter().any(Diagnostic::is_error);
    let value = is_valid.then(|| conversion.print());
    Report { source, diagnostics, value }
}

/// The start of a function's table.
const TABLE: &str = "\n[function.";

/// Leaves out each function that `check` refuses, with its reason. The errors of the module itself,
/// such as its name, remain.
fn leave_out_what_check_refuses(conversion: &mut Conversion, host: &dyn Host) -> Vec<Diagnostic> {
    loop {
        let path = Path::new("converted.toml").to_owned();
        let reading = interface::read(Source { path, text: conversion.print() });
        let (_, found) = check(&reading.interface, &host.capabilities());
        let text = &reading.interface.source.text;
        let mut is_smaller = false;
        let mut remaining = Vec::new();
        for one in reading.diagnostics.iter().chain(&found).filter(|one| one.is_error()) {
            let before = &text[..one.primary.span.end.min(text.len())];
            match before.rfind(TABLE).and_then(|at| text[at + TABLE.len()..].split(']').next()) {
                Some(name) => is_smaller |= conversion.remove(name, &one.message),
                None => remaining.push(Diagnostic::error(
                    one.code,
                    Span::default(),
                    one.message.clone(),
                    one.hint.clone(),
                )),
            }
        }
        if !is_smaller {
            return remaining;
        }
    }
}

fn left_out(left: &f2py::LeftOut, text: &str) -> Diagnostic {
    let before = text.split_inclusive('\n').take(left.line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    Diagnostic::warning(
        Code::LEFT_OUT,
        Span::new(start, start + length),
        format!("`{}` is left out: {}", left.name, left.reason),
        "add it to the interface by hand, with a C function that has simpler arguments",
    )
}
