//! The keys of `[module]` in the schema.

use super::{SafetyChoice, Text};
use schemars::JsonSchema;
use std::collections::BTreeMap;

/// The module to build, and its source files. Paths are relative to the folder of this file.
#[derive(JsonSchema)]
#[schemars(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ModuleTable {
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
    /// The functions of this file that are called when the module is loaded, in this order.
    #[schemars(default)]
    init: Vec<Text>,
    /// Those that are called when the interpreter ends, in this order.
    #[schemars(default)]
    exit: Vec<Text>,
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

pub(super) fn yes() -> bool {
    true
}

/// The language of headers.
#[derive(JsonSchema, Default)]
#[schemars(inline)]
pub(super) enum LanguageChoice {
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
pub(super) struct Standard(#[schemars(regex(pattern = r"^(c|gnu)(\+\+)?[0-9][0-9a-z]$"))] String);

/// Macros as a list or as a table.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum Defines {
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
pub(super) struct Define(
    #[schemars(regex(pattern = r"^[A-Za-z_][A-Za-z0-9_]*(\(.*\))?(=.*)?$"))] String,
);

/// A macro's value.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
pub(super) enum DefineValue {
    /// Any C code.
    Text(String),
    /// A number.
    Number(f64),
    /// Defined without a value.
    #[schemars(extend("const" = true))]
    Defined(bool),
}
