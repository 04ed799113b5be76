//! Tensors for Lua: the time of their operations compared with torch7's.
//!
//! The package registries that the project uses do not have torch7, so `--torch` names a checkout of its sources. Its
//! CMake files build it below `target/bench/torch`, and `fishplate lua` generates its wrappers, in place of torch's `cwrap`.
//! Nothing is written to the checkout, and nothing is installed: torch7 would install headers to those of Lua.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The versions of Lua that torch7 supports. Modules for the first one also work in the second one.
const LUAS: [&str; 2] = ["lua5.1", "luajit"];

/// Files that identify a checkout.
const FILES: [&str; 3] = ["TensorMath.lua", "lib/TH/THTensor.h", "lib/luaT/luaT.c"];

pub(crate) fn run(checkout: &Path, quick: bool) -> Result<()> {
    let checkout = recognise(checkout)?;
    for program in ["cmake", "pkg-config"] {
        if !process::is_there(program) {
            return Err(format!("no {program} was found, which torch7 is built with"));
        }
    }
    let luas: Vec<&str> = LUAS.into_iter().filter(|lua| has_headers(lua)).collect();
    let first =
        luas.first().ok_or("no Lua with its headers was found: run `cargo xtask setup --ci`")?;
    let command = fishplate::build(Profile::Release)?;
    let out = place::target("bench/torch");
    process::heading("torch7");
    build(&checkout, &command, first, &out)?;
    let mut page = String::from(
        "# Tensors for Lua, next to torch7's\n\n\
         Operations of the [tensors for Lua](../tensors.md), compared with the same of torch7. Both libraries are loaded into \
         one Lua state, take turns, and return equal results, which is tested first. torch7 is built by its own CMake \
         files, with its code for SSE and AVX, and its wrappers by [`wrap`](../wrap.md). Both use one thread. The processor \
         time of an operation, its loop and the collection of its garbage with it: the best of all rounds, and in the last column \
         the medians of both. A ratio below 1 means that Fishplate is faster. A row with two expressions has torch7's first. \
         Fishplate [reports](../tensors.md#memory) the memory of tensors to Lua's collector sooner than torch7, which therefore \
         collects less often and occupies more.\n\n",
    );
    let _ = writeln!(
        page,
        "Measured with `cargo xtask bench lua --torch FOLDER` on {}.",
        bench::machine()
    );
    for lua in luas {
        page.push_str(&table(&out, lua, quick)?);
    }
    bench::publish(&page, "tensors.md", quick)
}

/// The complete path of a checkout of torch7.
fn recognise(checkout: &Path) -> Result<PathBuf> {
    let wrong = |reason: String| {
        format!(
            "--torch {}: not a checkout of torch7: {reason}; `git clone https://github.com/torch/torch7` makes one",
            checkout.display()
        )
    };
    let found = fs::canonicalize(checkout).map_err(|error| wrong(error.to_string()))?;
    match FILES.iter().find(|file| !found.join(file).is_file()) {
        Some(file) => Err(wrong(format!("it has no file {file}"))),
        None => Ok(found),
    }
}

fn has_headers(lua: &str) -> bool {
    process::is_there(lua)
        && process::succeeds(process::command("pkg-config").args(["--exists", lua]))
}

/// Builds both libraries in a folder. Objects of torch7 are kept from the last run, if they are of the same sources.
fn build(checkout: &Path, command: &Path, lua: &str, out: &Path) -> Result<()> {
    let flags = process::capture(process::command("pkg-config").args(["--cflags-only-I", lua]))?;
    let headers = flags.split_whitespace().next().and_then(|flag| flag.strip_prefix("-I"));
    let headers = headers.ok_or_else(|| format!("pkg-config has no headers of {lua}"))?;
    let built = out.join("build");
    // A cache of another checkout is an error.
    let _ = fs::remove_file(built.join("CMakeCache.txt"));
    let mut configure = process::command("cmake");
    configure.arg("-S").arg(checkout).arg("-B").arg(&built).arg("-DCMAKE_BUILD_TYPE=Release");
    configure.arg(format!("-DLUA_INCDIR={headers}"));
    // Installation folders, which CMake requires.
    for name in ["LUA_BINDIR", "LUA_LIBDIR", "LUADIR", "LIBDIR"] {
        configure.arg(format!("-D{name}={}", out.join("unused").display()));
    }
    configure.arg(format!("-DCWRAP_CUSTOM_LUA={};lua", command.display()));
    process::capture(&mut configure)?;
    process::capture(
        process::command("cmake").arg("--build").arg(&built).args(["--parallel", "2"]),
    )?;
    // `require` finds Lua files in folders named after their module.
    let scripts = out.join("lua/torch");
    place::make_empty(&scripts)?;
    let listed = fs::read_dir(checkout).map_err(|error| format!("cannot list torch7: {error}"))?;
    for file in listed.flatten().map(|entry| entry.path()) {
        if file.extension().is_some_and(|extension| extension == "lua") {
            let copy = scripts.join(file.file_name().unwrap_or_default());
            fs::copy(&file, copy).map_err(|error| format!("cannot copy torch7: {error}"))?;
        }
    }
    let mut library = process::command(command);
    process::capture(library.args(["lua-library", "--lua", lua, "--out"]).arg(&built))?;
    Ok(())
}

/// The table of one Lua.
fn table(out: &Path, lua: &str, quick: bool) -> Result<String> {
    process::heading(lua);
    let folder = place::root().join("benches/lua");
    let scripts = out.join("lua");
    let mut measure = process::command(lua);
    measure.env(
        "LUA_PATH",
        format!("{0}/?.lua;{1}/?.lua;{1}/?/init.lua", folder.display(), scripts.display()),
    );
    measure.env("LUA_CPATH", out.join("build/?.so")).env("OMP_NUM_THREADS", "1");
    measure.arg(folder.join("tensors.lua")).arg(if quick { "1" } else { "40" });
    let mut table = format!(
        "\n**{lua}: operations (times over those of torch7, smaller is faster)**\n\n\
         | | torch7, ns | Fishplate | of medians |\n|---|---:|---:|---:|\n"
    );
    for line in process::capture(&mut measure)?.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| {
            cells.get(place).and_then(|cell| cell.parse::<f64>().ok()).unwrap_or(f64::NAN)
        };
        let _ = writeln!(
            table,
            "| {} | {:.0} | {:.2} | {:.2} |",
            cells[0],
            number(1),
            number(2) / number(1),
            number(4) / number(3)
        );
    }
    Ok(table)
}
