//! Mistakes in size queries: the arguments that they read, and those that they set.

use crate::Role;
use crate::any_arrays;
use crate::restricted::restriction;
use fishplate_model::{
    Code, Diagnostic, Expr, ExprKind, Function, Intent, Overload, Passing, PerArgument, Span,
    UnaryOp, VariableId,
};

/// Checks the query of a function against one overload.
pub(crate) fn check(
    function: &Function,
    overload: &Overload,
    intents: &PerArgument<Intent>,
    roles: &PerArgument<Role>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(query) = &function.query else { return };
    let overloaded = ("a function with overloads", "write a separate function for each prototype");
    let overloaded = (function.overloads.len() > 1).then_some(overloaded);
    if let Some((what, hint)) = restriction(function).or(overloaded) {
        let message = format!("{what} cannot have a query");
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, query.span, message, hint));
    }
    let position = |name: &str| overload.arguments.position(|one| one.name.value == name);
    query.walk(&mut |part| match &part.kind {
        ExprKind::Unary(UnaryOp::Address, inner) => {
            let name = inner.as_name();
            let is_set = name.and_then(position).is_some_and(|index| {
                let by_value = overload.arguments[index].passing == Passing::Value;
                by_value && intents[index] == Intent::Hidden && roles[index] == Role::Made
            });
            if !is_set {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_DEFAULT,
                    part.span,
                    "a query can set hidden values only",
                    "write the address of a `hidden` argument that is passed by value; omit the `&` of an argument that \
                     is passed by pointer",
                ));
            }
        }
        ExprKind::Name(name) => {
            let Some(index) = position(name) else { return };
            let is_array = overload.arguments[index].is_array();
            let is_out_pointer = overload.arguments[index].out_pointer().is_some();
            let is_dims = any_arrays::has_dimensions_of_output(overload, index);
            if is_dims {
                check_rank(overload, index, &sets(query, overload), part.span, diagnostics);
            } else if is_out_pointer || is_array && roles[index] == Role::Made {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_DEFAULT,
                    part.span,
                    format!("`{name}` is allocated after the query"),
                    "pass NULL there",
                ));
            }
            let default = overload.arguments[index].default.as_ref();
            if default.is_some_and(|default| overload.looks_at_arrays(default)) {
                diagnostics.push(Diagnostic::error(
                    Code::BAD_DEFAULT,
                    part.span,
                    format!("`{name}` is computed from array contents, after the query"),
                    "let the query look at the arrays, or leave `query` out",
                ));
            }
        }
        _ => {}
    });
}

/// The array of dimensions that a query sets is allocated before it, so its length is known before it, too.
fn check_rank(
    overload: &Overload,
    dims: VariableId,
    queried: &[VariableId],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let sizes = overload.arguments[dims].shape().unwrap_or_default();
    let is_late = |name: &str| {
        overload.arguments.position(|one| one.name.value == name).is_some_and(|index| {
            let default = overload.arguments[index].default.as_ref();
            queried.contains(&index) || default.is_some_and(|one| overload.looks_at_arrays(one))
        })
    };
    let names = sizes.iter().flat_map(Expr::names);
    if let Some((rank, _)) = names.into_iter().find(|(name, _)| is_late(name)) {
        let dims = &overload.arguments[dims].name.value;
        let hint =
            format!("compute it before the query, as in `hidden int {rank} = rank_of(object)`");
        let message = format!(
            "`{dims}` is allocated before the query, and its length `{rank}` is not known then"
        );
        diagnostics.push(Diagnostic::error(Code::BAD_DIMENSION, span, message, hint));
    }
}

/// The hidden arguments that a query may set: those whose address it passes, and those that are
/// pointers.
pub(crate) fn sets(query: &Expr, overload: &Overload) -> Vec<VariableId> {
    let names = query.names();
    overload
        .arguments
        .keys()
        .filter(|index| {
            let argument = &overload.arguments[*index];
            let hidden = argument.is_hidden();
            hidden && names.iter().any(|(name, _)| *name == argument.name.value)
        })
        .collect()
}
