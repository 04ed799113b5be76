//! The interface file as a JSON Schema, for editors.
//!
//! Purpose: completion, documentation and first checks while an interface is typed.
//! Invariant: its keys are those that the front end accepts; a test compares them.
//! Reason: editors support JSON Schema, and a schema derived from documented structs documents
//! every key.

// The structs describe the file to `schemars`; the front end itself needs places, and walks the
// TOML.
#![expect(dead_code, reason = "the fields are read by derived code only")]

mod messages;

use fishplate_model::OPERATORS;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema of an interface file, JSON Schema draft 2020-12.
pub fn json_schema() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<InterfaceFile>();
    messages::clarify(&mut schema);
    schema.to_value()
}

/// Replaces `anyOf` by a condition for methods, which are tables like functions: a table without `proto` that contains
/// only tables.
fn tell_methods_apart(schema: &mut Schema) {
    let Some(Value::Array(mut branches)) = schema.remove("anyOf") else { return };
    let methods = branches.pop().unwrap_or_default();
    let function = branches.pop().unwrap_or_default();
    let are_methods = json!({
        "minProperties": 1,
        "properties": {"proto": false},
        "additionalProperties": {"type": "object"}
    });
    // Editors complete the keys of all branches, and do not evaluate conditions.
    let for_editors = json!([function.clone(), {}]);
    for (key, value) in
        [("anyOf", for_editors), ("if", are_methods), ("then", methods), ("else", function)]
    {
        schema.insert(key.to_owned(), value);
    }
}

/// A Fishplate interface: C functions, and how Python calls them.
#[derive(JsonSchema)]
#[schemars(title = "Fishplate interface", deny_unknown_fields)]
struct InterfaceFile {
    /// The module to build, and its source files.
    module: ModuleTable,
    /// Names that headers give to scalar types: the C spelling on the left; on the right the type,
    /// as `int64`, `float32`, `complex128` or `bool`, or as C's own `unsigned long`.
    #[schemars(default, extend("propertyNames" = {
        "pattern": "^\\s*[A-Za-z_][A-Za-z0-9_]*((\\s+|::)[A-Za-z_][A-Za-z0-9_]*)*\\s*$"
    }))]
    types: BTreeMap<String, String>,
    /// The meaning of return codes, for functions that do not specify it themselves.
    #[schemars(default)]
    status: StatusTable,
    /// C++ exceptions, and the Python exceptions that they become: the name of a builtin one, or
    /// `package.module.Name`. The first match is taken, so derived classes come before their bases.
    #[schemars(default)]
    exceptions: BTreeMap<String, PythonException>,
    /// Values that headers define: macros, enumerators, globals. The compiler determines their
    /// types.
    #[schemars(default)]
    constants: ConstantsTable,
    /// Enums: types with a few integer values, each under its name in the target language.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    r#enum: BTreeMap<String, EnumTable>,
    /// Structs, each under its name in the target language; one within another comes before it.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    r#struct: BTreeMap<String, StructTable>,
    /// Classes of objects that C identifies by a pointer, each under its name in the target
    /// language.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    handle: BTreeMap<String, HandleTable>,
    /// Types for callbacks, each under any name.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    callback: BTreeMap<String, CallbackTable>,
    /// The functions of the module, each under its name in the target language; below the name of a
    /// handle, its methods.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    function: BTreeMap<String, FunctionOrMethods>,
}

/// C values as attributes of the module.
#[derive(JsonSchema, Default)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct ConstantsTable {
    /// The names, or a table of names and C expressions for the values. A list may contain such
    /// tables, too.
    values: Named,
    /// The prefix of the names in C that is removed in the target language: `GSL_`.
    #[schemars(default)]
    prefix: String,
}

/// C values by their names.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum Named {
    /// A list of names, as in C, and of tables.
    List(Vec<NameOrTable>),
    /// A table of names in the target language and C expressions.
    Table(BTreeMap<String, Text>),
}

impl Default for Named {
    fn default() -> Self {
        Named::List(Vec::new())
    }
}

/// A C value by its name, or several under other names.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum NameOrTable {
    /// The name.
    Name(Text),
    /// A table of names in the target language and C expressions.
    Table(BTreeMap<String, Text>),
}

/// An enum: a type with a few integer values.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct EnumTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The type, as spelled in headers: `enum color`, `color_t`.
    ctype: Text,
    /// The names of the values, or a table of names and C expressions for the values. A list may
    /// contain such tables, too.
    values: Named,
    /// The prefix of the names in C that is removed in the target language: `COLOR_`.
    #[schemars(default)]
    prefix: String,
    /// Values may be combined with `|`.
    #[schemars(default)]
    flags: bool,
}

/// A struct: a class of numbers, or one whose fields are arguments of the functions that take it.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct StructTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The type, as spelled in headers: `struct point`, `point_t`.
    ctype: Text,
    /// The visible fields, as C declares them: `double x, y; int tags[4]`; with pointers, as the arguments of a
    /// prototype: `const double data[n]; size_t n`.
    fields: Text,
}

/// A class of objects that C identifies by a pointer.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct HandleTable {
    /// The class's documentation.
    #[schemars(default)]
    doc: String,
    /// The pointer type, as spelled in headers: `gsl_rng *`, `fftw_plan`, `std::shared_ptr<lib::T>`; or the type of an integer.
    ctype: Text,
    /// C identifies objects by integers; this one is not an object: `-1`, or a name that the headers define.
    invalid: Option<StatusValue>,
    /// The prototype of the constructor, a list of them, or a table as for functions.
    new: Option<Constructor>,
    /// The destructor: a C function that is called with the pointer.
    #[schemars(default)]
    free: String,
    /// The handle from which its class is derived, or a list of several: its objects are accepted where that is an argument.
    base: Option<OneOrSeveral>,
    /// The fields that are attributes of the objects, as headers declare them: `double x; const int n`.
    #[schemars(default)]
    fields: String,
    /// C++: the type of the items from `begin()` to `end()`, over which objects are iterated: `const lib::Item &`.
    #[schemars(default)]
    items: String,
    /// The expression over `object` and `data` that sets the user data of an object, which its
    /// callbacks share: `XML_SetUserData(object, data)`.
    #[schemars(default, rename = "user-data")]
    user_data: String,
    /// The lock that serialises C functions that take an object. `handle-lock` is the default: one
    /// lock per object.
    #[schemars(default)]
    threads: SafetyChoice,
}

/// The lock that prevents C functions from running on two threads at once.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "kebab-case")]
enum SafetyChoice {
    /// No lock: the library is thread-safe.
    #[default]
    Safe,
    /// One lock per object, for calls on one object, or on one that refers to it.
    HandleLock,
    /// One lock for all such calls of the module.
    ModuleLock,
    /// Python's global interpreter lock, which is held during the call.
    Gil,
}

/// One name, or a list of names.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum OneOrSeveral {
    /// One.
    One(Text),
    /// Several.
    Several(#[schemars(length(min = 1))] Vec<Text>),
}

/// A constructor.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum Constructor {
    /// One C prototype.
    One(Prototype),
    /// Overloads, tried exactly first, then by safe casts, in order.
    Overloads(#[schemars(length(min = 1))] Vec<Prototype>),
    /// A function with all its keys.
    Function(Box<FunctionTable>),
}

/// A type for callbacks.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct CallbackTable {
    /// The type, as spelled in headers: that of a pointer to a function, `sqlite3_callback`, or of
    /// a struct, `gsl_function`.
    ctype: Text,
    /// The annotated C prototype of the callback, from C's side: a value that C passes is an input, and an
    /// `out` parameter is a result of the callback.
    proto: Text,
    /// The struct's member for the function pointer.
    #[schemars(default)]
    function: Option<Text>,
    /// The struct's member for the user data. Without `function`, a C expression over the
    /// parameters that returns the user data: `sqlite3_user_data(ctx)`.
    #[schemars(default)]
    data: Option<Text>,
    /// The on-error action: the error return value, a number or a constant of the headers. Default:
    /// NaN, 1 for a `status`, else 0. For a callback that returns `void`, a C call.
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

/// The module to build, and its source files. Paths are relative to the folder of this file.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct ModuleTable {
    /// The edition of the interface language in which the file is written.
    #[schemars(default, range(min = 1, max = 1))]
    edition: Option<u32>,
    /// The name to import; dots make it a member of a package.
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"))]
    name: String,
    /// The module's documentation.
    #[schemars(default)]
    doc: String,
    /// The language of the headers. With `c++`, functions may be members of namespaces and classes,
    /// may be overloaded, and may throw.
    #[schemars(default)]
    language: LanguageChoice,
    /// The standard of that language, as after `-std=`: `c11`, `c++17`.
    #[schemars(default)]
    standard: Option<Standard>,
    /// Headers to include: a path relative to this file, or a name that the C compiler finds.
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
    /// C code after the includes.
    #[schemars(default)]
    header_code: String,
    /// The lock that serialises C functions for which neither function nor handle specifies one.
    #[schemars(default)]
    threads: SafetyChoice,
    /// Python modules use only the stable ABI: every CPython from 3.12 on loads the same file.
    #[schemars(default)]
    stable_abi: bool,
    /// Functions return small arrays of earlier calls again once there is no other reference to them.
    #[schemars(default = "yes")]
    recycle_outputs: bool,
}

fn yes() -> bool {
    true
}

fn operators() -> Vec<&'static str> {
    OPERATORS.iter().map(|one| one.name).collect()
}

/// One function of the module.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct FunctionTable {
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

/// The meaning of return codes. C expressions may use the headers' names, and `status`.
#[derive(JsonSchema, Default)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct StatusTable {
    /// The codes of success, or a C expression that is true for them: `status >= 0`. Default: 0.
    #[schemars(default)]
    success: Option<StatusSet>,
    /// The codes of warnings, or a C expression that is true for them.
    #[schemars(default)]
    warnings: Option<StatusSet>,
    /// A C expression for the message, such as `gsl_strerror(status)`; it may be NULL.
    #[schemars(default)]
    message: Option<Text>,
    /// Messages for single codes, which take precedence over `message`.
    #[schemars(default)]
    messages: BTreeMap<String, String>,
    /// The Python exceptions for single codes; others raise RuntimeError.
    #[schemars(default)]
    exceptions: BTreeMap<String, PythonException>,
    /// The C function sets `errno`: failures raise OSError. An expression is the error number
    /// instead, such as `status`.
    #[schemars(default)]
    errno: ErrnoChoice,
}

/// Return codes.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum StatusSet {
    /// One value.
    One(i64),
    /// Several.
    Several(#[schemars(length(min = 1))] Vec<StatusValue>),
    /// A C expression over `status`, true for these codes.
    Expression(Text),
}

/// A return code.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum StatusValue {
    /// The number.
    Number(i64),
    /// A name that the headers define.
    Name(Text),
}

/// Whether C sets `errno`.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum ErrnoChoice {
    /// `true` or `false`.
    Is(bool),
    /// A C expression for the error number.
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

/// A string that is not empty.
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
    /// Any C code.
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
#[schemars(inline, untagged)]
enum AllPrototypes {
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
enum OnePrototype {
    /// For every layout that suits it.
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

/// The memory layout of a call's arrays.
#[derive(JsonSchema)]
#[schemars(inline)]
enum KindChoice {
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
enum EllipsesChoice {
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
enum Ellipsis {
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
enum ThreadsChoice {
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
enum All {
    /// As many as the process may use.
    All,
}

/// The device that holds the arrays.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
enum DeviceChoice {
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
struct Prototype(#[schemars(regex(pattern = r"\("))] String);

/// When the global interpreter lock is released.
#[derive(JsonSchema, Default)]
#[schemars(inline, rename_all = "lowercase")]
enum GilChoice {
    /// If the call does enough to repay the cost: see `work`.
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
            let expected = table["additionalProperties"]["const"].as_str().unwrap();
            assert_eq!(expected, format!("one of the keys {}", keys(table).join(", ")));
            for (key, value) in table["properties"].as_object().unwrap() {
                assert!(value["description"].is_string(), "{key} has no description");
            }
        }
    }
}
