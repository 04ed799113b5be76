//! Compiles the part of the package that is written in C: the entry points of linked graphs
//! (`entry/`) and their runtime (`crates/graph-c/runtime`).
#![allow(clippy::disallowed_macros)] // Cargo reads the output

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The compiler options for Python and NumPy, from the Python for which the package is built.
const ASK: &str = "import numpy, sysconfig; \
                   print(numpy.get_include(), sysconfig.get_path('include'), sep='\\n')";

/// The flags that wheels have too.
const FLAGS: &str = include_str!("entry/flags.txt");

fn main() {
    // Python defines the remaining symbols itself.
    pyo3_build_config::add_extension_module_link_args();
    // Under the stable ABI, `entry/` is a module of its own.
    if env::var_os("CARGO_FEATURE_ABI3").is_some() {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let runtime = Path::new("../../crates/graph-c/runtime");
    fs::write(out.join(fishplate_host_python::RUNTIME_NAME), fishplate_host_python::RUNTIME)
        .expect("OUT_DIR can be written to");
    let mut build = cc::Build::new();
    build
        .std("c99")
        .opt_level(3)
        .warnings(true)
        .extra_warnings(true)
        .include(&out)
        .include(runtime)
        .file("entry/entry.c")
        .file(runtime.join("runtime.c"));
    for flag in FLAGS.lines().filter(|line| line.starts_with('-')) {
        build.flag_if_supported(flag);
    }
    for include in includes() {
        // As system headers: their warnings are irrelevant here.
        build.flag("-isystem").flag(include);
    }
    build.compile("fishplate_entry");
    for folder in [Path::new("entry"), runtime] {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
}

fn includes() -> Vec<String> {
    let python = pyo3_build_config::get().executable().unwrap_or("python3").to_owned();
    let answer = Command::new(&python).args(["-c", ASK]).output();
    let answer = answer.unwrap_or_else(|error| panic!("{python} cannot be run: {error}"));
    assert!(
        answer.status.success(),
        "{python} must have NumPy, whose headers are needed (pip install numpy, or cargo xtask setup): {}",
        String::from_utf8_lossy(&answer.stderr)
    );
    String::from_utf8_lossy(&answer.stdout).lines().map(str::to_owned).collect()
}
