//! Configuration files of xndtools' kernel generator.
//!
//! Purpose: translate a `NAME-kernels.cfg` that was written for xndtools to an [`Interface`].
//! Invariant: the interface contains only parts without errors; every error has a diagnostic in the
//! file, and overloads equal those of annotated prototypes.
//! Reason: existing kernels continue to work, and `fishplate convert` can write them as interface
//! files.
//!
//! A file is processed by `document` (sections, keys, values), `keys` and `settings` (the meaning
//! of keys), `module` and `kernel`. A kernel has three parts: its `prototypes`, its `lists` of
//! arguments, and the `layouts` that it accepts; `arguments` combines them.

mod arguments;
mod code;
mod document;
mod kernel;
mod keys;
mod layouts;
mod lists;
mod module;
mod prototypes;
mod settings;

use crate::interface::Reading;
use crate::names;
use document::Section;
use fishplate_model::{Code, Diagnostic, Function, Interface, Source, Span, Spanned};
use kernel::Kernel;
use module::Settings;

/// Reads a configuration file.
pub fn read(source: Source) -> Reading {
    let mut diagnostics = Vec::new();
    let sections = document::read(&source.text, &mut diagnostics);
    let (given, functions) = interface(&sections, &mut diagnostics);
    diagnostics.sort_by_key(|found| found.primary.span);
    let (module, types) = (given.module, given.declared_types);
    let interface = Interface { source, module, types, functions, ..Interface::default() };
    Reading { interface, diagnostics }
}

/// The parsed header of a section.
enum Header {
    Module(Spanned<String>),
    Kernel(Spanned<String>),
}

fn interface(sections: &[Section], diagnostics: &mut Vec<Diagnostic>) -> (Settings, Vec<Function>) {
    let was_broken = !diagnostics.is_empty();
    let mut module: Option<(Spanned<String>, &Section)> = None;
    let mut kernels: Vec<(Spanned<String>, &Section)> = Vec::new();
    for section in sections {
        match header(section, diagnostics) {
            None => {}
            Some(Header::Module(name)) => match &module {
                None => module = Some((name, section)),
                Some((_, first)) => diagnostics.push(
                    Diagnostic::error(
                        Code::REPEATED,
                        section.header.span,
                        "there are two `[MODULE]` sections",
                        "a file describes one module: write one section",
                    )
                    .also(first.header.span, "the first"),
                ),
            },
            Some(Header::Kernel(name)) => {
                match kernels.iter().find(|(other, _)| other.value == name.value) {
                    None => kernels.push((name, section)),
                    Some((first, _)) => diagnostics.push(
                        Diagnostic::error(
                            Code::REPEATED,
                            name.span,
                            format!("there are two kernels `{}`", names::short(&name.value, 40)),
                            "a kernel of several prototypes is one section: put them together",
                        )
                        .also(first.span, "the first"),
                    ),
                }
            }
        }
    }
    let place = module.as_ref().map_or(Span::default(), |(_, section)| section.header.span);
    let is_missing = module.is_none();
    let mut given = match module {
        Some((name, section)) => module::read(name, section, diagnostics),
        None => Settings::default(),
    };
    if is_missing && !was_broken {
        diagnostics.push(Diagnostic::error(
            Code::MISSING_SETTING,
            Span::default(),
            "missing section `[MODULE]`",
            "begin with `[MODULE name]`, the name to import",
        ));
    }
    let functions = functions(&kernels, &mut given, place, diagnostics);
    (given, functions)
}

fn functions(
    kernels: &[(Spanned<String>, &Section)],
    given: &mut Settings,
    place: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Function> {
    let mut functions = Vec::new();
    let mut refused = false;
    for (name, section) in kernels {
        match kernel::read(name.clone(), section, given, diagnostics) {
            Kernel::Skipped => {}
            Kernel::Refused => refused = true,
            Kernel::Read(mut function, traced) => {
                if let Some(place) = traced {
                    code::trace(&mut function, place);
                    add_header("<stdio.h>", place, given);
                }
                functions.push(*function);
            }
        }
    }
    let broken = diagnostics.iter().any(Diagnostic::is_error);
    if functions.is_empty() && !refused && !broken {
        let (message, hint) = match kernels.len() {
            0 => (
                "this configuration has no kernels".to_owned(),
                "add `[KERNEL name]` with `prototypes:`, a C prototype in each line below",
            ),
            1 => (
                "the only kernel of this configuration is skipped".to_owned(),
                "remove `skip` from it once it is edited",
            ),
            count => (
                format!("all {count} kernels of this configuration are skipped"),
                "remove `skip` from each kernel that is edited",
            ),
        };
        diagnostics.push(Diagnostic::error(Code::MISSING_SETTING, place, message, hint));
    }
    functions
}

fn add_header(header: &str, place: Span, given: &mut Settings) {
    let headers = &mut given.module.headers;
    if !headers.iter().any(|there| there.value == header) {
        headers.push(Spanned::new(header.to_owned(), place));
    }
}

/// `MODULE name` or `KERNEL name`.
fn header(section: &Section, diagnostics: &mut Vec<Diagnostic>) -> Option<Header> {
    let text = &section.header.value;
    let word = text.split_whitespace().next()?;
    let name = text[word.len()..].trim();
    let at = section.header.span.end - name.len();
    let shown = names::short(text, 40);
    let kind = ["MODULE", "KERNEL"].into_iter().find(|kind| *kind == word);
    let Some(kind) = kind else {
        let hint = match names::closest(word, ["MODULE", "KERNEL"]) {
            Some(meant) => format!("did you mean `[{meant} ...]`?"),
            None if word == "DEFAULT" => "keys for all kernels are in `[MODULE name]`".to_owned(),
            None if word == "FUNCTION" => "it is called `[KERNEL name]`".to_owned(),
            None => "its sections are `[MODULE name]` and `[KERNEL name]`".to_owned(),
        };
        let message = format!("unknown section `[{shown}]`");
        diagnostics.push(Diagnostic::error(
            Code::UNKNOWN_SECTION,
            section.header.span,
            message,
            hint,
        ));
        return None;
    };
    if name.is_empty() {
        diagnostics.push(Diagnostic::error(
            Code::MISSING_SETTING,
            section.header.span,
            format!("`[{kind}]` has no name"),
            format!("write `[{kind} name]`"),
        ));
        return None;
    }
    let name = Spanned::new(name.to_owned(), Span::new(at, section.header.span.end));
    Some(if kind == "MODULE" { Header::Module(name) } else { Header::Kernel(name) })
}

#[cfg(test)]
mod tests;
