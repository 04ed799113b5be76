//! Values that vary per item of a batched call, and values that all its items share.
//!
//! Every array and every scalar varies per item, with one exception: shapes. All items of a call
//! have the same core shape, so a scalar that a dimension or the initial value of an array needs
//! must have one value; values inferred from dimensions are shared as well.

use crate::kinds::kind;
use crate::names::Positions;
use crate::{Capabilities, Role};
use fishplate_model::{
    Argument, Code, Diagnostic, Expr, Function, Intent, Overload, Passing, PerArgument, VariableId,
};
use std::collections::HashMap;

/// The limit on arguments in a loop over items.
const MOST_ARGUMENTS: usize = 127;

/// True for each scalar that varies per item. False for arrays, of which the address varies.
pub(crate) fn own(
    arguments: &PerArgument<Argument>,
    intents: &PerArgument<Intent>,
    roles: &PerArgument<Role>,
    positions: &Positions<'_>,
) -> PerArgument<bool> {
    let shared = shared(arguments, positions);
    let mut own: PerArgument<bool> = arguments
        .keys()
        .map(|index| {
            let argument = &arguments[index];
            !argument.is_array()
                && !kind(argument).is_whole()
                && !shared[index]
                && match roles[index] {
                    Role::Required | Role::Optional => argument.ctype.number().is_some(),
                    Role::Found(_) => false,
                    // C may write there, and the next item must not see the change.
                    Role::Made => {
                        argument.passing == Passing::Pointer || intents[index] == Intent::Out
                    }
                }
        })
        .collect();
    // A value that is computed from a varying value varies, too.
    let mut computed: HashMap<VariableId, Vec<VariableId>> = HashMap::new();
    for (index, argument) in arguments.iter_enumerated() {
        if !shared[index] && roles[index] == Role::Made && argument.passing == Passing::Value {
            for used in uses(argument).filter_map(|name| positions.find(name)) {
                computed.entry(used).or_default().push(index);
            }
        }
    }
    let mut waiting: Vec<VariableId> = arguments.keys().filter(|index| own[*index]).collect();
    while let Some(used) = waiting.pop() {
        for index in computed.remove(&used).unwrap_or_default() {
            if !std::mem::replace(&mut own[index], true) {
                waiting.push(index);
            }
        }
    }
    own
}

/// Reports scalars that C changes for each item although all items share them, and functions with
/// more arguments than a loop over items supports.
pub(crate) fn check(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    own: &PerArgument<bool>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let count = overload.arguments.len();
    if count > MOST_ARGUMENTS {
        diagnostics.push(Diagnostic::error(
            Code::UNSUPPORTED,
            overload.span,
            format!("{count} arguments are too many for a batched function"),
            format!("pass at most {MOST_ARGUMENTS}, or remove `ellipses`"),
        ));
    }
    for (index, argument) in overload.arguments.iter_enumerated() {
        let is_array = argument.is_array();
        let changes = intents[index].is_output() || intents[index].writes_caller();
        if !is_array && !own[index] && changes {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!(
                    "`{name}` determines a shape that all items share, so it cannot be {}",
                    intents[index].name()
                ),
                "write `in`, or remove `ellipses`",
            ));
        }
    }
}

/// Reports initial values of arrays that depend on the lengths of lists: such an array is
/// initialised once, not for each item.
pub(crate) fn check_ragged(
    arguments: &PerArgument<Argument>,
    intents: &PerArgument<Intent>,
    roles: &PerArgument<Role>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let positions = Positions::of(arguments);
    for (index, argument) in arguments.iter_enumerated() {
        let is_array = argument.is_array();
        let Some(default) = argument.default.as_ref().filter(|_| is_array) else { continue };
        // Scratch memory is initialised for each item.
        if intents[index] == Intent::Hidden {
            continue;
        }
        if let Some(varying) = inferred_from_shapes(arguments, roles, &positions, default) {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                default.span,
                format!(
                    "the initial value of `{name}` depends on `{varying}`, which varies per list"
                ),
                "write an initial value that all items share, or remove `var...`",
            ));
        }
    }
}

/// A name in an expression whose value is inferred, directly or not, from the shape of an array.
fn inferred_from_shapes<'a>(
    arguments: &PerArgument<Argument>,
    roles: &PerArgument<Role>,
    positions: &Positions<'_>,
    expr: &'a Expr,
) -> Option<&'a str> {
    expr.names().into_iter().map(|(name, _)| name).find(|name| {
        positions.find(name).is_some_and(|index| {
            let argument = &arguments[index];
            let is_array = argument.is_array();
            let default = argument.default.as_ref();
            is_array
                || matches!(roles[index], Role::Found(_))
                || default.is_some_and(|value| {
                    inferred_from_shapes(arguments, roles, positions, value).is_some()
                })
        })
    })
}

/// True for each scalar that a dimension or the initial value of an array needs, directly or not.
fn shared(arguments: &PerArgument<Argument>, positions: &Positions<'_>) -> PerArgument<bool> {
    let mut shared: PerArgument<bool> = vec![false; arguments.len()].into();
    let mut waiting: Vec<&str> = Vec::new();
    for argument in arguments {
        if let Some(shape) = argument.shape() {
            waiting.extend(shape.iter().flat_map(|dimension| dimension.names()).map(|(n, _)| n));
            waiting.extend(uses(argument));
        }
    }
    while let Some(name) = waiting.pop() {
        if let Some(index) = positions.find(name)
            && !std::mem::replace(&mut shared[index], true)
        {
            waiting.extend(uses(&arguments[index]));
        }
    }
    shared
}

/// The names in an argument's default.
fn uses(argument: &Argument) -> impl Iterator<Item = &str> {
    argument.default.iter().flat_map(|default| default.names()).map(|(name, _)| name)
}

/// Warns about `ellipses` if the target language has no batched calls. One warning for all functions: the
/// interface is correct, and other hosts support it.
pub(crate) fn warn_of_one(functions: &[Function], host: &Capabilities) -> Option<Diagnostic> {
    let mapping: Vec<_> = functions.iter().filter(|f| f.ellipses.maps()).map(|f| &f.name).collect();
    let first = mapping.first().filter(|_| !host.maps)?;
    let others = match mapping.len() - 1 {
        0 => "is".to_owned(),
        1 => "and another function are".to_owned(),
        more => format!("and {more} other functions are"),
    };
    Some(Diagnostic::warning(
        Code::UNSUPPORTED,
        first.span,
        format!("`{}` {others} batched, but {} has no batched calls", first.value, host.host),
        "loop over the items in the caller; modules for other languages still accept batches",
    ))
}
