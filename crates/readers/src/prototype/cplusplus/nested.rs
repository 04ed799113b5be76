//! Containers of C++ that become nested values.
//!
//! Purpose: the type of a nested value for a sequence, tuple, map, optional value, variant or object of C++.
//! Invariant: a type with anything else in it has none.
//! Reason: such a type has the same rule wherever it occurs: as an argument, a result, a part of a pair, a field.

use super::Scope;
use super::declaration::{Declaration, Reference};
use super::parameters::ValueType;
use crate::prototype::parser::joined;
use crate::prototype::types::NESTED;
use fishplate_model::{ContainedClass, Nested, Type, Use};

/// The function of the runtime that releases a tree of nodes.
const FREE: &str = "fp_free_nested";

/// The word for a nested value in the prototype of an adapter.
pub(super) fn word(nested: &Nested) -> String {
    format!("{NESTED}{}", nested.signature())
}

/// The declaration of such a result: `own(f) fp_nested_ls *`.
pub(super) fn owned(nested: &Nested) -> String {
    format!("own({FREE}) {} *", word(nested))
}

/// The declaration of an argument that a callback sets to such a value.
pub(super) fn set(nested: &Nested, name: &str) -> String {
    format!("out {} *{name}", word(nested))
}

impl Scope<'_> {
    /// The nested value that a callback receives in place of this type; it owns the objects in it.
    pub(super) fn passed(&self, one: &Declaration<'_, '_>) -> Option<Nested> {
        let nested = self.nested(one)?;
        let is_taken = nested.has_use(Use::Taken);
        (!is_taken || one.reference == Reference::None).then_some(nested)
    }

    /// The nested value that a callback returns for this type, which is not a view; C++ uses pointers in it so.
    pub(super) fn received(
        &self,
        one: &Declaration<'_, '_>,
        pointers: Option<Use>,
    ) -> Option<Nested> {
        let is_view = ["std::string_view", "std::span"].iter().any(|view| one.value.contains(view));
        let nested = self.nested_value(one, pointers).filter(|_| !is_view)?;
        self.taken_shared(one).is_none().then_some(nested)
    }

    /// The nested value that this type becomes, as a result.
    pub(super) fn nested(&self, one: &Declaration<'_, '_>) -> Option<Nested> {
        self.nested_value(one, None)
    }

    /// The same, also of a container of pointers to objects, which C++ uses so.
    pub(super) fn nested_value(
        &self,
        one: &Declaration<'_, '_>,
        pointers: Option<Use>,
    ) -> Option<Nested> {
        match self.value_type(one) {
            ValueType::Object(class) if one.stars == 0 => {
                return self.object(Use::Passed, &class);
            }
            ValueType::Object(class) if one.stars == 1 => return self.object(pointers?, &class),
            _ if one.stars > 0 => return None,
            ValueType::String => return Some(Nested::String),
            ValueType::Number(words) => return self.number(&words),
            ValueType::Object(_) | ValueType::Other => {}
        }
        let mut parts = Vec::new();
        for part in &one.arguments {
            parts.push(Declaration::read(part, false));
        }
        let part = |at: usize| self.nested_value(parts.get(at)?.as_ref()?, pointers);
        let all = || (0..parts.len()).map(part).collect::<Option<Vec<_>>>();
        Some(match (one.base().as_str(), parts.len()) {
            ("std::monostate", 0) => Nested::Nothing,
            ("std::vector" | "std::span", 1) => sequence(part(0)?),
            // A count that is a constant of the header is checked by C++ alone.
            ("std::array", 2) => match joined(one.arguments[1]).parse() {
                Ok(count) => Nested::Sized(count, Box::new(sequence(part(0)?))),
                Err(_) => sequence(part(0)?),
            },
            ("std::list" | "std::deque", 1) => Nested::List(Box::new(part(0)?)),
            (
                "std::set" | "std::unordered_set" | "std::multiset" | "std::unordered_multiset",
                1,
            ) => Nested::Set(Box::new(part(0)?)),
            // A key may have several values.
            ("std::multimap" | "std::unordered_multimap", 2) => {
                Nested::List(Box::new(Nested::Tuple(all()?)))
            }
            ("std::shared_ptr" | "std::unique_ptr", 1) => {
                self.pointed(&one.base(), parts[0].as_ref()?)?
            }
            ("std::pair", 2) | ("std::tuple", _) => Nested::Tuple(all()?),
            ("std::map" | "std::unordered_map", 2) => {
                let key = part(0)?;
                let is_key = match &key {
                    Nested::String => true,
                    Nested::Number(scalar) => scalar.is_integer(),
                    Nested::Enum(_) => true,
                    _ => false,
                };
                is_key.then_some(Nested::Map(Box::new(key), Box::new(part(1)?)))?
            }
            ("std::optional", 1) => match part(0)? {
                // An empty pointer and no pointer are the same.
                Nested::Optional(of) if matches!(*of, Nested::Object(..)) => Nested::Optional(of),
                Nested::Optional(_) => return None,
                of => Nested::Optional(Box::new(of)),
            },
            ("std::variant", 1..) => variant(all()?)?,
            _ => return None,
        })
    }

    /// An object that C++ uses so.
    pub(super) fn object(&self, used: Use, class: &str) -> Option<Nested> {
        self.types.handle_of(class).map(|name| Nested::Object(used, name.to_owned()))
    }

    /// An object of a smart pointer, or none.
    fn pointed(&self, pointer: &str, of: &Declaration<'_, '_>) -> Option<Nested> {
        let ValueType::Object(class) = self.value_type(of) else { return None };
        let used = match pointer {
            "std::unique_ptr" => Use::Taken,
            _ if self.types.is_counted(&class) => Use::Passed,
            _ => return None,
        };
        let object = self.object(used, &class).filter(|_| of.stars == 0)?;
        Some(Nested::Optional(Box::new(object)))
    }

    /// The class of shared objects that C++ would take over with such a value.
    pub(super) fn taken_shared(&self, one: &Declaration<'_, '_>) -> Option<String> {
        let mut parts = one.arguments.iter().filter_map(|part| Declaration::read(part, false));
        parts.find_map(|part| match self.value_type(&part) {
            ValueType::Object(class) if one.base() == "std::unique_ptr" => {
                Some(class).filter(|class| self.types.is_counted(class))
            }
            _ => self.taken_shared(&part),
        })
    }

    /// Adds the classes of the objects that are in such a container.
    pub(super) fn add_contained(&self, one: &Declaration<'_, '_>, all: &mut Vec<ContainedClass>) {
        for part in one.arguments.iter().filter_map(|part| Declaration::read(part, false)) {
            let is_pointed = matches!(one.base().as_str(), "std::shared_ptr" | "std::unique_ptr");
            self.add_value(&part, !is_pointed, all);
        }
    }

    /// The same of a value that may be an object itself.
    pub(super) fn add_value(
        &self,
        one: &Declaration<'_, '_>,
        may_copy: bool,
        all: &mut Vec<ContainedClass>,
    ) {
        if let ValueType::Object(name) = self.value_type(one)
            && !all.iter().any(|known| known.name == name)
        {
            let is_counted = self.types.is_counted(&name);
            all.push(ContainedClass { name, is_counted, is_value: may_copy && one.stars == 0 });
        }
        self.add_contained(one, all);
    }

    /// A number, a member of an enum, or a struct.
    fn number(&self, words: &str) -> Option<Nested> {
        let words: Vec<&str> = words.split(' ').collect();
        match self.types.class(&words) {
            Some(Type::Enum(name)) => Some(Nested::Enum(name.clone())),
            Some(Type::Struct(name)) => Some(Nested::Struct(name.clone())),
            Some(_) => None,
            None => self.types.find(&words).map(Nested::Number),
        }
    }
}

fn sequence(of: Nested) -> Nested {
    match of {
        Nested::Number(scalar) => Nested::Array(scalar),
        other => Nested::List(Box::new(other)),
    }
}

/// A value of one of these types; or none, if one of them is a pointer, which may be empty.
fn variant(parts: Vec<Nested>) -> Option<Nested> {
    let mut has_pointers = false;
    let mut all = Vec::new();
    for part in parts {
        all.push(match part {
            Nested::Variant(_) => return None,
            Nested::Optional(of) if matches!(*of, Nested::Object(..)) => {
                has_pointers = true;
                *of
            }
            Nested::Optional(_) => return None,
            other => other,
        });
    }
    let all = Nested::Variant(all);
    Some(if has_pointers { Nested::Optional(Box::new(all)) } else { all })
}
