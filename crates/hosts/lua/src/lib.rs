//! From a plan to a Lua module.
//!
//! Purpose: print each step of a plan as one short call into the runtime header (`runtime/` for
//! tensors, `calls/` for calls), and the tables and annotations of a module.
//! Invariant: reads plans only; depends on no other host and no interface language.
//! Reason: Lua raises errors by `longjmp`, so resources of a call must not need a label to be
//! released: they are on Lua's stack or on C's, and the plan's cleanups only release earlier what
//! the collector would.

mod annotations;
mod callbacks;
mod enumerators;
mod function;
mod handles;
mod installation;
mod kinds;
mod library;
mod module;
mod operators;
mod overloads;
mod params;
mod retained;
mod rockspec;
mod signatures;
mod steps;
mod structs;

use enumerators::Integers;
use fishplate_emit::{About, Emitted, FileRole, Host, OutputFile, Package};
use fishplate_model::{Device, Module};
use fishplate_plan::{Capabilities, Feature, Plan, Words};
use fishplate_toolchain::{CrossBuild, Environment, Request, Target};
pub use installation::{Installation, LuaError};
use std::ffi::OsStr;
use std::path::Path;

/// The part of the runtime for tensors, without the end of its header.
const TENSORS: &str = concat!(
    include_str!("../../../../bindings/lua/runtime/prelude.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/lua_compat.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/dtypes.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/storage.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/tensor.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/errors.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/userdata.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/numbers.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/elements.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/copies.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/tables.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/buffers.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/dlpack.h"),
);

/// The end of the header.
const END: &str = include_str!("../../../../bindings/lua/runtime/end.h");

/// The header of handwritten C modules, which use tensors.
pub fn tensor_header() -> String {
    format!("{TENSORS}\n{END}")
}

/// The further parts for generated calls.
const CALLS: &str = concat!(
    include_str!("../../../emit/runtime/confirm.h"),
    "\n",
    include_str!("../../../emit/runtime/strings.h"),
    "\n",
    include_str!("../../../emit/runtime/adapters.h"),
    "\n",
    include_str!("../../../emit/runtime/items.h"),
    "\n",
    include_str!("../../../emit/runtime/identifiers.h"),
    "\n",
    include_str!("../../../emit/runtime/complex.h"),
    "\n",
    include_str!("../../../emit/runtime/dimensions.h"),
    "\n",
    include_str!("../calls/parameters.h"),
    "\n",
    include_str!("../calls/scalars.h"),
    "\n",
    include_str!("../calls/arrays.h"),
    "\n",
    include_str!("../calls/crossings.h"),
    "\n",
    include_str!("../../../emit/runtime/names.h"),
    "\n",
    include_str!("../../../emit/runtime/values.h"),
    "\n",
    include_str!("../calls/values.h"),
    "\n",
    include_str!("../calls/locks.h"),
    "\n",
    include_str!("../../../emit/runtime/bases.h"),
    "\n",
    include_str!("../calls/handles.h"),
    "\n",
    include_str!("../calls/operators.h"),
    "\n",
    include_str!("../calls/classes.h"),
    "\n",
    include_str!("../../../emit/runtime/enums.h"),
    "\n",
    include_str!("../calls/enums.h"),
    "\n",
    include_str!("../calls/strings.h"),
    "\n",
    include_str!("../../../emit/runtime/structs.h"),
    "\n",
    include_str!("../../../emit/runtime/unpacked.h"),
    "\n",
    include_str!("../calls/structs.h"),
    "\n",
    include_str!("../calls/struct_arrays.h"),
    "\n",
    include_str!("../../../emit/runtime/key.h"),
    "\n",
    include_str!("../calls/callbacks.h"),
    "\n",
    include_str!("../calls/callback_calls.h"),
    include_str!("../calls/callback_results.h"),
    "\n",
    include_str!("../../../emit/runtime/called.h"),
    "\n",
    include_str!("../calls/borrowed.h"),
    "\n",
    include_str!("../calls/files.h"),
    "\n",
    include_str!("../calls/pointers.h"),
    "\n",
    include_str!("../calls/jagged.h"),
    include_str!("../calls/terminated.h"),
    "\n",
    include_str!("../calls/any_arrays.h"),
    "\n",
    include_str!("../calls/consumed.h"),
    "\n",
    include_str!("../calls/bytes.h"),
    "\n",
    include_str!("../calls/lengths.h"),
    "\n",
    include_str!("../calls/returned.h"),
    "\n",
    include_str!("../../../emit/runtime/pointer_lists.h"),
    "\n",
    include_str!("../calls/returned_lists.h"),
    "\n",
    include_str!("../calls/copied_strings.h"),
    "\n",
    include_str!("../../../emit/runtime/nodes.h"),
    "\n",
    include_str!("../../../emit/runtime/counted_objects.h"),
    "\n",
    include_str!("../../../emit/runtime/nested.h"),
    "\n",
    include_str!("../../../emit/runtime/nested_arguments.h"),
    "\n",
    include_str!("../calls/nested_variants.h"),
    "\n",
    include_str!("../calls/nested.h"),
    "\n",
    include_str!("../../../emit/runtime/functions.h"),
    "\n",
    include_str!("../../../emit/runtime/derived.h"),
    "\n",
    include_str!("../calls/retained.h"),
    "\n",
    include_str!("../calls/nested_callbacks.h"),
    "\n",
    include_str!("../calls/callback_objects.h"),
    "\n",
    include_str!("../../../emit/runtime/kinds.h"),
    "\n",
    include_str!("../calls/overloads.h"),
    "\n",
    include_str!("../../../emit/runtime/failure.h"),
    "\n",
    include_str!("../../../emit/runtime/stored.h"),
    "\n",
    include_str!("../calls/module.h"),
    "\n",
    include_str!("../../../emit/runtime/constants.h"),
    "\n",
    include_str!("../calls/constants.h"),
    "\n",
    include_str!("../../../../bindings/lua/runtime/end.h"),
    include_str!("../../../emit/runtime/diagnostics.h"),
);

/// The runtime header's file name.
pub const RUNTIME_NAME: &str = "fishplate_lua.h";

/// The keywords of Lua, of any version: no function or parameter can have such a name.
const RESERVED: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The modules that `require` finds without a file.
const MODULES: &[&str] = &[
    "_G",
    "bit",
    "bit32",
    "coroutine",
    "debug",
    "ffi",
    "fishplate",
    "io",
    "jit",
    "math",
    "os",
    "package",
    "string",
    "table",
    "utf8",
];

/// Lua 5.1 to 5.4 and LuaJIT, with the tensors of the library `fishplate`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lua;

const ABOUT: About = About {
    summary: "Lua 5.1 to 5.4, and LuaJIT",
    option: "The Lua to build for: lua5.1, luajit, lua5.2, lua5.3, lua5.4; by default the one that `lua` on PATH \
             is, else the newest that is here",
    value: "NAME",
    files: "NAME_lua.c, its runtime header, and annotations for editors",
    by_hand: "    fishplate emit stats.toml --host lua -o generated
    cc -shared -fPIC -O3 generated/stats_lua.c stats.c -o stats.so \\
       $(pkg-config --cflags lua5.4) -Wl,-z,nodelete -lm",
};

fn find(environment: &Environment, wanted: Option<&OsStr>) -> Result<Installation, LuaError> {
    Installation::find(environment, wanted.map(OsStr::to_string_lossy).as_deref())
}

impl Host for Lua {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn divisible_runtime(&self) -> Option<&'static str> {
        Some(RUNTIME_NAME)
    }

    fn find(&self, environment: &Environment, wanted: Option<&OsStr>) -> Result<Target, String> {
        find(environment, wanted).map(|lua| lua.target()).map_err(|error| error.to_string())
    }

    fn find_on(
        &self,
        environment: &Environment,
        wanted: Option<&OsStr>,
        cross: &CrossBuild,
        folder: &Path,
    ) -> Result<Target, String> {
        find(environment, wanted).map_err(|error| error.to_string())?.target_on(
            environment,
            cross,
            folder,
        )
    }

    fn survey(&self, environment: &Environment, _: Option<&OsStr>) -> Vec<String> {
        installation::survey(environment)
    }

    /// The annotations with the values of enumerators, which are read from the library.
    fn complete(&self, plan: &Plan, target: &Target, library: &[u8]) -> Option<String> {
        let values = enumerators::read(plan, library, Integers::of(&target.name));
        Some(annotations::annotations(plan, values.as_deref()))
    }

    fn shared_library(&self, target: &Target) -> Option<Request> {
        Some(library::request(target))
    }

    fn package(&self, path: &Path, module: &Module, environment: &Environment) -> Option<Package> {
        Some(rockspec::of(path, module, environment))
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            host: "lua",
            reserved: RESERVED,
            is_special: |_| false,
            is_of_enums: |_| false,
            language: "Lua",
            modules: MODULES,
            standard_modules: &[],
            features: Feature::ALL,
            maps: false,
            structured: true,
            sparse: false,
            devices: &[Device::Cpu],
            words: Words { nothing: "nil", failure: "an error", lock: None, keywords: false },
        }
    }

    fn emit(&self, plan: &Plan) -> Emitted {
        with_other_files(plan, vec![module::emit(plan).unit(plan, &stem(plan))])
    }

    fn emit_units(&self, plan: &Plan, usual: usize) -> Option<Emitted> {
        Some(with_other_files(plan, module::emit(plan).units(plan, usual, &stem(plan))))
    }
}

/// The name of the module's unit. Not `stats`: a user's own source is likely to have this name.
fn stem(plan: &Plan) -> String {
    format!("{}_lua", plan.last_name())
}

/// The units, the runtime header, and the annotations for editors.
fn with_other_files(plan: &Plan, mut files: Vec<OutputFile>) -> Emitted {
    let plain = |name: String, contents: String, role: FileRole| OutputFile {
        name,
        contents,
        role,
        origins: Vec::new(),
    };
    // Not `stats.lua`: `require` would load that as the module.
    let beside = format!("{}.d.lua", plan.name.replace('.', "/"));
    let role = if plan.enums.is_empty() { FileRole::Beside } else { FileRole::Completed };
    files.push(plain(RUNTIME_NAME.to_owned(), format!("{TENSORS}\n{CALLS}"), FileRole::Header));
    files.push(plain(beside, annotations::annotations(plan, None), role));
    Emitted { files }
}
