//! Batched calls.
//!
//! The same call in two parts: the steps of shared values are executed once, as in a plain
//! call, and the others for each item. A scalar varies per item unless a shape depends on it, so it
//! is read as an array whose core has no dimensions.

use crate::lower::{Lowering, large};
use crate::ragged;
use crate::{
    Absent, Access, BatchStep, Crossing, ItemStep, Mapped, Memory, Release, Returns, Step, Variable,
};
use fishplate_check::{CheckedFunction, CheckedOverload, Output, Resolved, Role};
use fishplate_model::{Expr, Gil, Intent, PerArgument, VariableId};

/// True for an expression that has one value for all items.
fn is_shared(expr: &Expr, variables: &PerArgument<Variable>) -> bool {
    let varies = |name: &str| variables.iter().any(|one| one.name == name && one.own);
    let mut is_shared = true;
    expr.walk(&mut |part| is_shared &= !part.as_name().is_some_and(varies));
    is_shared
}

/// The batched form of a call; `late` marks the variables that depend on allocated memory.
pub(crate) fn lower(
    lowering: &Lowering,
    function: &CheckedFunction,
    variables: &PerArgument<Variable>,
    late: &PerArgument<bool>,
) -> Mapped {
    let map = Map { lowering };
    let order = &lowering.overload.order;
    let mut steps: Vec<BatchStep> = Vec::new();
    let once = |steps: &mut Vec<BatchStep>, step: Option<Step>| {
        steps.extend(step.map(BatchStep::Once));
    };
    for &index in order.iter().filter(|index| !late[**index]) {
        once(&mut steps, map.acquire(index));
    }
    steps.extend(lowering.check_shapes().map(BatchStep::Once));
    steps.push(BatchStep::Broadcast);
    for index in lowering.arguments.keys() {
        steps.extend(map.copy(index));
    }
    for &index in order {
        once(&mut steps, map.make(index, late[index]));
    }
    let result =
        lowering.overload.outputs.contains(&Output::Result).then_some(variables.next_key());
    once(&mut steps, result.map(|variable| map.make_result(variable)));
    for index in lowering.arguments.keys() {
        once(&mut steps, map.fill(index));
    }
    once(&mut steps, lowering.lock());
    steps.extend(lowering.invalidates().map(BatchStep::Once));
    let release = match lowering.gil(function) {
        Gil::Hold => Release::Never,
        Gil::Release => Release::Always,
        Gil::Auto => match function.work.as_ref().filter(|work| is_shared(work, variables)) {
            Some(work) => Release::ForWork(work.clone()),
            None => Release::WhenLarge(large(variables)),
        },
    };
    steps.push(BatchStep::Items { release });
    for index in lowering.arguments.keys() {
        once(&mut steps, map.write_back(index));
    }
    once(&mut steps, result.map(|variable| Step::WriteBack { variable }));
    // The outputs of C are set to zero last: the caller may have passed the memory of an input as
    // output buffer.
    let (outputs, inputs): (Vec<VariableId>, Vec<VariableId>) =
        order.iter().partition(|index| map.is_scalar_output(**index));
    let mut item: Vec<ItemStep> =
        inputs.iter().chain(&outputs).filter_map(|index| map.item(*index)).collect();
    item.push(ItemStep::Call);
    item.extend(lowering.code_test.map(|test| ItemStep::CheckStatus { test }));
    let ragged = function.ellipses.ragged.then(|| ragged::lower(lowering, &steps, late));
    Mapped {
        steps,
        item,
        threads: function.threads,
        broadcast: function.ellipses.broadcast,
        ragged,
    }
}

/// C sets it for each item, so that a batch returns an array of it.
pub(crate) fn is_scalar_output(resolved: &Resolved) -> bool {
    let variable = &resolved.variable;
    let is_own = variable.own && !variable.is_array();
    is_own && resolved.role == Role::Made && variable.intent == Intent::Out
}

/// The C result of each item, as a variable.
pub(crate) fn returned(overload: &CheckedOverload) -> Option<Variable> {
    let (Returns::Value(value, ctype) | Returns::Status(value, ctype)) = &overload.result else {
        return None;
    };
    overload.outputs.contains(&Output::Result).then(|| Variable {
        name: "result".to_owned(),
        ctype: ctype.clone(),
        is_const: false,
        crossing: Crossing::of_value(value.clone()),
        intent: Intent::Out,
        nullable: false,
        default: None,
        own: true,
        terminator: None,
        strided: Vec::new(),
    })
}

struct Map<'l, 'a> {
    lowering: &'l Lowering<'a>,
}

impl Map<'_, '_> {
    fn is_own_scalar(&self, index: VariableId) -> bool {
        let variable = &self.lowering.arguments[index].variable;
        variable.own && !variable.is_array()
    }

    fn is_input(&self, index: VariableId) -> bool {
        matches!(self.lowering.arguments[index].role, Role::Required | Role::Optional)
    }

    fn is_scalar_output(&self, index: VariableId) -> bool {
        is_scalar_output(&self.lowering.arguments[index])
    }

    /// The array of the values that C sets or returns for each item.
    fn make_result(&self, variable: VariableId) -> Step {
        let buffer = self.lowering.buffer(variable);
        Step::MakeArray { variable, buffer, memory: Memory::Result }
    }

    fn acquire(&self, index: VariableId) -> Option<Step> {
        let is_number = self.lowering.arguments[index].variable.number().is_some();
        match (self.is_own_scalar(index), self.is_input(index)) {
            // A number that all items share may have been passed as an array.
            (false, true) if is_number => Some(self.lowering.take(index)),
            (false, _) => self.lowering.acquire(index),
            (true, true) => Some(self.lowering.take(index)),
            (true, false) => None,
        }
    }

    /// An input that C modifies needs memory per item: a copy that is returned, or the value that
    /// replaces an absent argument.
    fn copy(&self, index: VariableId) -> Option<BatchStep> {
        let is_array = self.lowering.is_array(index);
        if !self.is_input(index) || !(is_array || self.is_own_scalar(index)) {
            return None;
        }
        let access = Access::of(self.lowering.arguments[index].variable.intent);
        let absent = self.lowering.absent(index);
        let stands_in = access != Access::Read && matches!(absent, Absent::Value(_));
        (access == Access::Copy || stands_in).then_some(BatchStep::CopyItems { variable: index })
    }

    fn make(&self, index: VariableId, late: bool) -> Option<Step> {
        if self.is_own_scalar(index) {
            return self.is_scalar_output(index).then(|| self.make_result(index));
        }
        if !late {
            return None;
        }
        self.lowering.make(index).or_else(|| self.lowering.acquire(index))
    }

    fn fill(&self, index: VariableId) -> Option<Step> {
        let is_result = self.lowering.arguments[index].variable.intent == Intent::Out;
        self.lowering.fill(index).filter(|_| is_result)
    }

    fn write_back(&self, index: VariableId) -> Option<Step> {
        let writes = self.lowering.arguments[index].variable.intent.writes_caller();
        if self.is_own_scalar(index) {
            let has_memory = writes || self.is_scalar_output(index);
            return has_memory.then_some(Step::WriteBack { variable: index });
        }
        self.lowering.write_back(index)
    }

    /// The step for an argument in each item, before the call.
    fn item(&self, variable: VariableId) -> Option<ItemStep> {
        let resolved = &self.lowering.arguments[variable];
        let value = resolved.variable.default.clone();
        if self.lowering.is_array(variable) {
            let scratch = resolved.variable.intent == Intent::Hidden;
            return scratch.then_some(ItemStep::Reset { variable, value });
        }
        match (self.is_own_scalar(variable), self.is_input(variable)) {
            (false, _) => None,
            (true, true) => {
                Some(ItemStep::Read { variable, absent: self.lowering.absent(variable) })
            }
            (true, false) => Some(ItemStep::Set { variable, value }),
        }
    }
}
