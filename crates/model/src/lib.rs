//! The model of an interface.
//!
//! Purpose: the one description that every front end produces and every later phase consumes.
//! Invariant: pure data; this crate reads no file, prints nothing and depends on no other crate of
//! Fishplate.
//! Reason: a new front end or host has one data structure to learn, and phases can be tested on
//! values.

pub mod adapter;
pub mod any_array;
pub mod argument;
pub mod callback;
pub mod code;
pub mod constant;
pub mod ctype;
pub mod diagnostic;
pub mod dtype;
pub mod expr;
pub mod handle;
pub mod id;
pub mod interface;
pub mod language;
mod nested;
pub mod operator;
pub mod platform;
pub mod retention;
pub mod returned;
pub mod safety;
pub mod scalar;
pub mod span;
pub mod status;
pub mod structure;
pub mod terminator;
mod unpacked;
pub mod values;
pub mod words;

pub use adapter::{
    Adapter, CallForm, ContainedClass, Conversion, Converted, FREE_STRING, INPUT_STREAM,
    OUTPUT_STREAM, Override, OverrideParameter, ParameterForm, ReturnedValue,
};
pub use any_array::{AnyArray, DtypeChoice, Dtypes};
pub use argument::{Argument, Consumed, Intent, Passing, RowPointers};
pub use callback::{Callback, CallbackForm, CallbackType};
pub use code::Code;
pub use constant::{Constant, Enum};
pub use ctype::{CType, Type, declared};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use dtype::DType;
pub use expr::{BinaryOp, Expr, ExprKind, Measure, UnaryOp};
pub use handle::{Destructor, Handle, Initializer, StoredValue};
pub use id::{
    CallId, CallbackId, ClassId, DtypesId, EnumId, FunctionId, OverloadId, ParameterId,
    PerArgument, StructId, TiSlice, TiVec, VariableId,
};
pub use interface::{
    CLOSE, CResult, Callee, Device, Ellipses, Function, Gil, Interface, Kind, Module, Overload,
    PREDEFINED, SparseFormat, Threads,
};
pub use language::Language;
pub use nested::{Nested, NestedClass, Use};
pub use operator::{OPERATORS, Operator};
pub use platform::Platform;
pub use retention::{Lifetime, Retention};
pub use returned::{Elements, NewObject, Owner, Pointee, PointerList, Returned, ReturnedPointer};
pub use safety::Safety;
pub use scalar::{Scalar, ScalarClass};
pub use span::{Lines, Source, Span, Spanned};
pub use status::{ErrorSource, ErrorStack, Message, Status, StatusTest};
pub use structure::{Field, Struct};
pub use terminator::{Terminator, TerminatorValue};
pub use unpacked::{
    Condition, Layout, Member, MemberKind, Unpacked, UnpackedStruct, retained_struct,
};
pub use values::ValueRule;
pub use words::{is_part_of_word, replace_word, words};
