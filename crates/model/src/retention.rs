//! Retained arguments: those that C uses after the call which passed them.

use crate::Spanned;

/// How long C uses an argument, and which later one takes its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Retention {
    /// How long C uses it.
    pub lifetime: Lifetime,
    /// A later call that succeeds replaces it; otherwise all are retained.
    pub replaces: bool,
    /// If it is replaced: the arguments that key it; it replaces one with equal values.
    pub key: Vec<Spanned<String>>,
}

/// How long C uses an argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Lifetime {
    /// Until the call returns.
    #[default]
    Call,
    /// `keep(x)`, `replace(x)`: as long as this handle exists.
    Handle(Spanned<String>),
    /// `until(f)`: until this function of the target language is called.
    Until(Spanned<String>),
}

impl Retention {
    /// C may use it after the call has returned.
    pub fn outlasts_call(&self) -> bool {
        self.lifetime != Lifetime::Call
    }

    /// The handle that retains it.
    pub fn handle(&self) -> Option<&Spanned<String>> {
        match &self.lifetime {
            Lifetime::Handle(name) => Some(name),
            Lifetime::Call | Lifetime::Until(_) => None,
        }
    }

    /// The names of arguments in it.
    pub fn names_mut(&mut self) -> impl Iterator<Item = &mut Spanned<String>> {
        let handle = match &mut self.lifetime {
            Lifetime::Handle(name) => Some(name),
            Lifetime::Call | Lifetime::Until(_) => None,
        };
        handle.into_iter().chain(&mut self.key)
    }
}
