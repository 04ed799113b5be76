//! Batched calls over ragged arrays.
//!
//! The steps are those of the call over leading dimensions, in the same order. Only what depends on
//! shapes is moved: the length of a list is a dimension, so it is inferred for each item.

use crate::lower::Lowering;
use crate::{Absent, Acquire, BatchStep, FitStep, Made, Memory, Ragged, Step};
use fishplate_check::{Resolved, Role};
use fishplate_model::{Expr, ExprKind, Measure, PerArgument, VariableId};
use std::collections::BTreeSet;

/// The ragged form of a call; `mapped` are its steps over leading dimensions, `late` marks the
/// variables that depend on allocated memory.
pub(crate) fn lower(lowering: &Lowering, mapped: &[BatchStep], late: &PerArgument<bool>) -> Ragged {
    let mut steps = Vec::new();
    for step in mapped {
        match step {
            BatchStep::Once(
                Step::FindDimension { .. } | Step::SetScalar { .. } | Step::CheckDimension { .. },
            ) => {}
            // Scratch memory belongs to a worker thread and is allocated after all items are
            // fitted.
            BatchStep::Once(Step::MakeArray { memory: Memory::Scratch, .. }) => {}
            _ => {
                let fits = !matches!(
                    step,
                    BatchStep::Once(Step::Acquire(Acquire { .. }))
                        | BatchStep::Broadcast
                        | BatchStep::CopyItems { .. }
                );
                if fits && !steps.contains(&BatchStep::FitLists) {
                    steps.push(BatchStep::FitLists);
                }
                steps.push(step.clone());
            }
        }
    }
    let made =
        lowering.arguments.keys().filter_map(|index| allocated_array(lowering, index)).collect();
    Ragged { steps, fit: fit(lowering, late), made }
}

/// The values that are inferred for an item, in the order of their dependencies.
fn fit(lowering: &Lowering, late: &PerArgument<bool>) -> Vec<FitStep> {
    let order = &lowering.overload.order;
    let mut steps = Vec::new();
    for &index in order.iter().filter(|index| !late[**index]) {
        steps.extend(find(lowering, index));
    }
    steps.extend(lowering.check_shapes());
    for &index in order.iter().filter(|index| late[**index]) {
        steps.extend(lowering.make(index).or_else(|| find(lowering, index)));
    }
    steps.into_iter().filter_map(|step| fit_step(lowering, step)).collect()
}

/// The counterpart of a step for an item; `None` if it is executed once.
fn fit_step(lowering: &Lowering, step: Step) -> Option<FitStep> {
    Some(match step {
        Step::FindDimension { variable, places } => FitStep::Find { variable, places },
        Step::SetScalar { variable, value } => FitStep::Set { variable, value },
        Step::CheckDimension { variable, axis, expected } => {
            FitStep::Check { variable, axis, expected }
        }
        Step::MakeArray { variable, .. } => FitStep::Shape { variable, parameter: None },
        Step::Acquire(Acquire { variable, parameter, .. }) if lowering.is_array(variable) => {
            FitStep::Shape { variable, parameter: Some(parameter) }
        }
        Step::Acquire(Acquire { variable, absent: Absent::Value(value), .. }) => {
            FitStep::Default { variable, value }
        }
        _ => return None,
    })
}

/// The value of a scalar that all items share, and the shape of an array that was omitted.
fn find(lowering: &Lowering, index: VariableId) -> Option<Step> {
    let resolved = &lowering.arguments[index];
    let is_array = lowering.is_array(index);
    if resolved.variable.own && !is_array {
        return None;
    }
    match (&resolved.role, is_array) {
        (Role::Found(_), _) | (Role::Made, false) => lowering.acquire(index),
        (Role::Required | Role::Optional, _) => lowering
            .acquire(index)
            .filter(|step| matches!(step, Step::Acquire(Acquire { absent: Absent::Value(_), .. }))),
        (Role::Made, true) => None,
    }
}

/// The lists on which the shape of an allocated array depends.
fn allocated_array(lowering: &Lowering, variable: VariableId) -> Option<Made> {
    let resolved = &lowering.arguments[variable];
    let shape = resolved.variable.shape()?;
    if resolved.role != Role::Made {
        return None;
    }
    let arrays_of = |dimensions: &[Expr]| {
        let mut arrays = BTreeSet::new();
        for dimension in dimensions {
            collect_arrays(lowering, dimension, &mut arrays);
        }
        arrays.into_iter().collect()
    };
    Some(Made { variable, first: arrays_of(&shape[..1]), inner: arrays_of(&shape[1..]) })
}

/// Adds the arrays whose first dimension an expression depends on.
fn collect_arrays(lowering: &Lowering, expr: &Expr, arrays: &mut BTreeSet<VariableId>) {
    let find = |name: &str| lowering.arguments.position(|resolved| resolved.variable.name == name);
    expr.walk(&mut |part| match &part.kind {
        ExprKind::Name(name) => {
            let Some(index) = find(name) else { return };
            let resolved = &lowering.arguments[index];
            if let Role::Found(places) = &resolved.role {
                arrays.extend(places.iter().filter(|p| p.axis == 0).map(|p| p.array));
            }
            if let (false, Some(default)) = (lowering.is_array(index), &resolved.variable.default) {
                collect_arrays(lowering, default, arrays);
            }
        }
        ExprKind::Measure { measure, array, axis, .. } => {
            let Some(index) = find(array) else { return };
            let axes = match measure {
                Measure::Len => 0..1,
                Measure::Shape => axis.unwrap_or(0)..axis.unwrap_or(0) + 1,
                Measure::Size => 0..usize::MAX,
                // The strides of an item do not depend on the length of its list.
                Measure::Ndim | Measure::Stride | Measure::ItemSize | Measure::Dtype => return,
            };
            let Resolved { variable, role, .. } = &lowering.arguments[index];
            if *role != Role::Made && axes.contains(&0) {
                arrays.insert(index);
            }
            // An array that is allocated, or was omitted, has the dimensions of the prototype.
            let is_told = *role == Role::Made || variable.default.is_some();
            if let (true, Some(shape)) = (is_told, variable.shape()) {
                let asked = shape.iter().enumerate().filter(|(axis, _)| axes.contains(axis));
                asked.for_each(|(_, dimension)| collect_arrays(lowering, dimension, arrays));
            }
        }
        _ => {}
    });
}
