//! `fishplate doctor`

use fishplate_driver::{
    BuildOptions, HostName, LuaInstallation, PythonInstallation, Toolchain, build_file,
};
use serde_json::json;
use std::path::PathBuf;

const HELP: &str = "\
Looks for a Python with its headers and NumPy and for compilers, and builds a module of one function.
Exit status 0 if that worked.";

/// Arguments of `doctor`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The Python to look at: a path, a name on PATH, or a version such as 3.12. By default the one that
    /// runs this command, if one does, else the one in use ($VIRTUAL_ENV, then PATH).
    #[arg(long)]
    python: Option<PathBuf>,
}

const TRIAL: &str = "[module]\nname = \"trial\"\nheaders = [\"<math.h>\"]\n\n[function.root]\n\
                     proto = \"double sqrt(double x)\"\n";

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let mut lines = vec![format!("fishplate {}", fishplate_driver::VERSION)];
    let mut executable = None;
    match PythonInstallation::find(arguments.python.as_deref()) {
        Ok(python) => {
            lines.push(format!("python: {}", python.executable.display()));
            lines.push(format!("  {}", python.full_version.replace('\n', " ")));
            lines.push(match python.headers() {
                Ok(folders) => format!(
                    "  headers: {}",
                    folders.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ")
                ),
                Err(error) => format!("  headers: {error}"),
            });
            lines.push(match python.numpy() {
                Ok(numpy) => format!("  numpy: {}", numpy.version),
                Err(error) => format!("  numpy: {error}"),
            });
            executable = Some(python.executable);
        }
        Err(error) => lines.push(format!("python: {error}")),
    }
    lines.extend(luas());
    lines.push("compilers:".to_owned());
    for looked in Toolchain::find(executable.as_deref()).survey() {
        lines.push(format!("  {looked}"));
    }
    let works = trial(arguments.python.clone(), &mut lines);
    lines.push(if works {
        "a module can be built".to_owned()
    } else {
        "a module cannot be built".to_owned()
    });
    if as_json {
        crate::report::print_json(&json!({"ok": works, "found": lines}));
    } else {
        println!("{}", lines.join("\n"));
    }
    works
}

/// Each Lua that modules can be built for, the one that is taken by default first.
fn luas() -> Vec<String> {
    let chosen = LuaInstallation::find(None);
    let mut lines = vec!["lua:".to_owned()];
    lines.extend(LuaInstallation::all().iter().map(|lua| {
        let usual = if chosen.as_ref() == Ok(lua) { ", by default" } else { "" };
        format!("  {} {}: headers in {}{usual}", lua.name, lua.version, lua.include_dir.display())
    }));
    if let Err(error) = chosen {
        lines.push(format!("  {}", error.to_string().replace('\n', ": ")));
    }
    lines
}

/// Builds a module of one function; what goes wrong is added to `lines`.
fn trial(python: Option<PathBuf>, lines: &mut Vec<String>) -> bool {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            lines.push(format!("no temporary folder: {error}"));
            return false;
        }
    };
    let file = folder.path().join("trial.toml");
    if let Err(error) = std::fs::write(&file, TRIAL) {
        lines.push(format!("cannot write {}: {error}", file.display()));
        return false;
    }
    let options = BuildOptions {
        file,
        host: HostName::Python,
        python,
        lua: None,
        out: folder.path().to_owned(),
    };
    let built = build_file(&options, &mut |_| {});
    for diagnostic in &built.diagnostics {
        let label = &diagnostic.primary.text;
        let separator = if label.is_empty() { "" } else { ": " };
        lines.push(format!("{}{separator}{label}", diagnostic.message));
        if !diagnostic.hint.contains("doctor") {
            lines.push(format!("  {}", diagnostic.hint));
        }
    }
    built.value.is_some()
}
