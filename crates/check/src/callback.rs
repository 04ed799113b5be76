//! A callback without mistakes.
//!
//! Purpose: the prototype of a callback, with identifiers in place of the names of arguments.
//! Invariant: only `check` creates one, from a callback without mistakes.
//! Reason: later phases never look up a name among arguments.

use crate::{FromC, OutPointer, Retention, Returns, Variable};
use fishplate_model::{CallbackForm, Expr, PerArgument, Span, VariableId};

/// A callback.
#[derive(Clone, Debug)]
pub struct CheckedCallback {
    /// The prototype of the C function, as written.
    pub text: String,
    /// The place of the prototype.
    pub span: Span,
    /// Whether its C type has a name, that of a `[callback.NAME]`.
    pub is_named: bool,
    /// The C type by which a function takes it.
    pub form: CallbackForm,
    /// Its result. The owner of memory to which a pointer leads is C, or else the target language.
    pub result: Returns,
    /// The arguments that C passes to it.
    pub variables: PerArgument<Variable<FromC>>,
    /// How the callback is found when C calls it.
    pub data: Data,
    /// The argument of the function that is its user data; `None` if a struct holds the data, nothing does, or
    /// another function sets it.
    pub user_data: Option<VariableId>,
    /// The user data belongs to the object that retains it, and leads to the last callback of each parameter.
    pub is_shared: bool,
    /// The on-error actions: the C calls to make after the host's function has failed.
    pub actions: Vec<Expr>,
    /// The error return value, if the interface specifies one.
    pub error_value: Option<Expr>,
    /// How long C may call it.
    pub retention: Retention,
}

/// How a callback is found when C calls it.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// By the user data, which is this parameter of the C function.
    Parameter(VariableId),
    /// By the user data, which is the value of this expression.
    Expression(Expr),
    /// By a slot of the thread: C has no user data.
    Thread,
}

impl CheckedCallback {
    /// Returns whether it outlives the call that takes it.
    pub fn is_kept(&self) -> bool {
        self.retention.outlasts_call()
    }

    /// The pointer that it returns, if C uses memory or an object of the target language through it.
    pub fn borrowed_result(&self) -> Option<&OutPointer> {
        match &self.result {
            Returns::Pointer(pointer) if !pointer.is_owned() => Some(pointer),
            _ => None,
        }
    }

    /// C uses objects that it returns.
    pub fn returns_used_object(&self) -> bool {
        self.borrowed_result().is_some_and(|pointer| pointer.class().is_some())
    }
}
