//! Modules for Lua: the time of a call compared with hand-written C with the same checks, with SWIG, and
//! with LuaJIT's FFI, both of which do not check memory.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, bench, fishplate, place, process};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const LUAS: [&str; 4] = ["lua5.1", "luajit", "lua5.3", "lua5.4"];

/// The flags of `fishplate build`.
const FLAGS: [&str; 6] =
    ["-std=gnu99", "-O3", "-falign-loops=32", "-fvisibility=hidden", "-fPIC", "-shared"];

pub(crate) fn run(quick: bool) -> Result<()> {
    let command = fishplate::build(Profile::Release)?;
    let venv = bench::venv()?;
    let out = place::target("bench/lua-modules");
    place::make_empty(&out)?;
    let mut page = String::from(
        "# Modules for Lua\n\n\
         The modules of `fishplate build --host lua`, compared with C that is written by hand with the same \
         checks of types, counts, dtypes and layouts (`benches/lua/host/hand.c`), with SWIG \
         (`benches/lua/host/host.i`), whose arrays are pointers and lengths that the caller passes, and \
         in LuaJIT with its FFI, which compiles calls into the loop and checks nothing of them. \
         `accepted`: a wrong call is no error there; `refused`: SWIG's defaults serve the last arguments only. \
         The time of a call, its loop with it; the best of all rounds.\n\n",
    );
    let _ = writeln!(page, "Measured with `cargo xtask bench lua` on {}.", bench::machine());
    for lua in LUAS {
        if process::is_there(lua) && process::is_there("pkg-config") {
            page.push_str(&calls(&command, &venv, &out.join(lua), lua, quick)?);
        }
    }
    bench::publish(&page, "lua-modules.md", quick)
}

fn folder() -> PathBuf {
    place::root().join("benches/lua/host")
}

/// Builds all implementations in a folder, and returns the table of their times.
fn calls(command: &Path, venv: &Venv, out: &Path, lua: &str, quick: bool) -> Result<String> {
    process::heading(lua);
    place::make_empty(out)?;
    let interface = folder().join("host.toml");
    for words in [vec!["build"], vec!["lua-library"], vec!["emit"]] {
        let mut make = process::command(command);
        make.args(&words).arg("--out").arg(out);
        if words[0] != "lua-library" {
            make.arg(&interface).args(["--host", "lua"]);
        }
        if words[0] != "emit" {
            make.args(["--lua", lua]);
        }
        process::capture(&mut make)?;
    }
    let flags = process::capture(process::command("pkg-config").args(["--cflags", lua]))?;
    let wrapped = out.join("swig.c");
    let mut swig = process::command(venv.folder().join("bin/swig"));
    // `int64_t` is `long` where that has 64 bits.
    swig.args(["-lua", "-DSWIGWORDSIZE64", "-o"]).arg(&wrapped).arg(folder().join("host.i"));
    process::capture(&mut swig)?;
    for name in ["hand", "swig", "ffi"] {
        let mut gcc = process::command("gcc");
        gcc.args(FLAGS).args(flags.split_whitespace());
        if name != "hand" {
            gcc.arg("-fvisibility=default");
        }
        let source =
            if name == "swig" { wrapped.clone() } else { folder().join(format!("{name}.c")) };
        gcc.arg("-I").arg(out).arg("-I").arg(folder()).arg(source);
        gcc.arg("-o").arg(out.join(format!("{name}.so"))).args(["-Wl,-z,nodelete", "-lm"]);
        process::capture(&mut gcc)?;
    }
    let mut measure = process::command(lua);
    measure.env("LUA_PATH", place::root().join("benches/lua/?.lua"));
    measure.env("LUA_CPATH", format!("{}/?.so", out.display()));
    measure.arg(folder().join("measure.lua")).arg(if quick { "2" } else { "40" });
    measure.arg(out.join("ffi.so"));
    let mut table = format!(
        "\n**{lua}: calls (times over those by hand, smaller is faster)**\n\n\
         | | by hand, ns | module | SWIG | FFI |\n|---|---:|---:|---:|---:|\n"
    );
    for line in process::capture(&mut measure)?.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let hand = cells[1].parse::<f64>().unwrap_or(f64::NAN);
        let over = |cell: &&str| match cell.parse::<f64>() {
            Ok(time) => format!("{:.2}", time / hand),
            Err(_) => (*cell).to_owned(),
        };
        // The last line has lost the tabs at its end.
        let others: Vec<String> =
            (2..5).map(|k| cells.get(k).map_or_else(String::new, over)).collect();
        let _ = writeln!(table, "| {} | {hand:.1} | {} |", cells[0], others.join(" | "));
    }
    Ok(table)
}
