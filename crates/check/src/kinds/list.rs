//! Arrays of pointers, to strings or to objects, that C passes to callbacks.

use super::ArgumentKind;
use crate::resolve::Scope;
use crate::{Crossing, FromC, Listed};
use fishplate_model::{Argument, Intent};

/// `char *argv[n]`
pub(super) struct List;

impl ArgumentKind for List {
    fn cross_to_c(&self, _: &Argument, _: Scope<'_>) -> Option<Crossing> {
        None
    }

    fn cross_from_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing<FromC>> {
        let of = match argument.ctype.handle() {
            Some(_) => Listed::Objects(scope.classes.class_of(&argument.ctype)?),
            None => Listed::Strings,
        };
        let length = argument.sizes()?.first()?.clone();
        Some(Crossing::List(crate::List { of, length }))
    }

    fn fixed_intent(&self) -> Option<Intent> {
        Some(Intent::In)
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some(super::callback::refuse_any_value(name))
    }

    fn is_address(&self) -> bool {
        true
    }

    fn refuse_from_c(&self, _: &Argument, _: Intent) -> Option<&'static str> {
        None
    }
}
