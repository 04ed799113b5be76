//! PyPy with NumPy on this processor.
//!
//! Purpose: modules run with a Python that is not CPython: references are not counted while Python code has an object.
//! Invariant: PyPy runs with the C library of its own release of Debian.
//! Reason: the PyPy of Debian 12 is Python 3.9, for which NumPy has no wheels any more.

use super::emulated;
use crate::Result;
use crate::venv::Venv;
use std::path::{Path, PathBuf};

/// The processor, for compilers.
pub(super) const TARGET: &str = "x86_64-linux-gnu";

/// The path of the interpreter below the folder.
pub(super) const INTERPRETER: &str = "usr/bin/pypy3.11";

/// The release of Debian whose PyPy is Python 3.11, and its packages.
const RELEASE: &str = "trixie";
const PACKAGES: &str = "pypy3,pypy3-dev,libstdc++6";

/// The version of Python, and pip's options for the wheels of PyPy.
const PYTHON: &str = "3.11";
const WHEELS: [&str; 2] = ["--implementation=pp", "--abi=pypy311_pp73"];

pub(super) fn is_ready(root: &Path) -> bool {
    packages(root).join("numpy").is_dir()
}

/// Unpacks PyPy and installs NumPy, if that was not done.
pub(super) fn make(root: &Path, venv: &Venv) -> Result<()> {
    if is_ready(root) {
        return Ok(());
    }
    emulated::unpack_packages(root, RELEASE, "amd64", PACKAGES)?;
    let platforms = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64"].map(str::to_owned);
    venv.install_with(&WHEELS, PYTHON, &platforms, Path::new("numpy"), &packages(root))
}

/// The folder of packages, which PyPy looks up.
fn packages(root: &Path) -> PathBuf {
    root.join("usr/lib/python3/dist-packages")
}

/// The line of a script that runs a program with the libraries below `root`.
pub(super) fn starter(root: &Path) -> String {
    let libraries = root.join("usr/lib").join(TARGET);
    let libraries = libraries.display();
    format!("exec '{libraries}/ld-linux-x86-64.so.2' --library-path '{libraries}' \"$@\"\n")
}
