//! Single values: numbers, enums and structs, by value or by their address.

use super::{ArgumentKind, Mistakes, NOT_PASSED, PointeeKind, address_of_object, integer_or_enum};
use crate::resolve::{Classes, Scope};
use crate::{By, Crossing, Feature, Properties, Returned, Value};
use fishplate_model::{Argument, CType, Code, Diagnostic, Intent, Pointee};

/// `double x`
pub(super) struct ByValue;

/// `double *x`
pub(super) struct ByAddress;

/// `own(free) point *`: a struct in memory of C, which becomes a copy.
pub(super) struct Copied;

/// The properties of a value.
pub(crate) fn properties(value: &Value) -> Properties<'_> {
    let is_of_class = matches!(value, Value::Enum(_) | Value::Struct(_));
    Properties {
        number: match value {
            Value::Number(scalar) => Some(*scalar),
            _ => None,
        },
        is_whole: is_of_class,
        written_back: &[Intent::InPlace, Intent::InOut, Intent::InPlaceAndOut, Intent::InOutAndOut],
        restored: "is written back",
        has_wide_table: is_of_class,
        feature: matches!(value, Value::Opaque).then_some(Feature::OutPointers),
        ..Properties::default()
    }
}

impl ArgumentKind for ByValue {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::Value(scope.classes.value(&argument.ctype)?, By::Value))
    }

    fn check_nullable(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            argument.span,
            format!("`{}` is passed by value, so it cannot be NULL", argument.name.value),
            "remove `nullable`; for an optional value, write a default: `= 0`",
        ));
    }

    fn may_be_found(&self, _: &Argument) -> bool {
        true
    }

    fn identifies_callback(&self, argument: &Argument) -> bool {
        integer_or_enum(&argument.ctype)
    }

    fn outlasts_failure(&self) -> bool {
        true
    }

    fn may_be_null(&self, argument: &Argument) -> bool {
        argument.ctype.number().is_none()
    }

    fn refuse_from_c(&self, _: &Argument, intent: Intent) -> Option<&'static str> {
        (intent != Intent::In).then_some(NOT_PASSED)
    }
}

impl ArgumentKind for ByAddress {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::Value(scope.classes.value(&argument.ctype)?, By::Pointer))
    }

    fn noun(&self, argument: &Argument) -> &'static str {
        if argument.ctype.is_char() { "text" } else { "pointer" }
    }

    fn check(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        if let Some(handle) = argument.ctype.handle() {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                argument.span,
                format!("a pointer to a `{handle}` cannot be passed to C"),
                format!(
                    "write `out own {}` if C creates one; otherwise write a C function without it, and wrap that",
                    address_of_object(&argument.ctype, &argument.name.value)
                ),
            ));
        }
    }

    /// Fortran passes dimensions by address.
    fn may_be_found(&self, argument: &Argument) -> bool {
        !argument.nullable
    }

    fn refuse_from_c(&self, argument: &Argument, intent: Intent) -> Option<&'static str> {
        match intent {
            _ if argument.ctype.number().is_none() && argument.ctype.class().is_none() => {
                Some(NOT_PASSED)
            }
            Intent::In | Intent::Out | Intent::InAndOut => None,
            _ => Some("write `in out` for a value that the callback receives and returns"),
        }
    }
}

impl PointeeKind for Copied {
    fn returned(
        &self,
        ctype: &CType,
        _: &Pointee,
        classes: Classes<'_>,
    ) -> Option<Crossing<Returned>> {
        match classes.value(ctype)? {
            Value::Struct(class) => Some(Crossing::Value(class, By::Pointer)),
            Value::Number(_) | Value::Enum(_) | Value::Opaque => None,
        }
    }
}
