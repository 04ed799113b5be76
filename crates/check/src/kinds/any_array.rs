//! Arrays whose rank or dtype is known only at the call.

use super::{ArgumentKind, Mistakes, array};
use crate::resolve::Scope;
use crate::{Crossing, Feature, Properties};
use fishplate_model::{Argument, Code, Diagnostic, Expr, Intent, Measure, Scalar, Span};

/// `dtype(native) const void x[...]`, `const double x[dims[]]`, `dtype(native) const void x[m][n]`
pub(super) struct AnyArray;

/// The properties of such an array. Without a known rank it has no dimensions here.
pub(crate) fn properties(any: &crate::AnyArray) -> Properties<'_> {
    Properties {
        shape: Some(&any.shape),
        word: any.dtypes.as_ref().map(|(table, _)| table.name.as_str()),
        number: any.element,
        is_released: true,
        written_back: &[Intent::InPlace, Intent::InPlaceAndOut, Intent::Out],
        restored: array::RESTORED,
        feature: Some(Feature::AnyArrays),
        ..Properties::default()
    }
}

/// Its rank is known only at the call, and not its dtype alone.
fn has_any_rank(argument: &Argument) -> bool {
    argument.shape().is_some_and(<[Expr]>::is_empty)
}

/// The property that only the call determines.
fn property(argument: &Argument) -> &'static str {
    match has_any_rank(argument) {
        true => "any rank",
        false => "any dtype",
    }
}

impl ArgumentKind for AnyArray {
    fn cross_to_c(&self, argument: &Argument, scope: Scope<'_>) -> Option<Crossing> {
        let any = argument.any_array()?;
        let dtypes = match &any.dtypes {
            None => None,
            Some(one) => Some((scope.classes.dtypes(&one.table.value)?, one.code.clone())),
        };
        let position = |name: &str| scope.arguments.position(|one| one.name.value == name);
        Some(Crossing::AnyArray(crate::AnyArray {
            shape: any.shape.clone(),
            element: argument.ctype.number().filter(|_| dtypes.is_none()),
            dtypes,
            dims: any.dims.as_ref().and_then(|dims| position(&dims.value)),
            fortran: any.fortran,
        }))
    }

    fn noun(&self, _: &Argument) -> &'static str {
        "array"
    }

    fn check(&self, argument: &Argument, intent: Intent, diagnostics: Mistakes<'_>) {
        let (Some(any), name) = (argument.any_array(), &argument.name.value) else { return };
        if any.dtypes.is_none() && argument.ctype.number().is_none() {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                argument.span,
                format!("arrays of any rank are of numbers, and `{name}` is not"),
                "write its dimensions, as in `[n]`",
            ));
        }
        if intent == Intent::Hidden {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("`{name}` has {}, so it cannot be scratch memory", property(argument)),
                "write its dimensions and its type, as in `double work[n]`",
            ));
        }
        if intent == Intent::Out && any.dims.is_none() && any.shape.is_empty() {
            diagnostics.push(Diagnostic::error(
                Code::BAD_DIMENSION,
                argument.span,
                format!("the dimensions of the output `{name}` are not specified"),
                format!("write `{name}[dims[]]`, where `dims` is an array of integers with its dimensions"),
            ));
        }
        let Some(dtypes) = &any.dtypes else { return };
        match (intent, &dtypes.code) {
            (Intent::Out, None) => diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                dtypes.span,
                format!("the dtype of the output `{name}` is not specified"),
                format!("write `dtype({}, code)`, with C's code of it", dtypes.table.value),
            )),
            (Intent::Out, Some(_)) | (_, None) => {}
            (_, Some(code)) => diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                code.span,
                format!("the caller's array determines the dtype of `{name}`"),
                format!("write `dtype({})`; its code is `dtype({name})`", dtypes.table.value),
            )),
        }
    }

    fn check_nullable(&self, argument: &Argument, _: Intent, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::INTENT_MISFIT,
            argument.span,
            format!(
                "`{}` has {}, so it cannot be `nullable`",
                argument.name.value,
                property(argument)
            ),
            "remove `nullable`: an empty array has a rank and a dtype, and NULL has none",
        ));
    }

    fn check_default(&self, argument: &Argument, default: &Expr, diagnostics: Mistakes<'_>) {
        diagnostics.push(Diagnostic::error(
            Code::BAD_DEFAULT,
            default.span,
            format!(
                "`{}` has {}, so it cannot have a default",
                argument.name.value,
                property(argument)
            ),
            "remove it",
        ));
    }

    fn beyond_batches(&self, argument: &Argument) -> Option<(Span, String)> {
        let name = &argument.name.value;
        Some((argument.span, format!("accept or return `{name}`, of {}", property(argument))))
    }

    fn refuse_value(&self, name: &str, _: bool) -> Option<(String, String)> {
        Some((
            format!("`{name}` is an array, not a number"),
            format!("for its size write `size({name})`, for its rank `ndim({name})`"),
        ))
    }

    fn refuse_measure(&self, of: &Argument, measure: Measure) -> Option<(String, &'static str)> {
        let name = &of.name.value;
        match measure {
            Measure::Ndim | Measure::Size | Measure::ItemSize => None,
            Measure::Dtype if of.any_array().is_some_and(|any| any.dtypes.is_some()) => None,
            Measure::Dtype => Some((
                format!("`{name}` has elements of one dtype, and no code"),
                "write `dtype(TABLE) void x[...]`, with a table `[dtypes.TABLE]`",
            )),
            Measure::Len | Measure::Shape if !has_any_rank(of) => None,
            Measure::Stride if !has_any_rank(of) => Some((
                format!("`{name}` has any dtype, and is contiguous for C"),
                "remove `stride`",
            )),
            Measure::Len | Measure::Shape | Measure::Stride => Some((
                format!("`{name}` has any rank, so it may not have this dimension"),
                "`x[dims[]]` stores all dimensions in the array `dims`; `ndim(x)` and `size(x)` are numbers",
            )),
        }
    }

    fn outlasts_failure(&self) -> bool {
        true
    }

    fn beyond_numbers(&self, _: &Argument) -> Option<&'static str> {
        Some("it takes or returns an array of any rank")
    }
}

/// The argument is an array of integers with one dimension, which may have the dimensions of another.
pub(crate) fn may_have_dimensions(argument: &Argument) -> bool {
    use fishplate_model::{Elements, Passing};
    let is_vector = matches!(
        &argument.passing,
        Passing::Array { elements: Elements::Numbers, rows: None, length: None, shape, .. } if shape.len() == 1
    );
    is_vector && argument.ctype.number().is_some_and(Scalar::is_integer)
}
