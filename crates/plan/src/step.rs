//! The steps of a call, and what undoes each.

use fishplate_check::{Output, Place};
use fishplate_model::Expr;

/// One step. Indices are of the call's variables and parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Read a scalar that the caller gave; `absent` says what to do where they did not.
    ReadScalar {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// What a missing value means.
        absent: Absent,
    },
    /// Read a scalar from a 0-d array that it will be written back to.
    ReadMutableScalar {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// What a missing value means.
        absent: Absent,
    },
    /// Take an object that the caller gave: C gets its pointer, which stays good until it is released.
    /// Acquires: undone by a release.
    TakeHandle {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// What a missing value means.
        absent: Absent,
    },
    /// Take a function that the caller gave, for C to call. Acquires, where it outlives the call: undone by a
    /// release.
    TakeCallback {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// What a missing value means.
        absent: Absent,
        /// It outlives the call.
        kept: bool,
    },
    /// Compute a scalar, or the pointer of an object; `None` is zero.
    SetScalar {
        /// Where it goes.
        variable: usize,
        /// Its value.
        value: Option<Expr>,
    },
    /// Read a dimension of an array into an integer, with a check that it fits.
    FindDimension {
        /// Where it goes.
        variable: usize,
        /// Where it comes from: the first of these whose array is not NULL; 0 where all are.
        places: Vec<Place>,
    },
    /// Take an array that the caller gave, or, where a call maps, the scalars of its items. Acquires:
    /// undone by a release.
    TakeArray {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// How its memory is used.
        access: Access,
        /// What a missing value means.
        absent: Absent,
    },
    /// Take a text that the caller gave: C reads it where it is.
    TakeText {
        /// Where it goes.
        variable: usize,
        /// Where it comes from.
        parameter: usize,
        /// What a missing value means.
        absent: Absent,
    },
    /// Make an array. Acquires: undone by a release.
    MakeArray {
        /// Where it goes.
        variable: usize,
        /// The parameter by which a caller may give the memory.
        buffer: Option<usize>,
        /// Whether anybody else will see it.
        memory: Memory,
    },
    /// Set every element of an array that was made. Comes after all that can still refuse the call:
    /// the memory may be the caller's.
    FillArray {
        /// The array.
        variable: usize,
        /// The value of each element.
        value: Expr,
    },
    /// Compare a dimension with what the prototype says.
    CheckDimension {
        /// The array.
        variable: usize,
        /// Its axis.
        axis: usize,
        /// What the dimension must be.
        expected: Expr,
    },
    /// Find the shape of a mapped call's items: the leading dimensions of everything taken so far,
    /// broadcast.
    Broadcast,
    /// Where lists are items: find what their lengths tell, for all items, and check it.
    FitLists,
    /// Make the array that holds a copy of an input for each item. Acquires: undone by the release of
    /// what was taken.
    CopyItems {
        /// The input, taken for copying.
        variable: usize,
    },
    /// Make the array of the items' C results. Acquires: undone by a release.
    MakeResults,
    /// Do the steps of an item for each item.
    Items {
        /// What to do about the host's global lock.
        release: Release,
    },
    /// In an item: read its value of a scalar.
    ReadItem {
        /// Where it goes.
        variable: usize,
        /// What a missing value means.
        absent: Absent,
    },
    /// In an item: set scratch memory to zeros, or each element to a value.
    Reset {
        /// The array.
        variable: usize,
        /// The value of each element.
        value: Option<Expr>,
    },
    /// Ask C, which may set hidden scalars.
    Query {
        /// What it is asked.
        query: Expr,
    },
    /// Get ready for memory that C hands over: until then its pointer is NULL. Acquires: undone by
    /// giving that memory back.
    Expect {
        /// The argument that C sets, or its result.
        handed: Output,
    },
    /// Wait until no other thread is in C with these objects, or with any of the module's. Acquires: undone
    /// by letting others in.
    Lock {
        /// The objects.
        variables: Vec<usize>,
        /// All of the module's calls that take its lock.
        module: bool,
    },
    /// Close what was borrowed from this object, and what needs that: C ends it in the call that comes next. Where
    /// another call or an array still uses some of it, the call is refused.
    Invalidate {
        /// The object.
        variable: usize,
    },
    /// Call the C function.
    Call {
        /// What to do about the host's global lock.
        release: Release,
    },
    /// Raise if the C function's status is not zero.
    CheckStatus,
    /// What retains a callback has it from now on, in place of an earlier one where the interface says so.
    KeepCallback {
        /// The callback.
        variable: usize,
    },
    /// C calls no callback any more that was kept until this function was called.
    DropCallbacks {
        /// The function's name in the host.
        function: String,
    },
    /// Make the host's value of memory that C has handed over.
    Receive {
        /// The argument that C has set, or its result.
        handed: Output,
    },
    /// Keep as many rows of an array that was made as C has filled, which are no more than there are.
    Cut {
        /// The array.
        variable: usize,
        /// The number of rows.
        length: Expr,
    },
    /// Put a packed copy back into the caller's array; nothing where C had that array itself.
    WriteBack {
        /// The array.
        variable: usize,
    },
    /// Put a scalar back into the 0-d array it came from.
    WriteBackScalar {
        /// The scalar.
        variable: usize,
        /// Where it came from.
        parameter: usize,
    },
}

/// What a missing or null value means.
#[derive(Clone, Debug, PartialEq)]
pub enum Absent {
    /// It cannot be missing.
    Never,
    /// NULL for C.
    Null,
    /// This value; for an array, of every element.
    Value(Expr),
}

/// How a caller's array is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read: as it lies, or from a packed copy.
    Read,
    /// Written: as it lies, or in a packed copy that is written back.
    InPlace,
    /// Written as it lies, or refused.
    Exclusive,
    /// Copied: C changes the copy, which is returned.
    Copy,
}

/// Who sees the memory of an array that we make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The caller: it is a result.
    Result,
    /// C alone: scratch memory.
    Scratch,
}

/// When the host's global lock is let go around the C call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Release {
    /// Never.
    Never,
    /// Always.
    Always,
    /// When these arrays together are large enough; of a mapped call one item's, or when there are
    /// several items.
    WhenLarge(Vec<usize>),
}

/// What gives back what a step acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// Release an array variable.
    ReleaseArray(usize),
    /// Release an object that was taken.
    ReleaseHandle(usize),
    /// Release a callback that nothing keeps yet.
    ReleaseCallback(usize),
    /// Let other threads in again.
    Unlock,
    /// Release the array of the items' C results.
    ReleaseResults,
    /// Give back memory that C has handed over, and what was made of it.
    ReleaseHanded(Output),
    /// Close the lists that a call over them has opened before its steps.
    CloseLists,
}

impl Step {
    /// The undo of this step, where it acquires something.
    pub fn undo(&self) -> Option<Undo> {
        match self {
            Step::TakeArray { variable, .. } | Step::MakeArray { variable, .. } => {
                Some(Undo::ReleaseArray(*variable))
            }
            Step::TakeHandle { variable, .. } => Some(Undo::ReleaseHandle(*variable)),
            Step::TakeCallback { variable, kept: true, .. } => {
                Some(Undo::ReleaseCallback(*variable))
            }
            Step::Lock { .. } => Some(Undo::Unlock),
            Step::MakeResults => Some(Undo::ReleaseResults),
            Step::Expect { handed } => Some(Undo::ReleaseHanded(*handed)),
            _ => None,
        }
    }
}
