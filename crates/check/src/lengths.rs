//! Variable-length outputs: how much of an allocated array C has filled.

use crate::names::Positions;
use fishplate_model::{Argument, Ellipses, Expr, Intent, Overload, Passing};

/// The first dimension of this array after the call, if C may have changed it: the expression after
/// the `:`, or the dimension itself if it is an argument that C may change. A batched call has one
/// shape for all items, so there only the first form counts.
pub(crate) fn after(
    overload: &Overload,
    argument: &Argument,
    intent: Intent,
    ellipses: Ellipses,
    positions: &Positions<'_>,
) -> Option<Expr> {
    let Passing::Array { shape, length, .. } = &argument.passing else { return None };
    if length.is_some() || intent != Intent::Out || ellipses.maps() {
        return length.clone();
    }
    let first = shape.first()?;
    let name = first.as_name()?;
    let determines = &overload.arguments[positions.find(name)?];
    may_change(determines).then(|| first.clone())
}

/// C receives the address of its value, and may write there.
fn may_change(argument: &Argument) -> bool {
    let read_only = matches!(argument.intent.as_ref().map(|intent| intent.value), Some(Intent::In));
    argument.passing == Passing::Pointer && !argument.is_const && !read_only
}
