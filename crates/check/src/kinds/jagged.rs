//! Jagged arrays: pointers to rows of different lengths.

use super::{ArgumentKind, Mistakes, array, value};
use crate::resolve::Scope;
use crate::{Crossing, Feature, Properties, Value};
use fishplate_model::{Argument, Code, Diagnostic, Expr, Intent, Passing, Span};

/// `double *rows[m][lengths[]]`
pub(super) struct Jagged;

/// The properties of a jagged array.
pub(crate) fn properties(jagged: &crate::Jagged) -> Properties<'_> {
    let has_structs = matches!(jagged.element, Value::Struct(_));
    Properties {
        shape: Some(std::slice::from_ref(&jagged.length)),
        number: value::properties(&jagged.element).number,
        has_structs,
        has_const_pointers: Some(jagged.is_const),
        lengths: jagged.lengths,
        is_released: true,
        written_back: match jagged.element {
            Value::Struct(_) => array::CHANGED_STRUCTS,
            _ => &[Intent::InPlace],
        },
        restored: array::RESTORED,
        // The number of elements of the rows is not known when this is decided.
        may_last: true,
        has_wide_table: has_structs,
        feature: Some(Feature::PointerArrays),
        part: "each row ",
        ..Properties::default()
    }
}

impl ArgumentKind for Jagged {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let Passing::Jagged { length, lengths, is_const } = &argument.passing else { return None };
        let find = |name: &str| scope.arguments.position(|one| one.name.value == name);
        let lengths = match lengths {
            Some(lengths) => Some(find(&lengths.value)?),
            None => None,
        };
        Some(Crossing::Jagged(crate::Jagged {
            element: scope.classes.value(&argument.ctype)?,
            length: length.clone(),
            lengths,
            is_const: *is_const,
        }))
    }

    fn noun(&self, _: &Argument) -> &'static str {
        "jagged array"
    }

    fn may_be_retained(&self, argument: &Argument, _: Intent) -> Result<(), &'static str> {
        match argument.terminator {
            Some(_) => Ok(()),
            None => Err("consists of rows of the caller, whose lengths exist during the call only"),
        }
    }

    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        if let (false, Some(written)) =
            (matches!(intent, Intent::In | Intent::InPlace | Intent::InOut), &argument.intent)
        {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                written.span,
                format!(
                    "`{}` is a jagged array, so it cannot be {}",
                    argument.name.value,
                    intent.name()
                ),
                "write `in`, `inplace` or `inout`: the caller passes the rows, which C may change",
            ));
        }
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!("`{}` is a jagged array, which cannot have a default", argument.name.value),
            "`nullable` passes NULL when it is left out",
        ));
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        Some((argument.span, format!("accept the jagged array `{}`", argument.name.value)))
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some((
            format!("`{name}` is a jagged array, not a number"),
            format!("for its number of rows write `len({name})`"),
        ))
    }

    fn has_length(&self) -> bool {
        true
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes rows of different lengths")
    }
}
