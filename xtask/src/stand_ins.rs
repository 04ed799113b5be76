//! Compilers from a Python package, for tests on machines that lack clang or a C++ compiler.
//!
//! Purpose: a folder for the end of `PATH` with `clang` and `clang++`, each a script that calls `ziglang`.
//! Invariant: only names that the machine lacks are in the folder; caches stay below `target/`.
//! Reason: a second compiler and C++ detect mistakes that gcc alone does not, and pip needs no
//! root.

use crate::venv::Venv;
use crate::{Result, place, process};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The name of each script and ziglang's command for its language.
const SCRIPTS: [(&str, &str); 2] = [("clang", "cc"), ("clang++", "c++")];

/// The `PATH` for tests: the machine's, followed by the folder of the scripts if any are needed.
pub(crate) fn path(venv: &Venv) -> Result<OsString> {
    let machine = env::var_os("PATH").unwrap_or_default();
    let needed = SCRIPTS.iter().filter(|(name, _)| !process::is_there(name));
    let needed: Vec<_> = needed.copied().collect();
    if needed.is_empty() {
        return Ok(machine);
    }
    let names: Vec<&str> = needed.iter().map(|(name, _)| *name).collect();
    process::heading(&format!("ziglang, as {}", names.join(" and ")));
    let folder = place::target("stand-ins");
    let zig = zig(venv)?;
    write(&folder, &needed, &zig)
        .map_err(|error| format!("cannot write {}: {error}", place::shown(&folder)))?;
    let folders: Vec<PathBuf> = env::split_paths(&machine).chain([folder]).collect();
    env::join_paths(folders).map_err(|error| format!("cannot extend PATH: {error}"))
}

/// The program of the Python package, installed in a separate folder. Tests of other machines need it, too.
///
/// In the tests' environment, `fishplate` itself would find it: tests of machines without a
/// compiler would fail.
pub(crate) fn zig(venv: &Venv) -> Result<String> {
    let folder = place::target("stand-ins").join("python");
    let program = folder.join("ziglang").join("zig");
    if !program.exists() {
        venv.install_apart("ziglang", &folder)?;
    }
    Ok(program.display().to_string())
}

fn write(folder: &Path, needed: &[(&str, &str)], zig: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, command) in needed {
        let file = folder.join(name);
        fs::write(&file, script(zig, command))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// The script for a command. ziglang fails on `-fsyntax-only`, for which the script compiles to a
/// file that it removes; its linker supports neither `-z defs` nor `--warn-unresolved-symbols`; and
/// ziglang adds UBSan to code that is not optimised, which gcc and clang do not. Only `zig c++`
/// finds the headers of C++, which clang does for `-x c++` and for files of C++ too.
fn script(zig: &str, command: &str) -> String {
    format!(
        r#"#!/bin/sh
ZIG_GLOBAL_CACHE_DIR='{cache}' ZIG_LOCAL_CACHE_DIR='{cache}'
export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
command={command}
case " $* " in *' -x c++ '* | *.cpp' '*) command=c++ ;; esac
quiet=
for word; do
    shift
    case $word in
    -fsyntax-only)
        folder=$(mktemp -d) || exit 1
        trap 'rm -rf "$folder"' EXIT
        quiet=-Wno-unused-command-line-argument
        set -- "$@" -c -o "$folder/out.o" ;;
    -Wl,-z,defs | -Wl,--warn-unresolved-symbols) ;;
    *) set -- "$@" "$word" ;;
    esac
done
'{zig}' $command -fno-sanitize=undefined "$@" $quiet
"#,
        cache = place::target("zig-cache").display(),
    )
}
