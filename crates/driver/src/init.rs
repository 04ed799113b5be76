//! A first interface of plain C headers.
//!
//! The preprocessor says what the headers declare, the reader guesses, and `check` has the last
//! word: what it refuses is left out with its reason, so that the file is good whatever the header.

use crate::headers::{self, Found, Included, Including, Refusal};
use crate::{HostName, Report};
use fishplate_check::check;
use fishplate_model::{Code, Diagnostic, Source, Span};
use fishplate_readers::header::{self, Draft, DraftModule, Header, LeftOut, macros};
use fishplate_readers::interface;
use std::path::{Path, PathBuf};

/// What to make an interface of.
pub struct InitOptions<'a> {
    /// Header files, or names that the compiler finds: `zlib.h`.
    pub headers: Vec<String>,
    /// The module's name; by default that of the first header.
    pub name: Option<String>,
    /// Libraries to link.
    pub libraries: Vec<String>,
    /// Folders for `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Which functions are wanted, by name.
    pub wanted: &'a dyn Fn(&str) -> bool,
    /// The folder that the interface will be in: paths inside are relative to it.
    pub folder: PathBuf,
}

/// An interface that `check` takes.
#[derive(Debug)]
pub struct FirstInterface {
    /// The file's text.
    pub text: String,
    /// The module's name.
    pub name: String,
    /// How many functions it has.
    pub functions: usize,
    /// The functions that are not in it.
    pub left_out: Vec<LeftOut>,
}

/// Drafts an interface.
pub fn init(options: &InitOptions<'_>) -> Report<FirstInterface> {
    let path = options.headers.first().map(PathBuf::from).unwrap_or_default();
    let source = Source { path, text: String::new() };
    match first_interface(options) {
        Ok(found) => Report { source, diagnostics: Vec::new(), value: Some(found) },
        Err(diagnostics) => Report { source, diagnostics, value: None },
    }
}

fn first_interface(options: &InitOptions<'_>) -> Result<FirstInterface, Vec<Diagnostic>> {
    let included = include(options, String::new())?;
    let module = module(options, &included.headers);
    let headers: Vec<Header> = included.headers.into_iter().map(|found| found.header).collect();
    let defined = headers.iter().flat_map(|header| macros::defined(&header.text)).collect();
    let answers = macros::answers(&include(options, macros::asking(&defined))?.printed);
    let mut draft = header::draft(&included.printed, &headers, &answers, module, options.wanted);
    leave_out_what_check_refuses(&mut draft, options)?;
    if draft.functions.is_empty() {
        return Err(vec![nothing(&draft, &headers)]);
    }
    Ok(FirstInterface {
        text: draft.print(),
        name: draft.module.name,
        functions: draft.functions.len(),
        left_out: draft.left_out,
    })
}

/// What the preprocessor makes of the headers, with `behind` behind them.
fn include(options: &InitOptions<'_>, behind: String) -> Result<Included, Vec<Diagnostic>> {
    let request = Including {
        headers: options.headers.clone(),
        include_dirs: options.include_dirs.clone(),
        defines: options.defines.clone(),
        flags: Vec::new(),
        behind,
    };
    let included = headers::include(&request);
    included.map_err(|found| found.into_iter().map(Refusal::alone).collect())
}

fn nothing(draft: &Draft, headers: &[Header]) -> Diagnostic {
    let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
    let (message, hint) = match draft.left_out.as_slice() {
        [] => (
            format!("no wanted function is declared in {} itself", names.join(", ")),
            match draft.elsewhere.iter().max_by_key(|(_, count)| **count) {
                Some((file, count)) => {
                    format!("it includes {file}, which declares {count}: name that header too")
                }
                None => "name the headers that declare the functions".to_owned(),
            },
        ),
        [first, ..] => (
            format!("no function of {} could be guessed", names.join(", ")),
            format!("the first is left out because: `{}`: {}", first.name, first.reason),
        ),
    };
    Diagnostic::error(Code::NO_FUNCTIONS, Span::default(), message, hint)
}

fn module(options: &InitOptions<'_>, found: &[Found]) -> DraftModule {
    let mut module = DraftModule {
        name: options.name.clone().unwrap_or_else(|| {
            let stem = found.first().and_then(|header| header.path.file_stem());
            header::module_name(&stem.unwrap_or_default().to_string_lossy())
        }),
        defines: options.defines.clone(),
        libraries: options.libraries.clone(),
        ..DraftModule::default()
    };
    let mut folders: Vec<String> =
        options.include_dirs.iter().map(|folder| relative(folder, &options.folder)).collect();
    for (header, asked) in found.iter().zip(&options.headers) {
        let relative = relative(&header.path, &options.folder);
        if !header.is_file {
            module.headers.push(format!("<{}>", headers::plain_name(asked)));
        } else if Path::new(&relative).is_relative() {
            module.headers.push(relative);
        } else {
            // Beside it lies what it includes.
            let folder = header.path.parent().and_then(|folder| folder.canonicalize().ok());
            let folder = folder.unwrap_or_default().to_string_lossy().into_owned();
            if !folders.contains(&folder) {
                folders.push(folder);
            }
            module.headers.push(header.header.name.clone());
        }
    }
    module.include_dirs = folders;
    module
}

/// A path as an interface in `folder` names it: relative if it lies below, else absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (path, folder) = (absolute(path), absolute(folder));
    let inside = match path.strip_prefix(&folder) {
        Ok(inside) if inside == Path::new("") => Path::new("."),
        Ok(inside) => inside,
        Err(_) => &path,
    };
    inside.to_string_lossy().replace('$', "$$")
}

/// Reads and checks what would be written. Whatever is wrong with a table takes it out, and what needs it with
/// it; what is wrong with the module, such as its name, is the caller's to mend.
fn leave_out_what_check_refuses(
    draft: &mut Draft,
    options: &InitOptions<'_>,
) -> Result<(), Vec<Diagnostic>> {
    loop {
        let text = draft.print();
        let path = options.folder.join("interface.toml");
        let reading = interface::read(Source { path, text });
        let mut found = reading.diagnostics;
        let (_, more) = check(&reading.interface, &HostName::Python.host().capabilities());
        found.extend(more);
        found.retain(Diagnostic::is_error);
        if found.is_empty() || draft.functions.is_empty() {
            return Ok(());
        }
        let text = &reading.interface.source.text;
        let mut others = Vec::new();
        let mut is_smaller = false;
        for diagnostic in found {
            let span = diagnostic.primary.span;
            let entry = text.get(span.start..span.end).unwrap_or_default().trim_matches('"');
            match table_at(text, span.start) {
                Some(table) if draft.leave_out(table, entry, &diagnostic.message) => {
                    is_smaller = true;
                }
                // What is found twice was taken out the first time.
                Some(table) if is_smaller && table.contains('.') => {}
                _ => others.push(Diagnostic {
                    primary: fishplate_model::Label { span: Span::default(), text: String::new() },
                    secondary: Vec::new(),
                    ..diagnostic
                }),
            }
        }
        if !others.is_empty() || !is_smaller {
            return Err(others);
        }
    }
}

/// The table that a byte of the file is in: `function.f`.
fn table_at(text: &str, at: usize) -> Option<&str> {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let header = text[..end].rfind("\n[")? + 2;
    text[header..].split(']').next()
}
