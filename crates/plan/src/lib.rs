//! Checked model ─► plan.
//!
//! Purpose: define once, for every host, the actions of a call: the choice of an overload, then a
//! list of steps, each with the cleanup that releases its resources.
//! Invariant: steps only use the results of earlier steps; no C is generated here (expressions of
//! the user are passed on unchanged).
//! Reason: a host prints steps in order and cleanups in reverse, and thus releases on every path
//! exactly the acquired resources.

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
pub use callback::{CallbackPlan, ErrorValue, OuterScope};
pub use dispatch::{Arm, Dispatch, Test};
pub use explain::explain;
pub use step::{Absent, Access, Acquire, FailureTest, Memory, Release, Step, Undo};

pub use fishplate_check::{
    AnyArray, Array, By, Capabilities, CheckedCallback, Crossing, Data, Feature, FromC, Jagged,
    Keeper, List, Listed, Named, Operands, OutPointer, Output, Ownership, Place, Position,
    Retention, Returned, Returns, ToC, Value, Variable, Words,
};

use std::collections::BTreeSet;

use fishplate_check::{Checked, CheckedFunction};
use fishplate_model::{
    Adapter, CType, CallForm, CallId, CallbackId, Callee, ClassId, Constant, Destructor, Device,
    Dtypes, DtypesId, Enum, EnumId, Expr, Function, FunctionId, Kind, Module, Operator, OverloadId,
    Override, ParameterId, PerArgument, Safety, Source, Span, Spanned, SparseFormat, Status,
    StoredValue, Struct, StructId, TiVec, Unpacked, VariableId,
};

/// The plan of a module.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name in the target language.
    pub name: String,
    /// The `[module]` table: headers, sources, flags.
    pub module: Module,
    /// The source of the interface, for the places of prototypes.
    pub source: Source,
    /// The C types that the author specified.
    pub types: Vec<CType>,
    /// C++ exceptions and the exceptions of the target language for them, in matching order.
    pub exceptions: Vec<(Spanned<String>, Spanned<String>)>,
    /// Values that headers define.
    pub constants: Vec<Constant>,
    /// The codes of dtypes in C.
    pub dtypes: TiVec<DtypesId, Dtypes>,
    /// Its enums.
    pub enums: TiVec<EnumId, Enum>,
    /// Its structs; the members of a struct come before it.
    pub structs: TiVec<StructId, Struct>,
    /// Its classes of objects.
    pub handles: TiVec<ClassId, HandlePlan>,
    /// Its functions, and the methods of its classes.
    pub functions: TiVec<FunctionId, FunctionPlan>,
    /// No call relies on a global lock: see [`Checked::is_safe_without_gil`].
    pub is_safe_without_gil: bool,
}

impl Plan {
    /// All callable functions: constructors, functions and methods.
    pub fn all_functions(&self) -> impl Iterator<Item = &FunctionPlan> {
        let constructors = self.handles.iter().filter_map(|handle| handle.constructor.as_ref());
        constructors.chain(&self.functions)
    }

    /// It has functions or methods that are called by name: more than operators and properties.
    pub fn has_named_functions(&self) -> bool {
        let has_methods = self.handles.iter().any(|handle| !handle.methods.is_empty());
        has_methods || self.functions.iter().any(|function| function.class.is_none())
    }

    /// The last part of the dotted name.
    pub fn last_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// Some callback outlives its call, so that C may call it during any other.
    pub fn keeps_callbacks(&self) -> bool {
        let calls = self.all_functions().flat_map(|function| &function.calls);
        calls.flat_map(|call| &call.callbacks).any(|callback| callback.checked.is_kept())
    }

    /// The functions of the target language until whose call arguments are retained.
    pub fn keepers(&self) -> BTreeSet<&str> {
        let calls = self.all_functions().flat_map(|function| &function.calls);
        let retentions = calls.flat_map(|call| {
            let callbacks = call.callbacks.iter().map(|callback| &callback.checked.retention);
            callbacks.chain(call.retained.iter().map(|one| &one.retention))
        });
        retentions
            .filter_map(|retention| match &retention.keeper {
                Keeper::Module(name) => Some(name.as_str()),
                Keeper::Call | Keeper::Handle(_) | Keeper::Made(_) => None,
            })
            .collect()
    }
}

/// A class of objects that C identifies by a pointer.
#[derive(Clone, Debug)]
pub struct HandlePlan {
    /// Its name in the target language.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The pointer type.
    pub ctype: CType,
    /// The destructor.
    pub destructor: Option<Destructor>,
    /// The expression over `object` and `data` that sets the user data which its callbacks share.
    pub user_data: Option<Spanned<String>>,
    /// How its objects begin, if the module stores them.
    pub stored: Option<StoredValue>,
    /// The classes from which it is derived, which precede it.
    pub bases: Vec<Named<ClassId>>,
    /// Other classes are derived from it.
    pub is_base: bool,
    /// The destructor runs under the module lock.
    pub locks_module: bool,
    /// The constructor.
    pub constructor: Option<FunctionPlan>,
    /// The functions whose first argument is such an object, as indices into the plan.
    pub methods: Vec<FunctionId>,
    /// Those that compute and set its attributes.
    pub properties: Vec<FunctionId>,
    /// Its operators, each with the method that implements it.
    pub operators: Vec<OperatorPlan>,
}

/// An operator of a class.
#[derive(Clone, Copy, Debug)]
pub struct OperatorPlan {
    /// The operator.
    pub operator: &'static Operator,
    /// Its operands.
    pub operands: Operands,
    /// The function that implements it.
    pub function: FunctionId,
}

impl HandlePlan {
    /// Its constructor accepts overrides of virtual methods.
    pub fn is_derivable(&self) -> bool {
        let mut calls = self.constructor.iter().flat_map(|made| &made.calls);
        calls.any(|call| !call.overrides().is_empty())
    }

    /// The methods, and the functions of properties.
    pub fn members(&self) -> impl Iterator<Item = FunctionId> {
        self.methods.iter().chain(&self.properties).copied()
    }

    /// The function for these operands.
    pub fn operator(&self, name: &str, operands: Operands) -> Option<FunctionId> {
        let fits = |one: &&OperatorPlan| one.operator.name == name && one.operands == operands;
        self.operators.iter().find(fits).map(|one| one.function)
    }
}

/// A function of the generated module.
#[derive(Clone, Debug)]
pub struct FunctionPlan {
    /// Its name.
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
    /// C code before every call, in which arguments have their names.
    pub pre_call: Option<Spanned<String>>,
    /// C code after every call.
    pub post_call: Option<Spanned<String>>,
    /// The choice of an overload; trivial if there is one.
    pub dispatch: Dispatch,
    /// One call for each overload.
    pub calls: TiVec<OverloadId, Call>,
    /// The function as an interface file, from which a graph plans its own calls; `None` if graphs
    /// cannot call it.
    pub interface: Option<String>,
}

impl FunctionPlan {
    /// The description of the argument of this name, or of `result`; `None` if the interface has
    /// none.
    pub fn description(&self, name: &str) -> Option<&str> {
        let found = self.descriptions.iter().find(|(described, _)| described == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Its name; with its class if it is a method only: `Rng.uniform`.
    pub fn full_name(&self) -> String {
        match &self.class {
            Some(class) => format!("{}.{}", class.name, self.name),
            None => self.name.clone(),
        }
    }

    /// A property can be set: some call accepts a value.
    pub fn is_settable(&self) -> bool {
        self.calls.iter().any(|call| call.positional() == 2)
    }

    /// True if every call takes this handle first, so that the function is a method.
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
    /// The place of the prototype.
    pub span: Span,
    /// Its number among the calls of the module.
    pub id: CallId,
    /// The C function.
    pub c_name: String,
    /// The meaning of that name in the headers.
    pub callee: Callee,
    /// It is a C++ function, which may throw.
    pub throws: bool,
    /// The C result.
    pub result: Returns,
    /// Where C leaves its return code: in its result, or in an argument.
    pub return_code: Option<Output>,
    /// The error convention, unless 0 is success and all else an error; for a pointer, the meaning
    /// of NULL.
    pub status: Option<Status>,
    /// The arguments of the C function, in its order.
    pub variables: PerArgument<Variable<P>>,
    /// The structs that C receives in place of some of them: their fields.
    pub unpacked: Vec<Unpacked>,
    /// The C++ function that is called with the arguments, if its types are not those of C.
    pub adapter: Option<Box<Adapter>>,
    /// The array of C results of a batched call: it follows the variables.
    pub returned: Option<Variable<P>>,
    /// The parameters of the generated function: required, then optional, then (by keyword) output
    /// buffers.
    pub parameters: TiVec<ParameterId, Parameter>,
    /// The sparse matrices that replace some of them in the target language.
    pub sparse: Vec<SparseParameter>,
    /// The steps, up to and including the call and the writing back.
    pub steps: Vec<Step>,
    /// The results.
    pub outputs: Vec<Output>,
    /// The layouts that it accepts.
    pub kinds: Vec<Kind>,
    /// The lock that serialises the C function.
    pub safety: Safety,
    /// The device that holds its arrays.
    pub device: Device,
    /// A result may be an array that an earlier call returned, if there is no other reference to it.
    pub recycles: bool,
    /// The batched form of the call, if there is one.
    pub mapped: Option<Mapped>,
    /// The callbacks of the call, in the order of the arguments.
    pub callbacks: TiVec<CallbackId, CallbackPlan>,
    /// The other arguments that C uses after the call.
    pub retained: Vec<RetainedArgument>,
    /// C may call the target language during the call: one of these callbacks, or one that an
    /// earlier call registered.
    pub calls_back: bool,
}

/// An argument, other than a callback, that C uses after the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetainedArgument {
    /// The argument.
    pub variable: VariableId,
    /// The owner alone.
    pub owner: Retainer,
    /// The owner that retains it, and until when.
    pub retention: Retention,
}

/// What retains an argument after the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retainer {
    /// An object, until it is released.
    Object(VariableId),
    /// The module, until this function has been called.
    Module(String),
}

/// A sparse matrix: one argument of the target language, which is taken apart before the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseParameter {
    /// Its name.
    pub name: String,
    /// Its format.
    pub format: SparseFormat,
    /// The parameters for its offsets, indices and values, and for its numbers of rows and columns, if there are any.
    pub parts: Vec<ParameterId>,
}

/// An argument in the target language.
#[derive(Clone, Copy, Debug)]
pub enum Shown<'c> {
    /// A parameter of the call.
    Parameter(ParameterId, &'c Parameter),
    /// A sparse matrix in place of several.
    Sparse(&'c SparseParameter),
}

/// How a caller may pass a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// It must be passed.
    Required,
    /// It may be omitted (or None), in favour of the default.
    Optional,
    /// A buffer that receives an output, by keyword only.
    Buffer,
}

/// One parameter of the generated function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name: the argument's, followed by `_` if the target language reserves that word.
    pub name: String,
    /// Index of the variable for its value; for a buffer of C results, [`Call::result_index`].
    pub variable: VariableId,
    /// Whether it is required.
    pub kind: ParameterKind,
}

impl<P: Position> Call<P> {
    /// The virtual methods that the last callbacks override.
    pub fn overrides(&self) -> &[Override] {
        match self.adapter.as_ref().map(|adapter| &adapter.form) {
            Some(CallForm::Constructor { overrides, .. }) => overrides,
            _ => &[],
        }
    }

    /// The index of the C result, which follows the variables.
    pub fn result_index(&self) -> VariableId {
        self.variables.next_key()
    }

    /// The entry of an argument that C uses after the call; the steps that name one have it.
    pub fn retained_argument(&self, variable: VariableId) -> &RetainedArgument {
        let mut all = self.retained.iter();
        all.find(|one| one.variable == variable).expect("the step names a retained argument")
    }

    /// The variable at an index, or the C result.
    pub fn variable(&self, index: VariableId) -> &Variable<P> {
        let result = || self.returned.as_ref().expect("only results of batches have an index");
        self.variables.get(index).unwrap_or_else(result)
    }

    /// The variables, and the C result if it has an index.
    pub fn values(&self) -> impl Iterator<Item = (VariableId, &Variable<P>)> {
        let values = self.variables.iter().chain(&self.returned).enumerate();
        values.map(|(index, value)| (index.into(), value))
    }

    /// Only code that includes its headers can call it: its failures are defined in them, or it is
    /// a macro, which has no address.
    pub fn is_guarded(&self) -> bool {
        self.throws
            || self.status.is_some()
            || matches!(self.callee, Callee::Macro | Callee::Variadic(_))
    }

    /// The meaning of NULL is part of the error convention.
    pub fn judges(&self, output: Output) -> bool {
        output == Output::Result
            && self.status.is_some()
            && self.return_code.is_none()
            && matches!(self.result, Returns::Pointer(_))
    }

    /// The type of the return code, if there is one.
    pub fn return_code_type(&self) -> Option<&CType> {
        match self.return_code? {
            Output::Argument(index) => Some(&self.variables[index].ctype),
            Output::Result => self.result.ctype(),
        }
    }

    /// The number of parameters of a kind.
    pub fn count(&self, kind: ParameterKind) -> usize {
        self.parameters.iter().filter(|parameter| parameter.kind == kind).count()
    }

    /// An output in words: its name and its type.
    pub fn describe_output(&self, output: Output) -> (String, String) {
        match output {
            Output::Argument(index) => {
                let variable = &self.variables[index];
                (variable.name.clone(), variable.type_text())
            }
            Output::Result => ("result".to_owned(), self.result.type_text().unwrap_or_default()),
        }
    }

    /// A pointer that C returns: its name for messages, and its description.
    pub fn out_pointer(&self, output: Output) -> Option<(&str, &OutPointer)> {
        match output {
            Output::Argument(index) => {
                let variable = &self.variables[index];
                Some((&variable.name, variable.crossing.out_pointer()?))
            }
            Output::Result => match &self.result {
                Returns::Pointer(pointer) => Some(("result", pointer)),
                _ => None,
            },
        }
    }

    /// C may read this argument after the call: a result of the call views it, or refers to it.
    pub fn outlives(&self, variable: VariableId) -> bool {
        let arguments = self.variables.keys().map(Output::Argument);
        let mut outputs = arguments.chain([Output::Result]);
        outputs.any(|output| {
            self.out_pointer(output).is_some_and(|(_, pointer)| {
                !pointer.is_copied() && pointer.needs().any(|needed| needed == variable)
            })
        })
    }

    /// The callback for this variable.
    pub fn callback_of(&self, variable: VariableId) -> Option<&CallbackPlan> {
        self.callbacks.iter().find(|callback| callback.variable == variable)
    }

    /// The C types of all values that are passed, in this call and in the callbacks.
    pub fn ctypes(&self) -> impl Iterator<Item = &CType> {
        let called = self.callbacks.iter().flat_map(|callback| callback.call.own_ctypes());
        self.own_ctypes().chain(called)
    }

    fn own_ctypes(&self) -> impl Iterator<Item = &CType> {
        self.result.ctype().into_iter().chain(self.variables.iter().map(|one| &one.ctype))
    }

    /// The C result is used after the call: it is an output, or determines a length.
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

    /// Some value is neither a number nor made of numbers.
    pub fn has_classes(&self) -> bool {
        self.ctypes().any(|ctype| ctype.number().is_none())
    }

    /// The largest number of positional arguments.
    pub fn positional(&self) -> usize {
        self.count(ParameterKind::Required) + self.count(ParameterKind::Optional)
    }

    /// The parameters as a host writes them, each by `show`, with a `*` before those that are
    /// keyword-only.
    pub fn parameter_list(&self, show: impl Fn(&Parameter, &Variable<P>) -> String) -> String {
        let mut parts = Vec::new();
        let mut keyword_only = false;
        for shown in self.shown_parameters() {
            let parameter = match shown {
                Shown::Parameter(_, parameter) => parameter,
                Shown::Sparse(one) => {
                    parts.push(one.name.clone());
                    continue;
                }
            };
            if parameter.kind == ParameterKind::Buffer && !keyword_only {
                parts.push("*".to_owned());
                keyword_only = true;
            }
            parts.push(show(parameter, self.variable(parameter.variable)));
        }
        parts.join(", ")
    }

    /// The arguments in the target language, in order: a sparse matrix is where its first part would be.
    pub fn shown_parameters(&self) -> Vec<Shown<'_>> {
        let mut shown = Vec::new();
        for (id, parameter) in self.parameters.iter_enumerated() {
            match self.sparse.iter().find(|one| one.parts.contains(&id)) {
                None => shown.push(Shown::Parameter(id, parameter)),
                Some(one) if one.parts.iter().min() == Some(&id) => shown.push(Shown::Sparse(one)),
                Some(_) => {}
            }
        }
        shown
    }

    /// The parameter that supplies a variable.
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
        let members = functions.iter_enumerated().filter(|(_, one)| one.takes_first(class));
        let (properties, methods): (Vec<_>, Vec<_>) = members.partition(|(_, one)| one.is_property);
        let operators = methods.iter().flat_map(|(function, one)| {
            let implements = one.operators.iter().copied();
            implements.map(|(operator, operands)| OperatorPlan {
                operator,
                operands,
                function: *function,
            })
        });
        HandlePlan {
            operators: operators.collect(),
            methods: methods.into_iter().map(|(id, _)| id).collect(),
            properties: properties.into_iter().map(|(id, _)| id).collect(),
            doc: handle.doc.clone(),
            ctype: handle.ctype.clone(),
            destructor: handle.destructor.clone(),
            user_data: handle.user_data.clone(),
            stored: handle.stored.clone(),
            bases: handle.bases.clone(),
            is_base: checked.handles().iter().any(|one| one.bases.iter().any(|of| of.id == class)),
            locks_module: checked.locks_module(handle),
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
        dtypes: checked.dtypes().to_vec().into(),
        enums: checked.enums().to_vec().into(),
        structs: checked.structs().to_vec().into(),
        handles: handles.collect(),
        functions,
        is_safe_without_gil: checked.is_safe_without_gil(),
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
        operators: function.operators.clone(),
        is_property: function.is_property,
        doc: function.doc.clone(),
        descriptions: function.descriptions.clone(),
        pre_call: function.pre_call.clone(),
        post_call: function.post_call.clone(),
        dispatch: dispatch::dispatch(&calls),
        calls,
        interface,
    }
}
