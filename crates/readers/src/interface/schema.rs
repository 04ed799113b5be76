//! The interface file as a JSON Schema, for editors.
//!
//! Purpose: completion, documentation and first checks while an interface is typed.
//! Invariant: it has the keys that the reader has (a test compares them), and no others.
//! Reason: editors know JSON Schema, and a schema that is derived from documented structs is
//! documentation that cannot lack a key.

// The structs describe the file to `schemars`; the reader itself needs places, and walks the TOML.
#![expect(dead_code, reason = "the fields are read by derived code only")]

use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema of an interface file, JSON Schema draft 2020-12.
pub fn json_schema() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<InterfaceFile>().to_value()
}

/// Puts the branch that is meant in the place of `anyOf`, of which a validator can only report that none
/// fits. Of these branches, each is of another type.
fn tell_apart_by_type(schema: &mut Schema) {
    let Some(Value::Array(branches)) = schema.remove("anyOf") else { return };
    let types = branches.iter().map(|one| one.get("type").cloned().unwrap_or(json!("object")));
    let types: Vec<Value> = types.collect();
    let cases = branches.iter().zip(&types);
    let cases = cases.map(|(one, of)| json!({"if": {"type": of}, "then": one}));
    schema.insert("allOf".to_owned(), cases.collect());
    schema.insert("type".to_owned(), Value::Array(types));
}

/// No value of TOML is null: what stands beside it in `anyOf` is all there is.
fn without_null(schema: &mut Schema) {
    let Some(Value::Array(branches)) = schema.remove("anyOf") else { return };
    if let Some(Value::Object(only)) = branches.into_iter().next() {
        for (key, value) in only {
            if key != "description" {
                schema.insert(key, value);
            }
        }
    }
}

/// The same of methods, which are tables as a function is: a table without `proto` that has tables only.
fn tell_methods_apart(schema: &mut Schema) {
    let Some(Value::Array(mut branches)) = schema.remove("anyOf") else { return };
    let methods = branches.pop().unwrap_or_default();
    let function = branches.pop().unwrap_or_default();
    let are_methods = json!({
        "minProperties": 1,
        "properties": {"proto": false},
        "additionalProperties": {"type": "object"}
    });
    // Editors complete keys by what any branch has, and look into no condition.
    let for_editors = json!([function.clone(), {"type": "object"}]);
    for (key, value) in
        [("anyOf", for_editors), ("if", are_methods), ("then", methods), ("else", function)]
    {
        schema.insert(key.to_owned(), value);
    }
}

/// A Fishplate interface: C functions and how Python calls them.
#[derive(JsonSchema)]
#[schemars(title = "Fishplate interface", deny_unknown_fields)]
struct InterfaceFile {
    /// What is built, and from what.
    module: ModuleTable,
    /// Names that headers give to scalar types: the C spelling on the left; on the right what it
    /// is, as `int64`, `float32`, `complex128` or `bool`, or as C's own `unsigned long`.
    #[schemars(default, extend("propertyNames" = {
        "pattern": "^\\s*[A-Za-z_][A-Za-z0-9_]*((\\s+|::)[A-Za-z_][A-Za-z0-9_]*)*\\s*$"
    }))]
    types: BTreeMap<String, String>,
    /// What the statuses of C functions mean, where a function does not say it itself.
    #[schemars(default)]
    status: StatusTable,
    /// Classes that C++ throws, and the Python exceptions that they become: the name of a builtin one, or
    /// `package.module.Name`. The first that fits is taken, so derived classes come before their bases.
    #[schemars(default)]
    exceptions: BTreeMap<String, PythonException>,
    /// Values that headers define: macros, enumerators, globals. The compiler is asked for their types.
    #[schemars(default)]
    constants: ConstantsTable,
    /// Types that have a few integers as their values, each under the name that the host will use.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    r#enum: BTreeMap<String, EnumTable>,
    /// Structs, each under the name that the host will use; one within another comes before it.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    r#struct: BTreeMap<String, StructTable>,
    /// Classes of objects that C knows by a pointer, each under the name that the host will use.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    handle: BTreeMap<String, HandleTable>,
    /// Types that stand for a callback, each under any name.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    callback: BTreeMap<String, CallbackTable>,
    /// The functions of the module, each under the name that the host will use; below the name of a
    /// handle, its methods.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    function: BTreeMap<String, FunctionOrMethods>,
}

/// Values of C as attributes of the module.
#[derive(JsonSchema, Default)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct ConstantsTable {
    /// The names, or a table of names and the expressions of C that have the values. Such a table may also
    /// stand in a list.
    values: Named,
    /// What the names begin with in C and not in the host: `GSL_`.
    #[schemars(default)]
    prefix: String,
}

/// Values of C by their names.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum Named {
    /// Each by the name that C has for it, or under another.
    List(Vec<NameOrTable>),
    /// Each under a name of the host's: an expression of C.
    Table(BTreeMap<String, Text>),
}

impl Default for Named {
    fn default() -> Self {
        Named::List(Vec::new())
    }
}

/// A value of C by its name, or several under others.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum NameOrTable {
    /// The name.
    Name(Text),
    /// A name of the host's each, and its expression.
    Table(BTreeMap<String, Text>),
}

/// A type that has a few integers as its values.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct EnumTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The type, as headers write it: `enum color`, `color_t`.
    ctype: Text,
    /// The names of the values, or a table of names and the expressions of C that have the values. Such a
    /// table may also stand in a list.
    values: Named,
    /// What the names begin with in C and not in the host: `COLOR_`.
    #[schemars(default)]
    prefix: String,
    /// Values may be combined by `|`.
    #[schemars(default)]
    flags: bool,
}

/// A struct whose fields the host sees.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct StructTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The type, as headers write it: `struct point`, `point_t`.
    ctype: Text,
    /// The fields that the host sees, as C declares them: `double x, y; int tags[4]`.
    fields: Text,
}

/// A class of objects that C knows by a pointer.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct HandleTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The pointer, as headers write it: `gsl_rng *`, `fftw_plan`.
    ctype: Text,
    /// The prototype of what makes an object when the class is called, a list of them, or a table as
    /// functions have it.
    #[schemars(transform = without_null)]
    new: Option<Constructor>,
    /// The C function that gives an object back; it is called with the pointer.
    #[schemars(default)]
    free: String,
    /// What keeps C functions that take an object from running twice at once. `handle-lock` is the
    /// default: calls on one object take turns.
    #[schemars(default)]
    threads: SafetyChoice,
}

/// What keeps C functions from running on two threads at once.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "kebab-case")]
enum SafetyChoice {
    /// Nothing: the library sees to it itself.
    #[default]
    Safe,
    /// Calls on one object, or on one that refers to it, take turns.
    HandleLock,
    /// All such calls of the module take turns.
    ModuleLock,
    /// Python's global interpreter lock, which is held during the call.
    Gil,
}

/// What makes an object.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = tell_apart_by_type)]
enum Constructor {
    /// One C prototype.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<Prototype>),
    /// All that a function may say.
    Function(Box<FunctionTable>),
}

/// A type that stands for a callback.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct CallbackTable {
    /// The type, as headers write it: that of a pointer to a function, `sqlite3_callback`, or of a struct,
    /// `gsl_function`.
    ctype: Text,
    /// The annotated C prototype of what C calls, seen from C: what it gives is an input, and an `out`
    /// parameter is a result of the host's function.
    proto: Text,
    /// The struct's member that is the pointer to the function.
    #[schemars(default)]
    function: Option<Text>,
    /// The struct's member that is the data. Without `function`, C for the data that is not among the parameters,
    /// over these: `sqlite3_user_data(ctx)`.
    #[schemars(default)]
    data: Option<Text>,
    /// What C gets where the host's function has failed: a number or a constant of the headers. Without it,
    /// NaN, 1 for a `status`, else 0. Of a callback that is `void`, C that is called then.
    #[schemars(default)]
    fails: Option<Text>,
}

/// A function, or the methods of a handle.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = tell_methods_apart)]
enum FunctionOrMethods {
    /// A function.
    Function(Box<FunctionTable>),
    /// Methods, each under its name.
    Methods(BTreeMap<String, FunctionTable>),
}

/// What is built, and from what. Paths are relative to the folder of this file.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct ModuleTable {
    /// The name to import; dots make it a member of a package.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"))]
    name: String,
    /// The module's documentation.
    #[schemars(default)]
    doc: String,
    /// The language of the headers. With `c++`, functions may lie in namespaces and classes, be
    /// overloaded, and throw.
    #[schemars(default)]
    language: LanguageChoice,
    /// The standard of that language, as behind `-std=`: `c11`, `c++17`.
    #[schemars(default)]
    standard: Option<Standard>,
    /// Headers to include: a path beside this file, or a name that the C compiler finds.
    #[schemars(default)]
    headers: Vec<Text>,
    /// C, C++ or Fortran sources to compile into the module.
    #[schemars(default)]
    sources: Vec<Text>,
    /// Folders to search for headers (`-I`).
    #[schemars(default)]
    include_dirs: Vec<Text>,
    /// Libraries to link: a name as for `-l`, or a path.
    #[schemars(default)]
    libraries: Vec<Text>,
    /// Folders to search for libraries (`-L`), when linking and when the module is loaded.
    #[schemars(default)]
    library_dirs: Vec<Text>,
    /// Flags for every compilation.
    #[schemars(default)]
    cflags: Vec<Text>,
    /// Macros to define: a list of `NAME` and `NAME=VALUE`, or a table of names and values.
    #[schemars(default)]
    defines: Defines,
    /// C that stands behind the includes.
    #[schemars(default)]
    header_code: String,
    /// What keeps C functions from running twice at once, where neither function nor handle says it.
    #[schemars(default)]
    threads: SafetyChoice,
}

/// One function of the module.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct FunctionTable {
    /// The function's documentation.
    #[schemars(default)]
    doc: String,
    /// What arguments mean, by their names; the C result is called `result`. Docstrings, stubs and annotations
    /// for editors have it.
    #[schemars(default)]
    descriptions: BTreeMap<String, String>,
    /// The annotated C prototype, a list of them (overloads, tried in order), or a table of kinds:
    /// `C`, `Fortran`, `Strided`. Such a table may also stand in the list.
    proto: AllPrototypes,
    /// The layouts of arrays that the prototypes are for; without it, all that suit.
    #[schemars(default)]
    kinds: Vec<KindChoice>,
    /// How a call maps over further dimensions: `...` by broadcasting, `var...` over ragged arrays.
    #[schemars(default)]
    ellipses: EllipsesChoice,
    /// The most threads that share the items of one call: a number, or `all`. Or what keeps calls from
    /// running on two threads at once.
    #[schemars(default)]
    threads: ThreadsChoice,
    /// Where the memory of arrays is.
    #[schemars(default)]
    device: DeviceChoice,
    /// The outputs to return, in this order; the C result is called `result`. Without it: all
    /// outputs in argument order, the C result last.
    #[schemars(default)]
    returns: Vec<Text>,
    /// What its statuses mean; a key that is not here is as `[status]` has it.
    #[schemars(default)]
    status: StatusTable,
    /// What happens to Python's global interpreter lock during the C call.
    #[schemars(default)]
    gil: GilChoice,
    /// What C is asked after the inputs are read and before memory is made: a C expression over the
    /// arguments, which may set hidden ones: `names(x, NULL, &n)`.
    #[schemars(default)]
    query: String,
    /// C before every call, which sees the arguments by their names.
    #[schemars(default)]
    pre_call: String,
    /// C behind every call, which sees the arguments and `result`.
    #[schemars(default)]
    post_call: String,
}

/// What the statuses of C functions mean. C in it may use the headers' names, and `status`.
#[derive(JsonSchema, Default)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct StatusTable {
    /// The values that are success, or a C expression that is true of them: `status >= 0`. Without it: 0.
    #[schemars(default)]
    success: Option<StatusSet>,
    /// The values that are warnings, or a C expression that is true of them.
    #[schemars(default)]
    warnings: Option<StatusSet>,
    /// A C expression for the text of a status, such as `gsl_strerror(status)`; it may be NULL.
    #[schemars(default)]
    message: Option<Text>,
    /// Texts of single values, which come before `message`.
    #[schemars(default)]
    messages: BTreeMap<String, String>,
    /// The Python exceptions of single values; others raise RuntimeError.
    #[schemars(default)]
    exceptions: BTreeMap<String, PythonException>,
    /// The C function sets `errno`: failures raise OSError. An expression says where else the number
    /// is, such as `status`.
    #[schemars(default)]
    errno: ErrnoChoice,
}

/// Values of a status.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum StatusSet {
    /// One value.
    One(i64),
    /// Several.
    Several(#[schemars(length(min = 1))] Vec<StatusValue>),
    /// A C expression over `status`.
    Expression(Text),
}

/// A value of a status.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum StatusValue {
    /// The number.
    Number(i64),
    /// What the headers call it.
    Name(Text),
}

/// Whether C reports by `errno`.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum ErrnoChoice {
    /// It does, or not.
    Is(bool),
    /// A C expression for the number.
    Expression(Text),
}

impl Default for ErrnoChoice {
    fn default() -> Self {
        ErrnoChoice::Is(false)
    }
}

/// The name of a Python exception.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct PythonException(
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"))] String,
);

/// The language of headers.
#[derive(JsonSchema, Default)]
#[schemars(inline)]
enum LanguageChoice {
    /// C.
    #[default]
    #[schemars(rename = "c")]
    C,
    /// C++.
    #[schemars(rename = "c++")]
    Cxx,
}

/// A standard of C or C++.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct Standard(#[schemars(regex(pattern = r"^(c|gnu)(\+\+)?[0-9][0-9a-z]$"))] String);

/// Text that is not empty.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct Text(#[schemars(regex(pattern = r"\S"))] String);

/// Macros as a list or as a table.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum Defines {
    /// A list of `NAME` and `NAME=VALUE`.
    List(Vec<Define>),
    /// Names and values; `true` defines a name without a value.
    Table(BTreeMap<String, DefineValue>),
}

impl Default for Defines {
    fn default() -> Self {
        Defines::List(Vec::new())
    }
}

/// `NAME` or `NAME=VALUE`, without `-D`.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct Define(#[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\(.*\))?(=.*)?$"))] String);

/// A macro's value.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum DefineValue {
    /// Any C text.
    Text(String),
    /// A number.
    Number(f64),
    /// Defined without a value.
    #[schemars(extend("const" = true))]
    Defined(bool),
}

/// One prototype or several.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum Prototypes {
    /// One C prototype.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<Prototype>),
}

/// Prototypes for every layout, or by kind.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = tell_apart_by_type)]
enum AllPrototypes {
    /// One C prototype, for every layout that suits.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<OnePrototype>),
    /// By the layout of the arrays.
    Kinds(Kinds),
}

/// An entry of a list of prototypes.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = tell_apart_by_type)]
enum OnePrototype {
    /// For every layout that suits.
    Any(Prototype),
    /// By the layout of the arrays.
    Kinds(Kinds),
}

/// Prototypes by kind.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "PascalCase", deny_unknown_fields)]
struct Kinds {
    /// When all arrays are C-contiguous.
    c: Option<Prototypes>,
    /// When all arrays are F-contiguous.
    fortran: Option<Prototypes>,
    /// For all other layouts.
    strided: Option<Prototypes>,
}

/// A layout of a call's arrays.
#[derive(JsonSchema)]
#[schemars(inline)]
enum KindChoice {
    /// All are C-contiguous.
    C,
    /// All are F-contiguous.
    Fortran,
    /// Anything else.
    Strided,
}

/// One way to map, or several.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum EllipsesChoice {
    /// One way.
    One(Ellipsis),
    /// Several.
    Several(Vec<Ellipsis>),
}

impl Default for EllipsesChoice {
    fn default() -> Self {
        EllipsesChoice::One(Ellipsis::None)
    }
}

/// How a call maps over further dimensions.
#[derive(JsonSchema)]
#[schemars(inline)]
enum Ellipsis {
    /// It does not.
    #[schemars(rename = "none")]
    None,
    /// Over leading dimensions, by broadcasting.
    #[schemars(rename = "...")]
    Dots,
    /// Over ragged arrays.
    #[schemars(rename = "var...")]
    Var,
}

/// How many threads share a call.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum ThreadsChoice {
    /// At most so many.
    AtMost(#[schemars(range(min = 1, max = 1024))] u32),
    /// As many as the process may use.
    All(All),
    /// One, and what keeps calls from running at once.
    Apart(SafetyChoice),
}

impl Default for ThreadsChoice {
    fn default() -> Self {
        ThreadsChoice::AtMost(1)
    }
}

/// The word `all`.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
enum All {
    /// As many as the process may use.
    All,
}

/// Where the memory of arrays is.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
enum DeviceChoice {
    /// In the CPU's memory.
    #[default]
    Cpu,
    /// On a CUDA device.
    Cuda,
}

/// A C prototype with intents, shapes and defaults, such as
/// `void scale(size_t n, inplace double x[n], double by = 2)`.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct Prototype(#[schemars(regex(pattern = r"\("))] String);

/// When the interpreter lock is let go.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
enum GilChoice {
    /// When the arrays are large enough for letting go to pay.
    #[default]
    Auto,
    /// Never.
    Hold,
    /// Always.
    Release,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::{TABLES, callback, function, handle, module, status};

    fn keys(value: &serde_json::Value) -> Vec<&str> {
        let mut keys: Vec<&str> =
            value["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn sorted<'k>(keys: &[&'k str]) -> Vec<&'k str> {
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn the_schema_has_the_keys_of_the_reader() {
        let schema = json_schema();
        assert_eq!(keys(&schema), sorted(TABLES));
        assert_eq!(keys(&schema["$defs"]["ModuleTable"]), sorted(module::KEYS));
        assert_eq!(keys(&schema["$defs"]["HandleTable"]), sorted(handle::KEYS));
        assert_eq!(keys(&schema["$defs"]["CallbackTable"]), sorted(callback::KEYS));
        assert_eq!(keys(&schema["$defs"]["FunctionTable"]), sorted(function::KEYS));
        assert_eq!(keys(&schema["$defs"]["StatusTable"]), sorted(status::KEYS));
    }

    #[test]
    fn every_table_is_closed_and_every_key_described() {
        let schema = json_schema();
        let tables =
            ["ModuleTable", "HandleTable", "CallbackTable", "FunctionTable", "StatusTable"];
        for table in tables.map(|name| &schema["$defs"][name]).into_iter().chain([&schema]) {
            assert_eq!(table["additionalProperties"], false);
            for (key, value) in table["properties"].as_object().unwrap() {
                assert!(value["description"].is_string(), "{key} has no description");
            }
        }
    }
}
