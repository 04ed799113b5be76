//! Objects: C receives the pointer by which its library identifies the object.

use super::{ArgumentKind, Mistakes, NOT_PASSED, PointeeKind};
use crate::callbacks::bad;
use crate::called_result::PointerResult;
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Named, Properties, Returned};
use fishplate_model::{
    Argument, CType, ClassId, Code, Diagnostic, Expr, Handle, Intent, Owner, Pointee, declared,
};

/// `gsl_rng *r`, if that is the pointer type of a handle.
pub(super) struct Object;

/// The properties of an object.
pub(crate) fn properties(class: &Named<ClassId>) -> Properties<'_> {
    Properties {
        is_pointer: true,
        class: Some(class),
        is_whole: true,
        is_released: true,
        has_wide_table: true,
        acquired: Some(("borrow", "{}: its pointer, good until the call is over")),
        ..Properties::default()
    }
}

impl ArgumentKind for Object {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::Object(scope.classes.class_of(&argument.ctype)?))
    }

    fn may_be_retained(&self, _: &Argument, intent: Intent) -> Result<(), &'static str> {
        if intent == Intent::Hidden { Err("is hidden, so no caller passes it") } else { Ok(()) }
    }

    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if let Some(handle) = argument.ctype.handle().filter(|_| intent.is_output()) {
            let name = &argument.name.value;
            let is_pointer = argument.ctype.invalid_identifier().is_none();
            let stored = match is_pointer {
                true => {
                    "; where C fills an object that its caller has allocated, write `storage = \"value\"` for the handle"
                }
                false => "",
            };
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` is passed by value, so C cannot return a `{handle}` in it"),
                format!(
                    "drop `out`, or declare it as C does: `out {}`{stored}",
                    address_of_object(&argument.ctype, name)
                ),
            ));
        }
    }

    fn beyond_ragged(&self, argument: &Argument) -> Option<(fishplate_model::Span, String)> {
        let name = &argument.name.value;
        Some((argument.span, format!("accept the object `{name}` with `var...`")))
    }

    /// If the headers define the struct; otherwise the C compiler reports the field.
    fn has_fields(&self, _: &Argument) -> bool {
        true
    }

    fn outlasts_failure(&self) -> bool {
        true
    }

    fn may_be_null(&self, _: &Argument) -> bool {
        true
    }

    fn refuse_from_c(&self, _: &Argument, intent: Intent) -> Option<&'static str> {
        (intent != Intent::In).then_some(NOT_PASSED)
    }
}

impl PointeeKind for Object {
    fn returned(
        &self,
        ctype: &CType,
        _: &Pointee,
        classes: Classes<'_>,
    ) -> Option<Crossing<Returned>> {
        Some(Crossing::Object(classes.class_of(ctype)?))
    }

    /// C takes it over, or uses it as long as it may call the callback.
    fn check_result(&self, result: &PointerResult<'_>, diagnostics: Mistakes<'_>) {
        let (name, returned) = (result.name(), result.returned);
        let class = returned.ctype.handle().unwrap_or_default();
        let handle = result.classes.0.handles.iter().find(|one| one.name.value == class);
        let mut owners = [].as_slice();
        match &returned.out_pointer.owner {
            Owner::Unspecified => bad(
                diagnostics,
                returned.span,
                format!("ownership of the `{class}` that `{name}` returns is not specified"),
                &format!(
                    "write `own` if C takes the object over, `borrow` if it only uses it, as long as it may call `{name}`"
                ),
            ),
            Owner::Borrowed(names) => owners = names.as_slice(),
            Owner::Caller(Some(function)) => bad(
                diagnostics,
                function.span,
                format!(
                    "the `{class}` that `{name}` returns exists already, so `{function}` does not allocate it"
                ),
                "write `own` alone: C takes the object over",
            ),
            Owner::Caller(None) => {
                if let Some(why) = handle.and_then(why_not_taken_over) {
                    bad(
                        diagnostics,
                        returned.span,
                        format!("C cannot take over the `{class}` that `{name}` returns: {why}"),
                        &format!(
                            "write `borrow`: C uses the object, as long as it may call `{name}`"
                        ),
                    );
                }
            }
        }
        let until = "as long as C may call the callback";
        result.refuse_names(owners, ("object", until), diagnostics);
    }
}

/// Why C cannot take over objects of a class.
fn why_not_taken_over(handle: &Handle) -> Option<&'static str> {
    match handle {
        _ if handle.stored.is_some() => Some("each such object is in memory of the module"),
        _ if handle.is_counted() => Some("a `std::shared_ptr` owns such objects"),
        _ if handle.destructor.is_none() => {
            Some("the library owns every such object, since its class has no `free`")
        }
        _ => None,
    }
}

/// The declaration of a parameter in which C returns such an object: `rng **r`, `Symbolic *s`.
pub(crate) fn address_of_object(ctype: &CType, name: &str) -> String {
    declared(&ctype.written(), &format!("*{name}"))
}

/// Objects have no literals.
pub(super) fn refuse_literal(argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
    if let (Some(text), Some(handle)) = (default.as_literal(), argument.ctype.handle()) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{}` is a `{handle}`, not {text}", argument.name.value),
            "`nullable` passes NULL when it is left out",
        ));
    }
}
