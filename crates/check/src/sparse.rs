//! Sparse matrices: several arguments of C that are one argument of the target language.
//!
//! Purpose: interpret `sparse = { a = "csr(indptr, indices, data, m, n)" }`.
//! Invariant: the parts are required arguments of every prototype, at the same positions.
//! Reason: a host that has such a type takes it apart, and calls the function as others do.

use crate::{CheckedOverload, Role};
use fishplate_model::{Code, Diagnostic, Expr, ExprKind, Function, Span, SparseFormat};

/// A sparse matrix that the target language passes as one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sparse {
    /// The name of the argument.
    pub name: String,
    /// Its format.
    pub format: SparseFormat,
    /// The names of the arguments of C: offsets, indices, values, and the numbers of rows and columns, if C takes these.
    pub parts: Vec<String>,
}

/// An example for hints.
const EXAMPLE: &str =
    "write `sparse = { a = \"csr(indptr, indices, data, m, n)\" }`, with `csr` or `csc`";

/// The sparse arguments of a function, whose overloads are checked.
pub(crate) fn read(
    function: &Function,
    overloads: &[CheckedOverload],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Sparse> {
    let mut all: Vec<Sparse> = Vec::new();
    for (name, value) in &function.sparse {
        let before = diagnostics.len();
        let mut refuse = |span: Span, message: String, hint: &str| {
            diagnostics.push(Diagnostic::error(Code::WRONG_VALUE, span, message, hint));
        };
        let Some((format, parts)) = parts(value) else {
            refuse(value.span, format!("`{}` is not a sparse matrix", value), EXAMPLE);
            continue;
        };
        for (at, (part, span)) in parts.iter().enumerate() {
            let taken = all.iter().any(|other| other.parts.iter().any(|one| one == part));
            if taken || parts[..at].iter().any(|(other, _)| other == part) {
                refuse(*span, format!("`{part}` is a part twice"), "name each argument once");
            }
            if !overloads.iter().all(|overload| is_required(overload, part)) {
                let message = format!("`{part}` is not an argument that the caller must pass");
                let hint = "name required arguments, which every prototype of the function has";
                refuse(*span, message, hint);
            }
        }
        let mut shown = overloads
            .iter()
            .flat_map(|one| &one.arguments)
            .filter(|one| matches!(one.role, Role::Required | Role::Optional));
        let is_part = |name: &str| parts.iter().any(|(part, _)| *part == name);
        if shown.any(|one| one.variable.name == name.value && !is_part(&name.value)) {
            let message = format!("another argument is called `{}`", name.value);
            refuse(name.span, message, "choose another name for the matrix");
        }
        if overloads.iter().any(|other| parameters(other) != parameters(&overloads[0])) {
            let message = format!("the prototypes with `{}` differ in their arguments", name.value);
            refuse(name.span, message, "write a separate function for each");
        }
        if let (Some((about, hint)), true) =
            (crate::restricted::restriction(function), diagnostics.len() == before)
        {
            let message = format!("{about} cannot accept sparse matrices");
            diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, name.span, message, hint));
        }
        let parts = parts.into_iter().map(|(part, _)| part.to_owned()).collect();
        all.push(Sparse { name: name.value.clone(), format, parts });
    }
    all
}

/// The integers that a sparse matrix determines: they are not inferred from other arrays, which are compared with them.
pub(crate) fn sizes(function: &Function) -> Vec<&str> {
    let parts = function.sparse.iter().filter_map(|(_, value)| parts(value));
    parts.flat_map(|(_, parts)| parts.into_iter().skip(3)).map(|(name, _)| name).collect()
}

/// `csr(indptr, indices, data)`, or the same with two sizes.
fn parts(value: &Expr) -> Option<(SparseFormat, Vec<(&str, Span)>)> {
    let ExprKind::Call(word, arguments) = &value.kind else { return None };
    let format = SparseFormat::ALL.into_iter().find(|format| format.name() == word)?;
    let parts = arguments.iter().map(|one| Some((one.as_name()?, one.span)));
    let parts = parts.collect::<Option<Vec<_>>>()?;
    matches!(parts.len(), 3 | 5).then_some((format, parts))
}

fn is_required(overload: &CheckedOverload, name: &str) -> bool {
    overload.arguments.iter().any(|one| one.variable.name == name && one.role == Role::Required)
}

/// The arguments that a caller passes, in order.
fn parameters(overload: &CheckedOverload) -> Vec<&str> {
    let passed = overload.arguments.iter();
    let passed = passed.filter(|one| matches!(one.role, Role::Required | Role::Optional));
    passed.map(|one| one.variable.name.as_str()).collect()
}
