//! Arrays: of numbers and structs, and the parts common to arrays of every kind.

use super::{ArgumentKind, Mistakes, NOT_PASSED, Place, PointeeKind, value};
use crate::resolve::{Classes, Scope};
use crate::{Array, Crossing, Feature, Properties, Returned, Value};
use fishplate_model::{
    Argument, CType, Code, Diagnostic, Elements, Expr, Intent, Passing, Pointee, Span,
};

/// The maximum number of dimensions, which every version of NumPy allows.
const MAX_DIMENSIONS: usize = 32;

/// An array of any kind: the parts that differ between the kinds.
pub(super) trait ArrayKind: PointeeKind {
    /// As [`ArgumentKind::cross_to_c`].
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing>;

    /// Reports an intent that it cannot have.
    fn check_intent(&self, _: &Argument, _: Intent, _: Mistakes<'_>) {}

    /// As [`ArgumentKind::beyond_batches`].
    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)>;

    /// As [`ArgumentKind::beyond_numbers`].
    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes or returns bytes")
    }

    /// As [`ArgumentKind::refuse_from_c`].
    fn refuse_from_c(&self, argument: &Argument, intent: Intent) -> Option<&'static str>;
}

impl<K: ArrayKind> ArgumentKind for K {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        ArrayKind::cross_to_c(self, argument, scope)
    }

    fn noun(&self, _: &Argument) -> &'static str {
        "array"
    }

    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        let name = &argument.name.value;
        let rank = argument.shape().map_or(0, <[Expr]>::len);
        if rank > MAX_DIMENSIONS {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                argument.span,
                format!("`{name}` has {rank} dimensions"),
                format!("an array may have {MAX_DIMENSIONS} at most"),
            ));
        }
        if let Some(handle) = argument.ctype.handle() {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                argument.span,
                format!("arrays of `{handle}` are not supported"),
                "write a C function that accepts one at a time, and wrap that",
            ));
        }
        let what = &format!("`{name}`");
        let at = Place { what, span: argument.span, string_dimensions: 2 };
        self.check_type(&at, &argument.ctype, rank, diagnostics);
        self.check_intent(argument, intent, diagnostics);
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        ArrayKind::beyond_batches(self, argument)
    }

    /// Bytes and strings are values in the target language, which C must not change later.
    fn may_be_retained(&self, argument: &Argument, intent: Intent) -> Result<(), &'static str> {
        match &argument.passing {
            Passing::Array { rows: Some(_), .. } => Err("is passed by pointers to its rows"),
            Passing::Array { elements: Elements::Numbers, .. } => Ok(()),
            _ if intent.is_input() => Ok(()),
            _ => Err("is a value that the call creates"),
        }
    }

    fn refuse_value(&self, name: &str, is_default: bool) -> Option<(String, String)> {
        let mut hint =
            format!("for its size write `len({name})`, `shape({name}, 0)` or `size({name})`");
        if is_default {
            hint +=
                "; C functions accept required arrays only, in hidden values and sizes of outputs";
        }
        Some((format!("`{name}` is an array, not a number"), hint))
    }

    fn outlasts_failure(&self) -> bool {
        true
    }

    fn is_address(&self) -> bool {
        true
    }

    fn may_be_null(&self, _: &Argument) -> bool {
        true
    }

    fn refuse_from_c(&self, argument: &Argument, intent: Intent) -> Option<&'static str> {
        match argument.length() {
            Some(_) => Some("an array of C's has one size, `[n]`"),
            None => ArrayKind::refuse_from_c(self, argument, intent),
        }
    }

    fn beyond_numbers(&self, argument: &Argument) -> Option<&'static str> {
        ArrayKind::beyond_numbers(self, argument)
    }
}

/// `double a[m][n]`
pub(super) struct Numbers;

/// The array of this element type, shape and order.
fn array(ctype: &CType, shape: &[Expr], fortran: bool, classes: Classes<'_>) -> Option<Array> {
    Some(Array { element: classes.value(ctype)?, shape: shape.to_vec(), fortran, rows: None })
}

/// The treatment of an array after the call: C may have received a copy.
pub(super) const RESTORED: &str = "where C worked on a copy, it is written back";

/// The intents of arrays of structs of which C may receive a copy: a host may have no memory for such an array.
pub(super) const CHANGED_STRUCTS: &[Intent] =
    &[Intent::InPlace, Intent::InPlaceAndOut, Intent::InOut, Intent::InOutAndOut, Intent::Out];

/// The properties of an array of numbers or structs.
pub(crate) fn properties(array: &Array) -> Properties<'_> {
    let has_structs = matches!(array.element, Value::Struct(_));
    Properties {
        shape: Some(&array.shape),
        number: value::properties(&array.element).number,
        has_structs,
        has_const_pointers: array.rows.map(|rows| rows.is_const),
        is_released: true,
        written_back: match array.element {
            Value::Struct(_) => CHANGED_STRUCTS,
            _ => &[Intent::InPlace, Intent::InPlaceAndOut, Intent::Out],
        },
        restored: RESTORED,
        has_wide_table: has_structs,
        feature: array.rows.map(|_| Feature::PointerArrays),
        ..Properties::default()
    }
}

impl ArrayKind for Numbers {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let Passing::Array { shape, fortran, rows, .. } = &argument.passing else { return None };
        let array = array(&argument.ctype, shape, *fortran, scope.classes)?;
        Some(Crossing::Array(Array { rows: *rows, ..array }))
    }

    fn check_intent(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        if let Passing::Array { rows: Some(_), fortran: true, .. } = argument.passing {
            diagnostics.push(Diagnostic::error(
                Code::BAD_QUALIFIERS,
                argument.span,
                format!(
                    "`{}` is passed by pointers to its rows, which `fortran` makes non-contiguous",
                    argument.name.value
                ),
                "remove `fortran`; or swap the dimensions: the rows for C are then the columns",
            ));
        }
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        let name = &argument.name.value;
        if argument.rows().is_some() {
            return Some((argument.span, format!("pass pointers to the rows of `{name}`")));
        }
        let length = argument.length()?;
        Some((length.span, format!("return `{name}` with a length that varies")))
    }

    fn refuse_from_c(&self, argument: &Argument, intent: Intent) -> Option<&'static str> {
        let is_enum = argument.ctype.enumeration().is_some();
        match intent {
            Intent::In if is_enum && argument.rows().is_none() => None,
            _ if is_enum => Some("C passes arrays of enums that are read: `const`"),
            _ if argument.ctype.number().is_none() || argument.rows().is_some() => Some(NOT_PASSED),
            Intent::In | Intent::Out | Intent::InOut | Intent::InPlace => None,
            _ => {
                Some("an array is read (`const`), modified in place (`inout`), or returned (`out`)")
            }
        }
    }

    fn beyond_numbers(&self, argument: &Argument) -> Option<&'static str> {
        argument.rows().map(|_| "it takes pointers to the rows of an array")
    }
}

impl PointeeKind for Numbers {
    fn returned(
        &self,
        ctype: &CType,
        holds: &Pointee,
        classes: Classes<'_>,
    ) -> Option<Crossing<Returned>> {
        let Pointee::Array { shape, fortran, .. } = holds else { return None };
        array(ctype, shape, *fortran, classes).map(Crossing::Array)
    }
}
