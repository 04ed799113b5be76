//! Sparse matrices of SciPy: one argument in Python, several in C.
//!
//! Purpose: print the function that takes each matrix apart and calls the function over its parts.
//! Invariant: that function is printed as any other, so that dispatch, checks and errors are the same.
//! Reason: no phase before this host, and no other host, has sparse matrices.

use crate::docs;
use crate::params::numpy_type;
use fishplate_emit::{Namer, c_string};
use fishplate_model::ParameterId;
use fishplate_plan::{Call, FunctionPlan, ParameterKind, Shown, SparseParameter};

/// The entry that Python calls, which calls `entry`; its text, and its name.
pub(crate) fn emit(
    function: &FunctionPlan,
    entry: &str,
    namer: &mut Namer,
) -> Option<(String, String)> {
    let call = function.calls.first().filter(|call| !call.sparse.is_empty())?;
    let mut unique = |end: &str| namer.unique(format!("{entry}_{end}"));
    let (outer, names, flat, places, matrices, how) = (
        unique("with_sparse"),
        unique("sparse_names"),
        unique("part_names"),
        unique("places"),
        unique("matrices"),
        unique("sparse"),
    );
    let shown = call.shown_parameters();
    let name = |one: &Shown<'_>| match one {
        Shown::Parameter(_, parameter) => parameter.name.clone(),
        Shown::Sparse(one) => one.name.clone(),
    };
    let place = |one: &Shown<'_>| match one {
        Shown::Parameter(id, _) => usize::from(*id).to_string(),
        Shown::Sparse(one) => {
            let at = call.sparse.iter().position(|other| other.name == one.name);
            format!("~{}", at.unwrap_or_default())
        }
    };
    let count = |fits: fn(ParameterKind) -> bool| {
        let counted = shown.iter().filter(|one| match one {
            Shown::Parameter(_, parameter) => fits(parameter.kind),
            Shown::Sparse(_) => true,
        });
        counted.count()
    };
    let list = |all: Vec<String>| all.join(", ");
    let keyword = |name: String| format!("&fpn_{name}");
    let full_name = function.full_name();
    let rows: Vec<String> = call.sparse.iter().map(|one| matrix(function, one)).collect();
    let text = format!(
        "static fp_name *const {names}[] = {{{}}};\n\
         static fp_name *const {flat}[] = {{{}}};\n\
         static const int {places}[] = {{{}}};\n\
         static const fp_sparse_matrix {matrices}[] = {{{}}};\n\
         static const fp_sparse_call {how} = {{\n    {{{}, {}, {}, {}, {}, {}, {names}, NULL, 0}},\n    \
         {flat}, {places}, {matrices}, {}, {}, {},\n}};\n\n\
         static PyObject *\n{outer}(FP_ENTRY)\n{{\n    PyObject *fp_slots[{}], *fp_parts[{}], *fp_owned[{}];\n    \
         return fp_call_with_sparse(&{how}, {entry}, fp_args, fp_count, fp_keywords, fp_slots, fp_parts, fp_owned);\n}}\n",
        list(shown.iter().map(|one| keyword(name(one))).collect()),
        list(call.parameters.iter().map(|one| keyword(one.name.clone())).collect()),
        list(shown.iter().map(place).collect()),
        rows.join(", "),
        c_string(&full_name),
        c_string(&docs::call_text(&full_name, call)),
        c_string(&call.prototype),
        count(|kind| kind == ParameterKind::Required),
        count(|kind| kind != ParameterKind::Buffer),
        shown.len(),
        call.sparse.len(),
        call.positional(),
        call.parameters.len(),
        shown.len(),
        call.parameters.len(),
        OWNED * call.sparse.len(),
    );
    Some((text, outer))
}

/// The objects that the parts of a matrix belong to.
const OWNED: usize = 4;

/// `{"a", "csr", NPY_INT32, {1, 2, 3, 0, -1}}`
fn matrix(function: &FunctionPlan, one: &SparseParameter) -> String {
    let mut parts: Vec<String> =
        one.parts.iter().map(|part| usize::from(*part).to_string()).collect();
    parts.resize(5, "-1".to_owned());
    let index = |call: &Call, part: ParameterId| {
        numpy_type(call.variable(call.parameters[part].variable).ctype.scalar())
    };
    // The type into which indices are converted; several types choose an overload.
    let mut types = function.calls.iter().flat_map(|call| {
        one.parts.iter().take(2).map(|part| index(call, *part)).collect::<Vec<_>>()
    });
    let first = types.next().unwrap_or_default();
    let wanted = if types.all(|other| other == first) { first } else { "NPY_NOTYPE".to_owned() };
    let (name, format) = (c_string(&one.name), c_string(one.format.name()));
    format!("{{{name}, {format}, {wanted}, {{{}}}}}", parts.join(", "))
}

/// The names of the matrices, for the table of keywords.
pub(crate) fn names(call: &Call) -> impl Iterator<Item = String> {
    call.sparse.iter().map(|one| one.name.clone())
}
