//! Wrapped functions as ops of graphs.
//!
//! Purpose: a module contains the interface of each function as a string, which is read, checked
//! and planned here like an interface file; each overload becomes an op.
//! Invariant: an op does not change its inputs: arguments that C changes are copied first, and the
//! changed copy is an output, as for `in out`.
//! Reason: a graph may use a value again, so only new values may change.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use fishplate_check::{Checked, Feature, check};
use fishplate_graph::{Error, Op, Wrapped};
use fishplate_model::{
    CResult, CType, Device, Expr, ExprKind, Function, Intent, Passing, Source, Span, Spanned,
};
use fishplate_plan::{Call, Capabilities, Output, ParameterKind, Plan, Step, Words};
use fishplate_readers::interface::{read, write_function};

/// Plans every function of a checked interface.
pub(crate) fn plan(checked: &Checked) -> Plan {
    fishplate_plan::plan(checked, write_function)
}

/// Why a function cannot be an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpError(pub String);

impl fmt::Display for OpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpError {}

/// A wrapped function as ops.
#[derive(Clone, Debug)]
pub struct OpFunction {
    /// Its name, qualified by the module's.
    pub name: String,
    /// The generated function accepts loop dimensions, which its ops do not.
    pub batched: bool,
    /// One op for each.
    pub overloads: Vec<OpOverload>,
}

/// One overload.
#[derive(Clone, Debug)]
pub struct OpOverload {
    /// The inputs, in the order of the function's parameters.
    pub parameters: Vec<OpParameter>,
    /// The locations of the op's outputs in a call of the generated function: among its results, or
    /// in a parameter that it changes.
    pub outputs: Vec<OpOutput>,
    call: Call,
    address: usize,
}

/// An input of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpParameter {
    /// Its name.
    pub name: String,
    /// The type of a scalar or an element.
    pub dtype: &'static str,
    /// The rank; 0 for a scalar.
    pub rank: usize,
    /// It is required.
    pub required: bool,
    /// The generated function writes to it.
    pub changes: bool,
    /// C expects the first dimension to vary fastest.
    pub fortran: bool,
}

/// An output of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpOutput {
    /// The result of the function with this number.
    Result(usize),
    /// The parameter with this number, after the call.
    Parameter(usize),
}

/// The capabilities of graphs.
const GRAPH: Capabilities = Capabilities {
    host: "graph",
    reserved: &[],
    is_special: |_| false,
    is_of_enums: |_| false,
    language: "graphs",
    modules: &[],
    standard_modules: &[],
    features: Feature::ALL,
    maps: false,
    structured: false,
    sparse: false,
    devices: &[Device::Cpu],
    words: Words { nothing: "None", failure: "RuntimeError", lock: None, keywords: true },
};

impl OpFunction {
    /// Reads the interface of a function in a module.
    ///
    /// `constants` are the values of the C constants in its expressions, as C literals; `addresses`
    /// are those of the C functions, one for each overload, or 0 for a macro.
    ///
    /// # Errors
    ///
    /// A function that graphs cannot call, with the reason.
    pub fn read(
        name: &str,
        text: &str,
        constants: &HashMap<String, String>,
        addresses: &[usize],
    ) -> Result<Self, OpError> {
        let refused = |why: &str| OpError(format!("{name} cannot be an op: {why}"));
        // The part about the module comes first.
        let text = format!("[module]\nname = \"op\"\n{text}");
        let reading = read(Source { path: "interface.toml".into(), text });
        let mut interface = reading.interface;
        let mut diagnostics = reading.diagnostics;
        let Some(function) = interface.functions.first_mut() else {
            return Err(refused("its interface has no function"));
        };
        if function.query.is_some() {
            return Err(refused("it asks C before memory is made"));
        }
        if !function.sparse.is_empty() {
            return Err(refused("it takes a sparse matrix"));
        }
        let before = results(function);
        let batched = function.ellipses.broadcast;
        let mut changed = Vec::new();
        for overload in &mut function.overloads {
            if let Some(why) = beyond_numbers(overload) {
                return Err(refused(why));
            }
            changed.push(copy_what_changes(&mut overload.arguments.raw));
            for argument in &mut overload.arguments {
                if let Passing::Array { shape, .. } = &mut argument.passing {
                    shape.iter_mut().for_each(|size| replace_constants(size, constants));
                }
                argument.default.iter_mut().for_each(|value| replace_constants(value, constants));
            }
        }
        return_too(function, &changed);
        let (checked, found) = check(&interface, &GRAPH);
        diagnostics.extend(found);
        let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        let checked = match (checked, error) {
            (Some(checked), None) => checked,
            (_, Some(error)) => return Err(refused(&error.message)),
            (None, None) => return Err(refused("its interface cannot be checked")),
        };
        let planned = plan(&checked).functions.raw.swap_remove(0);
        if planned.calls.len() != addresses.len() || planned.calls.len() != changed.len() {
            return Err(refused("its interface has another number of overloads"));
        }
        if planned
            .calls
            .iter()
            .flat_map(|call| &call.steps)
            .any(|step| matches!(step, Step::Truncate { .. }))
        {
            return Err(refused("how long its results are is known after the call alone"));
        }
        if addresses.contains(&0) {
            return Err(refused(
                "it is a macro: write it in an interface file, with `macro` before its prototype",
            ));
        }
        let calls = planned.calls.into_iter().zip(addresses).zip(before.iter().zip(&changed));
        let overloads = calls
            .map(|((call, &address), (before, changed))| {
                OpOverload::new(call, address, before, changed)
            })
            .collect();
        Ok(Self { name: name.to_owned(), batched, overloads })
    }

    /// The op for an overload and a set of its parameters.
    ///
    /// # Errors
    ///
    /// The call uses features that graphs lack.
    pub fn op(&self, overload: usize, given: &[usize]) -> Result<Op, Error> {
        let wrong = || Error::value(format!("{} has no such overload or parameter", self.name));
        let OpOverload { call, address, .. } = self.overloads.get(overload).ok_or_else(wrong)?;
        let given = given
            .iter()
            .map(|&index| Some(call.parameters.raw.get(index)?.variable))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(wrong)?;
        Wrapped::new(self.name.clone(), call.clone(), given, *address)
            .map(|wrapped| Op::Wrapped(Arc::new(wrapped)))
    }
}

impl OpOverload {
    fn new(call: Call, address: usize, before: &[String], changed: &[String]) -> Self {
        let given = call.parameters.iter().filter(|one| one.kind != ParameterKind::Buffer);
        let parameters: Vec<OpParameter> = given
            .map(|parameter| {
                let variable = call.variable(parameter.variable);
                OpParameter {
                    name: parameter.name.clone(),
                    dtype: variable.ctype.scalar().dtype_name(),
                    rank: variable.rank(),
                    required: parameter.kind == ParameterKind::Required,
                    changes: changed.contains(&variable.name),
                    fortran: variable.is_fortran(),
                }
            })
            .collect();
        let outputs = call
            .outputs
            .iter()
            .map(|output| {
                let name = match *output {
                    Output::Argument(variable) => &call.variables[variable].name,
                    Output::Result => "result",
                };
                let result = before.iter().position(|one| one == name);
                let parameter = || parameters.iter().position(|one| one.name == name);
                result.map(OpOutput::Result).or_else(|| parameter().map(OpOutput::Parameter))
            })
            .map(|output| output.expect("an output is a result, or an argument that changes"))
            .collect();
        Self { parameters, outputs, call, address }
    }
}

/// Why graphs, whose values are numbers and arrays of numbers, cannot call it.
fn beyond_numbers(overload: &fishplate_model::Overload) -> Option<&'static str> {
    if let CResult::Pointer(_) = overload.result {
        return Some("it returns a pointer");
    }
    if overload.return_code().is_some_and(CType::is_message) {
        return Some("its return code is a string");
    }
    if overload.arguments.iter().any(|argument| argument.values.is_some()) {
        return Some("it checks the values of arrays");
    }
    if overload.arguments.iter().any(|argument| argument.terminator.is_some()) {
        return Some("it takes terminated arrays");
    }
    overload.arguments.iter().find_map(fishplate_check::beyond_numbers)
}

/// The results of the generated function, for each overload, by name.
fn results(function: &Function) -> Vec<Vec<String>> {
    let results = |overload: &fishplate_model::Overload| match &function.returns {
        Some(names) => names.iter().map(|name| name.value.clone()).collect(),
        None => {
            let arguments = overload.arguments.iter();
            let is_output = |one: &&fishplate_model::Argument| {
                one.intent.as_ref().is_some_and(|intent| intent.value.is_output())
            };
            let named = arguments.filter(is_output).map(|one| one.name.value.clone());
            let own = matches!(overload.result, CResult::Value(_)).then(|| "result".to_owned());
            named.chain(own).collect()
        }
    };
    function.overloads.iter().map(results).collect()
}

/// Makes the call copy arguments that C would modify in place; returns their names.
fn copy_what_changes(arguments: &mut [fishplate_model::Argument]) -> Vec<String> {
    let mut changed = Vec::new();
    for argument in arguments {
        if let Some(intent) = &mut argument.intent
            && intent.value.writes_caller()
        {
            intent.value = Intent::InAndOut;
            changed.push(argument.name.value.clone());
        }
    }
    changed
}

/// If the interface lists the results, modified copies are added to them.
fn return_too(function: &mut Function, changed: &[Vec<String>]) {
    let Some(returns) = &mut function.returns else { return };
    for name in changed.iter().flatten() {
        if returns.iter().all(|one| one.value != *name) {
            returns.push(Spanned { value: name.clone(), span: Span::default() });
        }
    }
}

/// Replaces the names of C constants by their values.
fn replace_constants(expr: &mut Expr, constants: &HashMap<String, String>) {
    match &mut expr.kind {
        ExprKind::Name(name) => {
            if let Some(value) = constants.get(name) {
                expr.kind = ExprKind::Literal(value.clone());
            }
        }
        ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) | ExprKind::Paren(inner) => {
            replace_constants(inner, constants);
        }
        ExprKind::Binary(_, left, right) => {
            replace_constants(left, constants);
            replace_constants(right, constants);
        }
        ExprKind::Conditional(test, yes, no) => {
            [test, yes, no].into_iter().for_each(|part| replace_constants(part, constants));
        }
        ExprKind::Call(_, args) => {
            args.iter_mut().for_each(|arg| replace_constants(arg, constants))
        }
        _ => {}
    }
}
