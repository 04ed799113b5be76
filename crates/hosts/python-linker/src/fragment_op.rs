//! How an op computes, in one place of a graph.

use crate::error::Error;
use crate::fragment_type::Text;
use crate::needs::{Needs, Version};
use crate::sub::Sub;

/// Where a fragment of an op stands: the node's own name, and the variables it reads and sets.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Unique for the node: what the op declares at file scope or in the state has it in its name.
    pub name: &'a str,
    /// A name each, or a literal in parentheses.
    pub inputs: &'a [String],
    /// A name each. They have been initialised: ops find NULL, or memory that they may use again.
    pub outputs: &'a [String],
    /// `fail`, `id`, `failure_var`, and `params` where the op has some.
    pub sub: &'a Sub,
}

/// An op applied in one node, with C.
pub trait FragmentOp: Send + Sync {
    /// For messages and comments.
    fn name(&self) -> String;

    /// Sets the outputs. `None`: the op has no C.
    fn code(&self, site: Site<'_>) -> Text;

    /// Run after `code`, whether that failed or not.
    fn code_cleanup(&self, _site: Site<'_>) -> Text {
        Ok(None)
    }

    /// Members of the function's state, which lives from call to call.
    fn support_code_struct(&self, _name: &str) -> Text {
        Ok(None)
    }

    /// Initialises these members.
    fn init_code_struct(&self, _name: &str, _sub: &Sub) -> Text {
        Ok(None)
    }

    /// Gives back what these members hold.
    fn cleanup_code_struct(&self, _name: &str) -> Text {
        Ok(None)
    }

    /// Helper functions for this node alone.
    fn support_code_apply(&self, _name: &str) -> Text {
        Ok(None)
    }

    /// Statements for this node, run once when the module is loaded.
    fn init_code_apply(&self, _name: &str) -> Text {
        Ok(None)
    }

    /// Whether the inputs' types are to validate what comes from Python.
    fn check_input(&self) -> bool {
        true
    }

    /// An output may share memory with an input, or an input is overwritten. Memory of outputs is then
    /// never kept for the next call.
    fn aliases(&self) -> bool {
        false
    }

    /// What it makes is looked at: it is not our own C.
    fn may_make_anything(&self) -> bool {
        false
    }

    /// Its failures say already what it was given.
    fn explains_itself(&self) -> bool {
        false
    }

    /// The compiler that must be used.
    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// What the fragments need, with this compiler if one was asked for.
    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(Needs::default())
    }

    /// The version of the fragments, this node's own part included.
    fn version(&self) -> Result<Version, Error>;
}
