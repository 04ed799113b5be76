//! One overload to a call: its parameters and its steps.
//!
//! The order within a call: values are read and computed, arrays are taken; then all shapes are
//! checked; then memory is made and filled; then C is called; then results are written back. So a call that is
//! refused has changed nothing.

use crate::{Absent, Access, Call, Memory, Parameter, ParameterKind, Release, Step, Variable};
use fishplate_check::{Capabilities, CheckedOverload, Place, Resolved, Role};
use fishplate_model::{CResult, Expr, ExprKind, Gil, Intent, Passing};

/// Plans the call of one overload.
pub(crate) fn lower(overload: &CheckedOverload, gil: Gil, host: &Capabilities) -> Call {
    let arguments = &overload.arguments;
    let parameters = parameters(arguments, host);
    let variables: Vec<Variable> = arguments.iter().map(variable).collect();
    let lowering = Lowering { arguments, parameters: &parameters };
    let mut steps = Vec::new();
    for &index in &overload.order {
        steps.extend(lowering.acquire(index));
    }
    for index in 0..arguments.len() {
        steps.extend(lowering.check_shape(index));
    }
    for index in 0..arguments.len() {
        steps.extend(lowering.make(index));
    }
    for index in 0..arguments.len() {
        steps.extend(lowering.fill(index));
    }
    steps.push(Step::Call { release: release(&variables, gil) });
    if let CResult::Status(_) = overload.overload.result {
        steps.push(Step::CheckStatus);
    }
    for index in 0..arguments.len() {
        steps.extend(lowering.write_back(index));
    }
    let text = &overload.overload.text;
    Call {
        prototype: text.split_whitespace().collect::<Vec<_>>().join(" "),
        span: overload.overload.span,
        c_name: overload.overload.c_name.value.clone(),
        result: overload.overload.result.clone(),
        variables,
        parameters,
        steps,
        outputs: overload.outputs.clone(),
    }
}

fn variable(resolved: &Resolved) -> Variable {
    let argument = &resolved.argument;
    Variable {
        name: argument.name.value.clone(),
        ctype: argument.ctype.clone(),
        is_const: argument.is_const,
        passing: argument.passing.clone(),
        intent: resolved.intent,
        nullable: argument.nullable,
        default: argument.default.clone(),
    }
}

/// The host's parameters. Required ones come first, as every host language wants it; otherwise they
/// keep C's order.
fn parameters(arguments: &[Resolved], host: &Capabilities) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for kind in [ParameterKind::Required, ParameterKind::Optional, ParameterKind::Buffer] {
        for (variable, resolved) in arguments.iter().enumerate() {
            if parameter_kind(resolved) == Some(kind) {
                let name = host.parameter_name(&resolved.argument.name.value);
                parameters.push(Parameter { name, variable, kind });
            }
        }
    }
    parameters
}

fn parameter_kind(resolved: &Resolved) -> Option<ParameterKind> {
    let is_array = matches!(resolved.argument.passing, Passing::Array { .. });
    match resolved.role {
        Role::Required => Some(ParameterKind::Required),
        Role::Optional => Some(ParameterKind::Optional),
        Role::Made if resolved.intent == Intent::Out && is_array => Some(ParameterKind::Buffer),
        Role::Made | Role::Found(_) => None,
    }
}

fn release(variables: &[Variable], gil: Gil) -> Release {
    match gil {
        Gil::Hold => Release::Never,
        Gil::Release => Release::Always,
        Gil::Auto => {
            // Scratch memory tells nothing: how much of it C uses is its own affair.
            let arrays: Vec<usize> = (0..variables.len())
                .filter(|index| {
                    variables[*index].rank() > 0 && variables[*index].intent != Intent::Hidden
                })
                .collect();
            if arrays.is_empty() { Release::Never } else { Release::WhenLarge(arrays) }
        }
    }
}

struct Lowering<'a> {
    arguments: &'a [Resolved],
    parameters: &'a [Parameter],
}

impl Lowering<'_> {
    fn parameter(&self, variable: usize) -> usize {
        let found = self.parameters.iter().position(|parameter| parameter.variable == variable);
        found.expect("what the host gives has a parameter")
    }

    fn is_array(&self, variable: usize) -> bool {
        matches!(self.arguments[variable].argument.passing, Passing::Array { .. })
    }

    fn absent(&self, variable: usize) -> Absent {
        let resolved = &self.arguments[variable];
        match (&resolved.role, &resolved.argument.default) {
            (Role::Optional, Some(default)) => Absent::Value(default.clone()),
            (Role::Optional, None) => Absent::Null,
            _ => Absent::Never,
        }
    }

    /// Of the places that tell a dimension, those that are asked: one whose array is always there,
    /// else all of them.
    fn telling<'p>(&self, places: &'p [Place]) -> &'p [Place] {
        if self.arguments[places[0].array].argument.nullable { places } else { &places[..1] }
    }

    /// The step that gives an argument its value; arrays that we make come later.
    fn acquire(&self, variable: usize) -> Option<Step> {
        let resolved = &self.arguments[variable];
        match &resolved.role {
            Role::Found(places) => {
                Some(Step::FindDimension { variable, places: self.telling(places).to_vec() })
            }
            Role::Made if self.is_array(variable) => None,
            Role::Made => {
                Some(Step::SetScalar { variable, value: resolved.argument.default.clone() })
            }
            Role::Required | Role::Optional => {
                let parameter = self.parameter(variable);
                let absent = self.absent(variable);
                Some(if self.is_array(variable) {
                    let access = match resolved.intent {
                        Intent::InPlace | Intent::InPlaceAndOut => Access::InPlace,
                        Intent::InOut | Intent::InOutAndOut => Access::Exclusive,
                        Intent::InAndOut => Access::Copy,
                        Intent::In | Intent::Out | Intent::Hidden => Access::Read,
                    };
                    Step::TakeArray { variable, parameter, access, absent }
                } else if resolved.intent.writes_caller() {
                    Step::ReadMutableScalar { variable, parameter, absent }
                } else {
                    Step::ReadScalar { variable, parameter, absent }
                })
            }
        }
    }

    /// Compares every dimension of an array that the caller gave with what the prototype says, apart
    /// from those that told a dimension in the first place.
    fn check_shape(&self, variable: usize) -> Vec<Step> {
        let resolved = &self.arguments[variable];
        let Passing::Array { shape, .. } = &resolved.argument.passing else { return Vec::new() };
        if !resolved.intent.is_input() {
            return Vec::new();
        }
        let tells = |place: Place| {
            self.arguments.iter().any(|other| match &other.role {
                Role::Found(places) => self.telling(places) == [place],
                _ => false,
            })
        };
        shape
            .iter()
            .enumerate()
            .filter(|(axis, _)| !tells(Place { array: variable, axis: *axis }))
            .map(|(axis, expected)| Step::CheckDimension {
                variable,
                axis,
                expected: without_parentheses(expected),
            })
            .collect()
    }

    fn make(&self, variable: usize) -> Option<Step> {
        let resolved = &self.arguments[variable];
        if resolved.role != Role::Made || !self.is_array(variable) {
            return None;
        }
        let is_result = resolved.intent == Intent::Out;
        Some(Step::MakeArray {
            variable,
            buffer: is_result.then(|| self.parameter(variable)),
            memory: if is_result { Memory::Result } else { Memory::Scratch },
        })
    }

    fn fill(&self, variable: usize) -> Option<Step> {
        let resolved = &self.arguments[variable];
        let made = resolved.role == Role::Made && self.is_array(variable);
        let value = resolved.argument.default.clone().filter(|_| made)?;
        Some(Step::FillArray { variable, value })
    }

    fn write_back(&self, variable: usize) -> Option<Step> {
        let resolved = &self.arguments[variable];
        match (self.is_array(variable), resolved.intent) {
            (true, Intent::InPlace | Intent::InPlaceAndOut | Intent::Out) => {
                Some(Step::WriteBack { variable })
            }
            (false, intent) if intent.writes_caller() => {
                Some(Step::WriteBackScalar { variable, parameter: self.parameter(variable) })
            }
            _ => None,
        }
    }
}

fn without_parentheses(expr: &Expr) -> Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => without_parentheses(inner),
        _ => expr.clone(),
    }
}
