//! The items of classes that are iterated.
//!
//! Purpose: find the type of `*begin()`.
//! Invariant: only types that `items` of an interface may have.
//! Reason: a method that returns an iterator of C++ cannot be wrapped, an iteration can.

use super::declarations::{Class, Function, Type};

/// Iterators of standard libraries whose first argument is a pointer to an item.
const BY_POINTER: &[&str] = &["__normal_iterator", "__wrap_iter"];

/// Others, whose first argument is an item that they let change.
const BY_ITEM: &[&str] = &["_List_iterator"];

/// Others, whose items are `const`.
const BY_CONST_ITEM: &[&str] =
    &["_List_const_iterator", "_Rb_tree_const_iterator", "_Node_const_iterator"];

/// The type of the items of a class with `begin()` and `end()`: that of an object that may change.
pub(super) fn items(class: &Class, classes: &[Class]) -> Option<Type> {
    let named = |name: &str| {
        let mut found = class.methods.iter().filter(|one| one.name == name && is_alone(one));
        let first = found.next()?;
        Some(if first.is_const { found.next().unwrap_or(first) } else { first })
    };
    named("end")?;
    let item = dereferenced(&named("begin")?.result, classes)?;
    is_item(&item).then_some(item)
}

/// A method that iterates: `begin()`, `end()`.
pub(super) fn iterates(method: &Function) -> bool {
    matches!(method.name.as_str(), "begin" | "end") && is_alone(method)
}

fn is_alone(method: &Function) -> bool {
    method.parameters.is_empty() && method.is_method
}

/// The type of what an iterator leads to.
fn dereferenced(iterator: &Type, classes: &[Class]) -> Option<Type> {
    let reference = |to: &Type| Type::Reference(Box::new(to.clone()));
    match iterator.unqualified() {
        Type::Pointer(to) => Some(reference(to)),
        Type::Template(name, arguments) => {
            let name = name.rsplit("::").next().unwrap_or(name);
            match (arguments.first()?, arguments.get(1)) {
                (Type::Pointer(to), _) if BY_POINTER.contains(&name) => Some(reference(to)),
                (_, Some(item)) if name == "_Deque_iterator" => Some(item.clone()),
                (item, _) if BY_ITEM.contains(&name) => Some(reference(item)),
                (item, _) if BY_CONST_ITEM.contains(&name) => {
                    Some(reference(&Type::Const(Box::new(item.clone()))))
                }
                _ => None,
            }
        }
        Type::Class(name) => {
            let iterator = classes.iter().find(|one| one.name == *name)?;
            let read = iterator.methods.iter().find(|one| one.name == "operator*" && is_alone(one));
            Some(read?.result.clone())
        }
        _ => None,
    }
}

/// Numbers, strings, objects, pointers and shared pointers to them.
fn is_item(item: &Type) -> bool {
    let value = match item.unqualified() {
        Type::Reference(to) => to.unqualified(),
        other => other,
    };
    match value {
        Type::Number(_) | Type::Enum(_) | Type::Class(_) => true,
        Type::Pointer(to) => matches!(to.unqualified(), Type::Class(_)),
        Type::Template(name, arguments) => {
            let inner = arguments.first().map(Type::unqualified);
            match name.as_str() {
                "std::complex" => true,
                "std::shared_ptr" => matches!(inner, Some(Type::Class(_))),
                _ => false,
            }
        }
        _ => false,
    }
}
