//! The compilers of this machine.
//!
//! Each language's compiler is looked for once, when it is first needed: a C module never pays
//! for asking a Fortran compiler its version. Every look is remembered, so that "none found"
//! can say where we looked, and `doctor` can show it.

mod advice;
mod compiler;
mod memo;
mod search;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use compiler::{Compiler, Family};
pub use search::{Looked, Outcome};

use crate::environment::Environment;
use crate::error::BuildError;
use crate::python::find_python_in;
use crate::request::SourceLanguage;
use memo::Memo;
use search::Search;

/// The compilers found on this machine, in one environment.
#[derive(Debug)]
pub struct Toolchain {
    environment: Environment,
    /// Which Python may hold the `ziglang` package.
    python: Option<PathBuf>,
    memo: Option<Memo>,
    c: OnceLock<Search>,
    cxx: OnceLock<Search>,
    fortran: OnceLock<Search>,
}

impl Toolchain {
    /// The compilers that the process's environment leads to.
    ///
    /// For each language, in order: its variable (`$CC`, `$CXX`, `$FC`, which may hold
    /// arguments: `ccache gcc`), the usual names on `PATH`, and the compiler in the PyPI
    /// package `ziglang`, if `python` has it (by default the Python that
    /// [`find_python`](crate::find_python) finds). A variable that is set decides: if it leads
    /// nowhere, nothing else is tried.
    pub fn find(python: Option<&Path>) -> Self {
        Self::find_in(Environment::current(), python)
    }

    /// The same in an environment that is given; its variables are also the compilers'.
    pub fn find_in(environment: Environment, python: Option<&Path>) -> Self {
        let python = match python {
            Some(python) => Some(python.to_owned()),
            None => find_python_in(&environment, None).ok(),
        };
        Self {
            environment,
            python,
            memo: None,
            c: OnceLock::new(),
            cxx: OnceLock::new(),
            fortran: OnceLock::new(),
        }
    }

    /// The same, keeping what compilers say of themselves in this file, so that later processes
    /// need not ask them. The file must be one that nobody else can write.
    #[must_use]
    pub fn remembering(self, file: impl Into<PathBuf>) -> Self {
        Self { memo: Some(Memo::new(file.into())), ..self }
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
            advice: advice::for_language(language, self.python.as_deref()),
        })
    }

    /// Everything that is looked for, for each language, and how it went.
    pub fn survey(&self) -> Vec<Looked> {
        [SourceLanguage::C, SourceLanguage::Cxx, SourceLanguage::Fortran]
            .into_iter()
            .flat_map(|language| self.search(language).looked.clone())
            .collect()
    }

    /// The environment that the compilers run in.
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
            Search::run(language, &self.environment, self.python.as_deref(), self.memo.as_ref())
        })
    }
}
