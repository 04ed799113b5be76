//! The entry points of graphs, `fishplate._entry`: a module for each Python.
//!
//! They need more of Python than its stable ABI, since a call takes nanoseconds; the other native part does not, and
//! is compiled once for all Pythons.

use super::platform::Platform;
use super::tools::Tools;
use crate::base_python::BasePython;
use crate::{Result, fishplate, package, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of headers, besides those of Python.
pub(super) struct Headers {
    /// With `fishplate_python.h`, which the command writes next to every module.
    modules: PathBuf,
    /// NumPy's.
    numpy: String,
}

impl Headers {
    pub(super) fn prepare(tools: &Tools) -> Result<Headers> {
        let modules = place::target("wheels-build").join("headers");
        let command = fishplate::build(fishplate::Profile::Dev)?;
        let example = place::root().join("examples/stats/stats.toml");
        process::run(process::command(command).arg("emit").arg(example).arg("-o").arg(&modules))?;
        Ok(Headers { modules, numpy: tools.numpy_headers()? })
    }
}

/// Compiles the module for a Python and a platform, from the unpacked sources, into the package there.
pub(super) fn compile(
    tools: &Tools,
    headers: &Headers,
    source: &Path,
    python: &BasePython,
    platform: &Platform,
) -> Result<()> {
    let (major, minor) = python.version;
    let entry = source.join("bindings/python/entry");
    let runtime = source.join("crates/graph-c/runtime");
    let include = "import sysconfig; print(sysconfig.get_path('include'))";
    let own = process::capture(process::command(&python.executable).args(["-c", include]))?;
    let module =
        package_of(source).join(format!("_entry.cpython-{major}{minor}-{}.so", platform.suffix));
    let flags = fs::read_to_string(entry.join("flags.txt"))
        .map_err(|error| format!("cannot read flags.txt: {error}"))?;
    let mut compile = tools.zig_cc();
    compile.args([
        "-target",
        platform.zig,
        "-shared",
        "-fPIC",
        "-std=c99",
        "-O3",
        "-DNDEBUG",
        "-s",
    ]);
    compile.args(flags.lines().filter(|line| line.starts_with('-')));
    compile.args(["-DFPG_SEPARATE", "-isystem", &headers.numpy, "-isystem", &own]);
    compile.arg("-I").arg(&headers.modules).arg("-I").arg(&runtime);
    compile.arg(entry.join("entry.c")).arg(runtime.join("runtime.c")).arg("-lm").arg("-o");
    process::run(compile.arg(&module))
}

/// Deletes the modules of another platform.
pub(super) fn remove(source: &Path) -> Result<()> {
    let failed = |error| format!("cannot clear {}: {error}", place::shown(source));
    for file in fs::read_dir(package_of(source)).map_err(failed)? {
        let path = file.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "so") {
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}

fn package_of(source: &Path) -> PathBuf {
    source.join(package::SOURCES)
}
