//! What a host is: from a plan to files.

use fishplate_model::{Language, Span};
use fishplate_plan::{Capabilities, Plan};

/// A language that calls native code.
pub trait Host {
    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// The files of a module. Cannot fail: the plan comes of a checked interface.
    fn emit(&self, plan: &Plan) -> Emitted;
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
}
