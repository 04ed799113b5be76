//! Model and a host's capabilities ─► checked model.
//!
//! Purpose: find every mistake of an interface, and decide the role of each argument in a call.
//! Invariant: only [`check`] creates a [`Checked`], and only without errors; after this, no phase
//! fails on user input.
//! Reason: plans and hosts then have no error paths, and a new host inherits every check.

mod any_arrays;
mod arguments;
mod callback;
mod callbacks;
mod called;
mod called_result;
mod classes;
mod consumed;
mod convention;
mod crossing;
mod devices;
mod expressions;
mod failures;
mod features;
mod freeing;
mod functions;
mod handles;
mod host_names;
mod initialisation;
mod items;
mod jagged;
mod kinds;
mod language;
mod layouts;
mod lengths;
mod members;
mod names;
mod operators;
mod order;
mod pointer;
mod properties;
mod query;
mod resolve;
mod restricted;
mod retained;
mod retention;
mod roles;
mod safety;
mod shared_data;
mod sparse;
mod stored;
mod terminators;
mod unpacked;
mod values;
mod variable;

pub use callback::{CheckedCallback, Data};
pub use convention::Convention;
pub use crossing::{
    AnyArray, Array, By, Crossing, FromC, Jagged, List, Listed, Named, Never, Position, Returned,
    ToC, Value,
};
pub use features::Feature;
pub use kinds::beyond_numbers;
pub use operators::Operands;
pub use pointer::{Free, OutPointer, Ownership, Returns};
pub use properties::Properties;
pub use retention::{Keeper, Retention};
pub use roles::{Place, Role};
pub use sparse::Sparse;
pub use variable::Variable;

use resolve::Classes;

use fishplate_model::{
    Adapter, CLOSE, CResult, CType, Callee, ClassId, Constant, Consumed, Destructor, Device,
    Diagnostic, Dtypes, Ellipses, Enum, Expr, Function, FunctionId, Gil, Interface, Kind, Module,
    Operator, PerArgument, Safety, Source, Span, Spanned, Status, StoredValue, Struct, Threads,
    TiSlice, TiVec, Type, Unpacked, ValueRule, VariableId,
};
use std::collections::BTreeSet;

/// The capabilities of a host and its target language, and the names that the language reserves.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// The host's name, an argument of `--host`.
    pub host: &'static str,
    /// Words that cannot be the names of functions or parameters.
    pub reserved: &'static [&'static str],
    /// True for names that the language itself looks up, such as `__dict__`.
    pub is_special: fn(&str) -> bool,
    /// True for names that the language has for other purposes in its enums, such as `mro`.
    pub is_of_enums: fn(&str) -> bool,
    /// The language's name.
    pub language: &'static str,
    /// Modules that are always loaded: another one of the same name can never be loaded.
    pub modules: &'static [&'static str],
    /// Other modules of the language, which a module of the same name would hide.
    pub standard_modules: &'static [&'static str],
    /// The features that it supports beyond numbers and arrays of numbers.
    pub features: &'static [Feature],
    /// It supports batched calls. Otherwise a call of a function with `ellipses` is one item, and
    /// there is a warning, so that one interface serves all hosts.
    pub maps: bool,
    /// It supports arrays of structs.
    pub structured: bool,
    /// It passes sparse matrices as one argument. Otherwise their parts are arguments, as in C.
    pub sparse: bool,
    /// It supports arrays on these devices.
    pub devices: &'static [Device],
    /// The terms of the target language in explanations.
    pub words: Words,
}

/// The terms of a target language.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The value for absence: `None`.
    pub nothing: &'static str,
    /// The exception for a return code other than 0: `RuntimeError`.
    pub failure: &'static str,
    /// The global lock, if there is one: `the GIL`.
    pub lock: Option<&'static str>,
    /// Arguments may be passed by keyword.
    pub keywords: bool,
}

impl Capabilities {
    /// The name of an argument in the target language: its own, followed by `_` if the language
    /// reserves it.
    pub fn parameter_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.reserved.contains(&name.as_str()) {
            name.push('_');
        }
        name
    }

    /// The name of a field in the target language: its own, followed by `_` if the language reserves it, or if every
    /// struct has a member of that name.
    pub fn field_name(&self, name: &str) -> String {
        let is_predefined = |name: &str| matches!(name, "copy" | "dtype");
        self.parameter_name(&if is_predefined(name) { format!("{name}_") } else { name.to_owned() })
    }
}

/// An interface without mistakes.
#[derive(Clone, Debug)]
pub struct Checked {
    interface: Interface,
    host: Capabilities,
    handles: TiVec<ClassId, CheckedHandle>,
    functions: TiVec<FunctionId, CheckedFunction>,
    keeps_callbacks: bool,
    keepers: BTreeSet<String>,
}

impl Checked {
    /// The capabilities against which it was checked.
    pub fn host(&self) -> &Capabilities {
        &self.host
    }

    /// The result of `write` for a function as it was read.
    pub fn write(&self, id: FunctionId, write: impl Fn(&Function) -> String) -> String {
        let function = self.interface.functions[usize::from(id)].clone();
        // A graph does not read the module's table.
        write(&Function { status: function.status.or(&self.interface.status), ..function })
    }

    /// The `[module]` table.
    pub fn module(&self) -> &Module {
        &self.interface.module
    }

    /// The module's name, which is present after the check.
    pub fn name(&self) -> &str {
        self.interface.module.name.as_ref().map_or("", |name| &name.value)
    }

    /// The source that it was read from.
    pub fn source(&self) -> &Source {
        &self.interface.source
    }

    /// The C types that the author specified.
    pub fn types(&self) -> &[CType] {
        &self.interface.types
    }

    /// The classes of objects, in source order.
    pub fn handles(&self) -> &TiSlice<ClassId, CheckedHandle> {
        &self.handles
    }

    /// Exceptions of C++ and the exceptions of the target language for them, in the order in which they are tried.
    pub fn exceptions(&self) -> &[(Spanned<String>, Spanned<String>)] {
        &self.interface.exceptions
    }

    /// Values that headers define.
    pub fn constants(&self) -> &[Constant] {
        &self.interface.constants
    }

    /// The codes of dtypes in C.
    pub fn dtypes(&self) -> &[Dtypes] {
        &self.interface.dtypes
    }

    /// The enums.
    pub fn enums(&self) -> &[Enum] {
        &self.interface.enums
    }

    /// The structs; each comes after those that are its fields.
    pub fn structs(&self) -> &[Struct] {
        &self.interface.structs
    }

    /// The meaning of return codes for functions that do not define it.
    pub fn status(&self) -> &Status {
        &self.interface.status
    }

    /// Some callback outlives its call, so that C may call it during any other.
    pub fn keeps_callbacks(&self) -> bool {
        self.keeps_callbacks
    }

    /// Some callback is retained until this function is called.
    pub fn is_keeper(&self, function: &str) -> bool {
        self.keepers.contains(function)
    }

    /// The functions, in source order.
    pub fn functions(&self) -> &TiSlice<FunctionId, CheckedFunction> {
        &self.functions
    }
}

/// A class of objects without mistakes.
#[derive(Clone, Debug)]
pub struct CheckedHandle {
    /// Its name in the target language.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The pointer type.
    pub ctype: CType,
    /// The C function that destroys an object.
    pub destructor: Option<Destructor>,
    /// The class of the object that `free` needs as `context`.
    pub context: Option<Named<ClassId>>,
    /// The expression over `object` and `data` that sets the user data which its callbacks share.
    pub user_data: Option<Spanned<String>>,
    /// How its objects begin, if the module stores them.
    pub stored: Option<StoredValue>,
    /// The classes from which it is derived, which precede it.
    pub bases: Vec<Named<ClassId>>,
    /// The lock for calls on its objects, if it specifies one.
    pub safety: Option<Safety>,
    /// The constructor.
    pub constructor: Option<CheckedFunction>,
}

/// A function without mistakes.
#[derive(Clone, Debug)]
pub struct CheckedFunction {
    /// Its name in the target language.
    pub name: String,
    /// The class of which it is a method only.
    pub class: Option<Named<ClassId>>,
    /// The operators that it implements.
    pub operators: Vec<(&'static Operator, Operands)>,
    /// It computes an attribute of the objects of its class.
    pub is_property: bool,
    /// Its documentation.
    pub doc: String,
    /// The descriptions of arguments and of `result`, by name.
    pub descriptions: Vec<(String, String)>,
    /// When the GIL is released.
    pub gil: Gil,
    /// The batches it supports.
    pub ellipses: Ellipses,
    /// The lock for its C functions, if it specifies one.
    pub safety: Option<Safety>,
    /// The largest number of threads that share the items of one call.
    pub threads: Threads,
    /// The device that holds its arrays.
    pub device: Device,
    /// How much one call does; `None`: as many operations as its arrays have elements.
    pub work: Option<Expr>,
    /// The size query: called before memory is allocated.
    pub query: Option<Expr>,
    /// The sparse matrices that the target language may pass as one argument.
    pub sparse: Vec<Sparse>,
    /// C code before every call.
    pub pre_call: Option<Spanned<String>>,
    /// C code after every call.
    pub post_call: Option<Spanned<String>>,
    /// In source order; at least one.
    pub overloads: Vec<CheckedOverload>,
}

impl CheckedFunction {
    /// It is the `close` of its class.
    pub fn closes(&self) -> bool {
        self.class.is_some() && self.name == CLOSE
    }
}

/// An overload with a role for each argument.
#[derive(Clone, Debug)]
pub struct CheckedOverload {
    /// The prototype, as written.
    pub text: String,
    /// The place of the whole prototype.
    pub span: Span,
    /// The C function's name.
    pub c_name: String,
    /// The construct that this name denotes in the headers.
    pub callee: Callee,
    /// The C result.
    pub result: Returns,
    /// Where C leaves its return code.
    pub return_code: Option<Output>,
    /// The meaning of that code, or of NULL, unless 0 is success and all else an error.
    pub convention: Option<Convention>,
    /// One for each of its arguments.
    pub arguments: PerArgument<Resolved>,
    /// The structs that C receives in place of some of them.
    pub unpacked: Vec<Unpacked>,
    /// The C++ function that is called with these arguments, if its types are not those of C.
    pub adapter: Option<Box<Adapter>>,
    /// Indices of the arguments in an order in which each can be computed from those before it.
    pub order: Vec<VariableId>,
    /// The results, in order.
    pub outputs: Vec<Output>,
    /// The layouts it is for; at least one.
    pub kinds: Vec<Kind>,
    /// The arguments that the function's query may set.
    pub queried: Vec<VariableId>,
    /// The lock that serialises the C function.
    pub safety: Safety,
}

/// An argument and its role in a call.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The argument.
    pub variable: Variable,
    /// The source of its value.
    pub role: Role,
    /// The call ends the lifetime of objects borrowed from this one.
    pub invalidates: bool,
    /// C takes over the object that the caller passes.
    pub consumed: Option<Consumed>,
    /// How long C uses it, if it is not a callback, which has its own.
    pub retention: Retention,
    /// The rule for the values of an array, which the call checks before C reads them.
    pub values: Option<ValueRule>,
    /// For an array that the call allocates: its first dimension after the call, if C may have
    /// changed it.
    pub length: Option<Expr>,
}

/// One result of a generated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The argument with this index.
    Argument(VariableId),
    /// The C function's result.
    Result,
}

/// Checks an interface for a host. The diagnostics may include warnings even if a [`Checked`] is
/// returned; it is `None` if any of them is an error.
pub fn check(interface: &Interface, host: &Capabilities) -> (Option<Checked>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let constants = names::Constants::of(interface);
    let classes = Classes(interface);
    host_names::check(interface, host, &mut diagnostics);
    language::check(interface, &mut diagnostics);
    let mut functions: Vec<CheckedFunction> = interface
        .functions
        .iter()
        .filter_map(|function| {
            functions::check(function, host, classes, &constants, &mut diagnostics)
        })
        .collect();
    callbacks::check(interface, &mut diagnostics);
    retained::check(interface, &mut diagnostics);
    failures::check(interface, &mut diagnostics);
    members::check(interface, host, &mut diagnostics);
    initialisation::check(interface, &functions, &mut diagnostics);
    operators::report_duplicates(&functions, &mut diagnostics);
    let mut handles = handles::check(interface, host, &constants, &mut diagnostics);
    for function in &mut functions {
        safety::resolve_locks(function, None, interface);
    }
    for handle in &mut handles {
        if let Some(constructor) = &mut handle.constructor {
            safety::resolve_locks(constructor, handle.safety, interface);
        }
    }
    let constructors = handles.iter().filter_map(|handle| handle.constructor.as_ref());
    features::check(interface, functions.iter().chain(constructors), host, &mut diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let count = |functions: &[CheckedFunction]| -> usize {
        functions.iter().map(|function| function.overloads.len()).sum()
    };
    let written: usize = interface.functions.iter().map(|function| function.overloads.len()).sum();
    assert!(failed || count(&functions) == written, "a mistake has no diagnostic");
    diagnostics.extend(items::warn_of_one(&interface.functions, host));
    let checked = (!failed).then(|| {
        let handles = TiVec::from(handles);
        let functions = TiVec::from(functions);
        // Once: the plan of each function depends on them.
        let keeps_callbacks = callbacks_of(&handles, &functions).any(CheckedCallback::is_kept);
        let keepers = retained::keepers(interface).map(str::to_owned).collect();
        let interface = interface.clone();
        Checked { interface, host: *host, handles, functions, keeps_callbacks, keepers }
    });
    (checked, diagnostics)
}

/// Every callback that a function or a constructor accepts.
fn callbacks_of<'a>(
    handles: &'a TiSlice<ClassId, CheckedHandle>,
    functions: &'a TiSlice<FunctionId, CheckedFunction>,
) -> impl Iterator<Item = &'a CheckedCallback> {
    let constructors = handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let overloads = constructors.chain(functions).flat_map(|one| &one.overloads);
    let crossings = overloads.flat_map(|one| &one.arguments).map(|one| &one.variable.crossing);
    crossings.filter_map(Crossing::callback)
}

/// True if the C function has a result that can be returned: a value, or a return code of which
/// several values mean success.
fn has_result(result: &CResult, convention: Option<&Convention>) -> bool {
    match result {
        CResult::Value(ctype) => ctype.what != Type::Opaque,
        CResult::Pointer(_) => true,
        CResult::Status(ctype) => {
            let has_values = !ctype.is_message() && !ctype.is_bool();
            has_values && convention.is_some_and(|one| one.status.success.is_some())
        }
        CResult::Void => false,
    }
}
