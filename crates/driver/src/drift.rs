//! Drift: differences between an interface, its headers and a built library.
//!
//! Purpose: a gate for continuous integration, which fails before users of the module would.
//! Invariant: nothing is written but into a temporary folder.
//! Reason: prototypes are compared by the compiler and symbols by the linker, as in a build, so that the gate and the
//! build never disagree.

use crate::{Goal, Host, Installations, Output, Report, init, native, store};
use fishplate_model::{Code, Diagnostic, Span, Spanned};
use fishplate_plan::Plan;
use std::path::{Path, PathBuf};

/// The input of a comparison.
pub struct DriftOptions<'a> {
    /// The interface file.
    pub file: PathBuf,
    /// The target language.
    pub host: &'static dyn Host,
    /// The named installations; by default the one in use.
    pub installations: Installations,
    /// The shared or static library that must define the functions; by default the module's own libraries and sources.
    pub library: Option<PathBuf>,
    /// The selection of functions of the headers that the interface must name; `None` if it need not name any.
    pub wanted: Option<&'a dyn Fn(&str) -> bool>,
}

/// Compares an interface with its headers and its library; returns the number of its functions.
pub fn check_drift(options: &DriftOptions<'_>) -> Report<usize> {
    let (host, wanted) = (options.host, &options.installations);
    let checked = crate::check_for(&options.file, host, wanted);
    checked.and_then(|source, checked, diagnostics| {
        let mut plan = crate::plan(&checked);
        if let Some(library) = &options.library
            && let Err(error) = link_only(&mut plan, library)
        {
            let message = format!("cannot read {}: {error}", library.display());
            let hint = "name a shared or static library after --against";
            diagnostics.push(Diagnostic::error(Code::NO_FILE, Span::default(), message, hint));
            return None;
        }
        // The module is never run.
        plan.module.cflags.push(Spanned { value: "-O0".to_owned(), span: Span::default() });
        match (host.find(&store::environment(), wanted.of(host)), tempfile::tempdir()) {
            (Ok(target), Ok(folder)) => {
                let (output, compared) = (Output::Own(folder.path()), options.library.as_deref());
                let goal = Goal { host, target: &target, wanted, output, compared };
                crate::build(&plan, &goal, source, diagnostics, &mut |_: native::Event| {});
            }
            (Err(missing), _) => {
                diagnostics.push(crate::compiler_errors::environment(&missing));
            }
            (_, Err(error)) => {
                diagnostics.push(crate::compiler_errors::environment(&error.to_string()));
            }
        }
        // An annotated header is its interface, and a configuration has none.
        let is_interface = options.file.extension().is_some_and(|extension| extension == "toml");
        let is_c = plan.module.language == fishplate_model::Language::C;
        if let Some(wanted) = options.wanted.filter(|_| is_interface && is_c) {
            match init::new_functions(&options.file, wanted) {
                Ok(names) if names.is_empty() => {}
                Ok(names) => diagnostics.push(new_functions(&names, &options.file)),
                Err(found) => diagnostics.extend(found),
            }
        }
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        (!failed).then(|| plan.functions.len())
    })
}

/// Lets the module be linked with this library, in place of the one of the same name and of the module's sources.
fn link_only(plan: &mut Plan, library: &Path) -> std::io::Result<()> {
    let path = library.canonicalize()?;
    let module = &mut plan.module;
    let name = linker_name(library);
    module.libraries.retain(|other| linker_name(Path::new(&other.value)) != name);
    let path = path.to_string_lossy().into_owned();
    module.libraries.insert(0, Spanned { value: path, span: Span::default() });
    module.sources.clear();
    Ok(())
}

/// The name of a library as after `-l`: `z` of `/usr/lib/libz.so.1` and of `z`.
fn linker_name(library: &Path) -> String {
    let file = library.file_name().unwrap_or_default().to_string_lossy();
    let name = file.strip_prefix("lib").unwrap_or(&file);
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The error about functions of the headers that the interface does not name.
fn new_functions(names: &[String], file: &Path) -> Diagnostic {
    let (count, s) = (names.len(), if names.len() == 1 { "" } else { "s" });
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    Diagnostic::error(
        Code::NEW_FUNCTIONS,
        Span::default(),
        format!("the headers declare {count} function{s} that the interface does not name: {list}"),
        format!(
            "`fishplate init --update {}` adds them; or name them in a comment, or exclude them with `--exclude REGEX`",
            file.display()
        ),
    )
}
