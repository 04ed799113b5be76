//! Mistakes in structs that are unpacked: fields that C cannot set, or that are no results.

use fishplate_model::{
    Argument, Code, Diagnostic, Expr, Intent, Layout, MemberKind, Overload, Passing, PerArgument,
    Unpacked, VariableId,
};

/// Reports them. Other mistakes in fields are those of arguments.
pub(crate) fn check(overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    for one in overload.unpacked.iter().filter(|one| !one.is_local) {
        let why = match (one.by_address, one.is_const) {
            _ if one.is_result => None,
            (false, _) => Some("passed by value"),
            (true, true) => Some("const"),
            (true, false) => None,
        };
        let mut index = one.first;
        check_members(&one.layout, why, one, &overload.arguments, &mut index, diagnostics);
    }
}

/// `why` is the reason why C cannot change the struct, if so.
fn check_members(
    layout: &Layout,
    why: Option<&str>,
    unpacked: &Unpacked,
    arguments: &PerArgument<Argument>,
    index: &mut VariableId,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for member in &layout.members {
        let is_set = match &member.what {
            MemberKind::Struct { by_address, is_const, layout } => {
                let why = if *by_address { is_const.then_some("const") } else { why };
                check_members(layout, why, unpacked, arguments, index, diagnostics);
                continue;
            }
            MemberKind::Field { is_set, .. } => *is_set,
        };
        let argument = &arguments[*index];
        *index = VariableId::from(usize::from(*index) + 1);
        let name = &argument.name.value;
        if unpacked.is_result && !is_returned(argument, is_set, arguments) {
            diagnostics.push(
                Diagnostic::error(
                    Code::INTENT_MISFIT,
                    argument.span,
                    format!("the field `{name}` of a result is not an output"),
                    "write `out`; if it is a pointer, write `out own(free)` with the C function that frees the memory, or \
                     `out borrow`",
                )
                .also(unpacked.span, "the struct is returned here"),
            );
        }
        if let (true, Some(why)) = (is_set, why) {
            diagnostics.push(
                Diagnostic::error(
                    Code::INTENT_MISFIT,
                    argument.span,
                    format!("C cannot set the field `{name}`: the struct is {why}"),
                    "remove the intent of the field, or declare the argument as the header does",
                )
                .also(unpacked.span, "the struct is passed here"),
            );
        }
        if is_set && argument.nullable && !matches!(argument.passing, Passing::OutPointer(_)) {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("the field `{name}` is a value, so it cannot be NULL"),
                "remove `nullable`; for an optional value, write a default: `= 0`",
            ));
        }
    }
}

/// It is an output of a struct that a function returns: a value, C-allocated memory, or an array of constant size, which
/// the compiler confirms to be inside of the struct.
fn is_returned(argument: &Argument, is_set: bool, arguments: &PerArgument<Argument>) -> bool {
    let is_out = argument.intent.as_ref().is_some_and(|intent| intent.value == Intent::Out);
    let is_argument = |name: &str| arguments.iter().any(|one| one.name.value == name);
    let is_constant = |size: &Expr| !size.names().into_iter().any(|(name, _)| is_argument(name));
    let is_inside = argument.shape().is_some_and(|shape| shape.iter().all(is_constant));
    is_set && (is_out || argument.status.is_some()) || is_out && is_inside
}
