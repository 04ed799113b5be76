//! A call of one C function: its variables, parameters, outputs and steps.

use crate::{
    CallbackPlan, Free, Mapped, OutPointer, Output, Position, Retention, Returns, Step, ToC,
    Variable,
};
use fishplate_model::{
    Adapter, CType, CallForm, CallId, CallbackId, Callee, Device, Expr, Kind, Override,
    ParameterId, PerArgument, Safety, Span, SparseFormat, Status, TiVec, Unpacked, VariableId,
    retained_struct,
};

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
    /// The argument that its message calls `object`, if it is that of a class.
    pub message_object: Option<VariableId>,
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

/// The owner that retains an argument after the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retainer {
    /// An object, until it is released.
    Object(VariableId),
    /// The object that the call creates from this output.
    Made(Output),
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
    pub fn has_error_convention(&self, output: Output) -> bool {
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

    /// C may read this argument after the call: a result of the call views it, or refers to it. Or the host reads objects
    /// in it, and a collector may release these after the call has failed.
    pub fn outlives(&self, variable: VariableId) -> bool {
        // Until a list of them is made, the pointers that C sets are in the memory of its call.
        let sets_pointers = |one: &Unpacked| {
            let is_pointer = |of: &Variable<P>| of.crossing.out_pointer().is_some();
            let mut fields = self.variables.iter_enumerated().filter(|(at, _)| one.has_field(*at));
            one.is_list || one.length.is_some() && fields.any(|(_, of)| is_pointer(of))
        };
        if self.unpacked.iter().any(|one| one.contains(variable) && sets_pointers(one)) {
            return true;
        }
        let arguments = self.variables.keys().map(Output::Argument);
        let mut outputs = arguments.chain([Output::Result]);
        outputs.any(|output| {
            self.out_pointer(output).is_some_and(|(_, pointer)| {
                !pointer.is_copied() && pointer.needs().any(|needed| needed == variable)
            })
        })
    }

    /// The struct to whose memory the user data of a callback belongs, as C retains it and its callbacks share them: the
    /// memory, the index of the callback among those of the struct, and their number.
    pub fn struct_with_data(&self, callback: &CallbackPlan) -> Option<(&Unpacked, usize, usize)> {
        let one = retained_struct(&self.unpacked, callback.variable)?;
        let all = || self.callbacks.iter().filter(|other| one.has_field(other.variable));
        let at = all().position(|other| other.variable == callback.variable)?;
        callback.checked.is_shared.then(|| (one, at, all().count()))
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

    /// The C result is used after the call: it is an output, determines a length, or frees memory.
    pub fn keeps_result(&self) -> bool {
        let needs_result = |expr: &Expr| expr.names().iter().any(|(name, _)| *name == "result");
        let receives = self.steps.iter().any(|step| match step {
            Step::Truncate { length, .. } => needs_result(length),
            Step::Receive { out_pointer } => {
                self.out_pointer(*out_pointer).is_some_and(|(_, pointer)| {
                    let frees = pointer.free().map_or(&[] as &[_], Free::values);
                    let shape = pointer.shape().unwrap_or_default();
                    shape.iter().any(needs_result) || frees.contains(&Output::Result)
                })
            }
            _ => false,
        });
        receives || self.outputs.contains(&Output::Result)
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
