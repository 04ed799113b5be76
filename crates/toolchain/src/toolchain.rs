//! The compilers of this machine.
//!
//! Each language's compiler is looked up once, at first use: a C module does not start a Fortran
//! compiler. The result of every search is stored, so that the error for a missing compiler can
//! list the places, and `doctor` can show them.

mod advice;
mod compiler;
mod search;

use std::ffi::OsString;
use std::sync::OnceLock;

pub use compiler::{Compiler, Family};
pub use search::{Looked, Outcome};

use crate::cross::CrossBuild;
use crate::environment::Environment;
use crate::error::BuildError;
use crate::machine::System;
use crate::request::SourceLanguage;
use search::Search;

/// A compiler for C and C++ that the package manager of a target language installs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackagedCompiler {
    /// The place of the search: `ziglang in INTERPRETER`.
    pub place: String,
    /// The command that starts it, without its mode, which is `cc` or `c++`; `None` if it cannot be
    /// there.
    pub command: Option<Vec<OsString>>,
    /// The command that installs it.
    pub install: String,
}

/// The compilers found on this machine, in one environment.
#[derive(Debug)]
pub struct Toolchain {
    environment: Environment,
    packaged: Option<PackagedCompiler>,
    cross: Option<CrossBuild>,
    c: OnceLock<Search>,
    cxx: OnceLock<Search>,
    fortran: OnceLock<Search>,
}

impl Toolchain {
    /// The compilers for the process's environment.
    ///
    /// For each language, in order: its variable (`$CC`, `$CXX`, `$FC`, which may include
    /// arguments: `ccache gcc`), the usual names on `PATH`, and the `packaged` compiler of a target
    /// language. A variable that is set decides: if it is invalid, nothing else is tried.
    pub fn find(packaged: Option<PackagedCompiler>) -> Self {
        Self::find_in(Environment::current(), packaged)
    }

    /// The same in a given environment; the compilers run in it, too.
    pub fn find_in(environment: Environment, packaged: Option<PackagedCompiler>) -> Self {
        Self {
            environment,
            packaged,
            cross: None,
            c: OnceLock::new(),
            cxx: OnceLock::new(),
            fortran: OnceLock::new(),
        }
    }

    /// The compilers that build for another machine: the variable of the language if it names such a compiler, the
    /// packaged compiler, `zig` on `PATH`, and, for a target without a version, the compiler with the target's name:
    /// `aarch64-linux-gnu-gcc`.
    #[must_use]
    pub fn for_machine(self, cross: CrossBuild) -> Self {
        let hide = |environment: Environment, name: &&str| environment.without(name);
        let environment = CrossBuild::hidden_variables().iter().fold(self.environment, hide);
        Self { environment, cross: Some(cross), ..self }
    }

    /// The other machine that the compilers build for.
    pub fn cross(&self) -> Option<&CrossBuild> {
        self.cross.as_ref()
    }

    /// The system that the compilers build for.
    pub(crate) fn system(&self) -> System {
        self.cross.as_ref().map_or(System::THIS, |cross| cross.machine.system)
    }

    /// The compiler of a language.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoCompiler`], with advice on how to get one.
    pub fn compiler(&self, language: SourceLanguage) -> Result<&Compiler, BuildError> {
        let search = self.search(language);
        search.found.as_ref().ok_or_else(|| BuildError::NoCompiler {
            language,
            looked: search.looked.clone(),
            advice: match &self.cross {
                Some(cross) => {
                    advice::for_machine(language, &cross.machine, self.packaged.as_ref())
                }
                None => advice::for_language(language, self.packaged.as_ref()),
            },
            machine: self.cross.as_ref().map(|cross| cross.machine.to_string()),
        })
    }

    /// All places of the search, for each language, with the results.
    pub fn survey(&self) -> Vec<Looked> {
        [SourceLanguage::C, SourceLanguage::Cxx, SourceLanguage::Fortran]
            .into_iter()
            .flat_map(|language| self.search(language).looked.clone())
            .collect()
    }

    /// The environment in which the compilers run.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    fn search(&self, language: SourceLanguage) -> &Search {
        let slot = match language {
            SourceLanguage::C => &self.c,
            SourceLanguage::Cxx => &self.cxx,
            SourceLanguage::Fortran => &self.fortran,
        };
        slot.get_or_init(|| {
            let Self { environment, packaged, cross, .. } = self;
            match cross {
                Some(cross) => {
                    Search::for_machine(language, environment, packaged.as_ref(), &cross.machine)
                }
                None => Search::run(language, environment, packaged.as_ref()),
            }
        })
    }
}
