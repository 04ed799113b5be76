//! Checked model ─► plan.
//!
//! Purpose: say once, for every host, what a call does: which overload it means, and then a list of
//! steps, each with the undo that gives back what it acquired.
//! Invariant: steps only use what earlier steps made; no text of C is made here (expressions that a
//! user wrote travel through as they are).
//! Reason: a host prints steps in order and undos in reverse, and so releases on every path exactly
//! what was acquired.

mod batch;
mod callback;
mod dispatch;
mod explain;
mod lower;
mod map;
mod origin;
mod ragged;
mod step;

pub use batch::{BatchStep, FitStep, ItemStep, Made, Mapped, Ragged};
pub use callback::{CallbackPlan, Fails, Sees};
pub use dispatch::{Arm, Dispatch, Test};
pub use explain::explain;
pub use step::{Absent, Access, Acquire, Memory, Release, Step, Undo};

pub use fishplate_check::{
    Array, By, Capabilities, CheckedCallback, Crossing, Data, Feature, FromC, Keeper, List, Listed,
    Named, OutPointer, Output, Ownership, Place, Position, Returned, Returns, ToC, Value, Variable,
    Words,
};

use std::borrow::Borrow;
use std::collections::BTreeSet;

use fishplate_check::{Checked, CheckedFunction};
use fishplate_model::{
    CType, CallId, CallbackId, Callee, ClassId, Constant, Device, Enum, EnumId, Expr, Function,
    FunctionId, Kind, Module, OverloadId, ParameterId, PerArgument, Safety, Source, Span, Spanned,
    Status, Struct, StructId, TiVec, VariableId,
};

/// A whole module.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name in the host.
    pub name: String,
    /// Its table: headers, sources, flags.
    pub module: Module,
    /// The interface's text, for the places of prototypes.
    pub source: Source,
    /// What the author says the types of the headers are.
    pub types: Vec<CType>,
    /// Exceptions of C++ and what they become in the host, as they are tried.
    pub exceptions: Vec<(Spanned<String>, Spanned<String>)>,
    /// Values that headers define.
    pub constants: Vec<Constant>,
    /// Its types of a few integers.
    pub enums: TiVec<EnumId, Enum>,
    /// Its structs, those within others before these.
    pub structs: TiVec<StructId, Struct>,
    /// Its classes of objects.
    pub handles: TiVec<ClassId, HandlePlan>,
    /// Its functions, and the methods of its classes.
    pub functions: TiVec<FunctionId, FunctionPlan>,
}

impl Plan {
    /// Every function there is to call: constructors, functions and methods.
    pub fn all_functions(&self) -> impl Iterator<Item = &FunctionPlan> {
        let constructors = self.handles.iter().filter_map(|handle| handle.constructor.as_ref());
        constructors.chain(&self.functions)
    }

    /// Some callback outlives its call, so that C may call it in any other.
    pub fn keeps_callbacks(&self) -> bool {
        let calls = self.all_functions().flat_map(|function| &function.calls);
        calls.flat_map(|call| &call.callbacks).any(CallbackPlan::is_kept)
    }

    /// The functions of the host up to which callbacks are kept.
    pub fn keepers(&self) -> BTreeSet<&str> {
        let calls = self.all_functions().flat_map(|function| &function.calls);
        let callbacks = calls.flat_map(|call| &call.callbacks);
        callbacks
            .filter_map(|callback| match &callback.keeper {
                Keeper::Module(name) => Some(name.as_str()),
                Keeper::Call | Keeper::Handle(_) | Keeper::Made(_) => None,
            })
            .collect()
    }
}

/// A class of objects that C knows by a pointer.
#[derive(Clone, Debug)]
pub struct HandlePlan {
    /// Its name in the host.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The pointer.
    pub ctype: CType,
    /// The C function that gives an object back.
    pub destructor: Option<String>,
    /// It is called while no other call that takes the module's lock is in C.
    pub locks_module: bool,
    /// What makes a new one.
    pub constructor: Option<FunctionPlan>,
    /// The functions that take an object first, by their indices in the plan.
    pub methods: Vec<FunctionId>,
}

/// A function of the host.
#[derive(Clone, Debug)]
pub struct FunctionPlan {
    /// Its name.
    pub name: String,
    /// The class that it is a method of, and nothing else.
    pub class: Option<Named<ClassId>>,
    /// Its documentation.
    pub doc: String,
    /// What arguments and `result` mean, by their names.
    pub descriptions: Vec<(String, String)>,
    /// C before every call, where arguments have their names.
    pub pre_call: Option<Spanned<String>>,
    /// C behind every call.
    pub post_call: Option<Spanned<String>>,
    /// How an overload is chosen; trivial when there is one.
    pub dispatch: Dispatch,
    /// One call for each overload.
    pub calls: TiVec<OverloadId, Call>,
    /// The function as an interface file, from which a graph plans its own calls; `None` if graphs cannot call it.
    pub interface: Option<String>,
}

impl FunctionPlan {
    /// What the argument of this name means, or `result`; `None` where the interface does not describe it.
    pub fn description(&self, name: &str) -> Option<&str> {
        let found = self.descriptions.iter().find(|(described, _)| described == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Its name, with its class where it is a method and nothing else: `Rng.uniform`.
    pub fn full_name(&self) -> String {
        match &self.class {
            Some(class) => format!("{}.{}", class.name, self.name),
            None => self.name.clone(),
        }
    }

    /// True where every call takes this handle first, so that the function is a method.
    fn takes_first(&self, handle: ClassId) -> bool {
        self.calls.iter().all(|call| {
            call.parameters.first().is_some_and(|first| {
                let class = call.variable(first.variable).class();
                first.kind == ParameterKind::Required && class.is_some_and(|one| one.id == handle)
            })
        })
    }
}

/// A call of one C function, or of a callback.
#[derive(Clone, Debug)]
pub struct Call<P: Position = ToC> {
    /// The prototype as its author wrote it, on one line.
    pub prototype: String,
    /// Where it was written.
    pub span: Span,
    /// Its number among the calls of the module.
    pub id: CallId,
    /// The C function.
    pub c_name: String,
    /// What that name is in the headers.
    pub callee: Callee,
    /// It is a function of C++, which may throw.
    pub throws: bool,
    /// What it returns.
    pub result: Returns,
    /// What a status that it returns means, where that is not just 0 or not; of a pointer, what NULL means.
    pub status: Option<Status>,
    /// What C receives, in its order.
    pub variables: PerArgument<Variable<P>>,
    /// The C result, where a call that stands for a batch returns an array of them: it follows the variables.
    pub returned: Option<Variable<P>>,
    /// What the host's caller gives: required, then optional, then (by keyword) output buffers.
    pub parameters: TiVec<ParameterId, Parameter>,
    /// What happens, up to and including the call and the writing back.
    pub steps: Vec<Step>,
    /// What comes back.
    pub outputs: Vec<Output>,
    /// The layouts it is for.
    pub kinds: Vec<Kind>,
    /// What keeps the C function from running twice at once.
    pub safety: Safety,
    /// Where the memory of its arrays is.
    pub device: Device,
    /// How the call stands for many items, where it may.
    pub mapped: Option<Mapped>,
    /// What C may call meanwhile, in the order of the arguments.
    pub callbacks: TiVec<CallbackId, CallbackPlan>,
    /// C may call the host meanwhile: one of these, or one that an earlier call has left.
    pub calls_back: bool,
}

/// What a caller may do about a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Give it.
    Required,
    /// Give it, or leave it out (or give None) for the default.
    Optional,
    /// Give a buffer to write an output into, by keyword only.
    Buffer,
}

/// One parameter of the host's function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name: the argument's, with `_` behind it where the host reserves that word.
    pub name: String,
    /// Index of the variable that it becomes; of a buffer for C results, [`Call::result_index`].
    pub variable: VariableId,
    /// Whether it must be given.
    pub kind: ParameterKind,
}

impl<P: Position> Call<P> {
    /// The index of the C result, which follows the variables.
    pub fn result_index(&self) -> VariableId {
        self.variables.next_key()
    }

    /// The variable at an index, or the C result that follows them.
    pub fn variable(&self, index: VariableId) -> &Variable<P> {
        let result = || self.returned.as_ref().expect("only results of batches have an index");
        self.variables.get(index).unwrap_or_else(result)
    }

    /// The variables, and the C result where it has an index.
    pub fn values(&self) -> impl Iterator<Item = (VariableId, &Variable<P>)> {
        let values = self.variables.iter().chain(&self.returned).enumerate();
        values.map(|(index, value)| (index.into(), value))
    }

    /// Only code next to its headers can call it: it may fail in ways that they explain, or is a macro, which
    /// has no address.
    pub fn is_guarded(&self) -> bool {
        self.throws || self.status.is_some() || self.callee == Callee::Macro
    }

    /// What NULL means there is said with the status.
    pub fn judges(&self, output: Output) -> bool {
        output == Output::Result
            && self.status.is_some()
            && matches!(self.result, Returns::Pointer(_))
    }

    /// The number of parameters of a kind.
    pub fn count(&self, kind: ParameterKind) -> usize {
        self.parameters.iter().filter(|parameter| parameter.kind == kind).count()
    }

    /// An output for people: its name, and its type.
    pub fn describe_output(&self, output: Output) -> (String, String) {
        match output {
            Output::Argument(index) => {
                let variable = &self.variables[index];
                (variable.name.clone(), variable.type_text())
            }
            Output::Result => ("result".to_owned(), self.result.type_text().unwrap_or_default()),
        }
    }

    /// A pointer that C returns: its name for messages, and what it is.
    pub fn out_pointer(&self, output: Output) -> Option<(&str, &OutPointer)> {
        match output {
            Output::Argument(index) => {
                let variable = &self.variables[index];
                let Crossing::OutPointer(pointer) = &variable.crossing else { return None };
                Some((&variable.name, pointer.borrow()))
            }
            Output::Result => match &self.result {
                Returns::Pointer(pointer) => Some(("result", pointer)),
                _ => None,
            },
        }
    }

    /// C may look at this argument after the call: what the call makes views it, or refers to it.
    pub fn outlives(&self, variable: VariableId) -> bool {
        let arguments = self.variables.keys().map(Output::Argument);
        let mut outputs = arguments.chain([Output::Result]);
        outputs.any(|output| {
            self.out_pointer(output).is_some_and(|(_, pointer)| {
                !pointer.is_copied() && pointer.needs().any(|needed| needed == variable)
            })
        })
    }

    /// The callback that is this variable.
    pub fn callback_of(&self, variable: VariableId) -> Option<&CallbackPlan> {
        self.callbacks.iter().find(|callback| callback.variable == variable)
    }

    /// The C types of everything that crosses, in this call and in those that C makes meanwhile.
    pub fn ctypes(&self) -> impl Iterator<Item = &CType> {
        let called = self.callbacks.iter().flat_map(|callback| callback.call.own_ctypes());
        self.own_ctypes().chain(called)
    }

    fn own_ctypes(&self) -> impl Iterator<Item = &CType> {
        self.result.ctype().into_iter().chain(self.variables.iter().map(|one| &one.ctype))
    }

    /// C's result is looked at after the call: it is an output, or tells a length.
    pub fn keeps_result(&self) -> bool {
        let tells = |expr: &Expr| expr.names().iter().any(|(name, _)| *name == "result");
        let handed = self.steps.iter().any(|step| match step {
            Step::Cut { length, .. } => tells(length),
            Step::Receive { handed } => self
                .out_pointer(*handed)
                .and_then(|(_, pointer)| pointer.shape())
                .is_some_and(|shape| shape.iter().any(tells)),
            _ => false,
        });
        handed || self.outputs.contains(&Output::Result)
    }

    /// Something crosses that is neither a number nor made of numbers.
    pub fn has_classes(&self) -> bool {
        self.ctypes().any(|ctype| ctype.number().is_none())
    }

    /// The most values that may be given by position.
    pub fn positional(&self) -> usize {
        self.count(ParameterKind::Required) + self.count(ParameterKind::Optional)
    }

    /// The parameters as a host writes them, each by `show`, with a `*` before those that go by keyword
    /// only.
    pub fn parameter_list(&self, show: impl Fn(&Parameter, &Variable<P>) -> String) -> String {
        let mut parts = Vec::new();
        let mut keyword_only = false;
        for parameter in &self.parameters {
            if parameter.kind == ParameterKind::Buffer && !keyword_only {
                parts.push("*".to_owned());
                keyword_only = true;
            }
            parts.push(show(parameter, self.variable(parameter.variable)));
        }
        parts.join(", ")
    }

    /// The parameter that a variable comes from.
    pub fn parameter_of(&self, variable: VariableId) -> Option<ParameterId> {
        self.parameters.position(|parameter| parameter.variable == variable)
    }
}

/// Plans every function of a checked interface. `write` writes a function as an interface file.
pub fn plan(checked: &Checked, write: impl Fn(&Function) -> String) -> Plan {
    let mut ids = (0..).map(CallId::from);
    let mut calls = |function: &CheckedFunction| -> TiVec<OverloadId, Call> {
        let overloads = function.overloads.iter().zip(&mut ids);
        overloads.map(|(overload, id)| lower::lower(id, overload, function, checked)).collect()
    };
    let constructors: Vec<Option<FunctionPlan>> = checked
        .handles()
        .iter()
        .map(|handle| {
            let constructor = handle.constructor.as_ref()?;
            Some(function_plan(constructor, calls(constructor), None))
        })
        .collect();
    let functions: TiVec<FunctionId, FunctionPlan> = checked
        .functions()
        .iter_enumerated()
        .map(|(id, function)| {
            let calls = calls(function);
            let interface = origin::interface(id, &calls, checked, &write);
            function_plan(function, calls, interface)
        })
        .collect();
    let handles = checked.handles().iter_enumerated().zip(constructors);
    let handles = handles.map(|((class, handle), constructor)| {
        let methods = functions.iter_enumerated().filter(|(_, one)| one.takes_first(class));
        HandlePlan {
            methods: methods.map(|(id, _)| id).collect(),
            doc: handle.doc.clone(),
            ctype: handle.ctype.clone(),
            destructor: handle.destructor.clone(),
            locks_module: handle.destructor.is_some()
                && [handle.safety, checked.module().safety].contains(&Some(Safety::ModuleLock)),
            constructor,
            name: handle.name.clone(),
        }
    });
    Plan {
        name: checked.name().to_owned(),
        module: checked.module().clone(),
        source: checked.source().clone(),
        types: checked.types().to_vec(),
        exceptions: checked.exceptions().to_vec(),
        constants: checked.constants().to_vec(),
        enums: checked.enums().to_vec().into(),
        structs: checked.structs().to_vec().into(),
        handles: handles.collect(),
        functions,
    }
}

fn function_plan(
    function: &CheckedFunction,
    calls: TiVec<OverloadId, Call>,
    interface: Option<String>,
) -> FunctionPlan {
    FunctionPlan {
        name: function.name.clone(),
        class: function.class.clone(),
        doc: function.doc.clone(),
        descriptions: function.descriptions.clone(),
        pre_call: function.pre_call.clone(),
        post_call: function.post_call.clone(),
        dispatch: dispatch::dispatch(&calls),
        calls,
        interface,
    }
}
