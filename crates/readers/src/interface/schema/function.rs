//! The keys of functions in the schema, and the prototypes.

use super::{SafetyChoice, StatusTable, Text};
use fishplate_model::OPERATORS;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A function, or the methods of a handle.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = distinguish_methods)]
pub(super) enum FunctionOrMethods {
    /// A function.
    Function(Box<FunctionTable>),
    /// Methods, each under its name.
    Methods(BTreeMap<String, FunctionTable>),
}

pub(super) fn operators() -> Vec<&'static str> {
    OPERATORS.iter().map(|one| one.name).collect()
}

/// One function of the module.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct FunctionTable {
    /// The function's documentation.
    #[schemars(default)]
    doc: String,
    /// Descriptions of arguments, by name; the C result is called `result`. They appear in
    /// docstrings, stubs and annotations for editors.
    #[schemars(default)]
    descriptions: BTreeMap<String, String>,
    /// The annotated C prototype, a list of them (overloads, tried in order), or a table of kinds:
    /// `C`, `Fortran`, `Strided`. The list may contain such tables, too.
    proto: AllPrototypes,
    /// It computes an attribute of the objects of its class; a prototype with a further argument sets it.
    #[schemars(default)]
    property: bool,
    /// The operator of its class that it implements.
    #[schemars(default, extend("enum" = operators()))]
    operator: String,
    /// The memory layouts that the prototypes accept; default: all that suit.
    #[schemars(default)]
    kinds: Vec<KindChoice>,
    /// Batched calls: `...` broadcasts over leading dimensions, `var...` over ragged arrays.
    #[schemars(default)]
    ellipses: EllipsesChoice,
    /// The largest number of threads that share the items of one call: a number, or `all`. Or the
    /// lock that prevents calls from running on two threads at once.
    #[schemars(default)]
    threads: ThreadsChoice,
    /// The device that holds the arrays.
    #[schemars(default)]
    device: DeviceChoice,
    /// The outputs to return, in this order; the C result is called `result`. Default: all outputs
    /// in argument order, the C result last.
    #[schemars(default)]
    returns: Vec<Text>,
    /// The meaning of its return codes; keys that are absent are taken from `[status]`.
    #[schemars(default)]
    status: StatusTable,
    /// When Python's global interpreter lock is released during the C call.
    #[schemars(default)]
    gil: GilChoice,
    /// How much one call does, in operations as simple as an addition: an expression over sizes and integer arguments,
    /// `m * n * k`. Python's lock is released for 4096 and more. Default: the number of elements of its arrays.
    #[schemars(default)]
    work: String,
    /// Declarations of hidden values that C does not receive: `int rank = rank_of(object); long dims[rank]`.
    #[schemars(default)]
    locals: String,
    /// A size query, called after the inputs are read and before memory is allocated: a C
    /// expression over the arguments, which may set hidden ones: `names(x, NULL, &n)`.
    #[schemars(default)]
    query: String,
    /// Sparse matrices of SciPy that are one argument each in Python, by its name: the format, `csr` or `csc`, and the
    /// arguments of C for offsets, indices and values, and for the numbers of rows and columns if C takes these:
    /// `{ a = "csr(indptr, indices, data, m, n)" }`.
    #[schemars(default)]
    sparse: BTreeMap<String, String>,
    /// C code before every call, in which arguments have their names.
    #[schemars(default)]
    pre_call: String,
    /// C code after every call, in which the arguments and `result` are defined.
    #[schemars(default)]
    post_call: String,
}

/// One prototype or several.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum Prototypes {
    /// One C prototype.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<Prototype>),
}

/// Prototypes for every layout, or by kind.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum AllPrototypes {
    /// One C prototype, for every layout that suits it.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<OnePrototype>),
    /// By the layout of the arrays.
    Kinds(Kinds),
}

/// An entry of a list of prototypes.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum OnePrototype {
    /// For every layout that suits it.
    Any(Prototype),
    /// By the layout of the arrays.
    Kinds(Kinds),
}

/// Prototypes by kind.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "PascalCase", deny_unknown_fields)]
pub(super) struct Kinds {
    /// When all arrays are C-contiguous.
    c: Option<Prototypes>,
    /// When all arrays are F-contiguous.
    fortran: Option<Prototypes>,
    /// For all other layouts.
    strided: Option<Prototypes>,
}

/// The memory layout of a call's arrays.
#[derive(JsonSchema)]
#[schemars(inline)]
pub(super) enum KindChoice {
    /// All are C-contiguous.
    C,
    /// All are F-contiguous.
    Fortran,
    /// Any other layout.
    Strided,
}

/// One mode of batches, or several.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum EllipsesChoice {
    /// One mode.
    One(Ellipsis),
    /// Several modes.
    Several(Vec<Ellipsis>),
}

impl Default for EllipsesChoice {
    fn default() -> Self {
        EllipsesChoice::One(Ellipsis::None)
    }
}

/// The batches of a function.
#[derive(JsonSchema)]
#[schemars(inline)]
pub(super) enum Ellipsis {
    /// None.
    #[schemars(rename = "none")]
    None,
    /// Over leading dimensions, by broadcasting.
    #[schemars(rename = "...")]
    Dots,
    /// Over ragged arrays.
    #[schemars(rename = "var...")]
    Var,
}

/// The threads of a call.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum ThreadsChoice {
    /// At most this number.
    AtMost(#[schemars(range(min = 1, max = 1024))] u32),
    /// As many as the process may use.
    All(All),
    /// One, and the lock that serialises calls.
    Apart(SafetyChoice),
}

impl Default for ThreadsChoice {
    fn default() -> Self {
        ThreadsChoice::AtMost(1)
    }
}

/// The keyword `all`.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
pub(super) enum All {
    /// As many as the process may use.
    All,
}

/// The device that holds the arrays.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
pub(super) enum DeviceChoice {
    /// The CPU.
    #[default]
    Cpu,
    /// A CUDA device.
    Cuda,
}

/// A C prototype with intents, shapes and defaults, such as
/// `void scale(size_t n, inplace double x[n], double by = 2)`.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
pub(super) struct Prototype(#[schemars(regex(pattern = r"\("))] String);

/// When the global interpreter lock is released.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
pub(super) enum GilChoice {
    /// If the call does enough to repay the cost: see `work`.
    #[default]
    Auto,
    /// Never.
    Hold,
    /// Always.
    Release,
}

/// Replaces `anyOf` by a condition for methods, which are tables like functions: a table without `proto` that contains
/// only tables.
fn distinguish_methods(schema: &mut Schema) {
    distinguish_members(schema, &["proto"]);
}

/// Replaces `anyOf` of a table, and of the tables that it may contain instead, by a condition: it has none of these keys,
/// and contains only tables.
pub(super) fn distinguish_members(schema: &mut Schema, keys: &[&str]) {
    let Some(Value::Array(mut branches)) = schema.remove("anyOf") else { return };
    let members = branches.pop().unwrap_or_default();
    let one = branches.pop().unwrap_or_default();
    let are_members = json!({
        "minProperties": 1,
        "properties": keys.iter().map(|key| ((*key).to_owned(), json!(false))).collect::<Map<_, _>>(),
        "additionalProperties": {"type": "object"}
    });
    // Editors complete the keys of all branches, and do not evaluate conditions.
    let for_editors = json!([one.clone(), {}]);
    for (key, value) in
        [("anyOf", for_editors), ("if", are_members), ("then", members), ("else", one)]
    {
        schema.insert(key.to_owned(), value);
    }
}
