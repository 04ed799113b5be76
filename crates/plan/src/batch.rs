//! A call that stands for many items, as steps: those that happen once, and those of each item.
//!
//! Invariant: nothing that happens for an item needs the target language.
//! Reason: a host prints the loop as a C function of its own, which may run on several threads.

use crate::{Absent, Release, Step, Undo};
use fishplate_check::Place;
use fishplate_model::{Expr, ParameterId, Threads, VariableId};

/// A call that stands for many items: the leading dimensions of its arrays.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// What happens once; among it is one [`BatchStep::Items`].
    pub steps: Vec<BatchStep>,
    /// What happens for each item.
    pub item: Vec<ItemStep>,
    /// The most threads that share the items.
    pub threads: Threads,
    /// Leading dimensions of arrays are items, by broadcasting.
    pub broadcast: bool,
    /// What happens where lists are items, if they may be.
    pub ragged: Option<Ragged>,
}

/// A mapped call over ragged arrays: what the items share may differ with the lengths of their lists.
#[derive(Clone, Debug)]
pub struct Ragged {
    /// What happens once; among it are one [`BatchStep::FitLists`] and one [`BatchStep::Items`].
    pub steps: Vec<BatchStep>,
    /// What is found for each item from the lengths of its lists.
    pub fit: Vec<FitStep>,
    /// The arrays that are made, results and scratch memory.
    pub made: Vec<Made>,
}

/// An array that a ragged call makes, and which arrays' first dimensions tell its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Index of the variable.
    pub variable: VariableId,
    /// Those that its first dimension depends on.
    pub first: Vec<VariableId>,
    /// Those that its other dimensions depend on.
    pub inner: Vec<VariableId>,
}

/// A step of a batched call that happens once.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchStep {
    /// A step as in a call for one item.
    Once(Step),
    /// Broadcast the loop dimensions of all arguments.
    Broadcast,
    /// Infer and check the dimensions of all items of a ragged call from the lengths of their lists.
    FitLists,
    /// Allocate a copy of an input for each item; it is released with the input.
    CopyItems {
        /// The input.
        variable: VariableId,
    },
    /// Run the loop: the steps of an item, for each item.
    Items {
        /// Whether the GIL is released.
        release: Release,
    },
}

/// A step that happens for each item of a batched call.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemStep {
    /// Read a scalar of the item.
    Read {
        /// The variable that is set.
        variable: VariableId,
        /// What happens if the argument is absent.
        absent: Absent,
    },
    /// Compute a hidden value of the item.
    Set {
        /// The variable that is set.
        variable: VariableId,
        /// Its value; `None` is zero.
        value: Option<Expr>,
    },
    /// Initialise scratch memory.
    Reset {
        /// The array.
        variable: VariableId,
        /// The value of each element; `None` is zero.
        value: Option<Expr>,
    },
    /// Call the C function.
    Call,
    /// Record a failure if the C function returned an error code.
    CheckStatus,
}

/// A step that infers the dimensions of an item of a ragged call.
#[derive(Clone, Debug, PartialEq)]
pub enum FitStep {
    /// Infer an integer from a dimension of an array.
    Find {
        /// The variable that is set.
        variable: VariableId,
        /// The dimensions: of the first array that is not NULL; 0 if all are.
        places: Vec<Place>,
    },
    /// Compute a hidden value.
    Set {
        /// The variable that is set.
        variable: VariableId,
        /// Its value; `None` is zero.
        value: Option<Expr>,
    },
    /// Compute a scalar that the caller has left out.
    Default {
        /// The variable that is set.
        variable: VariableId,
        /// Its value.
        value: Expr,
    },
    /// Compute the shape of an array that the call allocates.
    Shape {
        /// The array.
        variable: VariableId,
        /// The parameter of an array that is allocated only if the caller has left it out.
        parameter: Option<ParameterId>,
    },
    /// Compare a dimension with the prototype.
    Check {
        /// The array.
        variable: VariableId,
        /// Its axis.
        axis: usize,
        /// The size that it must have.
        expected: Expr,
    },
}

impl BatchStep {
    /// The cleanup of this step, if it acquires something.
    pub fn undo(&self) -> Option<Undo> {
        match self {
            BatchStep::Once(step) => step.undo(),
            _ => None,
        }
    }
}
