//! What a host is: from a plan to files, and all that is particular to one target language.
//!
//! Purpose: the one trait by which the other phases know a target language.
//! Invariant: emitting cannot fail; finding an installation can, and then says in words what is missing.
//! Reason: a new language is then one folder and a line in the registry.

use fishplate_model::{Language, Module, Span};
use fishplate_plan::{Capabilities, Plan};
use fishplate_toolchain::{Environment, PackagedCompiler, Request, Target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A language that calls native code. `wanted` is the installation that the user named, by the option that
/// [`About`] describes.
pub trait Host: Sync {
    /// What the command says of it.
    fn about(&self) -> &'static About;

    /// What it can do, and its name.
    fn capabilities(&self) -> Capabilities;

    /// The files of a module. Cannot fail: the plan is that of a checked interface.
    fn emit(&self, plan: &Plan) -> Emitted;

    /// The installation to build for: the one that is wanted, else the one in use.
    ///
    /// # Errors
    ///
    /// What is missing, and how to install it.
    fn find(&self, environment: &Environment, wanted: Option<&OsStr>) -> Result<Target, String>;

    /// What was found of the language on this machine, in lines.
    fn survey(&self, environment: &Environment, wanted: Option<&OsStr>) -> Vec<String>;

    /// The placeholders in paths of interfaces that stand for folders of an installation: `<prefix>`.
    fn placeholders(&self) -> &'static [&'static str] {
        &[]
    }

    /// The folders for which the placeholders stand, in their order.
    ///
    /// # Errors
    ///
    /// There is no installation.
    fn folders(&self, _: &Environment, _: Option<&OsStr>) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }

    /// A C compiler that the language's package manager installs, for machines without another one.
    fn packaged_compiler(&self, _: &Environment, _: Option<&OsStr>) -> Option<PackagedCompiler> {
        None
    }

    /// The text of the file with the role [`FileRole::Completed`], with what only the built library has.
    fn complete(&self, _: &Plan, _: &Target, _library: &[u8]) -> Option<String> {
        None
    }

    /// The library that modules and handwritten C of the language share; the folder to build it into is open.
    fn shared_library(&self, _: &Target) -> Option<Request> {
        None
    }

    /// The file by which the language's package manager builds the module of the interface at this path.
    fn package(&self, _: &Path, _: &Module, _: &Environment) -> Option<Package> {
        None
    }
}

/// What the command says of a host.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The language in a few words: `Python with NumPy`.
    pub summary: &'static str,
    /// The help of the option that names an installation; the option has the host's name.
    pub option: &'static str,
    /// The placeholder of the option's value in the help.
    pub value: &'static str,
    /// The files that it emits, in words.
    pub files: &'static str,
    /// Commands that emit and compile a module by hand.
    pub by_hand: &'static str,
}

/// A file for a package manager.
#[derive(Clone, Debug)]
pub struct Package {
    /// The file's name.
    pub file_name: String,
    /// Its text.
    pub text: String,
    /// What of the interface is not in it, and why, in words.
    pub left_out: Vec<String>,
    /// The command that writes the sources that it names.
    pub emit: String,
}

/// What the name of a module's unit ends in, by which its compiler is chosen.
pub fn extension(plan: &Plan) -> &'static str {
    match plan.module.language {
        Language::C => "c",
        Language::Cxx => "cpp",
    }
}

/// The files of a module.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// Every file.
    pub files: Vec<OutputFile>,
}

/// One generated file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// Its name, with folders where the host wants them below the output folder.
    pub name: String,
    /// Its text.
    pub contents: String,
    /// What is done with it.
    pub role: FileRole,
    /// From which line (1-based) on the text serves which place of the interface, in order of lines.
    pub origins: Vec<(usize, Span)>,
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// Compiled.
    Unit,
    /// Included by units.
    Header,
    /// Put beside the module: stubs and markers.
    Beside,
    /// Put beside the module once the library is built: [`Host::complete`] has its text. Before that, its contents
    /// are as far as the plan knows.
    Completed,
}
