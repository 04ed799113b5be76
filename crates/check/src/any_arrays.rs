//! Mistakes in arrays of any rank: their tables of dtypes, and the arrays with their dimensions.
//!
//! Purpose: decide which array has the dimensions, and who stores them there.
//! Invariant: the call stores those of the caller's array; those of an output are there when it is allocated.
//! Reason: C reads as many elements of an array as these say.

use crate::kinds::may_have_dimensions;
use crate::names::suggestion;
use crate::resolve::Classes;
use fishplate_model::{
    Code, Diagnostic, DtypeChoice, Function, Intent, Overload, PerArgument, Spanned, VariableId,
};

/// Reports them, and makes the arrays that the call fills `hidden`.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &mut PerArgument<Intent>,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut found = Vec::new();
    for (at, argument) in overload.arguments.iter_enumerated() {
        let Some(any) = argument.any_array() else { continue };
        let name = &argument.name;
        if function.overloads.len() > 1 {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                argument.span,
                format!(
                    "`{}` has any rank or dtype, and its function several prototypes",
                    name.value
                ),
                "write a separate function for each prototype",
            ));
        }
        check_table(any.dtypes.as_ref(), classes, diagnostics);
        let Some(dims) = &any.dims else { continue };
        let Some(of) = find(dims, name, overload, diagnostics) else { continue };
        let is_out = intents[at] == Intent::Out;
        let declared = &overload.arguments[of];
        // Those of an output are an input of the call, or a query sets them.
        let is_read = matches!(intents[of], Intent::In | Intent::Hidden) && !declared.nullable;
        let is_free = is_out || declared.default.is_none();
        if !may_have_dimensions(declared) || !is_read || !is_free || declared.values.is_some() {
            let message =
                format!("`{}` cannot have the dimensions of `{}`", dims.value, name.value);
            diagnostics.push(
                Diagnostic::error(
                    Code::INTENT_MISFIT,
                    dims.span,
                    message,
                    format!(
                        "declare it as `const int {0}[ndim({1})]`, with its type",
                        dims.value, name.value
                    ),
                )
                .also(declared.span, "declared here"),
            );
        } else if !is_out && found.contains(&of) {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED,
                dims.span,
                format!("`{}` has the dimensions of two arrays", dims.value),
                "write a C function that accepts one array of dimensions for each, and wrap that",
            ));
        }
        if !is_out {
            found.push(of);
            intents[of] = Intent::Hidden;
        }
    }
}

fn check_table(
    dtypes: Option<&DtypeChoice>,
    classes: Classes<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(DtypeChoice { table, .. }) = dtypes else { return };
    if classes.dtypes(&table.value).is_none() {
        let all = classes.0.dtypes.iter().map(|one| one.name.value.as_str());
        let hint = suggestion(&table.value, all).unwrap_or_else(|| {
            format!(
                "add `[dtypes.{}]` with `ctype`, the type of C's codes, and `values`: a code for each dtype",
                table.value
            )
        });
        let message = format!("no table of dtypes is called `{}`", table.value);
        diagnostics.push(Diagnostic::error(Code::UNKNOWN_NAME, table.span, message, hint));
    }
}

/// The argument with the dimensions.
fn find(
    dims: &Spanned<String>,
    name: &Spanned<String>,
    overload: &Overload,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<VariableId> {
    let found = overload.arguments.position(|one| one.name.value == dims.value);
    if found.is_none() {
        let message = format!("no argument is called `{}`", dims.value);
        let hint = format!(
            "add the array of the dimensions, as in `const int {0}[ndim({1})]`; without one, write `{1}[...]`",
            dims.value, name.value
        );
        diagnostics.push(Diagnostic::error(Code::UNKNOWN_NAME, dims.span, message, hint));
    }
    found
}

/// The argument has the dimensions of an array that the call allocates.
pub(crate) fn has_dimensions_of_output(overload: &Overload, index: VariableId) -> bool {
    let name = &overload.arguments[index].name.value;
    overload.arguments.iter().any(|one| {
        let is_out = one.intent.as_ref().is_some_and(|intent| intent.value == Intent::Out);
        let dims = one.any_array().and_then(|any| any.dims.as_ref());
        is_out && dims.is_some_and(|dims| dims.value == *name)
    })
}
