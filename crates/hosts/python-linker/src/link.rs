//! The phases of linking, on one page.

use crate::blocks::{Blocks, Position, blocks};
use crate::error::LinkError;
use crate::fragment::Fragment;
use crate::gather::{Gathered, gather};
use crate::language::language;
use crate::needs::Version;
use crate::print::{LinkedC, print};
use crate::program::Program;
use crate::roles::VariableRole;
use fishplate_model::Language;

/// A linked program: all code of types and ops, in order.
pub struct Linked {
    pub(crate) program: Program,
    pub(crate) gathered: Gathered,
    pub(crate) blocks: Blocks,
}

/// Links a program into one function.
pub fn link(program: &Program) -> Result<Linked, LinkError> {
    let gathered = gather(program)?;
    let blocks = blocks(program, &gathered);
    Ok(Linked { program: program.clone(), gathered, blocks })
}

impl Linked {
    /// The language that types and ops require. If it is C and the compiler refuses that, the
    /// function is to be printed as C++.
    pub fn language(&self) -> Language {
        language(&self.gathered, &self.blocks)
    }

    /// The function in C or C++.
    pub fn print(&self, language: Language) -> LinkedC {
        print(self, language)
    }

    /// The meaning of a number that the function returns when it fails.
    pub fn position(&self, failure: usize) -> Option<Position> {
        self.gathered.positions.get(failure.checked_sub(1)?).copied()
    }

    /// The role of a variable in the function.
    pub fn role(&self, variable: usize) -> &VariableRole {
        &self.gathered.roles[variable]
    }

    /// The constants in the function's state, in order.
    pub fn orphans(&self) -> &[usize] {
        &self.gathered.orphans
    }

    /// The users' code.
    pub fn fragments(&self) -> &[Fragment] {
        &self.gathered.fragments
    }

    /// The types and ops without a version, by name.
    pub fn unversioned(&self) -> &[String] {
        &self.gathered.unversioned
    }

    /// The combined version of types and ops.
    pub fn version(&self) -> &Version {
        &self.gathered.version
    }
}
