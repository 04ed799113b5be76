//! Nested values: sequences, tuples and maps of C++, as a tree of nodes.

use super::{ArgumentKind, Mistakes, NOT_PASSED, PointeeKind};
use crate::resolve::{Classes, Scope};
use crate::{Crossing, Properties, Returned};
use fishplate_model::{Argument, CType, Code, Diagnostic, Expr, Intent, Nested, Pointee, Span};

/// `const std::map<std::string, int> &x`
pub(super) struct Value;

/// The properties of a nested value, which is copied in both directions.
pub(crate) fn properties(nested: &Nested) -> Properties<'static> {
    Properties {
        has_objects: nested.has_objects(),
        is_pointer: true,
        is_copied: true,
        is_released: true,
        has_wide_table: true,
        acquired: Some(("read", "{}: each value checked for type and range")),
        ..Properties::default()
    }
}

impl ArgumentKind for Value {
    fn cross_to_c(&self, argument: &Argument, _: Scope<'_>) -> Option<Crossing> {
        Some(Crossing::Nested(argument.ctype.nested()?.clone()))
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{}` is a container, which cannot have a default", argument.name.value),
            "remove the value, or write a `std::optional`, which is empty if it is omitted",
        ));
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("accept the container `{}`", argument.name.value)))
    }

    /// It is the address of nodes, to which a callback sets an output.
    fn refuse_from_c(&self, _: &Argument, intent: Intent) -> Option<&'static str> {
        let is_known = matches!(intent, Intent::In | Intent::Out | Intent::InAndOut);
        (!is_known).then_some(NOT_PASSED)
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some((format!("`{name}` is a container, not a number"), "use a number".to_owned()))
    }
}

impl PointeeKind for Value {
    fn returned(&self, ctype: &CType, _: &Pointee, _: Classes<'_>) -> Option<Crossing<Returned>> {
        Some(Crossing::Nested(ctype.nested()?.clone()))
    }
}
