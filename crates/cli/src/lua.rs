//! `fishplate lua SCRIPT ARGS...`

use std::ffi::OsString;

const HELP: &str = "\
The interpreter is LuaJIT, a Lua 5.1. `require 'wrap'` (or 'cwrap') is built in, `package.path` is Lua's own, \
`arg` holds the script's arguments, and -e, -l, -v, - and -- are those of the `lua` command. Modules written in C cannot be loaded.

    fishplate lua functions.lua functions.c
    fishplate lua -l wrap -e \"dofile('types.lua')\" functions.lua functions.c
    fishplate lua --explain functions.lua functions.c";

/// Arguments of `lua`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Say which ways of calling the wrapped functions no call can reach.
    #[arg(long)]
    explain: bool,
    /// The script, `-` for standard input, and its arguments; before it `-e STATEMENT`, `-l MODULE` and `-v`,
    /// as the `lua` command has them.
    #[arg(
        required = true,
        num_args = 1..,
        value_names = ["SCRIPT", "ARGS"],
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    command: Vec<OsString>,
}

#[cfg(feature = "lua")]
pub(crate) fn run(arguments: &Arguments) -> bool {
    let outcome = fishplate_lua::run(&arguments.command, arguments.explain);
    for line in &outcome.unreached {
        anstream::eprintln!("{line}");
    }
    if let Some(error) = &outcome.error {
        anstream::eprintln!("fishplate lua: {error}");
    }
    outcome.error.is_none()
}

/// The command stays in the help without the interpreter, so that a user of it learns how to get it.
#[cfg(not(feature = "lua"))]
pub(crate) fn run(_: &Arguments) -> bool {
    anstream::eprintln!(
        "fishplate lua: this build of Fishplate has no Lua interpreter; in a checkout of Fishplate, type\n\
         cargo install --path crates/cli                                       for the command\n\
         pip install . --config-settings=build-args=--features=lua             for the Python package"
    );
    false
}
