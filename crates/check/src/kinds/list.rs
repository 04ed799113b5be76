//! Arrays of pointers, to strings or to objects: those of a caller, and those that C passes to callbacks.

use super::{ArgumentKind, Mistakes, PointeeKind};
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Feature, Listed, Properties, Returned};
use fishplate_model::{
    Argument, CType, Code, Diagnostic, Expr, Intent, Passing, Pointee, PointerList, Span, Spanned,
};

/// `char *argv[n]`, `geom *parts[n]`
pub(super) struct List;

/// The properties of an array of pointers.
pub(crate) fn properties(list: &crate::List) -> Properties<'_> {
    let (class, word, how) = match &list.of {
        Listed::Strings => (None, "text", "{}: strings, in place, without an embedded NUL"),
        Listed::Objects(class) => {
            (Some(class), class.name.as_str(), "{}: their pointers, good until the call is over")
        }
    };
    Properties {
        shape: list.length.as_ref().map(std::slice::from_ref),
        word: Some(word),
        class,
        has_const_pointers: Some(list.is_const),
        lengths: list.lengths,
        is_converted: class.is_none(),
        is_released: true,
        has_wide_table: class.is_some(),
        feature: Some(Feature::PointerArrays),
        acquired: Some(("borrow", how)),
        ..Properties::default()
    }
}

/// The pointees of an array of pointers; `None` if their type was refused.
fn pointees(ctype: &CType, classes: Classes<'_>) -> Option<Listed> {
    Some(match ctype.handle() {
        Some(_) => Listed::Objects(classes.class_of(ctype)?),
        None => Listed::Strings,
    })
}

impl PointeeKind for List {
    fn returned(
        &self,
        ctype: &CType,
        holds: &Pointee,
        classes: Classes<'_>,
    ) -> Option<Crossing<Returned>> {
        let PointerList { length, is_const, .. } = holds.list()?;
        let of = pointees(ctype, classes)?;
        let (length, is_const) = (length.clone(), *is_const);
        Some(Crossing::List(crate::List { of, length, is_const, lengths: None, free: None }))
    }
}

impl ArgumentKind for List {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let Passing::List { length, is_const, lengths } = &argument.passing else { return None };
        let of = pointees(&argument.ctype, scope.classes)?;
        let (length, is_const) = (Some(length.clone()), *is_const);
        let find =
            |name: &Spanned<String>| scope.arguments.position(|one| one.name.value == name.value);
        let lengths = lengths.as_ref().and_then(find);
        Some(Crossing::List(crate::List { of, length, is_const, lengths, free: None }))
    }

    fn may_be_retained(&self, argument: &Argument, _: Intent) -> Result<(), &'static str> {
        match argument.ctype.handle() {
            Some(_) => Err("is an array of objects"),
            None => Ok(()),
        }
    }

    fn fixed_intent(&self) -> Option<Intent> {
        Some(Intent::In)
    }

    /// C may change objects in any case; strings belong to the target language.
    fn check(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        if argument.intent.is_none() && !argument.is_const && argument.ctype.handle().is_none() {
            diagnostics.push(super::no_intent("array of strings", argument));
        }
        if let Some(intent) = argument.intent.as_ref().filter(|one| one.value != Intent::In) {
            let name = &argument.name.value;
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                intent.span,
                format!("`{name}` is an array of pointers, which C can only read"),
                format!("remove `{}`: C receives the pointers, and no caller sees what it does with them", intent.value.name()),
            ));
        }
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!(
                "`{}` is an array of pointers, which cannot have a default",
                argument.name.value
            ),
            "`nullable` passes NULL when it is left out",
        ));
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("accept the array of pointers `{}`", argument.name.value)))
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some((
            format!("`{name}` is an array of pointers, not a number"),
            format!("for its length write `len({name})`"),
        ))
    }

    fn has_length(&self) -> bool {
        true
    }

    fn is_address(&self) -> bool {
        true
    }

    fn may_be_null(&self, _: &Argument) -> bool {
        true
    }

    fn refuse_from_c(&self, argument: &Argument, _: Intent) -> Option<&'static str> {
        let is_identifier = argument.ctype.invalid_identifier().is_some();
        is_identifier.then_some("declare an array of integers, by the C type of the handle")
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes an array of pointers")
    }
}
