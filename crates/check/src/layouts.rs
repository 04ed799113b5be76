//! The memory layouts of arrays that an overload accepts.
//!
//! The rule is xndtools': a prototype with only scalars, vectors and C-contiguous tensors serves
//! the kinds C and Strided; one with F-contiguous tensors, Fortran and Strided; a mixture, Strided
//! alone. A vector is both C- and F-contiguous, so an author may name that kind instead.

use fishplate_model::{Code, Diagnostic, Kind, Overload, Passing, PerArgument};

/// The kinds of an overload, at least one; reports named kinds that are impossible.
pub(crate) fn resolve_kinds(overload: &Overload, diagnostics: &mut Vec<Diagnostic>) -> Vec<Kind> {
    let tensors: PerArgument<bool> = overload
        .arguments
        .iter()
        .filter_map(|argument| match &argument.passing {
            Passing::Array { shape, fortran, .. } if shape.len() > 1 => Some(*fortran),
            _ => None,
        })
        .collect();
    let fortran = tensors.iter().filter(|fortran| **fortran).count();
    let (suitable, which): (&[Kind], _) = if tensors.is_empty() {
        (&[Kind::C, Kind::Strided], "it has no tensors")
    } else if fortran == 0 {
        (&[Kind::C, Kind::Strided], "its tensors are C-contiguous")
    } else if fortran == tensors.len() {
        (&[Kind::Fortran, Kind::Strided], "its tensors are F-contiguous")
    } else {
        (&[Kind::Strided], "its tensors are of both layouts")
    };
    // A list of unknown kinds, which was reported, is empty.
    let Some(named) = overload.kinds.as_ref().filter(|named| !named.is_empty()) else {
        return suitable.to_vec();
    };
    let kinds: Vec<Kind> = named
        .iter()
        .copied()
        .filter(|kind| tensors.is_empty() || suitable.contains(kind))
        .collect();
    if kinds.is_empty() {
        let list = |kinds: &[Kind]| {
            kinds.iter().map(|kind| format!("`{}`", kind.name())).collect::<Vec<_>>().join(" and ")
        };
        diagnostics.push(
            Diagnostic::error(
                Code::BAD_KIND,
                overload.span,
                format!("this prototype cannot be of kind {}", list(named)),
                format!(
                    "it matches {}; `fortran` declares that C expects an F-contiguous tensor",
                    list(suitable)
                ),
            )
            .label(which),
        );
        return suitable.to_vec();
    }
    kinds
}
