//! The trait of hosts: from a plan to files, and everything that is specific to one target
//! language.
//!
//! Purpose: the one interface between a target language and the other phases.
//! Invariant: emitting cannot fail; finding an installation can, with a message about what is
//! missing.
//! Reason: a new language is then one folder and a line in the registry.

use fishplate_model::{Language, Module, Span};
use fishplate_plan::{Capabilities, Plan};
use fishplate_toolchain::{CrossBuild, Environment, PackagedCompiler, Request, Target};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A language that calls native code. `wanted` is the installation that the user named with the
/// option in [`About`].
pub trait Host: Sync {
    /// Its description in the command's help.
    fn about(&self) -> &'static About;

    /// Its capabilities, and its name.
    fn capabilities(&self) -> Capabilities;

    /// The files of a module. Cannot fail: the plan is that of a checked interface.
    fn emit(&self, plan: &Plan) -> Emitted;

    /// The same with several units, of about `usual` functions each, which compile with a [divided](crate::divide) runtime
    /// only.
    fn emit_units(&self, _: &Plan, _usual: usize) -> Option<Emitted> {
        None
    }

    /// The name of the runtime header among the files of a module, if [`divide`](crate::divide) may divide it, so that
    /// modules share its compiled functions.
    fn divisible_runtime(&self) -> Option<&'static str> {
        None
    }

    /// The installation to build for: the wanted one, else the one in use.
    ///
    /// # Errors
    ///
    /// The missing component, and how to install it.
    fn find(&self, environment: &Environment, wanted: Option<&OsStr>) -> Result<Target, String>;

    /// The same on another machine. Files that are made for it go to a folder that belongs to this machine, this
    /// installation and this version of Fishplate.
    ///
    /// # Errors
    ///
    /// An installation is missing, or the host cannot build for that machine; as a message.
    fn find_on(
        &self,
        _: &Environment,
        _wanted: Option<&OsStr>,
        cross: &CrossBuild,
        _folder: &Path,
    ) -> Result<Target, String> {
        let language = self.capabilities().language;
        Err(format!("modules of {language} cannot be built for {}", cross.machine))
    }

    /// The target of modules that use only the language's stable ABI, which later versions of it load, too; made from the
    /// one that [`find`](Self::find) or [`find_on`](Self::find_on) returned.
    ///
    /// # Errors
    ///
    /// The language, or the installation, has no stable ABI.
    fn with_stable_abi(
        &self,
        _: &Environment,
        _wanted: Option<&OsStr>,
        _: Target,
    ) -> Result<Target, String> {
        let language = self.capabilities().language;
        Err(format!("{language} has no stable ABI: build without `--stable-abi`"))
    }

    /// The installations on this machine, as lines of text.
    fn survey(&self, environment: &Environment, wanted: Option<&OsStr>) -> Vec<String>;

    /// The placeholders in paths of interfaces that stand for folders of an installation: `<prefix>`.
    fn placeholders(&self) -> &'static [&'static str] {
        &[]
    }

    /// The folders for the placeholders, in their order.
    ///
    /// # Errors
    ///
    /// No installation was found.
    fn folders(&self, _: &Environment, _: Option<&OsStr>) -> Result<Vec<PathBuf>, String> {
        Ok(Vec::new())
    }

    /// A C compiler that the language's package manager installs, for machines without another one.
    fn packaged_compiler(&self, _: &Environment, _: Option<&OsStr>) -> Option<PackagedCompiler> {
        None
    }

    /// The content of the file with the role [`FileRole::Completed`], which needs the built
    /// library.
    fn complete(&self, _: &Plan, _: &Target, _library: &[u8]) -> Option<String> {
        None
    }

    /// The library that modules and handwritten C of the language share; the caller chooses the
    /// folder.
    fn shared_library(&self, _: &Target) -> Option<Request> {
        None
    }

    /// The file for the language's package manager that builds the module of the interface at this
    /// path.
    fn package(&self, _: &Path, _: &Module, _: &Environment) -> Option<Package> {
        None
    }
}

/// The description of a host in the command's help.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The language: `Python with NumPy`.
    pub summary: &'static str,
    /// The help of the option that names an installation; the option has the host's name.
    pub option: &'static str,
    /// The placeholder of the option's value in the help.
    pub value: &'static str,
    /// The files that it emits.
    pub files: &'static str,
    /// Commands that emit and compile a module by hand.
    pub by_hand: &'static str,
}

/// A file for a package manager.
#[derive(Clone, Debug)]
pub struct Package {
    /// The file's name.
    pub file_name: String,
    /// Its content.
    pub text: String,
    /// The parts of the interface that are not in it, with reasons.
    pub left_out: Vec<String>,
    /// The command that writes the sources that it names.
    pub emit: String,
}

/// The suffix of a module's unit, which selects its compiler.
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
    /// Its name, with folders if the host needs them in the output folder.
    pub name: String,
    /// Its content.
    pub contents: String,
    /// Its role.
    pub role: FileRole,
    /// The lines (1-based) of the content that belong to places of the interface, in order of
    /// lines.
    pub origins: Vec<(usize, Span)>,
}

/// The role of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// Compiled.
    Unit,
    /// Included by units.
    Header,
    /// Copied next to the module: stubs and markers.
    Beside,
    /// Written next to the module after the library is built: [`Host::complete`] returns its
    /// content. Before that, it contains only what the plan determines.
    Completed,
}
