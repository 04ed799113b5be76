//! Batched calls, as steps: those that are executed once, and those of each item.
//!
//! Invariant: no step of an item needs the target language.
//! Reason: a host prints the loop as a separate C function, which may run on several threads.

use crate::{Absent, FailureTest, Release, Step, Undo};
use fishplate_check::Place;
use fishplate_model::{Expr, ParameterId, Threads, VariableId};

/// A batched call: the leading dimensions of its arrays are loop dimensions.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The steps that are executed once; one of them is [`BatchStep::Items`].
    pub steps: Vec<BatchStep>,
    /// The steps of each item.
    pub item: Vec<ItemStep>,
    /// The largest number of threads that share the items.
    pub threads: Threads,
    /// Leading dimensions of arrays are loop dimensions, by broadcasting.
    pub broadcast: bool,
    /// The plan for ragged arrays, if these are allowed.
    pub ragged: Option<Ragged>,
}

/// A batched call over ragged arrays: values that are shared in other batches may depend on the
/// lengths of the lists.
#[derive(Clone, Debug)]
pub struct Ragged {
    /// The steps that are executed once, among them one [`BatchStep::FitLists`] and one
    /// [`BatchStep::Items`].
    pub steps: Vec<BatchStep>,
    /// The steps that infer the dimensions of each item from the lengths of its lists.
    pub fit: Vec<FitStep>,
    /// The arrays that the call allocates: results and scratch memory.
    pub made: Vec<Made>,
}

/// An array that a ragged call allocates, with the arrays whose first dimensions determine its
/// shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Index of the variable.
    pub variable: VariableId,
    /// The arrays on which its first dimension depends.
    pub first: Vec<VariableId>,
    /// The arrays on which its other dimensions depend.
    pub inner: Vec<VariableId>,
}

/// A step of a batched call that is executed once.
#[derive(Clone, Debug, PartialEq)]
pub enum BatchStep {
    /// The same step as in a call without a batch.
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

/// A step that is executed for each item of a batched call.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemStep {
    /// Read a scalar of the item.
    Read {
        /// The variable that is set.
        variable: VariableId,
        /// The action if the argument is absent.
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
    CheckStatus {
        /// How a failure is recognised.
        test: FailureTest,
    },
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
