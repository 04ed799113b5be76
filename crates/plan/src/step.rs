//! The steps of a call, and the cleanup of each.
//!
//! The table of steps in docs/architecture.md is generated from this documentation: the first paragraph of each
//! step, and the one that begins with `Cleanup:`. A test compares the two.

use fishplate_check::{Output, Place};
use fishplate_model::{Expr, Intent, ParameterId, ValueRule, VariableId};

/// How a failure of a C function is recognised after a call of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureTest {
    /// The return code that is stored here is not 0.
    Code(Output),
    /// The error convention of the function applies: to its return code, or to the pointer that it returns.
    Convention,
}

/// One step. Indices are of the call's variables and parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Acquire an argument, as its kind requires: read or convert it, use its memory in place, or pin it. In a batched
    /// call this is also done for the scalars that vary per item, which are arrays there.
    ///
    /// Cleanup: release the resource, if the kind acquires one; nothing is written back.
    Acquire(Acquire),
    /// Compute a hidden or default value of a scalar, or of the pointer of an object.
    SetScalar {
        /// The variable that is set.
        variable: VariableId,
        /// Its value; `None` is zero.
        value: Option<Expr>,
    },
    /// Infer an integer from a dimension of an array, with a check of its range.
    FindDimension {
        /// The variable that is set.
        variable: VariableId,
        /// The dimensions: of the first array that is not NULL; 0 if all are.
        places: Vec<Place>,
    },
    /// Allocate an array, for a result or as scratch memory.
    ///
    /// Cleanup: release the array.
    MakeArray {
        /// The variable that is set.
        variable: VariableId,
        /// The parameter for an output buffer.
        buffer: Option<ParameterId>,
        /// Whether it is returned.
        memory: Memory,
    },
    /// Store the lengths of the rows of a jagged array or of strings, with a check of their range.
    FindLengths {
        /// The array of the lengths.
        variable: VariableId,
        /// The strings, or the jagged arrays: the rows of the first determine the lengths, and those of the others have
        /// them, too.
        rows: Vec<VariableId>,
    },
    /// Store the dimensions of an array of any rank, with a check of their range.
    FindShape {
        /// The array of the dimensions.
        variable: VariableId,
        /// The array of any rank.
        array: VariableId,
    },
    /// Store pointers to the rows of an array, which C receives in place of the array.
    ///
    /// Cleanup: release the memory of the pointers.
    PointToRows {
        /// The array.
        variable: VariableId,
    },
    /// Initialise every element of an allocated array.
    ///
    /// This comes after every step that can refuse the call, because the memory may be an output buffer.
    FillArray {
        /// The array.
        variable: VariableId,
        /// The value of each element.
        value: Expr,
    },
    /// Compare a dimension with the prototype.
    CheckDimension {
        /// The array.
        variable: VariableId,
        /// Its axis.
        axis: usize,
        /// The size that it must have.
        expected: Expr,
    },
    /// Check the values of an array of integers that C uses as positions in other arrays.
    CheckValues {
        /// The array.
        variable: VariableId,
        /// The values that it may have.
        rule: ValueRule,
    },
    /// Call a C function, or compute an expression, before memory is allocated; it may set hidden scalars.
    Query {
        /// The expression.
        query: Expr,
        /// How a failure of it is recognised, if it returns a code.
        test: Option<FailureTest>,
    },
    /// Prepare an out-pointer for memory or an object that C returns; it is NULL until the call.
    ///
    /// Cleanup: release the memory or the object that C has returned, and its converted value.
    Expect {
        /// The argument that C sets, or the result.
        out_pointer: Output,
    },
    /// Prepare to retain an argument that C uses after the call; its owner refers to it once C is called.
    ///
    /// Cleanup: release it, unless C has received it.
    Retain {
        /// The argument.
        variable: VariableId,
    },
    /// Acquire the locks of these objects, or of the module.
    ///
    /// Cleanup: release the locks.
    Lock {
        /// The objects.
        variables: Vec<VariableId>,
        /// Also the lock of the module.
        module: bool,
    },
    /// Close the objects that are borrowed from an object which C is about to destroy, and those that depend on them.
    ///
    /// The call is refused if another call or an array still uses one of them.
    Invalidate {
        /// The object.
        variable: VariableId,
    },
    /// Take objects away from the caller, for C to own: they are closed, with those that were borrowed from them.
    ///
    /// The call is refused if anything else uses one of them, or if it is not the caller's. Nothing fails between this
    /// step and the call.
    Consume {
        /// The objects, and arrays of objects.
        variables: Vec<VariableId>,
        /// C destroys them: they may refer to others.
        destroys: bool,
    },
    /// Call the C function.
    Call {
        /// Whether the GIL is released.
        release: Release,
    },
    /// Return objects to the caller, as C has reported a failure and therefore not taken them over.
    Restore {
        /// The object, or the array of objects.
        variable: VariableId,
        /// How a failure is recognised; `None`: C has returned NULL.
        test: Option<FailureTest>,
    },
    /// Raise if the C function returned an error code.
    CheckStatus {
        /// How a failure is recognised.
        test: FailureTest,
    },
    /// Retain a callback with its owner, in place of an earlier one if the interface says so.
    KeepCallback {
        /// The callback.
        variable: VariableId,
    },
    /// Release the arguments of earlier calls that this one replaces.
    Replace {
        /// The argument.
        variable: VariableId,
    },
    /// Release the callbacks and other arguments that were retained until this function was called.
    DropRetained {
        /// The function's name in the target language.
        function: String,
    },
    /// Convert memory or an object that C has returned to a value of the target language, which takes ownership.
    Receive {
        /// The argument that C has set, or the result.
        out_pointer: Output,
    },
    /// Truncate an allocated array to the number of rows that C has filled.
    Truncate {
        /// The array.
        variable: VariableId,
        /// The number of rows.
        length: Expr,
    },
    /// Write the changes that C has made back to the caller's value; a no-op if C worked in place.
    WriteBack {
        /// The array, or the scalar that was read from a 0-d array.
        variable: VariableId,
    },
}

/// An argument that is acquired.
#[derive(Clone, Debug, PartialEq)]
pub struct Acquire {
    /// The variable that is set.
    pub variable: VariableId,
    /// The parameter that is read.
    pub parameter: ParameterId,
    /// The action if the argument is absent.
    pub absent: Absent,
    /// There is something to release.
    pub releases: bool,
}

/// The action if an argument is absent or NULL.
#[derive(Clone, Debug, PartialEq)]
pub enum Absent {
    /// It cannot be absent.
    Never,
    /// C gets NULL.
    Null,
    /// C gets this value; for an array, the value of every element.
    Value(Expr),
}

/// How a caller's array is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read in place, or from a converted copy.
    Read,
    /// Written in place, or in a converted copy that is written back.
    InPlace,
    /// Written in place, or refused.
    Exclusive,
    /// Copied; C modifies the copy, which is returned.
    Copy,
}

impl Access {
    /// The access to an array with an intent.
    pub fn of(intent: Intent) -> Self {
        match intent {
            Intent::InPlace | Intent::InPlaceAndOut => Access::InPlace,
            Intent::InOut | Intent::InOutAndOut => Access::Exclusive,
            Intent::InAndOut => Access::Copy,
            Intent::In | Intent::Out | Intent::Hidden => Access::Read,
        }
    }
}

/// The use of an allocated array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// It is a result.
    Result,
    /// It is scratch memory for C.
    Scratch,
}

/// When the global lock of the target language (the GIL) is released around the C call.
#[derive(Clone, Debug, PartialEq)]
pub enum Release {
    /// Never.
    Never,
    /// Always.
    Always,
    /// If these arrays together are large enough; in a batched call those of one item, or if there are several
    /// items.
    WhenLarge(Vec<VariableId>),
    /// If this is enough work; in a batched call that of all items.
    ForWork(Expr),
}

/// The cleanup of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// Release the resource of this variable, as its kind requires.
    Release(VariableId),
    /// Release the pointers to the rows of this array.
    ReleaseRows(VariableId),
    /// Release a retained argument of this variable that C has not received.
    Forget(VariableId),
    /// Release the locks.
    Unlock,
    /// Release memory that C has returned, and the value that it was converted to.
    ReleaseOutPointer(Output),
}

impl Step {
    /// The cleanup of this step, if it acquires something.
    pub fn undo(&self) -> Option<Undo> {
        match self {
            Step::Acquire(Acquire { variable, releases: true, .. })
            | Step::MakeArray { variable, .. } => Some(Undo::Release(*variable)),
            Step::PointToRows { variable } => Some(Undo::ReleaseRows(*variable)),
            Step::Retain { variable } => Some(Undo::Forget(*variable)),
            Step::Lock { .. } => Some(Undo::Unlock),
            Step::Expect { out_pointer } => Some(Undo::ReleaseOutPointer(*out_pointer)),
            _ => None,
        }
    }
}
