//! Code that `wrap` generates for Lua: the time of a call compared with hand-written C and with the
//! original's chain of complete tests, the amount of C, and the time of a long script.
//!
//! Every Lua of this machine is measured; `benches/lua/chain.lua` generates the chain, with the
//! same types, so that only the dispatch differs.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An interpreter, and the folder of its headers on Debian.
const LUAS: [(&str, &str); 4] = [
    ("lua5.1", "/usr/include/lua5.1"),
    ("luajit", "/usr/include/luajit-2.1"),
    ("lua5.3", "/usr/include/lua5.3"),
    ("lua5.4", "/usr/include/lua5.4"),
];

/// How the functions are wrapped.
const WAYS: [&str; 3] = ["hand", "wrap", "chain"];

/// The number of copies of a module that are loaded: its address makes it faster or slower by some
/// percent.
const COPIES: usize = 6;

/// The number of functions in the long script.
const WRAPS: &str = "1500";

pub(crate) fn run(quick: bool) -> Result<()> {
    let command = fishplate::build(Profile::Release)?;
    let out = place::target("bench/lua");
    place::make_empty(&out)?;
    let luas: Vec<(&str, &str)> = LUAS
        .into_iter()
        .filter(|(program, headers)| process::is_there(program) && Path::new(headers).is_dir())
        .collect();
    if luas.is_empty() {
        return Err("no Lua with its headers was found: run `cargo xtask setup --ci`".to_owned());
    }
    for way in ["wrap", "chain"] {
        let source = out.join(format!("{way}.c"));
        process::capture(script(&command, "functions.lua").arg(&source).arg(way))?;
    }
    fs::copy(folder().join("hand.c"), out.join("hand.c"))
        .map_err(|error| format!("cannot copy hand.c: {error}"))?;
    let mut page = String::from(
        "# Wrappers for Lua\n\n\
         What `wrap` generates, beside C that is written by hand with the same checks, and beside a \
         complete test for each variant and combination of optional arguments, one after the other, \
         as the original generates it. The time of a call, its loop with it; the best of all rounds and of \
         several copies of each module, since where C is loaded makes it faster or slower by some \
         percent.\n\n",
    );
    let _ = writeln!(page, "Measured with `cargo xtask bench lua` on {}.", bench::machine());
    for (program, headers) in luas {
        page.push_str(&calls(&out, program, headers, quick)?);
    }
    page.push_str(&sizes(&command)?);
    page.push_str(&generation(&command, &out, quick)?);
    println!("{page}");
    if quick {
        return Ok(());
    }
    let file = place::root().join("docs/benchmarks/lua.md");
    place::make_folder_of(&file)?;
    fs::write(&file, page).map_err(|error| format!("cannot write {}: {error}", place::shown(&file)))
}

fn folder() -> PathBuf {
    place::root().join("benches/lua")
}

/// A script of `benches/lua` in the interpreter of the command.
fn script(command: &Path, name: &str) -> Command {
    let mut lua = process::command(command);
    lua.env("LUA_PATH", format!("{}/?.lua;;", folder().display()));
    lua.arg("lua").arg(folder().join(name));
    lua
}

/// The table of calls with one Lua.
fn calls(out: &Path, program: &str, headers: &str, quick: bool) -> Result<String> {
    process::heading(program);
    let modules = out.join(program);
    place::make_empty(&modules)?;
    for way in WAYS {
        let mut gcc = process::command("gcc");
        gcc.args(["-std=gnu99", "-O2", "-fPIC", "-shared"]);
        gcc.arg(format!("-I{headers}")).arg("-Itests/wrap/double").arg("-Ibenches/lua");
        gcc.arg(out.join(format!("{way}.c")));
        let module = modules.join(format!("{way}_module.so"));
        process::capture(gcc.arg("-o").arg(&module))?;
        for copy in 1..=COPIES {
            fs::copy(&module, modules.join(format!("{way}_module.{copy}.so")))
                .map_err(|error| format!("cannot copy a module: {error}"))?;
        }
    }
    let mut measure = process::command(program);
    measure.arg(folder().join("measure.lua")).arg(&modules).arg(COPIES.to_string());
    measure.arg(if quick { "3" } else { "30" });
    let mut table = format!(
        "\n**{program}: calls (times over those by hand, smaller is faster)**\n\n\
         | | by hand, ns | wrap | chain |\n|---|---:|---:|---:|\n"
    );
    for line in process::capture(&mut measure)?.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| cells[place].parse::<f64>().unwrap_or(f64::NAN);
        let (hand, wrap, chain) = (number(1), number(2), number(3));
        let _ = writeln!(
            table,
            "| {} | {hand:.1} | {:.2} | {:.2} |",
            cells[0],
            wrap / hand,
            chain / hand
        );
    }
    Ok(table)
}

/// The amount of C for a function with optional arguments.
fn sizes(command: &Path) -> Result<String> {
    let mut table = String::from(
        "\n**Generated bytes of one wrapper, without the helpers that a file has once**\n\n\
         | optional arguments | wrap | chain | wrap / chain |\n|---|---:|---:|---:|\n",
    );
    for line in process::capture(&mut script(command, "sizes.lua"))?.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| cells[place].parse::<f64>().unwrap_or(f64::NAN);
        let (wrap, chain) = (number(1), number(2));
        let _ = writeln!(table, "| {} | {wrap:.0} | {chain:.0} | {:.3} |", cells[0], wrap / chain);
    }
    Ok(table)
}

/// The time of a script with many wrapped functions, from its start to the file. Processor time, so
/// that other load does not matter.
fn generation(command: &Path, out: &Path, quick: bool) -> Result<String> {
    let file = out.join("many.c");
    let mut fastest = f64::INFINITY;
    for _ in 0..if quick { 1 } else { 15 } {
        let printed = process::capture(script(command, "many.lua").arg(&file).arg(WRAPS))?;
        fastest = fastest.min(printed.trim().parse().unwrap_or(f64::INFINITY));
    }
    let bytes = fs::metadata(&file).map_or(0, |data| data.len());
    Ok(format!(
        "\n**A long script**: {WRAPS} wraps, of one argument list or two, with made, optional and \
         invisible arguments: {:.0} ms of processor time for {:.1} MiB of C, with `fishplate lua`.\n",
        1e3 * fastest,
        bytes as f64 / f64::from(1 << 20)
    ))
}
