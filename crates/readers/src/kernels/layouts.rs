//! The memory layouts that each prototype accepts.
//!
//! Purpose: translate `kinds` and `fortran` to overloads, each for the kinds that its tensors
//! allow.
//! Invariant: a prototype gets the kinds that its author named and that agree with the layouts of
//! its tensors; other kinds are dropped with a warning.
//! Reason: the table of xndtools' contract: scalars, vectors and C tensors serve C and Xnd, F
//! tensors Fortran and Xnd, a mixture Xnd alone.

use fishplate_model::{Code, Diagnostic, Kind, Overload, Passing, Span, Spanned};

/// The arguments that C expects in Fortran order.
#[derive(Default)]
pub(super) struct Fortran {
    /// In every kind.
    pub all: Vec<Spanned<String>>,
    /// In the kinds `C` and `Fortran` only.
    pub by_kind: Vec<(Kind, Vec<Spanned<String>>)>,
}

impl Fortran {
    fn names(&self, name: &str, kind: Kind) -> bool {
        let of_kind = self.by_kind.iter().filter(|(other, _)| *other == kind);
        let lists = of_kind.map(|(_, list)| list).chain([&self.all]);
        lists.into_iter().flatten().any(|listed| listed.value == name)
    }

    /// Every name, with its place.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.all.iter().chain(self.by_kind.iter().flat_map(|(_, list)| list))
    }
}

/// The kinds of general prototypes, and their origin.
pub(super) struct Kinds {
    pub kinds: Vec<Kind>,
    /// The kernel itself names them; kinds of the module apply to the prototypes that they suit.
    pub place: Option<Span>,
}

/// One overload for each layout of a general prototype in these kinds. Empty if every kind
/// contradicts the layouts; that is an error at `whole`.
pub(super) fn general(
    overload: &Overload,
    kinds: &Kinds,
    fortran: &Fortran,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Overload> {
    let mut layouts: Vec<(Overload, Vec<Kind>)> = Vec::new();
    let mut skipped = Vec::new();
    let only_fortran = kinds.kinds == [Kind::Fortran];
    for &kind in &kinds.kinds {
        let mut marked = overload.clone();
        mark(&mut marked, kind, fortran, only_fortran);
        let suitable = suitable(&marked);
        if !(suitable.contains(&kind) || (only_fortran && !has_tensors(&marked))) {
            // For vectors, C's kind and Fortran's are equivalent.
            if has_tensors(&marked) {
                skipped.push((kind, suitable));
            }
            continue;
        }
        match layouts.iter_mut().find(|(other, _)| other.arguments == marked.arguments) {
            Some((_, kinds)) => kinds.push(kind),
            None => layouts.push((marked, vec![kind])),
        }
    }
    report(overload, &skipped, kinds, layouts.is_empty(), diagnostics);
    layouts
        .into_iter()
        .map(|(mut overload, kinds)| {
            // All kinds that suit it need no names.
            overload.kinds = (kinds != suitable(&overload)).then_some(kinds);
            overload
        })
        .collect()
}

/// A prototype for one kind.
pub(super) fn of_kind(overload: &mut Overload, kind: Kind, fortran: &Fortran) {
    mark(overload, kind, fortran, false);
    overload.set_kind(kind);
}

/// The kind `Xnd` takes every call that no other kind takes. If a kernel has no other kind, it
/// accepts all layouts, which needs no names: `Xnd` is the default of configurations.
pub(super) fn forget_the_general_kind(overloads: &mut [Overload]) {
    let general = |overload: &Overload| {
        overload.kinds.as_deref().is_none_or(|kinds| kinds == [Kind::Strided])
    };
    if overloads.iter().all(general) {
        overloads.iter_mut().for_each(|overload| overload.kinds = None);
    }
}

fn mark(overload: &mut Overload, kind: Kind, fortran: &Fortran, all: bool) {
    for argument in &mut overload.arguments {
        let named = fortran.names(&argument.name.value, kind);
        if let Passing::Array { shape, fortran, .. } = &mut argument.passing {
            *fortran |= shape.len() > 1 && (named || all);
        }
    }
}

/// Whether each tensor is F-contiguous.
fn tensors(overload: &Overload) -> impl Iterator<Item = bool> {
    overload.arguments.iter().filter_map(|argument| match &argument.passing {
        Passing::Array { shape, fortran, .. } if shape.len() > 1 => Some(*fortran),
        _ => None,
    })
}

fn has_tensors(overload: &Overload) -> bool {
    tensors(overload).next().is_some()
}

/// The kinds that agree with the layouts of the tensors.
fn suitable(overload: &Overload) -> Vec<Kind> {
    let (c, f) = (tensors(overload).any(|f| !f), tensors(overload).any(|f| f));
    match (c, f) {
        (true, true) => vec![Kind::Strided],
        (false, true) => vec![Kind::Fortran, Kind::Strided],
        (_, false) => vec![Kind::C, Kind::Strided],
    }
}

fn report(
    overload: &Overload,
    skipped: &[(Kind, Vec<Kind>)],
    kinds: &Kinds,
    nothing_left: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some((kind, suitable)) = skipped.first() else { return };
    let layouts = match suitable.as_slice() {
        [Kind::Strided] => "of both layouts",
        [Kind::C, ..] => "C-contiguous",
        _ => "F-contiguous",
    };
    let list = |kinds: &[Kind]| {
        kinds.iter().map(|kind| format!("`{}`", spelling(*kind))).collect::<Vec<_>>().join(" and ")
    };
    let name = &overload.c_name.value;
    let label = format!("its tensors are {layouts}");
    if nothing_left {
        let named: Vec<Kind> = skipped.iter().map(|(kind, _)| *kind).collect();
        diagnostics.push(
            Diagnostic::error(
                Code::KIND_SKIPPED,
                overload.span,
                format!("`{name}` is for no kind: the tensors rule out {}", list(&named)),
                format!("add {} to `kinds`, or correct `fortran`", list(suitable)),
            )
            .label(label),
        );
    } else if let Some(place) = kinds.place {
        diagnostics.push(
            Diagnostic::warning(
                Code::KIND_SKIPPED,
                place,
                format!("the kind `{}` is left out for `{name}`", spelling(*kind)),
                format!("name {}, or mark F-contiguous arrays with `fortran`", list(suitable)),
            )
            .also(overload.span, label),
        );
    }
}

/// Its spelling in configurations.
fn spelling(kind: Kind) -> &'static str {
    match kind {
        Kind::C => "C",
        Kind::Fortran => "Fortran",
        Kind::Strided => "Xnd",
    }
}
