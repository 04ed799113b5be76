//! A `[KERNEL name]` section.
//!
//! Purpose: translate a section to a function, and each prototype to one overload for each layout
//! that it accepts.
//! Invariant: a function is returned only if all of its prototypes could be parsed.
//! Reason: half a kernel would only cause errors about half a kernel.

use super::document::Section;
use super::keys::{self, Entries};
use super::layouts::{self, Fortran, Kinds};
use super::module::{Defaults, Settings};
use super::{arguments, code, lists, prototypes, settings};
use crate::names;
use crate::prototype::{Types, print_shown};
use fishplate_model::{Code, Diagnostic, Function, Kind, Overload, Span, Spanned};

/// The result of reading a section.
pub(super) enum Kernel {
    /// The section is marked as skipped.
    Skipped,
    /// It has mistakes.
    Refused,
    /// A function, and whether it is to be traced at a place.
    Read(Box<Function>, Option<Span>),
}

/// Reads the section, whose header names the function.
pub(super) fn read(
    name: Spanned<String>,
    section: &Section,
    given: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Kernel {
    let mut found = Vec::new();
    let kernel = read_parts(name, section, given, &mut found);
    let good = !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    if good || matches!(kernel, Kernel::Skipped) { kernel } else { Kernel::Refused }
}

fn read_parts(
    name: Spanned<String>,
    section: &Section,
    given: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Kernel {
    let mut of_keys = Vec::new();
    let entries = keys::of_kernel(section, &mut of_keys);
    if entries.get("skip").is_some_and(|entry| settings::skip(entry, diagnostics)) {
        return Kernel::Skipped;
    }
    diagnostics.append(&mut of_keys);
    let overloads = overloads(&name, section.is_broken, &entries, given, diagnostics);
    diagnostics.extend(names::refuse_function(&name));
    let description = entries.get("description").map(|entry| entry.value.whole().value);
    let mut function = Function {
        doc: description.unwrap_or_default(),
        overloads,
        ellipses: mapping(&entries, &given.defaults, diagnostics),
        ..Function::named(name)
    };
    let mut read_code = |key| entries.get(key).and_then(|entry| code::read(entry, diagnostics));
    function.pre_call = read_code("pre_call_code");
    function.post_call = read_code("post_call_code");
    let traced = match entries.get("debug") {
        Some(entry) => {
            settings::boolean(entry, diagnostics).unwrap_or(false).then(|| entry.value.span())
        }
        None => given.defaults.debug.then_some(function.name.span),
    };
    if function.overloads.is_empty() {
        return Kernel::Refused;
    }
    Kernel::Read(Box::new(function), traced)
}

fn mapping(
    entries: &Entries<'_>,
    defaults: &Defaults,
    diagnostics: &mut Vec<Diagnostic>,
) -> fishplate_model::Ellipses {
    let dots = entries
        .get("ellipses")
        .and_then(|entry| settings::ellipses(&entry.value, diagnostics))
        .unwrap_or(defaults.dots);
    let types = entries
        .get("arraytypes")
        .and_then(|entry| settings::array_types(&entry.value, diagnostics))
        .unwrap_or(defaults.array_types);
    settings::mapping(dots, types)
}

/// The prototypes of a section, parsed and annotated.
fn overloads(
    name: &Spanned<String>,
    is_broken: bool,
    entries: &Entries<'_>,
    given: &Settings,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Overload> {
    let types = &given.types;
    let listed = lists::read(entries, types, diagnostics);
    let mut names_of = |key: &str| match entries.get(key) {
        Some(entry) => lists::names(key, &entry.value, types, diagnostics),
        None => Vec::new(),
    };
    let fortran = Fortran {
        all: names_of("fortran"),
        by_kind: vec![
            (Kind::C, names_of("fortran[C]")),
            (Kind::Fortran, names_of("fortran[Fortran]")),
        ],
    };
    // A missing key may be in the lines that could not be parsed.
    let lists_are_complete = !is_broken && !diagnostics.iter().any(Diagnostic::is_error);
    let all = prototypes(entries, types, diagnostics);
    if all.is_empty() && !is_broken {
        let shown = names::short(&name.value, 40);
        diagnostics.push(Diagnostic::error(
            Code::MISSING_SETTING,
            name.span,
            format!("`[KERNEL {shown}]` has no prototypes"),
            "add `prototypes:`, with a C prototype in each line below",
        ));
    }
    let mut all: Vec<(Option<Kind>, Overload)> =
        all.into_iter().filter_map(|(kind, overload)| Some((kind, overload?))).collect();
    if let Some((_, first)) = all.first() {
        let marked: Vec<_> = fortran.listed().collect();
        arguments::check(first, &listed, &marked, lists_are_complete, diagnostics);
    }
    prototypes::agree(&mut all, diagnostics);
    let serves = |kind: Kind| all.iter().any(|(owner, _)| *owner == Some(kind));
    let kinds = general_kinds(entries, given, serves, diagnostics);
    let mut overloads = Vec::new();
    for (owner, mut overload) in all {
        arguments::annotate(&mut overload, &listed, diagnostics);
        match owner {
            Some(kind) => {
                layouts::of_kind(&mut overload, kind, &fortran);
                overloads.push(overload);
            }
            None => overloads.extend(layouts::general(&overload, &kinds, &fortran, diagnostics)),
        }
    }
    layouts::forget_the_general_kind(&mut overloads);
    for overload in &mut overloads {
        overload.text = print_shown(overload);
    }
    overloads
}

/// Every prototype, `None` if it could not be parsed, and the kind for which it was written.
fn prototypes(
    entries: &Entries<'_>,
    types: &Types,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Option<Kind>, Option<Overload>)> {
    let keys = [
        ("prototypes[C]", Some(Kind::C)),
        ("prototypes[Fortran]", Some(Kind::Fortran)),
        ("prototypes", None),
    ];
    let mut all = Vec::new();
    for (key, kind) in keys {
        if let Some(entry) = entries.get(key) {
            let read = prototypes::read(&entry.value, types, diagnostics);
            all.extend(read.into_iter().map(|overload| (kind, overload)));
        }
    }
    all
}

/// The kinds of `prototypes`: those named, without those that have their own prototypes.
fn general_kinds(
    entries: &Entries<'_>,
    given: &Settings,
    serves: impl Fn(Kind) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Kinds {
    let named = entries
        .get("kinds")
        .map(|entry| settings::kinds(&entry.value, diagnostics))
        .filter(|kinds| !kinds.value.is_empty());
    let place = named.as_ref().map(|kinds| kinds.span);
    let mut kinds = named.map_or_else(|| given.defaults.kinds.clone(), |kinds| kinds.value);
    kinds.retain(|kind| !serves(*kind));
    let unused = entries.get("prototypes").filter(|_| kinds.is_empty());
    if let Some(entry) = unused.filter(|entry| !entry.value.text.trim().is_empty()) {
        diagnostics.push(Diagnostic::warning(
            Code::KIND_SKIPPED,
            entry.value.span(),
            "these prototypes are for no kind",
            "add `Xnd` to `kinds`: the other kinds have prototypes of their own",
        ));
    }
    Kinds { kinds, place }
}
