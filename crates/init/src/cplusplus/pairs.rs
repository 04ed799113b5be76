//! Methods that create and destroy objects of another class.
//!
//! Purpose: find `Body *World::CreateBody(const BodyDef *)` and `void World::DestroyBody(Body *)`.
//! Invariant: a method destroys its argument only if its name says so, and a method of its class creates such objects.
//! Reason: both types are pointers, so no header declares that the objects belong to that of the methods.

use super::declarations::{Class, Function, Lifetime, Type, Unit};
use crate::guess::lower_words;

/// Verbs of methods that create an object which belongs to that of the method.
const CREATES: &[&str] = &["create", "new", "make", "add", "insert", "append", "emplace"];
/// Verbs of methods that destroy it.
const DESTROYS: &[&str] = &["destroy", "delete", "free", "dispose"];
/// Verbs that mean this if the other words are those of a method that creates one.
const REMOVES: &[&str] = &["remove", "erase", "release"];

/// Marks the methods, and the classes whose objects only they destroy.
pub(super) fn mark(unit: &mut Unit) {
    let classes = unit.classes.clone();
    let mut owned: Vec<&str> = Vec::new();
    for (class, marked) in classes.iter().zip(&mut unit.classes) {
        for (made, maker) in class.methods.iter().enumerate() {
            for (destroyed, destroyer) in class.methods.iter().enumerate() {
                if let Some(of) = destroyed_class(maker, destroyer, &classes) {
                    owned.push(of);
                    marked.methods[made].lifetime = Lifetime::Created;
                    marked.methods[destroyed].lifetime = Lifetime::Destroyed;
                }
            }
        }
    }
    // A derived class with constructors has objects of the caller: a document that is a node.
    for class in &mut unit.classes {
        let is_owned = |of: &&str| {
            class.name == **of || (class.constructors.is_empty() && is_a(&class.name, of, &classes))
        };
        class.is_destructible &= !owned.iter().any(is_owned);
        for method in class.methods.iter_mut().filter(|one| !one.is_static) {
            let part = pointee(&method.result).and_then(|to| class_name(to.unqualified()));
            let is_part = part.is_some_and(|part| owned.iter().any(|of| is_a(part, of, &classes)));
            if is_part && method.lifetime == Lifetime::Unknown {
                method.lifetime = Lifetime::Lent;
            }
        }
    }
}

/// The class of the objects that one method creates and the other one destroys.
fn destroyed_class<'d>(
    maker: &Function,
    destroyer: &'d Function,
    classes: &[Class],
) -> Option<&'d str> {
    let [parameter] = destroyer.parameters.as_slice() else { return None };
    let (made, of) = (object(&maker.result)?, object(&parameter.ctype)?);
    let (creates, destroys) = (lower_words(&maker.name), lower_words(&destroyer.name));
    let (verb, rest) = destroys.split_first()?;
    let (first, others) = creates.split_first()?;
    let is = |verb: &String, verbs: &[&str]| verbs.contains(&verb.as_str());
    let is_pair = rest == others && (is(verb, DESTROYS) || is(verb, REMOVES));
    let cannot_delete = |class: &Class| class.name == of && !class.is_destructible;
    let is_only_way = is(verb, DESTROYS) && classes.iter().any(cannot_delete);
    let fits = destroyer.result == Type::Void && is(first, CREATES) && is_a(made, of, classes);
    (fits && (is_pair || is_only_way)).then_some(of)
}

/// The class of an object at which a pointer that is not `const` points.
fn object(ctype: &Type) -> Option<&str> {
    class_name(pointee(ctype)?)
}

/// The type at which a pointer points, which may be `const`.
fn pointee(ctype: &Type) -> Option<&Type> {
    match ctype.unqualified() {
        Type::Pointer(to) => Some(to),
        _ => None,
    }
}

fn class_name(ctype: &Type) -> Option<&str> {
    match ctype {
        Type::Class(name) => Some(name),
        _ => None,
    }
}

/// The class is the other one, or derived from it.
fn is_a(class: &str, base: &str, classes: &[Class]) -> bool {
    class == base
        || classes
            .iter()
            .filter(|one| one.name == class)
            .any(|one| one.bases.iter().any(|of| of != class && is_a(of, base, classes)))
}
