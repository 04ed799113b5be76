//! Derived types.
//!
//! Purpose: the components of a type, the procedures that are bound to it, and the type that it extends.
//! Invariant: a statement that is not understood leaves out a component or a binding, and no other.
//! Reason: a type of numbers with `bind(c)` is a struct; any other one is a class, whose objects stay in Fortran.

use super::declaration::declare;
use super::kinds::{Kinds, Type};
use super::source::{Implicit, Variable, Variables};
use super::text::Statement;
use crate::f2py::text::{after, brackets, name, split};

/// A derived type.
#[derive(Clone, Debug, Default)]
pub(super) struct Derived {
    pub name: String,
    /// The module that contains it.
    pub module: Option<String>,
    /// The position of its file in the list of files.
    pub file: usize,
    pub comment: String,
    /// The type that it extends.
    pub base: Option<String>,
    pub is_abstract: bool,
    /// It is `bind(c)` or `sequence`: nothing extends it.
    pub is_fixed: bool,
    /// Its module exports it; `None` until the end of the module, if its declaration does not specify that.
    pub is_public: Option<bool>,
    /// Its components, in the order of the memory.
    pub fields: Vec<String>,
    pub variables: Variables,
    pub bindings: Vec<Binding>,
    /// Why it is not a struct.
    pub problem: Option<String>,
    has_private_fields: bool,
    has_private_bindings: bool,
    /// Its components have ended.
    binds: bool,
}

/// A name that is bound to a type.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: String,
    pub is_public: bool,
    pub to: Bound,
}

/// The procedures that a name is bound to.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A procedure, and its argument that is the object.
    Procedure(String, Passed),
    /// The abstract interface of a procedure that derived types have.
    Deferred(String, Passed),
    /// Other bindings, of which the arguments select one.
    Generic(Vec<String>),
    /// A procedure that the end of an object calls.
    Final,
}

/// The argument that is the object of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    First,
    Named(String),
    None,
}

impl Derived {
    /// Reads `type, bind(c) :: point`. `None` for another statement.
    pub(super) fn start(
        statement: &Statement,
        module: Option<String>,
        file: usize,
    ) -> Option<Derived> {
        let rest = after(&statement.text, "type")?.trim_start();
        let (attributes, own) = match rest.split_once("::") {
            Some((attributes, own)) if rest.starts_with(',') || rest.starts_with("::") => {
                (attributes, own)
            }
            None if !rest.starts_with(['(', '=', '%']) => ("", rest),
            _ => return None,
        };
        let (own, behind) = name(own)?;
        if !behind.trim().is_empty() || own == "is" {
            return None;
        }
        let attributes = split(attributes, ',');
        let has = |word: &str| attributes.iter().any(|one| after(one, word).is_some());
        let base = attributes.iter().find_map(|one| brackets(after(one, "extends")?));
        let access = [(has("public"), true), (has("private"), false)];
        Some(Derived {
            name: own.to_owned(),
            module,
            file,
            comment: statement.comment.clone(),
            base: base.map(|(base, _)| base.to_owned()),
            is_abstract: has("abstract"),
            is_fixed: has("bind"),
            is_public: access
                .into_iter()
                .find_map(|(is_declared, access)| is_declared.then_some(access)),
            problem: (!has("bind")).then(|| format!("type `{own}` is not bind(c)")),
            ..Derived::default()
        })
    }

    /// Reads a statement between `type` and `end type`.
    pub(super) fn statement(&mut self, text: &str, kinds: &mut Kinds) {
        match text {
            "contains" => self.binds = true,
            "sequence" => self.is_fixed = true,
            "private" if self.binds => self.has_private_bindings = true,
            "private" => self.has_private_fields = true,
            _ if self.binds => self.bind(text),
            _ => self.component(text, kinds),
        }
    }

    fn component(&mut self, text: &str, kinds: &mut Kinds) {
        let before: Vec<String> = self.variables.keys().cloned().collect();
        let mut implicit = Implicit::default();
        if let Some(Err(problem)) = declare(text, &mut self.variables, kinds, &mut implicit) {
            self.problem.get_or_insert(problem);
        }
        // In the order of the statement, which is that of the memory.
        let entities = text.split_once("::").map_or("", |(_, entities)| entities);
        let names = split(entities, ',').into_iter().filter_map(name);
        let new = names.map(|(name, _)| name.to_owned());
        self.fields.extend(new.filter(|name| !before.contains(name)));
    }

    /// Reads `procedure, public :: area => area_of_circle`, `generic :: add => add_one, add_all`, `final :: end`.
    fn bind(&mut self, text: &str) {
        let Some((kind @ ("procedure" | "generic" | "final"), rest)) = name(text) else { return };
        let (interface, rest) = match brackets(rest) {
            Some((interface, rest)) if kind == "procedure" => (Some(interface.trim()), rest),
            _ => (None, rest),
        };
        let (attributes, names) = rest.split_once("::").unwrap_or(("", rest));
        let attributes = split(attributes, ',');
        let has = |word: &str| attributes.iter().any(|one| after(one, word).is_some());
        let is_public = has("public") || !(has("private") || self.has_private_bindings);
        let named = attributes.iter().find_map(|one| brackets(after(one, "pass")?));
        let passed = match named {
            Some((argument, _)) => Passed::Named(argument.to_owned()),
            None if has("nopass") => Passed::None,
            None => Passed::First,
        };
        if kind == "generic" {
            let Some((own, others)) = names.split_once("=>") else { return };
            // `operator(+)` and `assignment(=)` are not called by their names.
            if let Some((own, "")) = name(own.trim()) {
                let others = split(others, ',').into_iter().map(str::to_owned).collect();
                let (name, to) = (own.to_owned(), Bound::Generic(others));
                self.bindings.push(Binding { name, is_public, to });
            }
            return;
        }
        for one in split(names, ',') {
            let (own, other) = one.split_once("=>").unwrap_or((one, one));
            let (own, other) = (own.trim().to_owned(), other.trim().to_owned());
            let to = match (kind, interface) {
                ("final", _) => Bound::Final,
                (_, Some(interface)) => Bound::Deferred(interface.to_owned(), passed.clone()),
                _ => Bound::Procedure(other, passed.clone()),
            };
            self.bindings.push(Binding { name: own, is_public, to });
        }
    }

    /// Why it is not a struct of numbers.
    pub(super) fn refusal(&self) -> Option<String> {
        let is_number = |variable: &Variable| {
            let sizes_are_numbers =
                variable.dimensions.iter().all(|one| one.parse::<u32>().is_ok());
            matches!(variable.base, Some(Type::Number(..)))
                && variable.attribute.is_none()
                && sizes_are_numbers
        };
        let is_known =
            self.fields.iter().all(|name| self.variables.get(name).is_some_and(is_number));
        (!is_known || self.fields.is_empty())
            .then(|| format!("type `{}` has other fields than numbers", self.name))
    }

    /// Its public components that are single numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, &Type)> {
        self.fields.iter().filter_map(|field| {
            let variable = self.variables.get(field)?;
            let is_public = variable.is_public.unwrap_or(!self.has_private_fields);
            let is_single = variable.dimensions.is_empty() && variable.attribute.is_none();
            let base = variable.base.as_ref().filter(|base| matches!(base, Type::Number(..)))?;
            (is_public && is_single && !variable.is_procedure).then_some((field.as_str(), base))
        })
    }

    /// The binding of this name.
    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|one| one.name == name)
    }
}
