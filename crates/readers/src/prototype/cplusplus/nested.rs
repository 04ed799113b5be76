//! Containers of C++ that become nested values.
//!
//! Purpose: the type of a nested value for a sequence, tuple, map, optional value, variant or object of C++.
//! Invariant: a type with anything else in it has none.
//! Reason: such a type has the same rule wherever it occurs: as an argument, a result, a part of a pair, a field.

use super::Scope;
use super::declaration::Declaration;
use super::parameters::ValueType;
use crate::prototype::types::NESTED;
use fishplate_model::{ContainedClass, Nested, Scalar};

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

impl Scope<'_> {
    /// The nested value that this type becomes.
    pub(super) fn nested(&self, one: &Declaration<'_, '_>) -> Option<Nested> {
        if one.stars > 0 {
            return None;
        }
        match self.value_type(one) {
            ValueType::String => return Some(Nested::String),
            ValueType::Number(words) => return Some(Nested::Number(self.scalar(&words)?)),
            ValueType::Object(class) => {
                return self.types.handle_of(&class).map(|name| Nested::Object(name.to_owned()));
            }
            ValueType::Other => {}
        }
        let mut parts = Vec::new();
        for part in &one.arguments {
            parts.push(Declaration::read(part, false));
        }
        let part = |at: usize| self.nested(parts.get(at)?.as_ref()?);
        let all = || (0..parts.len()).map(part).collect::<Option<Vec<_>>>();
        Some(match (one.base().as_str(), parts.len()) {
            ("std::monostate", 0) => Nested::Nothing,
            ("std::vector" | "std::span", 1) | ("std::array", 2) => match part(0)? {
                Nested::Number(scalar) => Nested::Array(scalar),
                other => Nested::List(Box::new(other)),
            },
            ("std::list" | "std::deque" | "std::set" | "std::unordered_set", 1) => {
                Nested::List(Box::new(part(0)?))
            }
            ("std::shared_ptr" | "std::unique_ptr", 1) => {
                self.pointed(&one.base(), &part(0)?, &parts)?
            }
            ("std::pair", 2) | ("std::tuple", _) => Nested::Tuple(all()?),
            ("std::map" | "std::unordered_map", 2) => {
                let key = part(0)?;
                let is_key = match &key {
                    Nested::String => true,
                    Nested::Number(scalar) => scalar.is_integer(),
                    _ => false,
                };
                is_key.then_some(Nested::Map(Box::new(key), Box::new(part(1)?)))?
            }
            ("std::optional", 1) => match part(0)? {
                Nested::Optional(_) => return None,
                of => Nested::Optional(Box::new(of)),
            },
            ("std::variant", 1..) => {
                let all = all()?;
                let is_one =
                    |part: &Nested| !matches!(part, Nested::Variant(_) | Nested::Optional(_));
                all.iter().all(is_one).then_some(Nested::Variant(all))?
            }
            _ => return None,
        })
    }

    /// An object of a smart pointer.
    fn pointed(
        &self,
        pointer: &str,
        of: &Nested,
        parts: &[Option<Declaration<'_, '_>>],
    ) -> Option<Nested> {
        let class = parts.first()?.as_ref()?.base();
        let is_owner = pointer == "std::unique_ptr" || self.types.is_counted(&class);
        (is_owner && matches!(of, Nested::Object(_))).then(|| of.clone())
    }

    /// Adds the classes of the objects that are in such a container.
    pub(super) fn add_contained(&self, one: &Declaration<'_, '_>, all: &mut Vec<ContainedClass>) {
        for part in one.arguments.iter().filter_map(|part| Declaration::read(part, false)) {
            if let ValueType::Object(name) = self.value_type(&part)
                && !all.iter().any(|known| known.name == name)
            {
                let is_counted = self.types.is_counted(&name);
                all.push(ContainedClass { name, is_counted });
            }
            self.add_contained(&part, all);
        }
    }

    fn scalar(&self, words: &str) -> Option<Scalar> {
        self.types.find(&words.split(' ').collect::<Vec<_>>())
    }
}
