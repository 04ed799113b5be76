//! How long C uses an argument, with identifiers in place of names.

use crate::Output;
use fishplate_model::VariableId;

/// How long an argument is retained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The object or module that retains it.
    pub keeper: Keeper,
    /// A later call that succeeds replaces it; otherwise all are retained.
    pub replaces: bool,
    /// The arguments whose values form the key: a later call replaces it only if their keys are equal.
    pub key: Vec<VariableId>,
}

/// The owner that retains an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// The call that takes it.
    Call,
    /// The object that is this argument.
    Handle(VariableId),
    /// The object that the call creates from this output.
    Made(Output),
    /// The module, until this function has been called.
    Module(String),
}

impl Retention {
    /// C may use it after the call has returned.
    pub fn outlasts_call(&self) -> bool {
        self.keeper != Keeper::Call
    }
}
