//! Drafts an interface for a Fortran source.
//!
//! Purpose: read the file, and try the draft as that of headers.
//! Invariant: as of headers: the result passes `check`, and compiles if there is an installation.
//! Reason: a Fortran source declares what the guesses about headers look for.

use super::trial::{Trial, leave_out_what_is_refused};
use super::{FirstInterface, InitOptions, Shims, place, schema};
use crate::{Report, resolve};
use fishplate_init::LeftOut;
use fishplate_model::{Code, Diagnostic, Interface, Source, Span};
use fishplate_readers::fortran::{self, Draft, SourceFile};
use fishplate_toolchain::{CompilerMessage, Severity};
use std::path::{Path, PathBuf};

/// True for a Fortran source, by its name.
pub(super) fn is_source(name: &str) -> bool {
    fortran::is_free_form(name) || fortran::is_fixed_form(name)
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
        let message = "interfaces of Fortran sources cannot be updated".to_owned();
        return refuse(Code::UNSUPPORTED, message, "write another file with --out, and compare");
    }
    let files = options.headers.iter().map(|file| read(file, options));
    let files = files.collect::<Result<Vec<SourceFile>, Vec<Diagnostic>>>()?;
    let last = options.headers.last().map(Path::new);
    let module = place::module_name(options.name.as_deref(), last);
    let mut draft = fortran::draft(&files, &module, options.wanted);
    let is_compiled = try_with_shims(&mut draft, options)?;
    let left_out: Vec<LeftOut> = (draft.left_out.iter())
        .map(|left| LeftOut {
            name: left.name.clone(),
            place: format!("{}:{}", options.headers[left.file], left.line),
            reason: left.reason.clone(),
        })
        .collect();
    if draft.functions() == 0 && left_out.is_empty() {
        let message = format!("{} has no wanted procedure", options.headers.join(", "));
        return refuse(Code::NO_FUNCTIONS, message, "name the file with the procedures");
    }
    Ok(FirstInterface {
        text: schema::comment(&options.folder) + &draft.print(),
        name: draft.module.clone(),
        is_compiled,
        functions: draft.functions(),
        left_out,
        shims: draft.shims().map(|text| Shims { name: draft.shim_file.clone(), text }),
    })
}

/// Reads a source.
fn read(file: &str, options: &InitOptions<'_>) -> Result<SourceFile, Vec<Diagnostic>> {
    let path = Path::new(file);
    let text = resolve::read(path, "name a Fortran source, such as `stats.f90`")?.text;
    let text = match fortran::is_preprocessed(file) {
        true => fortran::preprocess(&text, &options.defines),
        false => text,
    };
    Ok(SourceFile { name: place::relative(path, &options.folder), text })
}

/// Tries the draft, with its shims in a file elsewhere.
fn try_with_shims(draft: &mut Draft, options: &InitOptions<'_>) -> Result<bool, Vec<Diagnostic>> {
    let folder = draft.shims().and_then(|text| {
        let folder = tempfile::tempdir().ok()?;
        std::fs::write(folder.path().join(&draft.shim_file), text).ok()?;
        Some(folder)
    });
    let name = draft.shim_file.clone();
    if let Some(folder) = &folder {
        draft.shim_file = folder.path().join(&name).display().to_string();
    }
    let tried = leave_out_what_is_refused(draft, options, None);
    draft.shim_file = name;
    tried
}

impl Trial for Draft {
    fn is_empty(&self) -> bool {
        self.functions() == 0
    }

    fn text(&self, _: Option<&Interface>) -> String {
        self.print()
    }

    fn leave_out(&mut self, table: &str, text: &str, reason: &str) -> bool {
        self.remove_table(table, text, reason)
    }

    fn leave_out_symbol(&mut self, symbol: &str, reason: &str) -> bool {
        self.remove_callers(symbol, reason)
    }

    // Only the libraries of Fortran itself are missing then, which the build names.
    fn set_undefined(&mut self, _: Vec<String>) {}

    fn leave_out_sources(&mut self, messages: &[CompilerMessage]) -> bool {
        let file = PathBuf::from(&self.shim_file);
        let errors = || messages.iter().filter(|one| one.severity == Severity::Error);
        let Ok(text) = std::fs::read_to_string(&file) else { return false };
        // With another error, the module that the shims use may be missing.
        if errors().any(|one| one.file != file) {
            return false;
        }
        let mut is_smaller = false;
        for error in errors() {
            let reason = format!("the Fortran compiler refuses its shim: {}", error.text);
            is_smaller |= fortran::shim_at(&text, error.line)
                .is_some_and(|name| self.remove_shim(name, &reason));
        }
        is_smaller && std::fs::write(&file, self.shims().unwrap_or_default()).is_ok()
    }
}
