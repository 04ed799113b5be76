//! Builds a linked function of C-coded types and ops as an extension module, unless it is in the
//! cache.
//!
//! Invariant: a cached module was compiled from the same source and versions, for this
//! installation, by the same compiler; without versions it is built for this process only.
//! Reason: the C code of types and ops may include files that the cache does not track, so their
//! authors must specify versions.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use fishplate_cache::{CacheError, Key, Made, MakeError, cpu_features};
use fishplate_model::Language;
use fishplate_python_linker::{CompilerNote, HEADERS, Linked, LinkedC, Version};
use fishplate_toolchain::{
    BuildError, CompilerMessage, Environment, Severity, Shared, Target, Tier, Toolchain,
    compile_shared,
};

use crate::Installations;
use crate::graphs::{GraphError, GraphLibrary, contraction};
use crate::store::{self, get_or_make, store};

/// Why there is no module.
#[derive(Debug)]
pub enum ProtocolError {
    /// The compiler refused the C code of a type or an op: the fragments, with the compiler's
    /// messages.
    Refused {
        /// A few lines.
        text: String,
        /// The nodes of these ops.
        nodes: Vec<usize>,
    },
    /// Any other error.
    Graph(GraphError),
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProtocolError::Refused { text, .. } => f.write_str(text),
            ProtocolError::Graph(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProtocolError {}

impl From<BuildError> for ProtocolError {
    fn from(error: BuildError) -> Self {
        ProtocolError::Graph(error.into())
    }
}

impl From<CacheError> for ProtocolError {
    fn from(error: CacheError) -> Self {
        ProtocolError::Graph(error.into())
    }
}

/// More blocks than this are not worth full optimisation: their time is spent in calls.
const MANY_LINES: usize = 8000;

/// Compiles a linked function for an installation, unless it is in the cache: an extension module
/// `linked`. `fp_contract`: as for graphs of built-in ops; flags of types and ops override it.
///
/// # Errors
///
/// There is no compiler, it refuses a fragment, or the cache cannot be used.
pub fn compile_linked(
    linked: &Linked,
    target: &Target,
    fp_contract: bool,
) -> Result<GraphLibrary, ProtocolError> {
    let environment = store::environment();
    let store = store(&environment)?;
    let language = linked.language();
    let unit = linked.print(language);
    let toolchain = toolchain(&environment, &unit);
    let how = Compiled { target, fp_contract };
    let identity =
        shared(&unit, how).identity(&toolchain).map_err(|error| not_there(&unit, error))?;
    let key = |kind: &str, parts: &[String]| {
        Key::of(kind)
            .part(&unit.source)
            .parts(HEADERS.map(|(_, text)| text))
            .parts(parts)
            .parts(&identity)
            .parts(&target.abi)
            .part(cpu_features())
            .finish()
    };
    let mut compiled = false;
    let make = |folder: &Path| {
        compiled = true;
        compile(linked, &unit, how, &toolchain, folder)
    };
    let made = match &unit.version {
        Version::Parts(parts) => get_or_make(&store, &key("protocol", parts), make, no_space),
        // Files of the user's may change while the process runs.
        Version::ThisProcess if unit.has_folders() => store.make_unkept(make),
        Version::ThisProcess => store.get_or_make_unkept(&key("this process", &[]), make),
    };
    let entry = made.map_err(|error| match error {
        MakeError::Make(error) => error,
        MakeError::Cache(error) => error.into(),
    })?;
    Ok(GraphLibrary { path: entry.library(), compiled, not_kept: store.not_kept() })
}

/// The part of an error that is about the space in the cache.
fn no_space(error: &ProtocolError) -> Option<String> {
    match error {
        ProtocolError::Graph(GraphError::Build(error)) if error.is_no_space() => {
            Some(error.to_string())
        }
        _ => None,
    }
}

/// The environment that determines the compiler, and the compiler found with it.
type Known = (Vec<Option<OsString>>, Option<String>);

/// The command of the default C compiler; looked up once per environment.
pub fn default_compiler() -> Option<String> {
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    let environment = store::environment();
    let variables =
        ["CC", "PATH"].map(|name| environment.get(name).map(ToOwned::to_owned)).to_vec();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, compiler)) = known.as_ref().filter(|(under, _)| *under == variables) {
        return compiler.clone();
    }
    let toolchain = crate::hosts::toolchain(environment.clone(), &Installations::default());
    let compiler =
        toolchain.compiler(fishplate_toolchain::SourceLanguage::C).ok().map(|compiler| {
            let words = compiler.command.iter().map(|word| word.to_string_lossy().into_owned());
            words.collect::<Vec<_>>().join(" ")
        });
    *known = Some((variables, compiler.clone()));
    compiler
}

/// A compiler that was requested must be present; no other is used.
fn not_there(unit: &LinkedC, error: BuildError) -> ProtocolError {
    match (&unit.compiler, error) {
        (Some(compiler), BuildError::NoCompiler { .. }) => ProtocolError::Refused {
            text: format!(
                "the compiler {compiler}, which c_compiler of a type or an op asks for, is not there"
            ),
            nodes: Vec::new(),
        },
        (_, error) => error.into(),
    }
}

/// The compilers, or the one that types and ops request.
fn toolchain(environment: &Environment, unit: &LinkedC) -> Toolchain {
    let environment = environment.clone();
    crate::hosts::toolchain(
        match (&unit.compiler, unit.language) {
            (Some(compiler), Language::C) => environment.with("CC", compiler),
            (Some(compiler), Language::Cxx) => environment.with("CXX", compiler),
            (None, _) => environment,
        },
        &Installations::default(),
    )
}

/// The options for compiling a unit.
#[derive(Clone, Copy)]
struct Compiled<'a> {
    target: &'a Target,
    fp_contract: bool,
}

fn shared(unit: &LinkedC, how: Compiled<'_>) -> Shared {
    let Compiled { target, fp_contract } = how;
    let mut flags = vec!["-fno-math-errno".to_owned(), contraction(fp_contract)];
    if unit.language == Language::C {
        // `inline` without `static` means in C++ what it means here in old GNU C.
        flags.extend(["-std=gnu11", "-fgnu89-inline"].map(str::to_owned));
    }
    // As system folders: a warning inside of these headers is irrelevant to the user.
    for folder in &target.include_dirs {
        flags.extend(["-isystem".to_owned(), folder.to_string_lossy().into_owned()]);
    }
    flags.extend(unit.flags.iter().cloned());
    let many = unit.source.lines().nth(MANY_LINES).is_some();
    Shared {
        cxx: unit.language == Language::Cxx,
        tier: if many { Tier::Quick } else { Tier::Full },
        native: true,
        include_dirs: unit.include_dirs.iter().map(Into::into).collect(),
        libraries: unit.libraries.iter().cloned().chain(["m".to_owned()]).collect(),
        library_dirs: unit.library_dirs.iter().map(Into::into).collect(),
        flags,
        without: unit.no_flags.clone(),
        ..Shared::default()
    }
}

/// Compiles in the requested language; source that is invalid in C may be C++.
fn compile(
    linked: &Linked,
    unit: &LinkedC,
    how: Compiled<'_>,
    toolchain: &Toolchain,
    folder: &Path,
) -> Result<Made, ProtocolError> {
    let first = match attempt(unit, how, toolchain, folder)? {
        Ok(()) => return Ok(Made::library(LIBRARY)),
        Err(first) => first,
    };
    let mut shown = (unit.explain(&first), unit.nodes_at(&first));
    if unit.language == Language::C {
        let cxx = linked.print(Language::Cxx);
        match attempt(&cxx, how, toolchain, folder) {
            Ok(Ok(())) => return Ok(Made::library(LIBRARY)),
            // A C++ author does not need the errors of the C compiler.
            Ok(Err(second)) if is_about_language((unit, &first), (&cxx, &second)) => {
                shown = (cxx.explain(&second), cxx.nodes_at(&second));
            }
            Ok(Err(_)) | Err(ProtocolError::Graph(GraphError::NoCompiler(_))) => {}
            Err(error) => return Err(error),
        }
    }
    Err(ProtocolError::Refused { text: shown.0, nodes: shown.1 })
}

/// True if the errors in C are not those in C++: the first error is at another place, or there are
/// fewer.
fn is_about_language(c: (&LinkedC, &[CompilerNote]), cxx: (&LinkedC, &[CompilerNote])) -> bool {
    let place = |unit: &LinkedC, note: &CompilerNote| {
        unit.fragment_at(note.line).map(|(fragment, line)| (fragment.title(), line))
    };
    let first = c.1.first().and_then(|note| place(c.0, note));
    let is_repeated = cxx.1.iter().any(|note| place(cxx.0, note) == first);
    !is_repeated || cxx.1.len() < c.1.len()
}

const LIBRARY: &str = "linked.so";

/// Compiles once; `Ok(Err)` has the messages of a compiler that refused the source.
fn attempt(
    unit: &LinkedC,
    how: Compiled<'_>,
    toolchain: &Toolchain,
    folder: &Path,
) -> Result<Result<(), Vec<CompilerNote>>, ProtocolError> {
    let name = if unit.language == Language::C { "linked.c" } else { "linked.cpp" };
    let files = HEADERS.iter().copied().chain([(name, unit.source.as_str())]);
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|source| BuildError::Io {
            doing: "write".to_owned(),
            path: path.clone(),
            source,
        })?;
    }
    let source = folder.join(name);
    match compile_shared(&source, &folder.join(LIBRARY), &shared(unit, how), toolchain) {
        Ok(_) => Ok(Ok(())),
        Err(BuildError::Compile { messages, failures }) => {
            let notes: Vec<CompilerNote> = messages
                .iter()
                .filter(|message| message.severity == Severity::Error)
                .map(|message| note(message, name))
                .collect();
            // A compiler that crashed reports that in no standard format.
            if notes.is_empty() {
                return Err(BuildError::Compile { messages, failures }.into());
            }
            Ok(Err(notes))
        }
        Err(BuildError::Link { raw, .. }) => {
            let lines = raw.lines().filter(|line| !line.starts_with("collect2:"));
            Ok(Err(lines.map(|line| CompilerNote { line: 0, text: line.to_owned() }).collect()))
        }
        Err(error) => Err(error.into()),
    }
}

/// A message about a generated line, or about no generated line.
fn note(message: &CompilerMessage, name: &str) -> CompilerNote {
    let is_ours = message.file.file_name().is_some_and(|file| file == name);
    if is_ours {
        CompilerNote { line: message.line, text: message.text.clone() }
    } else {
        CompilerNote { line: 0, text: message.to_string() }
    }
}
