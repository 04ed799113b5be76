//! Tries a draft with `check`, the C compiler and the linker.
//!
//! Purpose: build the draft, and omit functions that are refused, with the reason.
//! Invariant: the result passes `check`; if there is an installation of the default host, its C
//! compiles; if the libraries or sources are known, it links.
//! Reason: headers declare functions that their library does not define, or that are macros of
//! several widths, and only the tools that build a module detect all of them.

use super::InitOptions;
use crate::{
    Installations, build_request, compiler_errors, default_host, emit, native, resolve,
    shared_runtime, store, usual_toolchain, wrapped,
};
use fishplate_check::{Checked, check};
use fishplate_init::Draft;
use fishplate_model::{Diagnostic, Interface, Source, Span};
use fishplate_readers::interface;
use fishplate_toolchain::{BuildError, CompilerMessage, Target};

/// The limit on repeated compilations after functions were omitted.
const ROUNDS: usize = 8;

/// A draft of which parts can be omitted.
pub(super) trait Trial {
    /// True if it has no function.
    fn is_empty(&self) -> bool;
    /// The draft: a whole file, or an existing one with additions.
    fn text(&self, known: Option<&Interface>) -> String;
    /// Omits a table, or an entry of one. False if it is gone already.
    fn leave_out(&mut self, table: &str, entry: &str, reason: &str) -> bool;
    /// Omits the functions that call a symbol. False if there are none.
    fn leave_out_symbol(&mut self, symbol: &str, reason: &str) -> bool;
    /// States the symbols that remain undefined.
    fn set_undefined(&mut self, symbols: Vec<String>);
    /// Omits the functions with sources of their own that a compiler refuses. False if there are none.
    fn leave_out_sources(&mut self, _messages: &[CompilerMessage]) -> bool {
        false
    }
}

impl Trial for Draft {
    fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    fn text(&self, known: Option<&Interface>) -> String {
        known.map_or_else(|| self.print(), |known| self.add_to(&known.source.text))
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

/// Omits everything that is refused; false if there is no installation to compile for. A mistake in
/// the module itself, such as its name, is an error.
pub(super) fn leave_out_what_is_refused(
    draft: &mut dyn Trial,
    options: &InitOptions<'_>,
    known: Option<&Interface>,
) -> Result<bool, Vec<Diagnostic>> {
    let target = default_host().find(&store::environment(), None).ok();
    for _ in 0..ROUNDS {
        leave_out_what_check_refuses(draft, options, known)?;
        let (Some(target), false) = (&target, draft.is_empty()) else { break };
        if !leave_out_what_does_not_build(draft, options, known, target) {
            break;
        }
    }
    leave_out_what_check_refuses(draft, options, known)?;
    Ok(target.is_some())
}

/// The interface as it would be written.
fn read(
    draft: &dyn Trial,
    options: &InitOptions<'_>,
    known: Option<&Interface>,
) -> interface::Reading {
    let path = options.folder.join("interface.toml");
    interface::read(Source { path, text: draft.text(known) })
}

/// Builds the draft, and omits what compiler or linker refuse. False if nothing was omitted.
fn leave_out_what_does_not_build(
    draft: &mut dyn Trial,
    options: &InitOptions<'_>,
    known: Option<&Interface>,
    target: &Target,
) -> bool {
    let mut interface = read(draft, options, known).interface;
    resolve::resolve(&mut interface, &Installations::default(), &mut Vec::new());
    let (Some(checked), _) = check(&interface, &default_host().capabilities()) else {
        return false;
    };
    let Refusals { diagnostics, undefined, messages } = refused(&interface, &checked, target);
    let module = &interface.module;
    let knows_libraries = !(module.libraries.is_empty() && module.sources.is_empty());
    let mut is_smaller = draft.leave_out_sources(&messages);
    let mut remaining = Vec::new();
    for symbol in undefined.into_iter().filter(|_| knows_libraries) {
        if draft.leave_out_symbol(&symbol, "no library or source defines it") {
            is_smaller = true;
        } else {
            remaining.push(symbol);
        }
    }
    draft.set_undefined(remaining);
    for diagnostic in diagnostics {
        let text = &interface.source.text;
        let reason = match diagnostic.primary.text.lines().next().unwrap_or_default() {
            "" => diagnostic.message.clone(),
            label => format!("the C compiler refuses this: {label}"),
        };
        is_smaller |= leave_out(draft, text, diagnostic.primary.span, &reason) == Some(true);
    }
    is_smaller
}

/// Why a draft does not build.
#[derive(Default)]
struct Refusals {
    /// The compiler's errors in the interface.
    diagnostics: Vec<Diagnostic>,
    /// Without any, the linker's undefined symbols.
    undefined: Vec<String>,
    /// All errors of compilers.
    messages: Vec<CompilerMessage>,
}

fn refused(interface: &Interface, checked: &Checked, target: &Target) -> Refusals {
    let (plan, host) = (wrapped::plan(checked), default_host());
    let emitted = emit(&plan, host);
    let toolchain = usual_toolchain(&Installations::default());
    let Ok(folder) = tempfile::tempdir() else { return Default::default() };
    let Ok(mut request) = build_request::request(&plan, &emitted, target, folder.path()) else {
        return Default::default();
    };
    let mut build = || {
        // The runtime is the one that a build of the draft will use.
        shared_runtime::share(&mut request, host, &toolchain, &mut |_| {})?;
        // The module is never run.
        request.cflags.push("-O0".to_owned());
        native::build(&request, &toolchain, &mut |_| {})
    };
    match build() {
        Ok(_) => Default::default(),
        Err(BuildError::Link { undefined, .. }) => Refusals { undefined, ..Refusals::default() },
        Err(error) => {
            let mut diagnostics = Vec::new();
            let linking = compiler_errors::Linking::default();
            compiler_errors::report(
                &error,
                &interface.source,
                &plan,
                &emitted,
                &linking,
                &mut diagnostics,
            );
            let messages = match error {
                BuildError::Compile { messages, .. } => messages,
                _ => Vec::new(),
            };
            Refusals { diagnostics, messages, ..Refusals::default() }
        }
    }
}

/// Reads and checks the draft. A table with a mistake is removed, together with its dependents;
/// mistakes in the module, such as its name, are left to the caller.
fn leave_out_what_check_refuses(
    draft: &mut dyn Trial,
    options: &InitOptions<'_>,
    known: Option<&Interface>,
) -> Result<(), Vec<Diagnostic>> {
    loop {
        let reading = read(draft, options, known);
        let mut found = reading.diagnostics;
        let (_, more) = check(&reading.interface, &default_host().capabilities());
        found.extend(more);
        found.retain(Diagnostic::is_error);
        if found.is_empty() || draft.is_empty() {
            return Ok(());
        }
        let text = &reading.interface.source.text;
        let mut others = Vec::new();
        let mut is_smaller = false;
        for diagnostic in found {
            match leave_out(draft, text, diagnostic.primary.span, &diagnostic.message) {
                Some(true) => is_smaller = true,
                // A second mistake in it was removed with the first.
                Some(false) if is_smaller => {}
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

/// Removes the table or the entry at this place. False if it is gone already, `None` if the place
/// is in no removable table.
fn leave_out(draft: &mut dyn Trial, text: &str, span: Span, reason: &str) -> Option<bool> {
    let entry = text.get(span.start..span.end).unwrap_or_default().trim_matches('"');
    let table = table_at(text, span.start)?;
    let is_smaller = draft.leave_out(table, entry, reason);
    (is_smaller || table.contains('.')).then_some(is_smaller)
}

/// The table at a byte of the file: `function.f`.
fn table_at(text: &str, at: usize) -> Option<&str> {
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
    let header = text[..end].rfind("\n[")? + 2;
    text[header..].split(']').next()
}
