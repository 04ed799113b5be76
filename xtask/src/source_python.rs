//! Pythons that are built from Debian's source packages.
//!
//! Purpose: a Python that neither the machine nor its release of Debian has.
//! Invariant: everything is in one folder below `target`: the source comes from Debian by apt-get with a list of sources
//! of its own, so the machine's lists and packages stay as they are.
//! Reason: releases of Python are younger than those of Debian, and no Debian has a free-threaded one.

use crate::{Result, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// A source package.
pub(crate) struct Source {
    /// The release of Debian that has it.
    pub release: &'static str,
    /// Its name, which is that of the interpreter.
    pub package: &'static str,
}

/// Builds Python in a folder below `target`, once, with further options of its `configure`; returns the interpreter.
pub(crate) fn build(package: &Source, folder: &str, options: &[&str]) -> Result<PathBuf> {
    let folder = place::target(folder);
    let installed = folder.join("python");
    let python = installed.join("bin").join(package.package);
    let source = folder.join("source");
    let build = folder.join("build");
    // The folder of a build that was interrupted is still there.
    if python.is_file() && !build.exists() {
        return Ok(python);
    }
    process::heading(&format!(
        "Debian's {}, built from source in some ten minutes",
        package.package
    ));
    for one in [&source, &build] {
        let _ = fs::remove_dir_all(one);
        fs::create_dir_all(one).map_err(|error| cannot(one, &error))?;
    }
    let archive = fetch(package, &folder)?;
    let mut tar = process::command("tar");
    tar.arg("-xf").arg(archive).arg("-C").arg(&source).arg("--strip-components=1");
    process::run(&mut tar)?;
    let mut configure = process::command(source.join("configure"));
    configure.arg("-q").arg(format!("--prefix={}", installed.display()));
    configure.args(["--disable-test-modules", "CFLAGS=-O2"]).args(options);
    process::run(configure.current_dir(&build))?;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for target in [format!("-j{jobs}"), "install".to_owned()] {
        process::run(process::command("make").args(["-s", &target]).current_dir(&build))?;
    }
    // Python builds without the libraries that it does not find.
    if !process::succeeds(process::command(&python).args(["-c", "import ctypes, ssl, zlib"])) {
        return Err(format!(
            "{} lacks modules that pip and NumPy need: install libffi, OpenSSL and zlib for development, on Debian \
             `apt-get install libffi-dev libssl-dev zlib1g-dev`",
            place::shown(&python)
        ));
    }
    for one in [&source, &build] {
        fs::remove_dir_all(one).map_err(|error| cannot(one, &error))?;
    }
    Ok(python)
}

/// The address of the packages that this machine installs from.
fn mirror() -> Result<String> {
    let mut targets = process::command("apt-get");
    targets.args([
        "indextargets",
        "--format",
        "$(REPO_URI)",
        "Created-By: Packages",
        "Component: main",
    ]);
    let listed = process::capture(&mut targets)?;
    listed
        .lines()
        .find(|line| !line.contains("security"))
        .map(str::to_owned)
        .ok_or_else(|| "apt has no sources".to_owned())
}

/// The source package's archive.
fn fetch(source: &Source, folder: &Path) -> Result<PathBuf> {
    let Source { release, package } = source;
    if !process::is_there("apt-get") {
        return Err("there is no apt-get for the source of Python: pass one by --python".to_owned());
    }
    let apt = folder.join("apt");
    for part in ["lists/partial", "cache/archives/partial"] {
        let part = apt.join(part);
        fs::create_dir_all(&part).map_err(|error| cannot(&part, &error))?;
    }
    let sources = apt.join("sources.list");
    let line = format!(
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {} {release} main\n",
        mirror()?
    );
    fs::write(&sources, line).map_err(|error| cannot(&sources, &error))?;
    let settings = apt.join("apt.conf");
    let text = format!(
        "Dir::Etc::sourcelist \"{0}/sources.list\";\nDir::Etc::sourceparts \"-\";\nDir::State::lists \"{0}/lists\";\n\
         Dir::Cache \"{0}/cache\";\nAPT::Sandbox::User \"\";\n",
        apt.display()
    );
    fs::write(&settings, text).map_err(|error| cannot(&settings, &error))?;
    for words in [&["update"] as &[&str], &["source", "--download-only", "--only-source", package]]
    {
        let mut get = process::command("apt-get");
        get.arg("-c").arg(&settings).args(words);
        process::run(get.current_dir(folder))?;
    }
    let files = fs::read_dir(folder).map_err(|error| cannot(folder, &error))?;
    let names = files.filter_map(|file| file.ok().map(|file| file.path()));
    names
        .filter(|path| path.to_string_lossy().ends_with(".orig.tar.xz"))
        .max()
        .ok_or_else(|| format!("the source package {package} has no archive"))
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", place::shown(path))
}
