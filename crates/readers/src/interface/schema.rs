//! The interface file as a JSON Schema, for editors.
//!
//! Purpose: completion, documentation and first checks while an interface is typed.
//! Invariant: its keys are those that the front end accepts; a test compares them.
//! Reason: editors support JSON Schema, and a schema derived from documented structs documents
//! every key.

// The structs describe the file to `schemars`; the front end itself needs places, and walks the
// TOML.
#![expect(dead_code, reason = "the fields are read by derived code only")]

mod function;
mod messages;
mod module;
mod status;
mod stored;

use self::function::{FunctionOrMethods, FunctionTable, Prototype};
use self::module::ModuleTable;
use self::status::{PythonException, StatusTable, StatusValue};
use self::stored::{Init, Storage};
use fishplate_model::Scalar;
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use std::collections::BTreeMap;

/// The schema of an interface file, JSON Schema draft 2020-12.
pub fn json_schema() -> serde_json::Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<InterfaceFile>();
    messages::clarify(&mut schema);
    schema.to_value()
}

/// A Fishplate interface: C functions, and how Python calls them.
#[derive(JsonSchema)]
#[schemars(title = "Fishplate interface", deny_unknown_fields)]
struct InterfaceFile {
    /// The module to build, and its source files.
    module: ModuleTable,
    /// Names that headers give to scalar types and pointers: the C spelling on the left; on the right the type,
    /// as `int64`, `float32`, `complex128` or `bool`, as C's own `unsigned long`, or as `const char *`. In C++ also a
    /// type in a namespace, such as `std::vector<double>`.
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
    /// The codes by which a library identifies the dtypes of arrays, each under a name for `dtype(NAME)`.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    dtypes: BTreeMap<String, DtypesTable>,
    /// Enums: types with a few integer values, each under its name in the target language; below the name of a class,
    /// those that are its attributes.
    #[schemars(default, extend("propertyNames" = {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}))]
    r#enum: BTreeMap<String, EnumOrMembers>,
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
    Table(BTreeMap<String, TextOrMembers>),
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
    Table(BTreeMap<String, TextOrMembers>),
}

/// A C expression, or those of the constants of a class.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
enum TextOrMembers {
    /// The expression.
    Text(Text),
    /// The constants of the class, by their names.
    Members(BTreeMap<String, Text>),
}

/// Dtypes, and C's codes for them.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
struct DtypesTable {
    /// The type of a code, as spelled in headers: `hid_t`, `nc_type`, `MPI_Datatype`.
    ctype: Text,
    /// NumPy's names of dtypes, each with a C expression for its code: `float64 = "H5T_NATIVE_DOUBLE"`.
    #[schemars(extend("propertyNames" = {"enum": dtype_names()}, "minProperties" = 1))]
    values: BTreeMap<String, Text>,
    /// A C expression that is true if the codes `left` and `right` mean the same; by default `left == right`.
    #[schemars(default)]
    equal: Option<Text>,
}

/// An enum, or those of a class.
#[derive(JsonSchema)]
#[schemars(inline, untagged, transform = distinguish_enums)]
enum EnumOrMembers {
    /// The enum.
    Enum(EnumTable),
    /// The enums of the class, by their names.
    Members(BTreeMap<String, EnumTable>),
}

fn distinguish_enums(schema: &mut Schema) {
    function::distinguish_members(schema, &["ctype", "values"]);
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
    /// The visible fields, as C declares them: `double x, y; text char name[16]`; with pointers, as the arguments of a
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
    /// Where objects are: C allocates them, and returns a pointer; or the module allocates them, `value`.
    #[schemars(default)]
    storage: Storage,
    /// With `storage = "value"`: C that initialises a new object, the name of a function or an expression over `object`.
    init: Option<Init>,
    /// The prototype of the constructor, a list of them, or a table as for functions.
    new: Option<Constructor>,
    /// The destructor: a C function that is called with the pointer.
    #[schemars(default)]
    free: String,
    /// The handle of which each object keeps one, for `free` as `context`: `x_free(context, object)`.
    #[schemars(default)]
    context: String,
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
    /// The meaning of the return codes of its methods and its constructor. The message may read the `object`:
    /// `zip_strerror(object)`.
    #[schemars(default)]
    status: StatusTable,
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

/// A string that is not empty.
#[derive(JsonSchema)]
#[schemars(inline, transparent)]
struct Text(#[schemars(regex(pattern = r"\S"))] String);

/// NumPy's names of the dtypes that arrays may have.
fn dtype_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Scalar::ALL.iter().map(|one| one.dtype_name()).collect();
    names.sort_unstable();
    names.dedup();
    names
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
