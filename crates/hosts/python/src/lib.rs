//! From a plan to a Python extension module.
//!
//! Purpose: print each step of a plan as one short call into the runtime header (`runtime/`), and
//! the tables, docstrings and stub of a module.
//! Invariant: reads plans only; depends on no other host and no interface language.
//! Reason: the meaning of a step in Python is implemented once, in C that is compiled and tested by
//! itself.

mod callbacks;
mod docs;
mod function;
mod handles;
mod installation;
mod item;
mod items;
mod kinds;
mod module;
mod modules;
mod operators;
mod origin;
mod out_pointer;
mod overloads;
mod params;
mod ragged;
mod retained;
mod runtime;
mod sparse;
mod steps;
mod structs;
mod stub;
mod tables;
mod target;

pub use installation::{Installation, NAME, NumPy, PythonError, find_python};
pub use runtime::RUNTIME;

use fishplate_emit::{About, Emitted, FileRole, Host, OutputFile};
use fishplate_model::Device;
use fishplate_plan::{Capabilities, Feature, Plan, Words};
use fishplate_toolchain::{CrossBuild, Environment, PackagedCompiler, Target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The runtime header's file name.
pub const RUNTIME_NAME: &str = "fishplate_python.h";

/// The keywords of Python: no function or parameter can have such a name.
const RESERVED: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// True for names such as `__dict__`, which Python sets or looks up.
fn is_special(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// Names that `enum.IntEnum` refuses.
fn is_of_enums(name: &str) -> bool {
    name == "mro" || name.len() > 2 && name.starts_with('_') && name.ends_with('_')
}

/// Python, with NumPy's arrays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Python;

const ABOUT: About = About {
    summary: "Python with NumPy",
    option: "The Python to build for: a path, a name on PATH, or a version such as 3.12. By default the one that \
             runs this command, if one does, else the one in use ($VIRTUAL_ENV, then PATH)",
    value: "PYTHON",
    files: "NAME_python.c, the runtime header that it includes, and a type stub",
    by_hand: "    fishplate emit stats.toml -o generated
    cc -shared -fPIC -O3 generated/stats_python.c stats.c -o stats.so \\
       -I$(python -c 'import numpy; print(numpy.get_include())') $(python3-config --includes)",
};

impl Host for Python {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn divisible_runtime(&self) -> Option<&'static str> {
        Some(RUNTIME_NAME)
    }

    fn find(&self, environment: &Environment, wanted: Option<&OsStr>) -> Result<Target, String> {
        Installation::find(environment, wanted.map(Path::new))
            .and_then(|python| python.target(environment))
            .map_err(|error| error.to_string())
    }

    fn find_on(
        &self,
        environment: &Environment,
        wanted: Option<&OsStr>,
        cross: &CrossBuild,
        folder: &Path,
    ) -> Result<Target, String> {
        Installation::find(environment, wanted.map(Path::new))
            .map_err(|error| error.to_string())?
            .target_on(environment, cross, folder)
    }

    fn with_stable_abi(
        &self,
        environment: &Environment,
        wanted: Option<&OsStr>,
        target: Target,
    ) -> Result<Target, String> {
        Installation::find(environment, wanted.map(Path::new))
            .and_then(|python| python.with_stable_abi(target))
            .map_err(|error| error.to_string())
    }

    fn survey(&self, environment: &Environment, wanted: Option<&OsStr>) -> Vec<String> {
        match Installation::find(environment, wanted.map(Path::new)) {
            Ok(python) => python.survey(environment),
            Err(error) => vec![format!("python: {error}")],
        }
    }

    fn placeholders(&self) -> &'static [&'static str] {
        &["<prefix>", "<site>"]
    }

    fn folders(
        &self,
        environment: &Environment,
        wanted: Option<&OsStr>,
    ) -> Result<Vec<PathBuf>, String> {
        Installation::find(environment, wanted.map(Path::new))
            .map(|python| vec![python.prefix, python.site])
            .map_err(|error| error.to_string())
    }

    fn packaged_compiler(
        &self,
        environment: &Environment,
        wanted: Option<&OsStr>,
    ) -> Option<PackagedCompiler> {
        Some(installation::packaged_compiler(environment, wanted.map(Path::new)))
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            host: NAME,
            reserved: RESERVED,
            is_special,
            is_of_enums,
            language: "Python",
            modules: modules::LOADED,
            standard_modules: modules::STANDARD,
            features: Feature::ALL,
            maps: true,
            structured: true,
            sparse: true,
            devices: &[Device::Cpu, Device::Cuda],
            words: Words {
                nothing: "None",
                failure: "RuntimeError",
                lock: Some("the GIL"),
                keywords: true,
            },
        }
    }

    fn emit(&self, plan: &Plan) -> Emitted {
        with_other_files(plan, vec![module::emit(plan).unit(plan, &stem(plan))])
    }

    fn emit_units(&self, plan: &Plan, usual: usize) -> Option<Emitted> {
        Some(with_other_files(plan, module::emit(plan).units(plan, usual, &stem(plan))))
    }
}

/// The name of the module's unit. Not `stats`: a user's own source is likely to have this name.
fn stem(plan: &Plan) -> String {
    format!("{}_python", plan.last_name())
}

/// The units, the runtime header, and what is installed with the module.
fn with_other_files(plan: &Plan, mut files: Vec<OutputFile>) -> Emitted {
    let beside = plan.name.replace('.', "/");
    files.push(plain(RUNTIME_NAME.to_owned(), RUNTIME.to_owned(), FileRole::Header));
    files.push(plain(format!("{beside}.pyi"), stub::stub(plan), FileRole::Beside));
    if let Some(package) = plan.name.split_once('.').map(|(package, _)| package) {
        files.push(plain(format!("{package}/py.typed"), String::new(), FileRole::Beside));
    }
    Emitted { files }
}

fn plain(name: String, contents: String, role: FileRole) -> OutputFile {
    OutputFile { name, contents, role, origins: Vec::new() }
}
