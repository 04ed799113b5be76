//! Classes: derived types whose objects stay in Fortran.
//!
//! Purpose: find the class of a variable, the classes that it extends, and the procedures of its bindings.
//! Invariant: a derived type is a struct or a class, or no interface has it.
//! Reason: arguments, shims and the draft need these of a source, and only the reader of its statements changes it.

use super::derived::{Binding, Bound, Derived};
use super::kinds::Type;
use super::source::{Procedure, Source, Variable};

impl Source {
    /// Divides the derived types into structs and classes. A name that two modules have is neither.
    pub(super) fn divide_types(&mut self) {
        let all = std::mem::take(&mut self.types);
        let is_unique = |name: &str| all.iter().filter(|one| one.name == name).count() == 1;
        for mut derived in all.clone() {
            derived.problem = derived.problem.take().or_else(|| derived.refusal());
            if derived.problem.is_none() {
                self.types.push(derived);
            } else if derived.is_public == Some(true) && is_unique(&derived.name) {
                self.classes.push(derived);
            }
        }
    }

    /// The name of a derived type that is not a struct.
    pub(super) fn object_type<'t>(&self, base: &'t Type) -> Option<&'t str> {
        let Type::Derived(name) = base else { return None };
        self.types.iter().all(|one| one.name != *name).then_some(name)
    }

    /// The class of this name.
    pub(super) fn class(&self, name: &str) -> Option<&Derived> {
        self.classes.iter().find(|one| one.name == name)
    }

    /// True for a variable whose type is a class.
    pub(super) fn is_object(&self, variable: &Variable) -> bool {
        matches!(&variable.base, Some(Type::Derived(name)) if self.class(name).is_some())
    }

    /// The class that this one extends.
    pub(super) fn base(&self, class: &Derived) -> Option<&Derived> {
        self.class(class.base.as_deref()?)
    }

    /// The first of the classes that this one extends, or itself.
    pub(super) fn root<'s>(&'s self, class: &'s Derived) -> &'s Derived {
        // A type extends those before it, so this ends.
        self.base(class).map_or(class, |base| self.root(base))
    }

    /// The procedure that a binding of a class calls.
    pub(super) fn bound<'s>(
        &'s self,
        class: &Derived,
        binding: &'s Binding,
    ) -> Option<&'s Procedure> {
        match &binding.to {
            Bound::Procedure(name, _) => {
                self.procedures.iter().find(|one| one.name == *name && one.file == class.file)
            }
            Bound::Deferred(interface, _) => self.interfaces.get(interface),
            Bound::Generic(_) | Bound::Final => None,
        }
    }

    /// The bindings call this procedure, so that it is not for other callers.
    pub(super) fn is_bound(&self, procedure: &Procedure) -> bool {
        let classes = self.classes.iter().filter(|class| class.file == procedure.file);
        classes.flat_map(|class| &class.bindings).any(|binding| match &binding.to {
            Bound::Procedure(name, _) => *name == procedure.name,
            Bound::Final => binding.name == procedure.name,
            Bound::Deferred(..) | Bound::Generic(_) => false,
        })
    }
}
