//! A function of the target language, as C calls it.
//!
//! Purpose: what a prototype says of a callback, with the arguments that it names as identifiers.
//! Invariant: only `check` makes one, of a callback without mistakes.
//! Reason: later phases never look for a name among arguments.

use crate::{FromC, Output, Returns, Variable};
use fishplate_model::{CallbackForm, Expr, PerArgument, Span, VariableId};

/// A callback.
#[derive(Clone, Debug)]
pub struct CheckedCallback {
    /// The prototype of what C calls, as written.
    pub text: String,
    /// Where it was written.
    pub span: Span,
    /// C's type for it has a name, that of a `[callback.NAME]`.
    pub is_named: bool,
    /// How C is given it.
    pub form: CallbackForm,
    /// What it returns to C.
    pub result: Returns,
    /// The arguments that C passes to it.
    pub variables: PerArgument<Variable<FromC>>,
    /// Where C has the data that it is found by.
    pub data: Data,
    /// The argument of the function that is its user data; `None` if a struct has it, or there is none.
    pub beside: Option<VariableId>,
    /// The calls of C that are made where it has failed.
    pub actions: Vec<Expr>,
    /// What C gets then, if its author says that.
    pub answer: Option<Expr>,
    /// What retains it.
    pub keeper: Keeper,
    /// A later call that succeeds replaces it; otherwise all are retained.
    pub replaces: bool,
    /// Where it is replaced, the arguments whose values must be equal for that.
    pub filed: Vec<VariableId>,
}

/// Where C has the data of a callback.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// In this parameter of what C calls.
    Passed(VariableId),
    /// C tells it when it is asked, by this.
    Asked(Expr),
    /// Nowhere: the thread knows its callback.
    Thread,
}

/// What keeps a callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// The call.
    Call,
    /// The handle that is this variable.
    Handle(VariableId),
    /// The object that the call makes of this.
    Made(Output),
    /// The module, until this function was called.
    Module(String),
}

impl CheckedCallback {
    /// It outlives the call that was given it.
    pub fn is_kept(&self) -> bool {
        self.keeper != Keeper::Call
    }
}
