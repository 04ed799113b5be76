//! Where each argument's value comes from.

use fishplate_model::{Argument, Intent, Overload, Passing, Scalar};

/// A dimension of an array argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the array argument.
    pub array: usize,
    /// Which dimension.
    pub axis: usize,
}

/// Where an argument's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The host must give it.
    Required,
    /// The host may give it; without, the default or NULL is taken.
    Optional,
    /// The shapes of input arrays tell it: the first place gives it, the others must agree. A place
    /// in an array that is NULL tells nothing.
    Found(Vec<Place>),
    /// We make or compute it: hidden values and outputs.
    Made,
}

/// The role of each argument.
pub(crate) fn assign(overload: &Overload, intents: &[Intent]) -> Vec<Role> {
    let arguments = &overload.arguments;
    (0..arguments.len())
        .map(|index| {
            let argument = &arguments[index];
            let places = found_places(arguments, intents, index);
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

/// The dimensions of input arrays that are just this argument's name; none when the argument is no
/// plain integer that shapes may tell.
fn found_places(arguments: &[Argument], intents: &[Intent], index: usize) -> Vec<Place> {
    let argument = &arguments[index];
    let is_value = match argument.passing {
        Passing::Value => true,
        // Fortran passes its dimensions behind pointers.
        Passing::Pointer => !argument.nullable,
        Passing::Array { .. }
        | Passing::Text
        | Passing::Handed(_)
        | Passing::List { .. }
        | Passing::Callback(_)
        | Passing::Data => false,
    };
    let may_be_found = is_value
        && matches!(intents[index], Intent::In | Intent::Hidden)
        && argument.default.is_none()
        && argument.ctype.number().is_some_and(Scalar::is_integer);
    if !may_be_found {
        return Vec::new();
    }
    let mut places = Vec::new();
    for (array, other) in arguments.iter().enumerate() {
        let Passing::Array { shape, .. } = &other.passing else { continue };
        // An array with a default needs its dimensions from elsewhere when it is left out.
        if !intents[array].is_input() || other.default.is_some() {
            continue;
        }
        for (axis, dimension) in shape.iter().enumerate() {
            if dimension.as_name() == Some(&argument.name.value) {
                places.push(Place { array, axis });
            }
        }
    }
    // What a NULL array cannot tell, one that is always there can.
    places.sort_by_key(|place| arguments[place.array].nullable);
    places
}
