//! The order in which arguments get their values, and cyclic dependencies.

use crate::Role;
use crate::names::Positions;
use fishplate_model::{Argument, Code, Diagnostic, Expr, Passing, PerArgument, VariableId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Indices of all arguments, each after those on which it depends, otherwise in C's order: scalars
/// first, then arrays, then what their shapes determine. A cycle is an error.
pub(crate) fn sort(
    arguments: &PerArgument<Argument>,
    roles: &PerArgument<Role>,
    positions: &Positions<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<VariableId> {
    let needs: PerArgument<Vec<VariableId>> =
        arguments.keys().map(|index| needs(arguments, roles, positions, index)).collect();
    // Reading a scalar may run the caller's code (`__float__`), which must not run while arrays are
    // in use.
    let holds_arrays = |argument: &Argument| {
        argument.is_array() || matches!(argument.passing, Passing::Jagged { .. })
    };
    let rank = |index: &VariableId| match (&roles[*index], holds_arrays(&arguments[*index])) {
        (Role::Required, true) => 2,
        (Role::Found(_), _) => 3,
        (Role::Optional | Role::Made, true) => 4,
        (Role::Required, false) => 0,
        (Role::Optional | Role::Made, false) => 1,
    };
    let mut wanted: Vec<VariableId> = arguments.keys().collect();
    wanted.sort_by_key(rank);
    let mut place: PerArgument<usize> = vec![0; arguments.len()].into();
    for (at, index) in wanted.iter().enumerate() {
        place[*index] = at;
    }
    let mut missing: PerArgument<usize> = needs.iter().map(Vec::len).collect();
    let mut users: PerArgument<Vec<VariableId>> = vec![Vec::new(); arguments.len()].into();
    for (index, needs) in needs.iter_enumerated() {
        needs.iter().for_each(|need| users[*need].push(index));
    }
    // Of the arguments without open dependencies, always the first.
    let free = arguments.keys().filter(|index| missing[*index] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = free.map(|index| Reverse(place[index])).collect();
    let mut order: Vec<VariableId> = Vec::with_capacity(arguments.len());
    while let Some(Reverse(at)) = ready.pop() {
        let index = wanted[at];
        order.push(index);
        for user in &users[index] {
            missing[*user] -= 1;
            if missing[*user] == 0 {
                ready.push(Reverse(place[*user]));
            }
        }
    }
    if order.len() < arguments.len() {
        wanted.retain(|index| missing[*index] > 0);
        report_circle(arguments, &needs, &wanted, diagnostics);
    }
    order
}

/// The arguments on which this one depends.
fn needs(
    arguments: &PerArgument<Argument>,
    roles: &PerArgument<Role>,
    positions: &Positions<'_>,
    index: VariableId,
) -> Vec<VariableId> {
    let argument = &arguments[index];
    let mut names = Vec::new();
    names.extend(argument.retention.key.iter().map(|name| (name.value.as_str(), name.span)));
    if let Role::Found(places) = &roles[index] {
        return places.iter().map(|place| place.array).collect();
    }
    if roles[index] != Role::Required {
        if let Some(default) = &argument.default {
            names.extend(default.names());
        }
        if let (Some(any), Role::Made) = (argument.any_array(), &roles[index]) {
            names.extend(any.dims.iter().map(|dims| (dims.value.as_str(), dims.span)));
            names.extend(any.dtypes.iter().flat_map(|one| &one.code).flat_map(Expr::names));
        }
        // Allocated arrays need their shapes; so do optional ones that are filled when omitted.
        let made = roles[index] == Role::Made || argument.default.is_some();
        if let (Some(shape), true) = (argument.shape(), made) {
            names.extend(shape.iter().flat_map(|dimension| dimension.names()));
        }
    }
    let mut needs: Vec<VariableId> =
        names.into_iter().filter_map(|(name, _)| positions.find(name)).collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}

fn report_circle(
    arguments: &PerArgument<Argument>,
    needs: &PerArgument<Vec<VariableId>>,
    waiting: &[VariableId],
    diagnostics: &mut Vec<Diagnostic>,
) {
    // Every argument that is left depends on another one that is left, so following the
    // dependencies leads into a cycle.
    let mut path = vec![waiting[0]];
    let circle = loop {
        let last = path[path.len() - 1];
        let next = needs[last].iter().copied().find(|need| waiting.contains(need));
        let Some(next) = next else { break path.clone() };
        if let Some(start) = path.iter().position(|index| *index == next) {
            break path[start..].to_vec();
        }
        path.push(next);
    };
    let name = |index: VariableId| format!("`{}`", arguments[index].name.value);
    let mut names: Vec<String> = circle.iter().map(|index| name(*index)).collect();
    names.push(name(circle[0]));
    let mut diagnostic = Diagnostic::error(
        Code::CIRCULAR,
        arguments[circle[0]].span,
        format!("the value of {} depends on itself: {}", names[0], names.join(" needs ")),
        "write a value for one of them that does not depend on the others",
    );
    for index in &circle[1..] {
        diagnostic = diagnostic.also(arguments[*index].span, "part of the cycle");
    }
    diagnostics.push(diagnostic);
}
