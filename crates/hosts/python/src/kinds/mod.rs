//! The kinds of arguments in Python, with one file for each kind.
//!
//! Purpose: the file of a kind prints everything for it: variables, table, acquisition, C argument,
//! result, release, type in the stub and words in the docstring.
//! Invariant: nothing else in this host matches on kinds.
//! Reason: a new kind is a new file, and the differences between kinds can be read next to each
//! other.

mod any_array;
mod array;
mod bytes;
mod callback;
mod enums;
mod file;
mod jagged;
mod list;
pub(crate) mod nested;
mod number;
mod object;
mod out_pointer;
mod string;
mod structs;
mod value;

pub(crate) use self::any_array::entry;
pub(crate) use self::array::set_shape;
pub(crate) use self::number::reader;
pub(crate) use self::out_pointer::pointed;
pub(crate) use self::value::from_value;
use self::value::{value_argument, value_item_argument, value_output};
use crate::item::ItemPrinter;
use crate::params::define_param_of;
use crate::steps::Printer;
use crate::stub::single;
use fishplate_emit::{Body, Names, OutPointerNames, declaration};
use fishplate_model::{Expr, VariableId};
use fishplate_plan::{Acquire, Crossing, FromC, OutPointer, Value, Variable};

/// The names of `typing` that only the types of kinds have in a stub, and how they use them.
pub(crate) const TYPING: &[(&str, &str)] = &[("IO[", "IO")];

/// A kind of argument. `index` is the argument's.
pub(crate) trait ArgumentKind {
    /// The declaration of the variable that has its value: `double x_`.
    fn declare_value(&self, variable: &Variable, local: &str) -> String {
        declaration(&variable.ctype, local)
    }

    /// Declares all that the call has for it.
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        let value = self.declare_value(&names.call.variables[index], names.local(index));
        body.declare(value);
    }

    /// The definition of its `fp_param`, which describes it to the runtime.
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_param_of(names, index, &self.dtype())
    }

    /// The number of its type, or of that of its elements, in the table.
    fn dtype(&self) -> String {
        "0".to_owned()
    }

    /// Acquires it from the caller.
    fn acquire(&self, _: &mut Printer, _: &Acquire) {}

    /// C that allocates memory for it, at the address `array`; `buffer` is the caller's, or NULL.
    fn allocate(&self, printer: &Printer, index: VariableId, array: &str, _buffer: &str) -> String {
        format!("fp_array_scratch({array}, &{})", printer.names.param(index))
    }

    /// Sets it to a hidden or default value; `None` is zero.
    fn set(&self, _: &mut Printer, _: VariableId, _: Option<&Expr>) {}

    /// True if the resource is declared in its released state, so that it may be released before it
    /// is acquired.
    fn begins_released(&self) -> bool {
        false
    }

    /// The resource, and the statement that releases it.
    fn release(&self, local: &str) -> (String, String) {
        (local.to_owned(), format!("fp_release(&{local});"))
    }

    /// C for the value that the C function receives.
    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        printer.names.local(index).to_owned()
    }

    /// The ending of the runtime's function that retains it, and what that receives. `by` is C for the object that
    /// retains it, or NULL.
    fn retained(&self, printer: &Printer, index: VariableId, _by: &str) -> (&'static str, String) {
        ("array", format!("&{}", printer.names.local(index)))
    }

    /// C for the value of the argument in a message of a return code.
    fn in_message(&self, printer: &Printer, index: VariableId) -> String {
        self.argument(printer, index)
    }

    /// C for the value that the C function receives for an item of a batch.
    fn item_argument(&self, item: &ItemPrinter, index: VariableId) -> String {
        item.value(index)
    }

    /// C for a new reference to it as a result.
    fn output(&self, _: &Printer, _: VariableId) -> String {
        "NULL".to_owned()
    }

    /// Writes the changes that C has made back to the caller's value.
    fn write_back(&self, _: &mut Printer, _: VariableId) {}

    /// The type in a stub of the values that a caller may pass; `array_like` is the type of values
    /// that are converted to an array.
    fn accepted(&self, variable: &Variable, _: &str) -> String {
        self.returned(variable)
    }

    /// The type in a stub of it as a result.
    fn returned(&self, variable: &Variable) -> String {
        single(&variable.ctype).to_owned()
    }

    /// The description in a docstring.
    fn description(&self, variable: &Variable) -> String {
        variable.type_text()
    }

    /// A literal default as Python shows it; `None` if Python has no such literal.
    fn literal(&self, literal: String) -> Option<String> {
        Some(literal)
    }
}

/// A kind of argument that C passes to a callback. `k` is its index among the arguments of the
/// function, and `param` the callback's `fp_param`.
pub(crate) trait PassedKind {
    /// C for a new object with the value of the argument.
    fn pass(&self, names: &Names<FromC>, index: VariableId, k: usize, param: &str) -> String;

    /// Its type in a stub.
    fn type_name(&self) -> String;
}

/// A kind of target of a pointer that C returns.
pub(crate) trait PointeeKind: ArgumentKind {
    /// Its type in a stub.
    fn pointed_type(&self, pointer: &OutPointer) -> String;

    /// Creates the Python value of it.
    fn receive(&self, _: &mut Printer, _: &OutPointerNames) {}

    /// The definition of the parameter table of one that a function returns to C; `called` are the names of the function
    /// that takes the callback and of the result.
    fn define_result(&self, _param: &str, _called: (&str, &str)) -> String {
        String::new()
    }

    /// The variable, besides the C result, that the conditions set.
    fn declare_taken(&self, _: &OutPointer) -> Option<&'static str> {
        None
    }

    /// C conditions, the last of which is true if `fp_c_result` is one that a function has returned.
    fn take(&self, _: &ReturnedValue) -> Vec<String> {
        Vec::new()
    }
}

/// A pointer that a function returns to C.
pub(crate) struct ReturnedValue<'a> {
    /// Its target, and the owner of that.
    pub pointer: &'a OutPointer,
    /// C for the Python value.
    pub value: &'a str,
    /// C for the runtime's callback.
    pub callback: &'a str,
    /// Its `fp_param`.
    pub param: &'a str,
    /// The number of arguments of the function, if some of them are arrays of C.
    pub arrays: Option<usize>,
}

impl ReturnedValue<'_> {
    /// The condition that ends arrays of C, before what must be last.
    fn end_arrays(&self) -> Option<String> {
        let value = self.value;
        self.arrays.map(|count| format!("fp_end_values(&fp_in, {value}, fp_given, {count})"))
    }
}

/// The kind of an argument of a function.
pub(crate) fn kind(variable: &Variable) -> &dyn ArgumentKind {
    match &variable.crossing {
        Crossing::Value(Value::Number(scalar), _) => scalar,
        Crossing::Value(Value::Enum(class), _) => class,
        Crossing::Value(Value::Struct(class), _) => class,
        Crossing::Value(Value::Opaque, _) => &number::Opaque,
        Crossing::Object(class) => class,
        Crossing::Array(array) => array,
        Crossing::Bytes(_) => &bytes::Bytes,
        Crossing::String => &string::String,
        Crossing::StringBuffer(_) => &string::Buffer,
        Crossing::OutPointer(pointer) => pointer,
        Crossing::Callback(callback) => &**callback,
        Crossing::UserData(()) => &callback::UserData,
        Crossing::List(list) => list,
        Crossing::Jagged(jagged) => jagged,
        Crossing::AnyArray(any) => any,
        Crossing::Nested(nested) => nested,
        Crossing::File(()) => &file::File,
    }
}

/// The kind of an argument that C passes to a callback.
pub(crate) fn passed(variable: &Variable<FromC>) -> &dyn PassedKind {
    match &variable.crossing {
        Crossing::Value(Value::Number(scalar), _) => scalar,
        Crossing::Value(Value::Enum(class), _) => class,
        Crossing::Value(Value::Struct(class), _) => class,
        Crossing::Value(Value::Opaque, _) | Crossing::UserData(()) => &callback::UserData,
        Crossing::Object(class) => class,
        Crossing::Array(array) => array,
        Crossing::Bytes(_) => &bytes::Bytes,
        Crossing::String => &string::String,
        Crossing::List(list) => list,
        Crossing::Nested(nested) => nested,
        Crossing::StringBuffer(never)
        | Crossing::OutPointer(never)
        | Crossing::Callback(never)
        | Crossing::Jagged(never)
        | Crossing::AnyArray(never) => match *never {},
        Crossing::File(never) => match *never {},
    }
}

/// The kind of the target of a pointer.
pub(crate) fn pointee(pointer: &OutPointer) -> &dyn PointeeKind {
    match &pointer.pointee {
        Crossing::Object(class) => class,
        Crossing::Array(array) => array,
        Crossing::Bytes(_) => &bytes::Bytes,
        Crossing::String => &string::String,
        Crossing::StringBuffer(_) => &string::Buffer,
        Crossing::Nested(nested) => nested,
        Crossing::List(list) => list,
        Crossing::Value(class, _) => class,
        Crossing::OutPointer(never)
        | Crossing::Callback(never)
        | Crossing::UserData(never)
        | Crossing::Jagged(never) => match *never {},
        Crossing::AnyArray(never) | Crossing::File(never) => match *never {},
    }
}
