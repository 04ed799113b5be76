//! The role of each argument: the source of its value.

use crate::kinds::kind;
use fishplate_model::{Argument, Intent, Overload, PerArgument, Scalar, VariableId};
use std::collections::HashMap;

/// A dimension of an array argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the array argument.
    pub array: VariableId,
    /// Which dimension.
    pub axis: usize,
}

/// The source of an argument's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The caller must pass it.
    Required,
    /// The caller may pass it; otherwise it is the default or NULL.
    Optional,
    /// Inferred from the shapes of input arrays: the first place determines it, the others must
    /// agree. An array that is NULL is ignored.
    Found(Vec<Place>),
    /// Allocated or computed by generated code: hidden values and outputs.
    Made,
}

/// The role of each argument.
///
/// Those in `passed` are not inferred.
pub(crate) fn assign(
    overload: &Overload,
    intents: &PerArgument<Intent>,
    passed: &[&str],
) -> PerArgument<Role> {
    let arguments = &overload.arguments;
    let mut named = named_dimensions(arguments, intents);
    arguments
        .keys()
        .map(|index| {
            let argument = &arguments[index];
            let places = named
                .remove(argument.name.value.as_str())
                .filter(|_| may_be_found(argument, intents[index]))
                .filter(|_| !passed.contains(&argument.name.value.as_str()))
                .unwrap_or_default();
            if !places.is_empty() {
                Role::Found(places)
            } else if !intents[index].is_input() {
                Role::Made
            } else if argument.nullable || argument.default.is_some() {
                Role::Optional
            } else {
                Role::Required
            }
        })
        .collect()
}

/// A plain integer, which the shapes of arrays may determine.
fn may_be_found(argument: &Argument, intent: Intent) -> bool {
    kind(argument).may_be_found(argument)
        && matches!(intent, Intent::In | Intent::Hidden)
        && argument.default.is_none()
        && argument.ctype.number().is_some_and(Scalar::is_integer)
}

/// The dimensions of input arrays that are plain names, by name.
fn named_dimensions<'a>(
    arguments: &'a PerArgument<Argument>,
    intents: &PerArgument<Intent>,
) -> HashMap<&'a str, Vec<Place>> {
    let mut named: HashMap<&str, Vec<Place>> = HashMap::new();
    for (array, argument) in arguments.iter_enumerated() {
        let Some(shape) = argument.sizes() else { continue };
        // The dimensions of an array with a default cannot be inferred from it when it is omitted.
        if !intents[array].is_input() || argument.default.is_some() {
            continue;
        }
        for (axis, dimension) in shape.iter().enumerate() {
            if let Some(name) = dimension.as_name() {
                named.entry(name).or_default().push(Place { array, axis });
            }
        }
    }
    // A dimension that cannot be inferred from a NULL array can be from one that is always present.
    for places in named.values_mut() {
        places.sort_by_key(|place| arguments[place.array].nullable);
    }
    named
}
