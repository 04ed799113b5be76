//! A call that stands for many items.
//!
//! It is the same call, seen twice: what all items share happens once, as in a plain call, and what
//! is an item's own happens for each. A scalar is an item's own unless a shape needs it, so it is
//! taken as an array whose core has no dimensions.

use crate::lower::{Lowering, large};
use crate::ragged;
use crate::{Absent, Access, Mapped, Memory, Release, Step, Variable};
use fishplate_check::{CheckedFunction, Output, Role};
use fishplate_model::{CResult, Gil, Intent};

/// The mapped form of a call; `late` tells what needs the memory that we make.
pub(crate) fn lower(
    lowering: &Lowering,
    function: &CheckedFunction,
    variables: &[Variable],
    late: &[bool],
) -> Mapped {
    let map = Map { lowering };
    let order = &lowering.overload.order;
    let mut steps = Vec::new();
    for &index in order.iter().filter(|index| !late[**index]) {
        steps.extend(map.acquire(index));
    }
    steps.extend(lowering.check_shapes());
    steps.push(Step::Broadcast);
    for index in 0..lowering.arguments.len() {
        steps.extend(map.copy(index));
    }
    for &index in order {
        steps.extend(map.make(index, late[index]));
    }
    if lowering.overload.outputs.contains(&Output::Result) {
        steps.push(Step::MakeResults);
    }
    for index in 0..lowering.arguments.len() {
        steps.extend(map.fill(index));
    }
    steps.extend(lowering.lock());
    steps.extend(lowering.invalidates());
    let release = match lowering.gil(function) {
        Gil::Hold => Release::Never,
        Gil::Release => Release::Always,
        Gil::Auto => Release::WhenLarge(large(variables)),
    };
    steps.push(Step::Items { release });
    for index in 0..lowering.arguments.len() {
        steps.extend(map.write_back(index));
    }
    let mut item: Vec<Step> = order.iter().filter_map(|index| map.item(*index)).collect();
    item.push(Step::Call { release: Release::Never });
    if let CResult::Status(_) = lowering.overload.overload.result {
        item.push(Step::CheckStatus);
    }
    let ragged = function.ellipses.ragged.then(|| ragged::lower(lowering, &steps, late));
    Mapped {
        steps,
        item,
        threads: function.threads,
        broadcast: function.ellipses.broadcast,
        ragged,
    }
}

struct Map<'l, 'a> {
    lowering: &'l Lowering<'a>,
}

impl Map<'_, '_> {
    fn is_own_scalar(&self, index: usize) -> bool {
        self.lowering.arguments[index].own
    }

    fn is_input(&self, index: usize) -> bool {
        matches!(self.lowering.arguments[index].role, Role::Required | Role::Optional)
    }

    fn acquire(&self, index: usize) -> Option<Step> {
        match (self.is_own_scalar(index), self.is_input(index)) {
            (false, _) => self.lowering.acquire(index),
            (true, true) => Some(self.lowering.take(index)),
            (true, false) => None,
        }
    }

    /// An input whose items C changes gets memory for each: a copy that is returned, or, where the
    /// caller gave nothing, what stands in for it.
    fn copy(&self, index: usize) -> Option<Step> {
        let is_array = self.lowering.is_array(index);
        if !self.is_input(index) || !(is_array || self.is_own_scalar(index)) {
            return None;
        }
        let Step::TakeArray { access, absent, .. } = self.lowering.take(index) else {
            return None;
        };
        let stands_in = access != Access::Read && matches!(absent, Absent::Value(_));
        (access == Access::Copy || stands_in).then_some(Step::CopyItems { variable: index })
    }

    fn make(&self, index: usize, late: bool) -> Option<Step> {
        let resolved = &self.lowering.arguments[index];
        if self.is_own_scalar(index) {
            let made = resolved.role == Role::Made && resolved.intent == Intent::Out;
            let memory = Memory::Result;
            return made.then_some(Step::MakeArray { variable: index, buffer: None, memory });
        }
        if !late {
            return None;
        }
        self.lowering.make(index).or_else(|| self.lowering.acquire(index))
    }

    fn fill(&self, index: usize) -> Option<Step> {
        let is_result = self.lowering.arguments[index].intent == Intent::Out;
        self.lowering.fill(index).filter(|_| is_result)
    }

    fn write_back(&self, index: usize) -> Option<Step> {
        let writes = self.lowering.arguments[index].intent.writes_caller();
        if self.is_own_scalar(index) {
            return writes.then_some(Step::WriteBack { variable: index });
        }
        self.lowering.write_back(index)
    }

    /// What happens to an argument in each item, before the call.
    fn item(&self, variable: usize) -> Option<Step> {
        let resolved = &self.lowering.arguments[variable];
        let value = resolved.argument.default.clone();
        if self.lowering.is_array(variable) {
            let scratch = resolved.intent == Intent::Hidden;
            return scratch.then_some(Step::Reset { variable, value });
        }
        match (self.is_own_scalar(variable), self.is_input(variable)) {
            (false, _) => None,
            (true, true) => {
                Some(Step::ReadItem { variable, absent: self.lowering.absent(variable) })
            }
            (true, false) => Some(Step::SetScalar { variable, value }),
        }
    }
}
