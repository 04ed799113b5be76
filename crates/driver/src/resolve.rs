//! Resolves the parts of an interface that depend on the machine: variables, folders of
//! installations, and files that must exist.

use crate::{HOSTS, Installations, store};
use fishplate_model::{Code, Diagnostic, Interface, Module, Source, Span, Spanned};
use fishplate_toolchain::{CrossBuild, SourceLanguage};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Reads a file as a string; a byte order mark is dropped. `hint` says which file to name instead.
pub(crate) fn read(path: &Path, hint: &str) -> Result<Source, Vec<Diagnostic>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        vec![Diagnostic::error(Code::NO_FILE, Span::default(), message, hint)]
    })?;
    let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
    Ok(Source { path: path.to_owned(), text })
}

/// Substitutes environment variables and the folders of installations (those that are named, else
/// those in use), and reports missing sources and folders.
pub(crate) fn resolve(
    interface: &mut Interface,
    wanted: &Installations,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let folder = folder_of(&interface.source);
    let module = &mut interface.module;
    for item in lists(module).into_iter().flatten() {
        expand(item, diagnostics);
    }
    // In `headers`, angle brackets are C's.
    let below_installations = [
        &mut module.sources,
        &mut module.include_dirs,
        &mut module.libraries,
        &mut module.library_dirs,
        &mut module.cflags,
    ];
    let mut folders = Folders { wanted, asked: BTreeMap::new() };
    for item in below_installations.into_iter().flatten() {
        folders.expand(item, diagnostics);
    }
    for list in lists(module) {
        list.retain(|item| !item.value.is_empty());
    }
    if let Some(cross) = wanted.cross() {
        take_from_sysroot(module, cross, diagnostics);
    }
    let must_exist = [
        ("source", &module.sources, "write a path relative to the interface file's folder"),
        ("folder", &module.include_dirs, "write a folder relative to the interface file's"),
        ("folder", &module.library_dirs, "write a folder relative to the interface file's"),
    ];
    for (what, list, hint) in must_exist {
        for item in list {
            let path = folder.join(&item.value);
            let there = if what == "source" { path.is_file() } else { path.is_dir() };
            if !there {
                diagnostics.push(
                    Diagnostic::error(
                        Code::NO_FILE,
                        item.span,
                        format!("the {what} `{}` is not there", item.value),
                        hint,
                    )
                    .label(format!("looked for {}", path.display())),
                );
            }
        }
    }
    refuse_entries(module, &folder, diagnostics);
}

/// Replaces folders of this machine by those of the sysroot of another machine, and reports flags and folders that hold
/// for this machine only.
fn take_from_sysroot(module: &mut Module, cross: &CrossBuild, diagnostics: &mut Vec<Diagnostic>) {
    let machine = &cross.machine;
    let mut refuse = |item: &Spanned<String>, what: &str, hint: &str| {
        let message = format!("`{}` {what}, and the module is built for {machine}", item.value);
        diagnostics.push(Diagnostic::error(Code::ENVIRONMENT, item.span, message, hint));
    };
    let hint = match &cross.sysroot {
        Some(sysroot) => format!("it is not in {}: install it there", sysroot.display()),
        None => "name a folder with the files of that machine: `--sysroot DIR`".to_owned(),
    };
    for item in module.include_dirs.iter_mut().chain(&mut module.library_dirs) {
        if CrossBuild::is_of_this_machine(Path::new(&item.value)) {
            match cross.in_sysroot(Path::new(&item.value)) {
                Some(folder) => item.value = folder.to_string_lossy().into_owned(),
                None => refuse(item, "is a folder of this machine", &hint),
            }
        }
    }
    for flag in &module.cflags {
        if ["-march=native", "-mtune=native", "-mcpu=native"].contains(&flag.value.as_str()) {
            refuse(
                flag,
                "is about the processor of this machine",
                "name that processor, or leave it out",
            );
        }
        let folder = ["-I", "-L", "-isystem", "-idirafter"].iter();
        let folder = folder.filter_map(|option| flag.value.strip_prefix(option)).next();
        if folder.is_some_and(|folder| CrossBuild::is_of_this_machine(Path::new(folder.trim()))) {
            refuse(flag, "is a folder of this machine", "write it in include-dirs or library-dirs");
        }
    }
}

/// Entries that the compiler or the linker would misinterpret.
fn refuse_entries(module: &Module, folder: &Path, diagnostics: &mut Vec<Diagnostic>) {
    let mut refuse = |item: &Spanned<String>, message: String, hint: String| {
        diagnostics.push(Diagnostic::error(Code::WRONG_VALUE, item.span, message, hint));
    };
    for source in &module.sources {
        // A missing file has been reported.
        let path = folder.join(&source.value);
        if path.is_file() && SourceLanguage::of(&path).is_none() {
            let hint = match source.value.ends_with(".h") || source.value.ends_with(".hpp") {
                true => "write it in the list of headers",
                false => "sources end in .c, .cc, .cpp, .cxx, .f, .f90 or .f95",
            };
            let message = format!("`{}` is not a source of C, C++ or Fortran", source.value);
            refuse(source, message, hint.to_owned());
        }
    }
    for library in &module.libraries {
        if let Some(name) = library.value.strip_prefix("-l") {
            let message = format!("`{}` is a flag, not the name of a library", library.value);
            refuse(library, message, format!("write `{name}`"));
        }
    }
    for header in &module.headers {
        if header.value.ends_with(',') {
            let message = format!("the name of the header `{}` ends with a comma", header.value);
            refuse(header, message, "separate the names with white space alone".to_owned());
        }
    }
    for flag in &module.cflags {
        let mut words = flag.value.split_whitespace();
        let is_flag = |word: &str| word.starts_with('-') && word.len() > 1;
        let quoted = flag.value.contains(['"', '\'', '/']);
        if !quoted && words.next().is_some_and(is_flag) && words.any(is_flag) {
            let each: Vec<String> =
                flag.value.split_whitespace().map(|word| format!("{word:?}")).collect();
            let message = format!("`{}` is several flags in one string", flag.value);
            refuse(flag, message, format!("write each by itself: {}", each.join(", ")));
        }
    }
}

/// `libm.so.6` and `libm`, although the linker expects names as after `-l`.
pub(crate) fn library_name(written: &str) -> Option<&str> {
    let name = written.strip_prefix("lib")?.split(".so").next()?;
    let name = name.strip_suffix(".a").unwrap_or(name);
    (!name.is_empty()).then_some(name)
}

/// All values that may contain variables.
fn lists(module: &mut Module) -> [&mut Vec<Spanned<String>>; 7] {
    [
        &mut module.headers,
        &mut module.sources,
        &mut module.include_dirs,
        &mut module.libraries,
        &mut module.library_dirs,
        &mut module.cflags,
        &mut module.defines,
    ]
}

/// The folder that an interface's paths are relative to.
pub(crate) fn folder_of(source: &Source) -> PathBuf {
    match source.path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The values of hosts' placeholders in paths, such as `<prefix>`. A host looks for its
/// installation if a path has one of its placeholders.
struct Folders<'w> {
    wanted: &'w Installations,
    /// The results, by host; an error was reported once.
    asked: BTreeMap<&'static str, Option<Vec<PathBuf>>>,
}

impl Folders<'_> {
    fn expand(&mut self, item: &mut Spanned<String>, diagnostics: &mut Vec<Diagnostic>) {
        let placeholders = HOSTS.iter().flat_map(|host| {
            host.placeholders().iter().enumerate().map(move |(index, one)| (*host, index, *one))
        });
        for (host, index, written) in placeholders {
            if !item.value.contains(written) {
                continue;
            }
            let about = host.capabilities();
            let find = || {
                if let Some(cross) = self.wanted.cross() {
                    diagnostics.push(Diagnostic::error(
                        Code::ENVIRONMENT,
                        item.span,
                        format!(
                            "`{written}` is a folder of this machine, and the module is built for {}",
                            cross.machine
                        ),
                        "write the folder itself",
                    ));
                    return None;
                }
                let found = host.folders(&store::environment(), self.wanted.of(host));
                let report = |error| {
                    diagnostics.push(Diagnostic::error(
                        Code::ENVIRONMENT,
                        item.span,
                        format!("no {} says what `{written}` is: {error}", about.language),
                        format!(
                            "name a {} with `--{}`, or write the folder itself",
                            about.language, about.host
                        ),
                    ));
                };
                found.map_err(report).ok()
            };
            let folders = self.asked.entry(about.host).or_insert_with(find);
            // A path without its installation is incomplete.
            item.value = match folders.as_ref().and_then(|folders| folders.get(index)) {
                Some(folder) => item.value.replace(written, &folder.to_string_lossy()),
                None => String::new(),
            };
        }
    }
}

/// `${NAME}` and `${NAME|default}`; `$$` is a dollar sign.
fn expand(item: &mut Spanned<String>, diagnostics: &mut Vec<Diagnostic>) {
    if !item.value.contains('$') {
        return;
    }
    let mut out = String::new();
    let mut unset = false;
    let mut rest = item.value.as_str();
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("$$") {
            out.push('$');
            rest = after;
        } else if let Some((inside, after)) =
            rest.strip_prefix("${").and_then(|inside| inside.split_once('}'))
        {
            let (name, default) = match inside.split_once('|') {
                Some((name, default)) => (name, Some(default)),
                None => (inside, None),
            };
            match std::env::var(name).ok().filter(|value| !value.is_empty()) {
                Some(value) => out.push_str(&value),
                None => match default {
                    Some(default) => out.push_str(default),
                    None => {
                        unset = true;
                        diagnostics.push(Diagnostic::error(
                            Code::UNSET_VARIABLE,
                            item.span,
                            format!("the environment variable `{name}` is not set"),
                            format!("set it, or give a default: `${{{name}|default}}`"),
                        ));
                    }
                },
            }
            rest = after;
        } else {
            out.push('$');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    // The rest of a path without its variable is not a folder.
    item.value = if unset { String::new() } else { out };
}

#[cfg(test)]
mod tests {
    use super::*;
    use fishplate_model::Span;

    fn expanded(text: &str) -> (String, usize) {
        let mut item = Spanned::new(text.to_owned(), Span::default());
        let mut diagnostics = Vec::new();
        expand(&mut item, &mut diagnostics);
        (item.value, diagnostics.len())
    }

    #[test]
    fn variables_have_values_or_defaults() {
        assert_eq!(expanded("a${FISHPLATE_NOT_SET|b}c"), ("abc".into(), 0));
        assert_eq!(expanded("$$x$"), ("$x$".into(), 0));
        assert_eq!(expanded("${FISHPLATE_NOT_SET}/include"), (String::new(), 1));
        assert_eq!(expanded("${PATH}").0, std::env::var("PATH").unwrap());
    }
}
