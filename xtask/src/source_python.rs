//! Pythons that are built from Debian's source packages.
//!
//! Purpose: a Python that neither the machine nor its release of Debian has.
//! Invariant: everything is in one folder below `target`.
//! Reason: releases of Python are younger than those of Debian, and Debian has neither a free-threaded Python nor one for
//! musl.

use crate::apt::Release;
use crate::{Result, place, process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python to build.
pub(crate) struct Source<'a> {
    /// The release of Debian that has the source package.
    pub release: &'a str,
    /// The name of the package, which is that of the interpreter.
    pub package: &'a str,
    /// Further options of its `configure`.
    pub options: &'a [&'a str],
    /// The environment of its `configure`.
    pub environment: &'a [(&'a str, String)],
    /// How its programs run.
    pub run: Run<'a>,
    /// Modules that it must have: Python builds without the libraries that it does not find.
    pub modules: &'a [&'a str],
}

/// How the programs of a Python run on this machine.
#[derive(Clone, Copy)]
pub(crate) enum Run<'a> {
    /// As all others.
    Directly,
    /// At fixed addresses, which the memory of ThreadSanitizer has.
    AtFixedAddresses,
    /// By a script, which emulates their processor. `configure` and `make` run none of them.
    By(&'a Path),
}

impl Source<'_> {
    /// Modules that pip and NumPy need.
    pub(crate) const FOR_PIP: &'static [&'static str] = &["ctypes", "ssl", "zlib"];
}

/// Builds what `configure` has prepared in a folder, and installs it.
pub(crate) fn make_and_install(folder: &Path) -> Result<()> {
    make(folder, || process::command("make"))
}

fn make(folder: &Path, command: impl Fn() -> Command) -> Result<()> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for target in [format!("-j{jobs}"), "install".to_owned()] {
        process::run(command().args(["-s", &target]).current_dir(folder))?;
    }
    Ok(())
}

/// Builds Python once, from sources in `folder`, and installs it below `prefix`; returns the interpreter.
pub(crate) fn build(python: &Source, folder: &Path, prefix: &Path) -> Result<PathBuf> {
    let interpreter = prefix.join("bin").join(python.package);
    let source = folder.join("source");
    let build = folder.join("build");
    // The folder of a build that was interrupted is still there.
    if interpreter.is_file() && !build.exists() {
        return Ok(interpreter);
    }
    process::heading(&format!(
        "Debian's {}, built from source in some ten minutes",
        python.package
    ));
    place::make_empty(&build)?;
    Release::open(python.release, folder)?.unpack_source(python.package, &source)?;
    // Programs of its own build run, too, and their reports are not ours.
    let command = |program: &Path| match python.run {
        Run::AtFixedAddresses => {
            let mut fixed = process::command("setarch");
            fixed.arg("-R").arg(program).env("TSAN_OPTIONS", "exitcode=0 report_bugs=0");
            fixed
        }
        Run::Directly | Run::By(_) => process::command(program),
    };
    let mut configure = command(&source.join("configure"));
    configure.arg("-q").arg(format!("--prefix={}", prefix.display()));
    configure.args(["--disable-test-modules", "CFLAGS=-O2"]).args(python.options);
    configure.envs(python.environment.iter().map(|(name, value)| (name, value)));
    process::run(configure.current_dir(&build))?;
    make(&build, || command(Path::new("make")))?;
    let import = format!("import {}", python.modules.join(", "));
    let mut own = match python.run {
        Run::By(starter) => {
            let mut started = process::command(starter);
            started.arg(&interpreter);
            started
        }
        Run::Directly | Run::AtFixedAddresses => command(&interpreter),
    };
    if !process::succeeds(own.args(["-c", &import])) {
        return Err(format!(
            "{} lacks one of the modules {}: install libffi, OpenSSL and zlib for development, on Debian \
             `apt-get install libffi-dev libssl-dev zlib1g-dev`",
            place::shown(&interpreter),
            python.modules.join(", ")
        ));
    }
    for one in [&source, &build] {
        fs::remove_dir_all(one)
            .map_err(|error| format!("cannot remove {}: {error}", place::shown(one)))?;
    }
    Ok(interpreter)
}
