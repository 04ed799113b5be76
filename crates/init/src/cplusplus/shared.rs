//! Classes whose objects `std::shared_ptr`s own.
//!
//! Purpose: write such a class as `std::shared_ptr<lib::Node>`.
//! Invariant: classes that are related to such a class are such classes, too.
//! Reason: an object is accepted where one of its base is, and has one way to be released.

use super::declarations::{Class, Type, Unit};
use std::collections::BTreeSet;

/// The type of a class's handle.
pub(super) fn ctype(class: &Class, unit: &Unit) -> String {
    match is_shared(class, unit) {
        true => format!("std::shared_ptr<{}>", class.name),
        false => format!("{} *", class.name),
    }
}

/// Some declaration has a `std::shared_ptr` of the class, or of a related one.
pub(super) fn is_shared(class: &Class, unit: &Unit) -> bool {
    let mut shared = BTreeSet::new();
    let methods = unit.classes.iter().flat_map(|one| one.methods.iter().chain(&one.constructors));
    for function in unit.functions.iter().chain(methods) {
        add_shared(&function.result, &mut shared);
        function.parameters.iter().for_each(|one| add_shared(&one.ctype, &mut shared));
    }
    let fields = unit.classes.iter().flat_map(|one| &one.fields);
    fields.for_each(|one| add_shared(&one.ctype, &mut shared));
    for _ in &unit.classes {
        for one in &unit.classes {
            if shared.contains(&one.name) {
                shared.extend(one.bases.iter().cloned());
            } else if one.bases.iter().any(|base| shared.contains(base)) {
                shared.insert(one.name.clone());
            }
        }
    }
    shared.contains(&class.name)
}

fn add_shared(ctype: &Type, shared: &mut BTreeSet<String>) {
    match ctype {
        Type::Template(name, arguments) => {
            if let ("std::shared_ptr", [of]) = (name.as_str(), arguments.as_slice())
                && let Type::Class(class) = of.unqualified()
            {
                shared.insert(class.clone());
            }
            arguments.iter().for_each(|one| add_shared(one, shared));
        }
        Type::Function(result, parameters) => {
            add_shared(result, shared);
            parameters.iter().for_each(|one| add_shared(one, shared));
        }
        Type::Pointer(of)
        | Type::Reference(of)
        | Type::Moved(of)
        | Type::Const(of)
        | Type::Array(of, _) => add_shared(of, shared),
        Type::Void
        | Type::Number(_)
        | Type::Enum(_)
        | Type::Class(_)
        | Type::Value(_)
        | Type::Other(_) => {}
    }
}
