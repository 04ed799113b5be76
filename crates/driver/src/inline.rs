//! Builds C code in a string as a module.
//!
//! Purpose: bind functions that are defined in a string, annotated as in a header.
//! Invariant: every diagnostic is about the string, at its place.
//! Reason: for a compiler, a string is a file that the generated code includes, so definitions
//! suffice; the front end for headers also accepts definitions.

use crate::loading::{Loadable, Running, Shelf, find, load, report_problem};
use crate::{Event, Report, check_read, headers, store, usual_toolchain};
use fishplate_cache::Key;
use fishplate_check::Checked;
use fishplate_model::{Code, Source, Span, Spanned};
use fishplate_readers::header;
use fishplate_readers::names::refuse_header;
use fishplate_toolchain::{Environment, Shared};
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

/// C code with annotations, and the counterpart of `[module]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inline {
    /// Function definitions; `static` functions are local to the code.
    pub code: String,
    /// The module's name; by default derived from the code.
    pub name: Option<String>,
    /// Headers to include before the code.
    pub headers: Vec<String>,
    /// Folders for `#include`.
    pub include_dirs: Vec<String>,
    /// Names for `-l`, or paths.
    pub libraries: Vec<String>,
    /// Folders for `-L`.
    pub library_dirs: Vec<String>,
    /// Flags of the compiler.
    pub cflags: Vec<String>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
}

/// The name in messages of code that is in no file.
const PLACE: &str = "<inline>";

/// Headers that code in a string may use without an include.
const HEADERS: [&str; 4] = ["<math.h>", "<stddef.h>", "<stdint.h>", "<stdbool.h>"];

/// Builds the module for code in a string, unless it is in the cache.
pub fn load_inline(
    inline: &Inline,
    running: &Running,
    observe: &mut dyn FnMut(Event),
) -> Report<Loadable> {
    let key = inline.key(running);
    let source = Source { path: PLACE.into(), text: inline.code.clone() };
    let kept = key.and_then(|key| find(&*store::store(&Environment::current()).ok()?, &key));
    if let Some(found) = kept {
        return Report { source, diagnostics: Vec::new(), value: Some(found) };
    }
    let report = inline.build(source, running, key, observe);
    Report { source: Source { path: PLACE.into(), ..report.source }, ..report }
}

impl Inline {
    /// The inputs of the module, if the code has no others.
    fn key(&self, running: &Running) -> Option<Key> {
        let more = [&self.headers, &self.include_dirs, &self.libraries, &self.library_dirs];
        let alone = !self.code.contains("#")
            && !self.code.contains("FP_MODULE")
            && self.cflags.is_empty()
            && more.iter().all(|list| list.is_empty());
        if !alone {
            return None;
        }
        let compiler = Shared::default().identity(&usual_toolchain(&running.installations()));
        let key = Key::of("inline").part(format!("{self:?}")).parts(compiler.ok()?);
        Some(key.parts(&running.target.identity).finish())
    }

    fn build(
        &self,
        source: Source,
        running: &Running,
        key: Option<Key>,
        observe: &mut dyn FnMut(Event),
    ) -> Report<Loadable> {
        let hash = blake3::hash(format!("{self:?}").as_bytes()).to_hex();
        let name = self.name.clone().unwrap_or_else(|| format!("inline_{}", &hash[..8]));
        let failed = |source, message: &str| {
            let report = Report { source, diagnostics: Vec::new(), value: Some(()) };
            report.and_then(|_, (), diagnostics| report_problem(diagnostics, message))
        };
        let shelf = match Shelf::open(Path::new(&format!("inline {hash}")), running) {
            Ok(shelf) => shelf,
            Err(message) => return failed(source, &message),
        };
        // A name that differs from the user's files, so that no header is confused with it.
        let source = Source { path: shelf.work.join("code.inline.h"), ..source };
        if let Err(error) = write_once(&source.path, &self.code) {
            let message = format!("could not write {}: {error}", source.path.display());
            return failed(source, &message);
        }
        load(self.check(&name, source, running), running, &shelf, key, observe)
    }

    fn check(&self, name: &str, source: Source, running: &Running) -> Report<Checked> {
        let mut diagnostics = Vec::new();
        let mut preamble = header::preamble(&source, name, &mut diagnostics);
        for found in &mut diagnostics {
            if found.code == Code::BAD_NAME && found.primary.span == Span::default() {
                found.hint = "a name has letters, digits and `_`, and is no keyword".to_owned();
            }
        }
        preamble.is_annotated = true;
        preamble.static_is_private = true;
        let before: Vec<String> =
            HEADERS.map(str::to_owned).into_iter().chain(self.headers.clone()).collect();
        let spanned = |text: &String| Spanned::new(text.clone(), Span::default());
        diagnostics.extend(
            self.headers.iter().filter_map(|header| refuse_header(&spanned(header), "the code")),
        );
        let module = &mut preamble.module;
        let own = source.path.to_string_lossy().into_owned();
        let all = [headers::NAME.to_owned()].into_iter().chain(before.clone()).chain([own]);
        module.headers = all.map(|header| spanned(&header)).collect();
        for (list, more) in [
            (&mut module.include_dirs, &self.include_dirs),
            (&mut module.libraries, &self.libraries),
            (&mut module.library_dirs, &self.library_dirs),
            (&mut module.cflags, &self.cflags),
            (&mut module.defines, &self.defines),
        ] {
            list.extend(more.iter().map(spanned));
        }
        let mut reading =
            headers::read_with(source, preamble, &before, PLACE, &running.installations());
        reading.diagnostics.extend(diagnostics);
        check_read(reading.into(), running.host, &running.installations())
    }
}

/// Writes a file whose content never changes, atomically.
fn write_once(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
