//! The code of an op at one place in a graph.

use crate::error::Error;
use crate::fragment_type::Text;
use crate::needs::{Needs, Version};
use crate::sub::Sub;

/// The place of an op's fragment: the node's own name, and the variables it reads and sets.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Unique for the node: declarations of the op at file scope or in the state contain it.
    pub name: &'a str,
    /// A name each, or a literal in parentheses.
    pub inputs: &'a [String],
    /// A name each. They have been initialised: ops find NULL, or memory that they may use again.
    pub outputs: &'a [String],
    /// `fail`, `id`, `failure_var`, and `params` if the op has parameters.
    pub sub: &'a Sub,
}

/// An op applied in one node, with C.
pub trait FragmentOp: Send + Sync {
    /// For messages and comments.
    fn name(&self) -> String;

    /// Sets the outputs. `None`: the op has no C.
    fn code(&self, site: Site<'_>) -> Text;

    /// Runs after `code`, whether that failed or not.
    fn code_cleanup(&self, _site: Site<'_>) -> Text {
        Ok(None)
    }

    /// Members of the function's state, which persists between calls.
    fn support_code_struct(&self, _name: &str) -> Text {
        Ok(None)
    }

    /// Initialises these members.
    fn init_code_struct(&self, _name: &str, _sub: &Sub) -> Text {
        Ok(None)
    }

    /// Releases the contents of these members.
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

    /// Whether the inputs' types validate values from Python.
    fn check_input(&self) -> bool {
        true
    }

    /// An output may share memory with an input, or an input is overwritten. Memory of outputs is
    /// then never retained for the next call.
    fn aliases(&self) -> bool {
        false
    }

    /// Its results are checked: it is user-defined C.
    fn may_make_anything(&self) -> bool {
        false
    }

    /// Its error messages describe the inputs already.
    fn explains_itself(&self) -> bool {
        false
    }

    /// The required compiler.
    fn compiler(&self) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// The requirements of the fragments, with the selected compiler if there is one.
    fn needs(&self, _compiler: Option<&str>) -> Result<Needs, Error> {
        Ok(Needs::default())
    }

    /// The version of the fragments, including this node's own part.
    fn version(&self) -> Result<Version, Error>;
}
