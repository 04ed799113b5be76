//! The search for one language's compiler, with a record of every place.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::PackagedCompiler;
use super::compiler::Compiler;
use crate::command::words;
use crate::environment::Environment;
use crate::machine::Machine;
use crate::request::SourceLanguage;

/// One place of the search for a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// The language of the compiler.
    pub language: SourceLanguage,
    /// `$CC (ccache gcc)`, `gcc on PATH`, `ziglang in INTERPRETER`.
    pub place: String,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a search at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The compiler is usable.
    Found {
        /// The program.
        path: PathBuf,
        /// The first line of its `--version`.
        version: String,
    },
    /// The variable is not set, or the program does not exist.
    Absent,
    /// There is a program that does not work: its output.
    Broken(String),
}

impl Looked {
    /// The variable, with its value, that alone decides about the compiler if it is set: `$CC` and `ccache gcc`.
    pub(crate) fn variable(&self) -> Option<(&str, &str)> {
        let (name, value) = self.place.strip_suffix(')')?.split_once(" (")?;
        name.starts_with('$').then_some((name, value))
    }
}

impl fmt::Display for Looked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        match &self.outcome {
            Outcome::Found { path, version } => write!(f, "{} ({version})", path.display()),
            Outcome::Absent if self.place.starts_with('$') && self.variable().is_none() => {
                write!(f, "not set")
            }
            Outcome::Absent => write!(f, "not there"),
            Outcome::Broken(printed) => write!(f, "does not work: {printed}"),
        }
    }
}

/// The result of the search for one language's compiler.
#[derive(Debug)]
pub(super) struct Search {
    pub looked: Vec<Looked>,
    pub found: Option<Compiler>,
}

/// The variable, the names to try on PATH, and the mode of a packaged compiler.
struct Candidates {
    variable: &'static str,
    names: &'static [&'static str],
    mode: Option<&'static str>,
}

fn candidates(language: SourceLanguage) -> Candidates {
    match language {
        SourceLanguage::C => {
            Candidates { variable: "CC", names: &["gcc", "clang", "cc"], mode: Some("cc") }
        }
        SourceLanguage::Cxx => {
            Candidates { variable: "CXX", names: &["g++", "clang++", "c++"], mode: Some("c++") }
        }
        SourceLanguage::Fortran => {
            Candidates { variable: "FC", names: &["gfortran", "flang-new", "flang"], mode: None }
        }
    }
}

impl Search {
    pub fn run(
        language: SourceLanguage,
        environment: &Environment,
        packaged: Option<&PackagedCompiler>,
    ) -> Self {
        let mut search = Self { looked: Vec::new(), found: None };
        let Candidates { variable, names, mode } = candidates(language);
        if let Some(value) = environment.get(variable) {
            let place = format!("${variable} ({})", value.to_string_lossy());
            search.look(language, place, words(value), environment);
            // The user's choice is final: any other compiler would be confusing.
            return search;
        }
        search.note(language, format!("${variable}"), Outcome::Absent);
        for name in names {
            let place = format!("{name} on PATH");
            search.look(language, place, vec![OsString::from(name)], environment);
            if search.found.is_some() {
                return search;
            }
        }
        if let (Some(mode), Some(PackagedCompiler { place, command: Some(command), .. })) =
            (mode, packaged)
        {
            let command = command.iter().cloned().chain([mode.into()]).collect();
            search.look(language, place.clone(), command, environment);
        }
        search
    }

    /// The same for a compiler that builds for another machine.
    pub fn for_machine(
        language: SourceLanguage,
        environment: &Environment,
        packaged: Option<&PackagedCompiler>,
        machine: &Machine,
    ) -> Self {
        let mut search = Self { looked: Vec::new(), found: None };
        let Candidates { variable, names, mode } = candidates(language);
        let mut places = Vec::new();
        let own = environment.get(variable);
        match own {
            Some(value) => {
                places.push((format!("${variable} ({})", value.to_string_lossy()), words(value)));
            }
            None => search.note(language, format!("${variable}"), Outcome::Absent),
        }
        if let (Some(mode), None) = (mode, own) {
            if let Some(PackagedCompiler { place, command: Some(command), .. }) = packaged {
                let command = command.iter().cloned().chain([mode.into()]).collect();
                places.push((place.clone(), command));
            }
            places.push(("zig on PATH".to_owned(), vec!["zig".into(), mode.into()]));
        }
        // Only Zig has the C library in several versions.
        let gnu_name = machine.gnu_name().filter(|_| own.is_none() && machine.version.is_none());
        if let Some(prefix) = gnu_name {
            let name = format!("{prefix}-{}", names[0]);
            places.push((format!("{name} on PATH"), vec![name.into()]));
        }
        for (place, command) in places {
            search.look(language, place.clone(), command, environment);
            if let Some(compiler) = search.found.take() {
                let target = compiler.target.clone();
                search.found = compiler.for_machine(machine);
                if search.found.is_some() {
                    break;
                }
                search.looked.pop();
                let outcome = Outcome::Broken(format!("it compiles for {target}"));
                search.note(language, place, outcome);
            }
        }
        search
    }

    fn look(
        &mut self,
        language: SourceLanguage,
        place: String,
        mut command: Vec<OsString>,
        environment: &Environment,
    ) {
        let Some(path) = command.first().and_then(|program| environment.which(program)) else {
            return self.note(language, place, Outcome::Absent);
        };
        // Not canonical: programs like ccache and launchers of virtual environments go by the name in argv[0].
        command[0] = path.clone().into_os_string();
        match Compiler::identify(language, command, environment) {
            Ok(compiler) => {
                let version = compiler.version.lines().next().unwrap_or_default().to_owned();
                self.found = Some(compiler);
                self.note(language, place, Outcome::Found { path, version });
            }
            // An interpreter without the package counts as absent, not as broken.
            Err(printed) if printed.contains("No module named") => {
                self.note(language, place, Outcome::Absent);
            }
            Err(printed) => self.note(language, place, Outcome::Broken(printed)),
        }
    }

    fn note(&mut self, language: SourceLanguage, place: String, outcome: Outcome) {
        self.looked.push(Looked { language, place, outcome });
    }
}
