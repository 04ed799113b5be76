//! Callbacks of a call: the calls from C to the target language.

use crate::{Call, CheckedCallback, FromC, Keeper, Returns, Variable};
use fishplate_check::{CheckedOverload, Output};
use fishplate_model::{
    CType, CallId, CallbackId, Callee, Device, Expr, Intent, Safety, ScalarClass, TiVec,
    VariableId, retained_struct,
};

/// A callback that a call takes.
#[derive(Clone, Debug)]
pub struct CallbackPlan {
    /// Its variable.
    pub variable: VariableId,
    /// Its index among the call's callbacks.
    pub index: CallbackId,
    /// The index of the first callback with the same user data, whose address C passes back.
    pub first: CallbackId,
    /// The call that C makes. Its variables are the values that C passes, its outputs the results
    /// of the callback.
    pub call: Call<FromC>,
    /// The callback as resolved by `check`.
    pub checked: CheckedCallback,
    /// The error return value, if any.
    pub error_value: Option<ErrorValue>,
    /// The values that sizes and the on-error action use in addition to the callback's own arguments.
    pub outer_scope: OuterScope,
}

/// The values that the sizes of a callback's arrays and its on-error action use in addition to its own arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OuterScope {
    /// None.
    Nothing,
    /// These variables of the call, which has not returned yet.
    Call(Vec<VariableId>),
    /// The object that retains the callback.
    Object(Output),
    /// These fields of the struct that C retains with the callback, which is in this memory.
    Struct(VariableId, Vec<VariableId>),
}

/// The error return value.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorValue {
    /// The value that the interface specifies.
    Value(Expr),
    /// NaN.
    NotANumber,
    /// 1, a return code for failure.
    One,
    /// 0.
    Zero,
    /// NULL.
    Null,
}

impl CallbackPlan {
    /// The arguments of the callback, with the indices of their variables.
    pub fn inputs(&self) -> impl Iterator<Item = (VariableId, &Variable<FromC>)> {
        let seen =
            |variable: &Variable<FromC>| !matches!(variable.intent, Intent::Out | Intent::Hidden);
        self.call.variables.iter_enumerated().filter(move |(_, variable)| seen(variable))
    }

    /// C receives the user data that it shares, which belongs to an object, in an argument.
    pub fn passes_shared_data(&self) -> bool {
        self.checked.is_shared && self.checked.user_data.is_some() && self.first == self.index
    }

    /// The type of the function, for messages: `(x: float64, y: float64[n]) -> float64`.
    pub fn type_text(&self) -> String {
        let inputs: Vec<String> =
            self.inputs().map(|(_, one)| format!("{}: {}", one.name, one.type_text())).collect();
        let returned: Vec<String> =
            self.call.outputs.iter().map(|output| self.call.describe_output(*output).1).collect();
        let returned = match returned.as_slice() {
            [] => String::new(),
            [one] => format!(" -> {one}"),
            several => format!(" -> ({})", several.join(", ")),
        };
        format!("({}){returned}", inputs.join(", "))
    }
}

/// The callbacks that an overload takes.
pub(crate) fn callbacks(overload: &CheckedOverload) -> TiVec<CallbackId, CallbackPlan> {
    let arguments = &overload.arguments;
    let of = |variable: VariableId| arguments[variable].variable.crossing.callback();
    let all: TiVec<CallbackId, VariableId> =
        arguments.keys().filter(|index| of(*index).is_some()).collect();
    let mut plans = TiVec::new();
    for (index, &variable) in all.iter_enumerated() {
        let Some(one) = of(variable) else { continue };
        let shares =
            |other: &VariableId| of(*other).and_then(|other| other.user_data) == one.user_data;
        let first = match one.user_data {
            Some(_) => all.position(shares).unwrap_or(index),
            None => index,
        };
        plans.push(CallbackPlan {
            variable,
            index,
            first,
            checked: one.clone(),
            error_value: error_value(one),
            outer_scope: outer_scope(variable, one, overload),
            call: lower_callback(one, &arguments[variable].variable.name),
        });
    }
    plans
}

/// The call that C makes.
fn lower_callback(callback: &CheckedCallback, name: &str) -> Call<FromC> {
    let variables = callback.variables.clone();
    let written = variables.keys().filter(|index| variables[*index].intent.is_output());
    let is_output = matches!(callback.result, Returns::Value(..) | Returns::Pointer(_));
    let result = is_output.then_some(Output::Result);
    let outputs = written.map(Output::Argument).chain(result).collect();
    Call {
        prototype: callback.text.split_whitespace().collect::<Vec<_>>().join(" "),
        span: callback.span,
        id: CallId::from(0),
        c_name: name.to_owned(),
        callee: Callee::Function,
        throws: false,
        result: callback.result.clone(),
        return_code: matches!(callback.result, Returns::Status(..)).then_some(Output::Result),
        status: None,
        message_object: None,
        variables,
        unpacked: Vec::new(),
        adapter: None,
        returned: None,
        parameters: TiVec::new(),
        sparse: Vec::new(),
        steps: Vec::new(),
        outputs,
        kinds: Vec::new(),
        safety: Safety::Safe,
        device: Device::Cpu,
        recycles: false,
        mapped: None,
        callbacks: TiVec::new(),
        retained: Vec::new(),
        calls_back: false,
    }
}

fn error_value(callback: &CheckedCallback) -> Option<ErrorValue> {
    let class = |ctype: &CType| ctype.number().map(|scalar| scalar.class());
    match (&callback.result, &callback.error_value) {
        (Returns::Void, _) => None,
        (_, Some(value)) => Some(ErrorValue::Value(value.clone())),
        (Returns::Pointer(_), None) => Some(ErrorValue::Null),
        (Returns::Status(_, ctype), None) if ctype.is_bool() => Some(ErrorValue::Zero),
        (Returns::Status(..), None) => Some(ErrorValue::One),
        (Returns::Value(_, ctype), None) => Some(match class(ctype) {
            Some(ScalarClass::Float | ScalarClass::Complex) => ErrorValue::NotANumber,
            _ => ErrorValue::Zero,
        }),
    }
}

/// The values that the sizes and the on-error action use. `check` has refused those that no longer exist when C calls
/// the callback.
fn outer_scope(
    variable: VariableId,
    callback: &CheckedCallback,
    overload: &CheckedOverload,
) -> OuterScope {
    let arguments = &overload.arguments;
    let own = |name: &str| callback.variables.iter().any(|one| one.name == name);
    let sizes = callback.variables.iter().filter_map(Variable::shape).flatten();
    let code = callback.actions.iter().chain(&callback.error_value).chain(sizes);
    let names = code.flat_map(Expr::names).map(|(name, _)| name);
    let mut seen: Vec<VariableId> = names
        .clone()
        .filter(|name| !own(name))
        .filter_map(|name| arguments.position(|other| other.variable.name == name))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    let retained = retained_struct(&overload.unpacked, variable);
    if let Some((one, memory)) = retained.and_then(|one| Some((one, one.retained_memory()?)))
        && seen.iter().any(|index| one.has_field(*index))
    {
        return OuterScope::Struct(memory, seen);
    }
    match &callback.retention.keeper {
        Keeper::Made(Output::Result)
            if names.clone().any(|name| name == "result" && !own(name)) =>
        {
            OuterScope::Object(Output::Result)
        }
        _ if seen.is_empty() => OuterScope::Nothing,
        Keeper::Call => OuterScope::Call(seen),
        Keeper::Handle(handle) => OuterScope::Object(Output::Argument(*handle)),
        Keeper::Made(made) => OuterScope::Object(*made),
        Keeper::Module(_) => OuterScope::Nothing,
    }
}
