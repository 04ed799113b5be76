//! Callbacks of a call: the calls that C makes meanwhile.

use crate::{Call, CheckedCallback, Crossing, Data, FromC, Keeper, Returns, Variable};
use fishplate_check::{CheckedOverload, Output, Resolved};
use fishplate_model::{
    CType, CallId, CallbackForm, CallbackId, Callee, Device, Expr, Intent, PerArgument, Safety,
    ScalarClass, TiVec, VariableId,
};

/// A callback that a call takes.
#[derive(Clone, Debug)]
pub struct CallbackPlan {
    /// The variable that it is.
    pub variable: VariableId,
    /// Its place among the call's callbacks.
    pub index: CallbackId,
    /// The place of the first callback that has the same data: C passes through the address of that one.
    pub first: CallbackId,
    /// What C calls: its variables are what C gives, its outputs what the host's function returns.
    pub call: Call<FromC>,
    /// Where C has the data that it is found by.
    pub data: Data,
    /// The variable of the call that is the data; `None` where a struct has it, or there is none.
    pub beside: Option<VariableId>,
    /// How C is given it.
    pub form: CallbackForm,
    /// The calls of C that are made where the host's function has failed.
    pub actions: Vec<Expr>,
    /// What C gets then; `None` where that is nothing.
    pub fails: Option<Fails>,
    /// What these see beside what C gives to the callback.
    pub sees: Sees,
    /// How long C may call it.
    pub keeper: Keeper,
    /// A later call that succeeds replaces it; otherwise all are retained.
    pub replaces: bool,
    /// Where it is replaced, the variables whose values must be equal for that.
    pub filed: Vec<VariableId>,
}

/// What is seen, where the host's function has failed, of the call that was given the callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Nothing.
    Nothing,
    /// These variables of the call, which is not over.
    Call(Vec<VariableId>),
    /// The object that retains the callback.
    Object(Output),
}

/// What C gets where the host's function has failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Fails {
    /// What the author says.
    Value(Expr),
    /// Not a number.
    NotANumber,
    /// A status that is a failure.
    One,
    /// 0.
    Zero,
}

impl CallbackPlan {
    /// It outlives the call.
    pub fn is_kept(&self) -> bool {
        self.keeper != Keeper::Call
    }

    /// What the host's function is given, with the indices of the variables.
    pub fn given(&self) -> impl Iterator<Item = (VariableId, &Variable<FromC>)> {
        let seen =
            |variable: &Variable<FromC>| !matches!(variable.intent, Intent::Out | Intent::Hidden);
        self.call.variables.iter_enumerated().filter(move |(_, variable)| seen(variable))
    }

    /// What the function is, for people: `(x: float64, y: float64[n]) -> float64`.
    pub fn type_text(&self) -> String {
        let given: Vec<String> =
            self.given().map(|(_, one)| format!("{}: {}", one.name, one.type_text())).collect();
        let returned: Vec<String> =
            self.call.outputs.iter().map(|output| self.call.describe_output(*output).1).collect();
        let returned = match returned.as_slice() {
            [] => String::new(),
            [one] => format!(" -> {one}"),
            several => format!(" -> ({})", several.join(", ")),
        };
        format!("({}){returned}", given.join(", "))
    }
}

/// The callbacks that an overload takes.
pub(crate) fn callbacks(overload: &CheckedOverload) -> TiVec<CallbackId, CallbackPlan> {
    let arguments = &overload.arguments;
    let of = |variable: VariableId| match &arguments[variable].variable.crossing {
        Crossing::Callback(callback) => Some(&**callback),
        _ => None,
    };
    let all: TiVec<CallbackId, VariableId> =
        arguments.keys().filter(|index| of(*index).is_some()).collect();
    let mut plans = TiVec::new();
    for (index, &variable) in all.iter_enumerated() {
        let Some(one) = of(variable) else { continue };
        let shares = |other: &VariableId| of(*other).and_then(|other| other.beside) == one.beside;
        let first = match one.beside {
            Some(_) => all.position(shares).unwrap_or(index),
            None => index,
        };
        plans.push(CallbackPlan {
            variable,
            index,
            first,
            data: one.data.clone(),
            beside: one.beside,
            form: one.form.clone(),
            actions: one.actions.clone(),
            fails: fails(one),
            sees: sees(one, arguments),
            keeper: one.keeper.clone(),
            replaces: one.replaces,
            filed: one.filed.clone(),
            call: called(one, &arguments[variable].variable.name),
        });
    }
    plans
}

/// What C calls, as a call.
fn called(callback: &CheckedCallback, name: &str) -> Call<FromC> {
    let variables = callback.variables.clone();
    let written = variables.keys().filter(|index| variables[*index].intent.is_output());
    let result = matches!(callback.result, Returns::Value(..)).then_some(Output::Result);
    let outputs = written.map(Output::Argument).chain(result).collect();
    Call {
        prototype: callback.text.split_whitespace().collect::<Vec<_>>().join(" "),
        span: callback.span,
        id: CallId::from(0),
        c_name: name.to_owned(),
        callee: Callee::Function,
        throws: false,
        result: callback.result.clone(),
        status: None,
        variables,
        returned: None,
        parameters: TiVec::new(),
        steps: Vec::new(),
        outputs,
        kinds: Vec::new(),
        safety: Safety::Safe,
        device: Device::Cpu,
        mapped: None,
        callbacks: TiVec::new(),
        calls_back: false,
    }
}

fn fails(callback: &CheckedCallback) -> Option<Fails> {
    let class = |ctype: &CType| ctype.number().map(|scalar| scalar.class());
    match (&callback.result, &callback.answer) {
        (Returns::Pointer(_) | Returns::Void, _) => None,
        (_, Some(value)) => Some(Fails::Value(value.clone())),
        (Returns::Status(..), None) => Some(Fails::One),
        (Returns::Value(_, ctype), None) => Some(match class(ctype) {
            Some(ScalarClass::Float | ScalarClass::Complex) => Fails::NotANumber,
            _ => Fails::Zero,
        }),
    }
}

/// What the code for failures sees of the call; `check` has refused what is over by then.
fn sees(callback: &CheckedCallback, arguments: &PerArgument<Resolved>) -> Sees {
    let own = |name: &str| callback.variables.iter().any(|one| one.name == name);
    let code = callback.actions.iter().chain(&callback.answer);
    let names = code.flat_map(Expr::names).map(|(name, _)| name);
    let mut seen: Vec<VariableId> = names
        .clone()
        .filter(|name| !own(name))
        .filter_map(|name| arguments.position(|other| other.variable.name == name))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    match &callback.keeper {
        Keeper::Made(Output::Result)
            if names.clone().any(|name| name == "result" && !own(name)) =>
        {
            Sees::Object(Output::Result)
        }
        _ if seen.is_empty() => Sees::Nothing,
        Keeper::Call => Sees::Call(seen),
        Keeper::Handle(handle) => Sees::Object(Output::Argument(*handle)),
        Keeper::Made(made) => Sees::Object(*made),
        Keeper::Module(_) => Sees::Nothing,
    }
}
