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
mod runtime;
mod signatures;
mod steps;
mod structs;

use enumerators::Integers;
use fishplate_emit::{About, Emitted, FileRole, Host, OutputFile, Package};
use fishplate_model::{Device, Module};
use fishplate_plan::{Capabilities, Feature, Plan, Words};
use fishplate_toolchain::{CrossBuild, Environment, Request, Target};
pub use installation::{Installation, LuaError};
pub use runtime::tensor_header;
use std::ffi::OsStr;
use std::path::Path;

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
    files.push(plain(RUNTIME_NAME.to_owned(), runtime::header(), FileRole::Header));
    files.push(plain(beside, annotations::annotations(plan, None), role));
    Emitted { files }
}
