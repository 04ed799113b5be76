//! `fishplate new NAME`

use crate::{emit, report};
use fishplate_driver::{default_host, emit_file};
use serde_json::json;
use std::path::{Path, PathBuf};

const HELP: &str = "\
Makes a folder with a package that builds, passes its tests and is ready to be published: an interface, C functions, \
pyproject.toml, tests, and a workflow that builds wheels.

    fishplate new signals
    cd signals
    pip install -e '.[test]'
    pytest";

/// The files of a project: their names, and their contents, in which `package_name` and
/// `project-name` are placeholders.
const FILES: &[(&str, &str)] = &[
    (".gitignore", include_str!("../project/gitignore")),
    (".github/workflows/wheels.yml", include_str!("../project/workflows/wheels.yml")),
    ("MANIFEST.in", include_str!("../project/MANIFEST.in")),
    ("README.md", include_str!("../project/README.md")),
    ("pyproject.toml", include_str!("../project/pyproject.toml")),
    ("setup.py", include_str!("../project/setup.py")),
    (INTERFACE, include_str!("../project/native/core.toml")),
    ("native/package_name.c", include_str!("../project/native/core.c")),
    ("native/package_name.h", include_str!("../project/native/core.h")),
    ("src/package_name/__init__.py", include_str!("../project/package/init.py")),
    ("tests/test_package_name.py", include_str!("../project/tests/test.py")),
];

const INTERFACE: &str = "native/_core.toml";
const GENERATED: &str = "native/generated";

/// Arguments of `new`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The name of the project: letters, digits, `-`, `_` and `.`.
    #[arg(value_parser = ProjectName::parse)]
    name: ProjectName,
    /// The folder to make; by default NAME. It must not exist, or be empty.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A valid name of a project on a package index.
///
/// Source: the names of PyPA's specification "Names and normalization".
#[derive(Clone, Debug)]
struct ProjectName {
    project: String,
    /// The name by which it is imported.
    package: String,
}

impl ProjectName {
    fn parse(name: &str) -> Result<Self, String> {
        let is_word = |c: char| c.is_ascii_alphanumeric();
        if !name.starts_with(is_word) || !name.ends_with(is_word) {
            return Err("a name starts and ends with a letter or a digit".to_owned());
        }
        if let Some(bad) = name.chars().find(|&c| !is_word(c) && !"-_.".contains(c)) {
            return Err(format!("a name has no `{bad}`: use letters, digits, `-`, `_` and `.`"));
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("a name that is imported starts with a letter".to_owned());
        }
        let package = name.to_ascii_lowercase().replace(['-', '.'], "_");
        let host = default_host().capabilities();
        if host.reserved.contains(&package.as_str()) {
            return Err(format!("`{package}` is a reserved word, so that it cannot be imported"));
        }
        if host.modules.iter().chain(host.standard_modules).any(|module| *module == package) {
            return Err(format!("the package would hide the module `{package}`"));
        }
        Ok(Self { project: name.to_owned(), package })
    }

    /// The text with the names in place of the placeholders.
    fn fill(&self, text: &str) -> String {
        text.replace("project-name", &self.project).replace("package_name", &self.package)
    }
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let name = &arguments.name;
    let folder = arguments.out.clone().unwrap_or_else(|| PathBuf::from(&name.project));
    let made = make(name, &folder).and_then(|files| emit(&folder).map(|()| files));
    if as_json {
        let (files, error) = (made.as_ref().ok(), made.as_ref().err());
        report::print_json(&json!({
            "ok": made.is_ok(),
            "diagnostics": [],
            "folder": folder,
            "files": files,
            "error": error,
        }));
    } else {
        match &made {
            Ok(files) => {
                let count = files.len();
                anstream::eprintln!(
                    "{count} files; next: cd {}; pip install -e '.[test]'; pytest",
                    folder.display()
                );
                println!("{}", folder.display());
            }
            Err(problem) => anstream::eprintln!("error: {problem}"),
        }
    }
    made.is_ok()
}

/// Emits the C of the project, so that its first build needs no command on the search path.
fn emit(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("could not write {}: {error}", folder.display());
    // Paths in the description of the build are relative to the folder in which setup.py runs.
    std::env::set_current_dir(folder).map_err(failed)?;
    let generated = Path::new(GENERATED);
    let arguments = emit::Arguments {
        file: INTERFACE.into(),
        out: generated.to_owned(),
        describe: Some(generated.join("build.json")),
        ..emit::Arguments::default()
    };
    let emitted = emit_file(&arguments.file, arguments.host.0);
    report::show(&emitted);
    let Some(module) = &emitted.value else { return Err("the interface has errors".to_owned()) };
    if let (_, Some(problem)) = emit::write_all(module, &arguments) {
        return Err(problem);
    }
    std::fs::copy(INTERFACE, generated.join("_core.toml")).map_err(failed)?;
    Ok(())
}

/// Writes the files of a project into a new folder; returns their paths.
fn make(name: &ProjectName, folder: &Path) -> Result<Vec<PathBuf>, String> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => {
            return Err(format!(
                "{} is not empty: name another folder with --out",
                folder.display()
            ));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(format!("{} is a file: name another folder with --out", folder.display()));
        }
        _ => {}
    }
    FILES
        .iter()
        .map(|(file, text)| {
            let path = folder.join(name.fill(file));
            emit::write_in_folder(&path, &name.fill(text))?;
            Ok(path)
        })
        .collect()
}
