//! From complete files and their requirements to a shared library.
//!
//! This crate does not depend on interfaces, plans or hosts: a [`Request`] lists the files to
//! compile and the options, [`build`] creates the library, and nothing is ever printed: progress is
//! reported as [`Event`]s, and every failure as a [`BuildError`].
//!
//! Its guarantees:
//!
//! - **Nothing stale.** A library is reused only if every byte that went into it is unchanged:
//!   generated text, sources, every header that the compiler opened, libraries, flags, compiler.
//! - **Nothing incomplete.** All files are written elsewhere and renamed into place, so that a
//!   build killed at any moment leaves the old library or the new one, and a process that has
//!   mapped the old one keeps it.
//! - **Nothing twice.** Processes that build the same library take turns; the later ones find
//!   it up to date. Only the units that changed are compiled again.
//!
//! ```no_run
//! use fishplate_toolchain::{Request, Toolchain, Unit, build};
//!
//! let mut request = Request::new("stats", "out", "libstats.so");
//! request.units.push(Unit::source("stats.c"));
//! let built = build(&request, &Toolchain::find(None), &mut |_event| {})?;
//! println!("{}", built.path.display());
//! # Ok::<(), fishplate_toolchain::BuildError>(())
//! ```

mod archive;
mod build;
mod command;
mod compile;
mod contents;
mod cross;
mod depfile;
mod environment;
mod error;
mod flags;
mod fortran;
mod headers;
mod import_library;
mod include_dirs;
mod key;
mod link;
mod lock;
mod machine;
mod manifest;
mod memo;
mod message;
mod preprocess;
mod request;
mod searched;
mod shared;
mod target;
mod toolchain;
mod work;

pub use archive::archive;
pub use build::{Built, Event, build, compile_objects, precompile};
pub use command::Finished;
pub use cross::CrossBuild;
pub use depfile::write_depfile;
pub use environment::{Environment, set_running_interpreter};
pub use error::{BuildError, CompileFailure, is_no_space};
pub use headers::{ChangedHeader, HeaderCopy, copy_headers};
pub use include_dirs::include_dirs;
pub use machine::{Machine, System};
pub use memo::{Memo, starts_others};
pub use message::{CompilerMessage, Severity};
pub use preprocess::{Preprocess, preprocess};
pub use request::{GeneratedFlags, PrecompiledHeader, Request, SourceLanguage, Unit};
pub use shared::{Shared, Tier, compile_shared};
pub use target::Target;
pub use toolchain::{Compiler, Family, Looked, Outcome, PackagedCompiler, Toolchain};
