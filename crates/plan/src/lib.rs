//! Checked model ─► plan.
//!
//! Purpose: define once, for every host, the actions of a call: the choice of an overload, then a
//! list of steps, each with the cleanup that releases its resources.
//! Invariant: steps only use the results of earlier steps; no C is generated here (expressions of
//! the user are passed on unchanged).
//! Reason: a host prints steps in order and cleanups in reverse, and thus releases on every path
//! exactly the acquired resources.

mod batch;
mod call;
mod callback;
mod dispatch;
mod explain;
mod lower;
mod map;
mod origin;
mod ragged;
mod step;

pub use batch::{BatchStep, FitStep, ItemStep, Made, Mapped, Ragged};
pub use call::{
    Call, Parameter, ParameterKind, RetainedArgument, Retainer, Shown, SparseParameter,
};
pub use callback::{CallbackPlan, ErrorValue, OuterScope};
pub use dispatch::{Arm, Dispatch, Test};
pub use explain::explain;
pub use step::{Absent, Access, Acquire, FailureTest, Memory, Release, Step, Undo};

pub use fishplate_check::{
    AnyArray, Array, By, Capabilities, CheckedCallback, Crossing, Data, Feature, Free, FromC,
    Jagged, Keeper, List, Listed, Named, Operands, OutPointer, Output, Ownership, Place, Position,
    Retention, Returned, Returns, ToC, Value, Variable, Words,
};

use std::collections::BTreeSet;

use fishplate_check::{Checked, CheckedFunction};
use fishplate_model::{
    CLOSE, CType, CallId, ClassId, Constant, Destructor, Dtypes, DtypesId, Enum, EnumId, Function,
    FunctionId, Module, Operator, OverloadId, PREDEFINED, Source, Spanned, StoredValue, Struct,
    StructId, TiVec,
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
    /// The class of the object that the destructor needs as `context`.
    pub context: Option<Named<ClassId>>,
    /// The expression over `object` and `data` that sets the user data which its callbacks share.
    pub user_data: Option<Spanned<String>>,
    /// How its objects begin, if the module stores them.
    pub stored: Option<StoredValue>,
    /// The classes from which it is derived, which precede it.
    pub bases: Vec<Named<ClassId>>,
    /// Other classes are derived from it.
    pub is_base: bool,
    /// C may destroy an object of it, or of a related class, that it owns: hosts find the other objects of the target
    /// language that lead to the same one.
    pub is_tracked: bool,
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

    /// A `std::shared_ptr` counts the references to its objects.
    pub fn is_counted(&self) -> bool {
        self.destructor.as_ref().is_some_and(Destructor::ends_reference)
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

    /// It is the `close` of its class.
    pub fn closes(&self) -> bool {
        self.class.is_some() && self.name == CLOSE
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
    let tracked = checked.tracked_classes();
    let handles = checked.handles().iter_enumerated().zip(constructors);
    let handles = handles.map(|((class, handle), constructor)| {
        // A member that the class declares hides a function of the module that would be a method of this name.
        let own =
            functions.iter().filter(|one| one.class.as_ref().is_some_and(|of| of.id == class));
        let constants = checked.constants().iter();
        let constants = constants
            .filter(|one| one.class.as_ref().is_some_and(|of| of.value == handle.name))
            .map(|one| one.name.value.as_str());
        let declared: BTreeSet<&str> = own.map(|one| one.name.as_str()).chain(constants).collect();
        let members = functions.iter_enumerated().filter(|(_, one)| {
            let is_hidden =
                declared.contains(one.name.as_str()) || PREDEFINED.contains(&one.name.as_str());
            one.takes_first(class) && (one.class.is_some() || !is_hidden)
        });
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
            context: handle.context.clone(),
            user_data: handle.user_data.clone(),
            stored: handle.stored.clone(),
            bases: handle.bases.clone(),
            is_base: checked.handles().iter().any(|one| one.bases.iter().any(|of| of.id == class)),
            is_tracked: tracked.contains(&class),
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
        structs: checked.structs().iter().map(|one| named(one, checked.host())).collect(),
        handles: handles.collect(),
        functions,
        is_safe_without_gil: checked.is_safe_without_gil(),
    }
}

/// A struct with the names that its fields have in the target language.
fn named(one: &Struct, host: &Capabilities) -> Struct {
    let mut one = one.clone();
    for field in &mut one.fields {
        field.name.value = host.field_name(&field.member);
    }
    one
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
