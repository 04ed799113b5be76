//! A free-threaded Python, and the tests of modules on it.
//!
//! Purpose: build such a Python where none is given, and run the cases without the GIL.
//! Invariant: everything is in `target/free-threaded`: the source package comes from Debian by apt-get with a list of
//! sources of its own, so the machine's lists and packages stay as they are.
//! Reason: Debian has no package of a free-threaded Python, and most machines have none.

use crate::fishplate::{self, Profile};
use crate::venv::Venv;
use crate::{Result, place, process};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The release of Debian with the source package.
const RELEASE: &str = "trixie";
/// The source package.
const PACKAGE: &str = "python3.13";

/// The packages of the tests, with wheels for this Python.
const REQUIREMENTS: &str = "tests/free_threaded/requirements.txt";

/// The tests without the GIL: of threads, every case, results that are used again, divided interfaces, and locks.
const TESTS: [&str; 5] = [
    "tests/free_threaded/threads.py",
    "tests/test_cases.py",
    "tests/test_recycling.py",
    "tests/test_units.py::test_runs",
    "tests/robustness/test_locks.py",
];

/// Cases of libraries that have no wheels for this Python.
const LIBRARIES: [&str; 2] = ["containers/run_libraries", "ragged/run_libraries"];

/// The environment with NumPy and pytest; `explicit` is the free-threaded Python to use, by default one that is built.
pub(crate) fn prepare(explicit: Option<&Path>) -> Result<Venv> {
    let venv = Venv::separate("free-threaded/venv", REQUIREMENTS);
    match explicit {
        Some(python) => venv.prepare(Some(python))?,
        None if venv.python().is_file() => venv.prepare(None)?,
        None => venv.prepare(Some(&build()?))?,
    };
    let asked = "import sys; sys.exit(sys.version_info < (3, 13) or sys._is_gil_enabled())";
    if process::succeeds(process::command(venv.python()).args(["-c", asked])) {
        return Ok(venv);
    }
    Err(format!("{} is not free-threaded", place::shown(&venv.python())))
}

/// Runs the tests, or what the arguments of pytest select of them.
pub(crate) fn test(arguments: &[OsString]) -> Result<()> {
    let venv = prepare(None)?;
    let command = fishplate::build(Profile::Dev)?;
    process::heading("modules on a free-threaded Python");
    let mut pytest = process::command(venv.python());
    pytest.args(["-m", "pytest", "--numprocesses", "auto", "--dist", "loadfile"]);
    pytest.args(LIBRARIES.map(|case| format!("--deselect=tests/test_cases.py::test_runs[{case}]")));
    pytest.args(TESTS).args(arguments);
    // Modules that do not declare that they need no GIL would enable it.
    process::run(pytest.env("FISHPLATE", command).env("PYTHON_GIL", "0"))
}

/// Builds Python, once; returns the interpreter.
fn build() -> Result<PathBuf> {
    let folder = place::target("free-threaded");
    let installed = folder.join("python");
    let python = installed.join("bin").join(PACKAGE);
    let source = folder.join("source");
    let build = folder.join("build");
    // The folder of a build that was interrupted is still there.
    if python.is_file() && !build.exists() {
        return Ok(python);
    }
    process::heading("a free-threaded Python, built in some ten minutes");
    for one in [&source, &build] {
        let _ = fs::remove_dir_all(one);
        fs::create_dir_all(one).map_err(|error| cannot(one, &error))?;
    }
    let archive = fetch(&folder)?;
    let mut tar = process::command("tar");
    tar.arg("-xf").arg(archive).arg("-C").arg(&source).arg("--strip-components=1");
    process::run(&mut tar)?;
    let mut configure = process::command(source.join("configure"));
    configure.arg("-q").arg(format!("--prefix={}", installed.display()));
    configure.args(["--disable-gil", "--disable-test-modules", "CFLAGS=-O2"]);
    process::run(configure.current_dir(&build))?;
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    for target in [format!("-j{jobs}"), "install".to_owned()] {
        process::run(process::command("make").args(["-s", &target]).current_dir(&build))?;
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
fn fetch(folder: &Path) -> Result<PathBuf> {
    if !process::is_there("apt-get") {
        return Err(
            "there is no apt-get for the source of Python: name a free-threaded Python by \
                    `cargo xtask setup --free-threaded --python PYTHON`"
                .to_owned(),
        );
    }
    let apt = folder.join("apt");
    for part in ["lists/partial", "cache/archives/partial"] {
        let part = apt.join(part);
        fs::create_dir_all(&part).map_err(|error| cannot(&part, &error))?;
    }
    let sources = apt.join("sources.list");
    let line = format!(
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {} {RELEASE} main\n",
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
    for words in [&["update"] as &[&str], &["source", "--download-only", "--only-source", PACKAGE]]
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
        .ok_or_else(|| format!("the source package {PACKAGE} has no archive"))
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", place::shown(path))
}
