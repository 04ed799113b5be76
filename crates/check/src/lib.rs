//! Model and a host's capabilities ─► checked model.
//!
//! Purpose: find every mistake of an interface, and settle what each argument's part in a call is.
//! Invariant: only [`check`] makes a [`Checked`], and only when there is no error; after this,
//! nothing fails on user input.
//! Reason: plans and hosts then hold no error paths, and a new host inherits every check.

mod arguments;
mod callback;
mod callbacks;
mod called;
mod classes;
mod crossing;
mod devices;
mod expressions;
mod failures;
mod features;
mod functions;
mod handles;
mod host_names;
mod items;
mod kinds;
mod layouts;
mod lengths;
mod members;
mod names;
mod order;
mod pointer;
mod query;
mod resolve;
mod restricted;
mod roles;
mod safety;
mod variable;

pub use callback::{CheckedCallback, Data, Keeper};
pub use crossing::{
    Array, By, Crossing, FromC, List, Listed, Named, Never, Position, Returned, ToC, Value,
};
pub use features::Feature;
pub use pointer::{OutPointer, Ownership, Returns};
pub use roles::{Place, Role};
pub use variable::Variable;

use resolve::Classes;

use fishplate_model::{
    CResult, CType, Callee, ClassId, Constant, Device, Diagnostic, Ellipses, Enum, Expr, Function,
    FunctionId, Gil, Interface, Kind, Module, PerArgument, Safety, Source, Span, Spanned, Status,
    Struct, Threads, TiSlice, TiVec, Type, VariableId,
};

/// What a host language can do, and which names it keeps for itself.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// The host's name, as `--host` takes it.
    pub host: &'static str,
    /// Words that cannot be the names of functions or parameters.
    pub reserved: &'static [&'static str],
    /// True for names that the language itself looks for, such as `__dict__`.
    pub is_special: fn(&str) -> bool,
    /// The language's name.
    pub language: &'static str,
    /// Modules that are there already: another one of the name can never be loaded.
    pub modules: &'static [&'static str],
    /// Other modules of the language's own, which one of the name would hide.
    pub standard_modules: &'static [&'static str],
    /// What it supports beyond numbers and arrays of numbers.
    pub features: &'static [Feature],
    /// It can map a call over many items. Where it cannot, a call of a function with `ellipses` is one
    /// item, with a warning, so that one interface serves all hosts.
    pub maps: bool,
    /// It has arrays of structs.
    pub structured: bool,
    /// It has arrays on these devices.
    pub devices: &'static [Device],
    /// What explanations call what is the host's own.
    pub words: Words,
}

/// A host's words.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The value that is none: `None`.
    pub nothing: &'static str,
    /// What a status other than 0 becomes: `RuntimeError`.
    pub failure: &'static str,
    /// The global lock, where there is one: `the GIL`.
    pub lock: Option<&'static str>,
    /// Arguments may be given by keyword.
    pub keywords: bool,
}

impl Capabilities {
    /// What an argument is called in the host: its name, with `_` behind a word of the language.
    pub fn parameter_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.reserved.contains(&name.as_str()) {
            name.push('_');
        }
        name
    }
}

/// An interface without mistakes.
#[derive(Clone, Debug)]
pub struct Checked {
    interface: Interface,
    host: Capabilities,
    handles: TiVec<ClassId, CheckedHandle>,
    functions: TiVec<FunctionId, CheckedFunction>,
}

impl Checked {
    /// What it was checked for.
    pub fn host(&self) -> &Capabilities {
        &self.host
    }

    /// The text that `write` makes of a function as it was read.
    pub fn write(&self, id: FunctionId, write: impl Fn(&Function) -> String) -> String {
        write(&self.interface.functions[usize::from(id)])
    }

    /// The module's table.
    pub fn module(&self) -> &Module {
        &self.interface.module
    }

    /// The module's name; there is one.
    pub fn name(&self) -> &str {
        self.interface.module.name.as_ref().map_or("", |name| &name.value)
    }

    /// The text it was read from.
    pub fn source(&self) -> &Source {
        &self.interface.source
    }

    /// What the author says the types of the headers are.
    pub fn types(&self) -> &[CType] {
        &self.interface.types
    }

    /// The classes of objects, in the order they were written.
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

    /// Every callback that a function or a constructor accepts.
    pub fn callbacks(&self) -> impl Iterator<Item = &CheckedCallback> {
        let constructors = self.handles.iter().filter_map(|handle| handle.constructor.as_ref());
        let overloads = constructors.chain(&self.functions).flat_map(|one| &one.overloads);
        let crossings = overloads.flat_map(|one| &one.arguments).map(|one| &one.variable.crossing);
        crossings.filter_map(|crossing| match crossing {
            Crossing::Callback(callback) => Some(&**callback),
            _ => None,
        })
    }

    /// The functions, in the order they were written.
    pub fn functions(&self) -> &TiSlice<FunctionId, CheckedFunction> {
        &self.functions
    }
}

/// A class of objects without mistakes.
#[derive(Clone, Debug)]
pub struct CheckedHandle {
    /// Its name in the host.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The pointer.
    pub ctype: CType,
    /// The C function that destroys an object.
    pub destructor: Option<String>,
    /// What keeps calls on one object from running at once, where it says so.
    pub safety: Option<Safety>,
    /// What makes a new one.
    pub constructor: Option<CheckedFunction>,
}

/// A function without mistakes.
#[derive(Clone, Debug)]
pub struct CheckedFunction {
    /// Its name in the host.
    pub name: String,
    /// The class that it is a method of, and nothing else.
    pub class: Option<Named<ClassId>>,
    /// Its documentation.
    pub doc: String,
    /// What arguments and `result` mean, by their names.
    pub descriptions: Vec<(String, String)>,
    /// What its statuses mean.
    pub status: Status,
    /// What happens to the host's global lock.
    pub gil: Gil,
    /// How a call maps over further dimensions.
    pub ellipses: Ellipses,
    /// What keeps its C functions from running twice at once, where the function says it.
    pub safety: Option<Safety>,
    /// The most threads that share the items of one call.
    pub threads: Threads,
    /// Where the memory of arrays is.
    pub device: Device,
    /// What C is asked before memory is made.
    pub query: Option<Expr>,
    /// C before every call.
    pub pre_call: Option<Spanned<String>>,
    /// C behind every call.
    pub post_call: Option<Spanned<String>>,
    /// In the order they were written; at least one.
    pub overloads: Vec<CheckedOverload>,
}

/// An overload whose arguments' parts in a call are settled.
#[derive(Clone, Debug)]
pub struct CheckedOverload {
    /// The prototype, as written.
    pub text: String,
    /// Where it was written, the whole of it.
    pub span: Span,
    /// The C function's name.
    pub c_name: String,
    /// What that name is in the headers.
    pub callee: Callee,
    /// What the C function returns.
    pub result: Returns,
    /// One for each of its arguments.
    pub arguments: PerArgument<Resolved>,
    /// Indices of the arguments in an order in which each can be computed from those before it.
    pub order: Vec<VariableId>,
    /// What comes back, in order.
    pub outputs: Vec<Output>,
    /// The layouts it is for; at least one.
    pub kinds: Vec<Kind>,
    /// The arguments that the function's query may set.
    pub queried: Vec<VariableId>,
    /// What keeps the C function from running twice at once.
    pub safety: Safety,
}

/// An argument and its part in a call.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What it is.
    pub variable: Variable,
    /// Where its value comes from.
    pub role: Role,
    /// The call ends what was borrowed from this object.
    pub invalidates: bool,
    /// For an array that the call makes: its first dimension as it is after the call, where C may have
    /// made it another.
    pub length: Option<Expr>,
}

/// One result of a host function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The argument with this index.
    Argument(VariableId),
    /// The C function's result.
    Result,
}

/// Checks an interface for a host. The diagnostics may hold warnings even where a [`Checked`] comes
/// back; there is none when any is an error.
pub fn check(interface: &Interface, host: &Capabilities) -> (Option<Checked>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let constants = names::Constants::of(interface);
    let classes = Classes(interface);
    host_names::check(interface, host, &mut diagnostics);
    let mut functions: Vec<CheckedFunction> = interface
        .functions
        .iter()
        .filter_map(|function| {
            functions::check(function, host, classes, &constants, &mut diagnostics)
        })
        .collect();
    callbacks::check(interface, &mut diagnostics);
    failures::check(interface, &mut diagnostics);
    members::check(interface, &mut diagnostics);
    let mut handles = handles::check(interface, host, &constants, &mut diagnostics);
    let constructors = handles.iter_mut().filter_map(|handle| handle.constructor.as_mut());
    for function in functions.iter_mut().chain(constructors) {
        safety::settle(function, interface);
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
    let checked = (!failed).then(|| Checked {
        interface: interface.clone(),
        host: *host,
        handles: handles.into(),
        functions: functions.into(),
    });
    (checked, diagnostics)
}

/// True when the C function has a result that the host could return: a value, or a status of which more than
/// 0 is success.
fn has_result(result: &CResult, function: &Function) -> bool {
    match result {
        CResult::Value(ctype) => ctype.what != Type::Opaque,
        CResult::Pointer(_) => true,
        CResult::Status(_) => function.status.success.is_some(),
        CResult::Void => false,
    }
}
