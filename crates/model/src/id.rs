//! Identifiers of arguments, parameters, calls and other members of collections.
//!
//! Purpose: a separate type for each sort of index, so that one cannot be used as another.
//! Invariant: an identifier belongs to the collection that it was taken from, a `TiVec` with that
//! key.
//! Reason: as plain integers, an argument of C, a parameter of the target language and an axis have
//! the same type.

pub use typed_index_collections::{TiSlice, TiVec};

/// Declares types of identifiers: indices of typed collections.
macro_rules! declare_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(usize);

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                $name(index)
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.0
            }
        }

        /// The index as an integer, for names in generated C.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

declare_ids! {
    /// An argument of a C function by its position, and the variable that holds it during a call. The C result
    /// of a batched call has the one after the last argument.
    VariableId
    /// A parameter of a function of the target language, by its position.
    ParameterId
    /// A callback by its position among those of its call.
    CallbackId
    /// An overload of a function by its position.
    OverloadId
    /// A function by its position in its module.
    FunctionId
    /// A call by its number among those of its module.
    CallId
    /// A class of objects by its position in its module.
    ClassId
    /// A table of dtypes by its position in its module.
    DtypesId
    /// An enum by its position in its module.
    EnumId
    /// A struct by its position in its module.
    StructId
}

/// One value for each argument of a C function.
pub type PerArgument<T> = TiVec<VariableId, T>;
