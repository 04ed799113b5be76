//! `fishplate lua-library`

use crate::progress::{Progress, Verbosity};
use fishplate_driver::{Installations, build_shared_library, host_named};
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
Modules need no library: their tensors are made by their own code. The library gives these their \
methods, and makes tensors in scripts.

    fishplate lua-library --lua lua5.4 --out build
    LUA_CPATH='build/?.so;;' lua5.4 -e \"print(require('fishplate').zeros{2, 3})\"";

/// Arguments of `lua-library`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The Lua to build for: lua5.1, luajit, lua5.2, lua5.3, lua5.4; by default the one in use.
    #[arg(long, value_name = "NAME")]
    lua: Option<String>,
    /// The folder for the library; it is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    #[command(flatten)]
    verbosity: Verbosity,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let lua = host_named("lua").ok_or_else(|| "this command has no host for Lua".to_owned());
    let mut progress = Progress::new(arguments.verbosity);
    let built = lua.and_then(|lua| {
        let wanted = Installations::default().with(lua, arguments.lua.as_ref());
        build_shared_library(lua, &wanted, &arguments.out, &mut |event| progress.on(&event))
    });
    progress.finish();
    if as_json {
        crate::report::print_json(&match &built {
            Ok(path) => json!({"path": path, "error": null}),
            Err(error) => json!({"path": null, "error": error}),
        });
    } else {
        match &built {
            Ok(path) => println!("{}", path.display()),
            Err(error) => anstream::eprintln!("error: {error}"),
        }
    }
    built.is_ok()
}
