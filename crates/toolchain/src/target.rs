//! The target of a build.
//!
//! Purpose: an installation of a target language, as far as a build depends on it.
//! Invariant: two modules that are built for equal targets are interchangeable.
//! Reason: a host finds its installation and describes it here, so that builds depend on no
//! language.

use std::path::PathBuf;

use crate::Request;

/// Symbols that the runtime of a sanitizer defines when the module is loaded.
const SANITIZERS: [&str; 4] = ["__asan", "__ubsan", "__tsan", "__sanitizer"];

/// An installation that modules can be built for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// Its name, defined by its host.
    pub name: String,
    /// The suffix of a module's file name.
    pub suffix: String,
    /// The folders of its headers.
    pub include_dirs: Vec<PathBuf>,
    /// Flags for the linker driver.
    pub link_flags: Vec<String>,
    /// Prefixes of the symbols that the interpreter defines when the module is loaded. Any other
    /// undefined symbol is an error at build time instead of on import.
    pub defines: Vec<&'static str>,
    /// On Windows: the library of the interpreter, which defines these symbols.
    pub imports_from: Option<String>,
    /// Macros for all sources, as `NAME=VALUE`.
    pub macros: Vec<String>,
    /// Facts that must be equal for a module to be loadable.
    pub identity: Vec<String>,
    /// Facts that must be equal for compiled code to be usable, wherever the interpreter is installed.
    pub abi: Vec<String>,
}

impl Target {
    /// Adds the requirements of all modules for this target.
    pub fn complete(&self, request: &mut Request) {
        request.generated.include_dirs.clone_from(&self.include_dirs);
        request.defines.extend(self.macros.iter().cloned());
        request.link_flags.extend(self.link_flags.iter().cloned());
        // The math library is part of C, except for the linker.
        request.libraries.push("m".to_owned());
        let defined = self.defines.iter().chain(&SANITIZERS);
        request.undefined_ok = Some(defined.map(|&prefix| prefix.to_owned()).collect());
        request.imports_from.clone_from(&self.imports_from);
        request.identity.clone_from(&self.identity);
    }
}
