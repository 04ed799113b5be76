//! The kinds of arguments in Lua, with one file for each kind.
//!
//! Purpose: the file of a kind prints everything for it: variables, table, acquisition, C argument,
//! result, release and type in the annotations.
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

pub(crate) use self::out_pointer::{define, pointed, under_lock};
pub(crate) use self::value::push_value;
use self::value::{push_argument, value_argument};
use crate::annotations::single;
use crate::params::define_param_of;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, declaration};
use fishplate_model::{CType, Expr, VariableId};
use fishplate_plan::{Acquire, Crossing, FromC, OutPointer, Value, Variable};

/// A kind of argument. `index` is the argument's.
pub(crate) trait ArgumentKind {
    /// Declares all that the call has for it.
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        let declared = declaration(&names.call.variables[index].ctype, names.local(index));
        body.declare(declared);
    }

    /// The definition of its `fp_param`, which describes it to the runtime.
    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_param_of(names, index, self.flag())
    }

    /// The flag in the table by which the runtime accepts another type than a tensor or a number.
    fn flag(&self) -> Option<&'static str> {
        None
    }

    /// Acquires it from the caller.
    fn acquire(&self, _: &mut Printer, _: &Acquire) {}

    /// Lua may collect while it is acquired.
    fn may_collect(&self, _: &Variable) -> bool {
        true
    }

    /// The statement that allocates memory for it, where its shape is set; `slot` is that of the caller's buffer, or
    /// 0.
    fn allocate(&self, printer: &Printer, index: VariableId, _: usize) -> String {
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        format!("fp_array_scratch(fp_L, &{local}, &{param});")
    }

    /// Sets it to a hidden or default value; `None` is zero.
    fn set(&self, _: &mut Printer, _: VariableId, _: Option<&Expr>) {}

    /// Releases resources that need not wait for the collector.
    fn release(&self, printer: &mut Printer, index: VariableId) {
        let local = printer.names.local(index);
        printer.body.line(format!("fp_release(fp_L, &{local});"));
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

    /// The statement that pushes it as a result.
    fn output(&self, printer: &Printer, index: VariableId) -> String {
        push_argument(printer, index)
    }

    /// A result is made of its memory, which is released after that.
    fn is_copied(&self) -> bool {
        false
    }

    /// Writes the changes that C has made back to the caller's value.
    fn write_back(&self, _: &mut Printer, _: VariableId) {}

    /// The type in annotations of the values that a caller may pass.
    fn accepted(&self, variable: &Variable) -> String {
        self.returned(variable)
    }

    /// The type in annotations of it as a result.
    fn returned(&self, variable: &Variable) -> String {
        single(&variable.ctype).to_owned()
    }
}

/// A kind of argument that C passes to a callback.
pub(crate) trait PassedKind {
    /// Lua sees it.
    fn is_seen(&self) -> bool {
        true
    }

    /// It consists of objects, which end with the callback.
    fn has_objects(&self) -> bool {
        false
    }

    /// The statement that pushes the argument.
    fn pass(&self, passed: &Passed) -> String;

    /// Its type in annotations.
    fn type_name(&self, variable: &Variable<FromC>) -> String {
        single(&variable.ctype).to_owned()
    }
}

/// An argument that C passes to a callback.
pub(crate) struct Passed<'n> {
    /// Its variable.
    pub local: &'n str,
    /// The type of that.
    pub ctype: &'n CType,
    /// Its own `fp_param`.
    pub own_param: &'n str,
    /// The `fp_param` of the callback.
    pub param: &'n str,
    /// Its place among the arguments of the function.
    pub k: usize,
    /// The number of arrays that are passed before it.
    pub arrays: usize,
}

/// A kind of target of a pointer that C returns.
pub(crate) trait PointeeKind {
    /// Its type in annotations.
    fn pointed_type(&self) -> String;

    /// The definition of the parameter table of one that a function returns to C; `called` are the names of the function
    /// that takes the callback and of the result.
    fn define_result(&self, _param: &str, _called: (&str, &str)) -> String {
        String::new()
    }

    /// The variable, besides the C result, that the statements set.
    fn declare_taken(&self, _: &OutPointer) -> Option<&'static str> {
        None
    }

    /// The statements that set the result of C to one that a function returns.
    fn take(&self, _: &ReturnedValue) -> Vec<String> {
        Vec::new()
    }
}

/// A pointer that a function returns to C.
pub(crate) struct ReturnedValue<'a> {
    /// Its target, and the owner of that.
    pub pointer: &'a OutPointer,
    /// The slot of the Lua value.
    pub slot: usize,
    /// C for the result.
    pub result: &'a str,
    /// The callback outlives its call.
    pub is_kept: bool,
    /// Its `fp_param`.
    pub param: &'a str,
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
        Crossing::Value(value, _) => value,
        Crossing::Object(class) => class,
        Crossing::Array(array) => array,
        Crossing::Bytes(_) => &bytes::Bytes,
        Crossing::String => &string::String,
        Crossing::UserData(()) => &callback::UserData,
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
