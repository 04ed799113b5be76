//! The keys of each section, in every historical spelling.
//!
//! Purpose: map `input` and `input_arguments`, `prototypes[C]` and `prototypes_C` to one name.
//! Invariant: after this, a key has one spelling, is valid in its section and is unique.
//! Reason: xndtools accepted some spellings and silently dropped others.

use super::document::{Entry, Section};
use crate::names;
use fishplate_model::{Code, Diagnostic};

/// The keys of `[MODULE]`.
const MODULE: &[&str] = &[
    "typemaps",
    "kinds",
    "ellipses",
    "arraytypes",
    "include_dirs",
    "includes",
    "sources",
    "libraries",
    "library_dirs",
    "header_code",
    "debug",
];

/// The keys of `[KERNEL]`.
const KERNEL: &[&str] = &[
    "description",
    "kinds",
    "ellipses",
    "arraytypes",
    "prototypes",
    "prototypes[C]",
    "prototypes[Fortran]",
    "input",
    "inplace",
    "inout",
    "output",
    "hide",
    "fortran",
    "fortran[C]",
    "fortran[Fortran]",
    "dimension",
    "skip",
    "debug",
    "pre_call_code",
    "post_call_code",
];

/// The keys that may also end in `_arguments`.
const INTENTS: [&str; 5] = ["input", "inplace", "inout", "output", "hide"];

/// A section's entries by key.
pub(super) struct Entries<'s>(Vec<(&'static str, &'s Entry)>);

impl<'s> Entries<'s> {
    pub(super) fn get(&self, key: &str) -> Option<&'s Entry> {
        self.0.iter().find(|(known, _)| *known == key).map(|(_, entry)| *entry)
    }
}

/// The entries of a `[MODULE]` section.
pub(super) fn of_module<'s>(
    section: &'s Section,
    diagnostics: &mut Vec<Diagnostic>,
) -> Entries<'s> {
    entries(section, "[MODULE]", MODULE, ("[KERNEL]", KERNEL), diagnostics)
}

/// The entries of a `[KERNEL]` section.
pub(super) fn of_kernel<'s>(
    section: &'s Section,
    diagnostics: &mut Vec<Diagnostic>,
) -> Entries<'s> {
    entries(section, "[KERNEL]", KERNEL, ("[MODULE]", MODULE), diagnostics)
}

fn entries<'s>(
    section: &'s Section,
    shown: &str,
    known: &'static [&'static str],
    other: (&str, &[&str]),
    diagnostics: &mut Vec<Diagnostic>,
) -> Entries<'s> {
    let mut entries: Vec<(&'static str, &'s Entry)> = Vec::new();
    for entry in &section.entries {
        let spelt = one_spelling(&entry.key.value);
        let key = known.iter().find(|key| key.eq_ignore_ascii_case(&spelt));
        let Some(key) = key else {
            diagnostics.push(unknown(entry, &spelt, shown, known, other));
            continue;
        };
        match entries.iter().find(|(before, _)| before == key) {
            None => entries.push((key, entry)),
            Some((_, first)) => {
                let also = if first.key.value == entry.key.value {
                    "here first"
                } else {
                    "here first, in another spelling"
                };
                diagnostics.push(
                    Diagnostic::error(
                        Code::REPEATED,
                        entry.key.span,
                        format!("duplicate key `{key}`"),
                        "remove one of the two",
                    )
                    .also(first.key.span, also),
                );
            }
        }
    }
    Entries(entries)
}

fn unknown(
    entry: &Entry,
    spelt: &str,
    shown: &str,
    known: &[&str],
    (elsewhere, other): (&str, &[&str]),
) -> Diagnostic {
    let is_other = || other.iter().any(|key| key.eq_ignore_ascii_case(spelt));
    let hint = if spelt == "vectorize" {
        "its name is `ellipses` now: `ellipses: ...` broadcasts over further dimensions".to_owned()
    } else if let Some(stem) = spelt.strip_suffix("[xnd]").or(spelt.strip_suffix("_xnd")) {
        format!("`{stem}` is about the kind `Xnd`, and about all that have no key of their own")
    } else if is_other() {
        format!("it is a key of `{elsewhere}`")
    } else if let Some(meant) = names::closest(spelt, known.iter().copied()) {
        format!("did you mean `{meant}`?")
    } else {
        format!("its keys are {}", names::list(known, "and"))
    };
    let name = names::short(&entry.key.value, 40);
    let message = format!("unknown key `{name}` of `{shown}`");
    Diagnostic::error(Code::UNKNOWN_SETTING, entry.key.span, message, hint)
}

/// `input_arguments` as `input`, `prototypes_c` as `prototypes[c]`.
fn one_spelling(key: &str) -> String {
    let spaceless: String = key.split_whitespace().collect();
    if let Some(stem) = spaceless.strip_suffix("_arguments")
        && INTENTS.contains(&stem)
    {
        return stem.to_owned();
    }
    for kind in ["c", "fortran"] {
        if let Some(stem) = spaceless.strip_suffix(kind).and_then(|stem| stem.strip_suffix('_'))
            && matches!(stem, "prototypes" | "fortran")
        {
            return format!("{stem}[{kind}]");
        }
    }
    spaceless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_that_was_in_use() {
        for (written, key) in [
            ("input_arguments", "input"),
            ("prototypes_c", "prototypes[c]"),
            ("prototypes [fortran]", "prototypes[fortran]"),
            ("fortran_fortran", "fortran[fortran]"),
            ("fortran", "fortran"),
            ("include_dirs", "include_dirs"),
        ] {
            assert_eq!(one_spelling(written), key);
        }
    }
}
