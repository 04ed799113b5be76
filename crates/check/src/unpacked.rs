//! Mistakes in structs that are unpacked: fields that C cannot set.

use fishplate_model::{
    Argument, Code, Diagnostic, Layout, MemberKind, Overload, Passing, PerArgument, Unpacked,
    VariableId,
};

/// Reports them. Other mistakes in fields are those of arguments.
pub(crate) fn check(overload: &Overload, diagnostics: &mut Vec<Diagnostic>) {
    for one in &overload.unpacked {
        let why = match (one.by_address, one.is_const) {
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
            MemberKind::Field { is_set } => *is_set,
        };
        let argument = &arguments[*index];
        *index = VariableId::from(usize::from(*index) + 1);
        let name = &argument.name.value;
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
        if is_set && argument.nullable && !matches!(argument.passing, Passing::Handed(_)) {
            diagnostics.push(Diagnostic::error(
                Code::INTENT_MISFIT,
                argument.span,
                format!("the field `{name}` is a value, so it cannot be NULL"),
                "remove `nullable`; for an optional value, write a default: `= 0`",
            ));
        }
    }
}
