//! Purpose: LuaJIT, an interpreter of Lua 5.1, in which `require 'wrap'` and `require 'cwrap'` work, for
//! scripts that write wrappers.
//!
//! Invariant: the modules are those of `bindings/lua`, to the letter; only how they get into the
//! interpreter is decided here.
//!
//! Reason: a user with an old script and a C compiler should not need to install a Lua first.

mod options;

use mlua::{Function, Lua, Table, ffi};
use options::Options;
use std::ffi::OsString;

/// `wrap` itself: the name of each module, and its source.
const MODULES: &[(&str, &str)] = &[
    ("wrap", include_str!("../../../bindings/lua/wrap.lua")),
    ("cwrap", include_str!("../../../bindings/lua/cwrap.lua")),
    ("wrap.arguments", include_str!("../../../bindings/lua/wrap/arguments.lua")),
    ("wrap.bodies", include_str!("../../../bindings/lua/wrap/bodies.lua")),
    ("wrap.callbacks", include_str!("../../../bindings/lua/wrap/callbacks.lua")),
    ("wrap.choice", include_str!("../../../bindings/lua/wrap/choice.lua")),
    ("wrap.conditions", include_str!("../../../bindings/lua/wrap/conditions.lua")),
    ("wrap.defaults", include_str!("../../../bindings/lua/wrap/defaults.lua")),
    ("wrap.earliest", include_str!("../../../bindings/lua/wrap/earliest.lua")),
    ("wrap.interface", include_str!("../../../bindings/lua/wrap/interface.lua")),
    ("wrap.macros", include_str!("../../../bindings/lua/wrap/macros.lua")),
    ("wrap.module", include_str!("../../../bindings/lua/wrap/module.lua")),
    ("wrap.plan", include_str!("../../../bindings/lua/wrap/plan.lua")),
    ("wrap.positions", include_str!("../../../bindings/lua/wrap/positions.lua")),
    ("wrap.runtime", include_str!("../../../bindings/lua/wrap/runtime.lua")),
    ("wrap.shapes", include_str!("../../../bindings/lua/wrap/shapes.lua")),
    ("wrap.shared", include_str!("../../../bindings/lua/wrap/shared.lua")),
    ("wrap.tests", include_str!("../../../bindings/lua/wrap/tests.lua")),
    ("wrap.text", include_str!("../../../bindings/lua/wrap/text.lua")),
    ("wrap.types", include_str!("../../../bindings/lua/wrap/types.lua")),
    ("wrap.types.number", include_str!("../../../bindings/lua/wrap/types/number.lua")),
    ("wrap.types.tensor", include_str!("../../../bindings/lua/wrap/types/tensor.lua")),
    ("wrap.unreached", include_str!("../../../bindings/lua/wrap/unreached.lua")),
    ("wrap.values", include_str!("../../../bindings/lua/wrap/values.lua")),
    ("wrap.variants", include_str!("../../../bindings/lua/wrap/variants.lua")),
    ("wrap.wrapper", include_str!("../../../bindings/lua/wrap/wrapper.lua")),
];

/// The result of a script.
#[derive(Debug)]
pub struct Outcome {
    /// The error, with Lua's traceback.
    pub error: Option<String>,
    /// The calls of wrapped functions that can never be selected, if requested.
    pub unreached: Vec<String>,
}

/// Runs the arguments of `fishplate lua`: options of the `lua` command, then a script, `-` for
/// standard input, and its arguments.
pub fn run(command: &[OsString], explain: bool) -> Outcome {
    let failed = |error: String| Outcome { error: Some(error), unreached: Vec::new() };
    match Options::read(command) {
        Ok(options) => {
            interpret(&options, explain).unwrap_or_else(|error| failed(error.to_string()))
        }
        Err(error) => failed(error),
    }
}

/// A state with Lua's own allocator: where memory ends, that of `mlua` ends the process instead of raising
/// Lua's error.
fn state() -> mlua::Result<&'static Lua> {
    // SAFETY: the state is new, not shared, and never closed. The remaining risk is scripts that
    // use the `debug` library. They are programs that the user runs, as with any Lua; modules in C
    // cannot be loaded, see run.lua.
    #[expect(unsafe_code)]
    unsafe {
        let state = ffi::luaL_newstate();
        if state.is_null() {
            return Err(mlua::Error::MemoryError("not enough memory".to_owned()));
        }
        ffi::luaL_openlibs(state);
        Ok(Lua::get_or_init_from_ptr(state))
    }
}

fn interpret(options: &Options, explain: bool) -> mlua::Result<Outcome> {
    let lua = state()?;
    let preload: Table = lua.globals().get::<Table>("package")?.get("preload")?;
    for (name, source) in MODULES {
        let chunk = lua.load(*source).set_name(format!("@{name}"));
        preload.set(*name, chunk.into_function()?)?;
    }
    let string = |word: &OsString| lua.create_string(word.as_encoded_bytes());
    let script = options.script.map(string).transpose()?;
    let arguments = lua.create_table()?;
    for word in options.arguments {
        arguments.push(string(word)?)?;
    }
    let before = lua.create_table()?;
    for (option, word) in &options.before {
        let step = lua.create_table()?;
        step.set("option", option.to_string())?;
        step.set("text", string(word)?)?;
        before.push(step)?;
    }
    let runner: Function =
        lua.load(include_str!("run.lua")).set_name("=fishplate").into_function()?;
    let (error, unreached): (Option<mlua::LuaString>, Table) =
        runner.call((script, explain, arguments, before))?;
    let unreached: mlua::Result<Vec<String>> = unreached.sequence_values().collect();
    Ok(Outcome {
        error: error.map(|text| String::from_utf8_lossy(&text.as_bytes()).into_owned()),
        unreached: unreached?,
    })
}
