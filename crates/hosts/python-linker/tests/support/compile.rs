//! Real compilers, and a real Python that imports the results.

use fishplate_model::Language;
use fishplate_python_linker::{CompilerNote, HEADERS, LinkedC};
use fishplate_testing::skip;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")).expect("a checkout")
}

/// A Python with NumPy, and the folders of their headers.
fn python_and_headers() -> Option<&'static (PathBuf, Vec<String>)> {
    static FOUND: OnceLock<Option<(PathBuf, Vec<String>)>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        const ASK: &str = "import sysconfig, numpy\n\
                           print(sysconfig.get_path('include'))\n\
                           print(numpy.get_include())";
        let candidates = [
            std::env::var_os("PYTHON").map(PathBuf::from),
            Some(root().join("target/venv/bin/python")),
            Some(PathBuf::from("python3")),
        ];
        candidates.into_iter().flatten().find_map(|python| {
            let output = Command::new(&python).args(["-c", ASK]).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            output.status.success().then(|| (python, text.lines().map(str::to_owned).collect()))
        })
    });
    if found.is_none() {
        skip("no Python with NumPy was found; run `cargo xtask setup`");
    }
    found.as_ref()
}

/// The installed compilers of a language.
pub fn compilers_for(language: Language) -> Vec<&'static str> {
    fishplate_testing::compilers(match language {
        Language::C => &["gcc", "clang"],
        Language::Cxx => &["g++", "clang++"],
    })
}

/// All compilers that accept the unit.
pub fn compilers(linked: &LinkedC) -> Vec<&'static str> {
    compilers_for(linked.language)
}

/// A compiled linked function.
pub struct Module {
    folder: tempfile::TempDir,
}

fn compile(linked: &LinkedC, program: &str, flags: &[&str]) -> Option<(tempfile::TempDir, Output)> {
    let (_, headers) = python_and_headers()?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in HEADERS {
        fs::write(folder.path().join(name), text).expect("a temporary folder");
    }
    let unit = folder.path().join(match linked.language {
        Language::C => "linked.c",
        Language::Cxx => "linked.cpp",
    });
    fs::write(&unit, &linked.source).expect("a temporary folder");
    let mut command = Command::new(program);
    command.args(["-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-I"]).arg(folder.path());
    for headers in headers {
        command.args(["-isystem", headers]);
    }
    command.args(&linked.flags).args(flags).arg(&unit).arg("-o");
    command.arg(folder.path().join("linked.so"));
    command.args(linked.libraries.iter().map(|library| format!("-l{library}")));
    let output = command.output().expect("the compiler was there just now");
    Some((folder, output))
}

/// The compiler's messages for a unit that it refuses.
pub fn refused(linked: &LinkedC, program: &str) -> Option<Vec<CompilerNote>> {
    let (_, output) = compile(linked, program, &["-fdiagnostics-color=never"])?;
    assert!(!output.status.success(), "{program} took it:\n{}", linked.source);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let note = |line: &str| {
        let rest = line.split_once("linked.c:").or_else(|| line.split_once("linked.cpp:"))?.1;
        let (number, rest) = rest.split_once(':')?;
        let text = rest.split_once("error: ")?.1;
        Some(CompilerNote { line: number.parse().ok()?, text: text.to_owned() })
    };
    Some(text.lines().filter_map(note).collect())
}

impl Module {
    /// Compiles it, with warnings as errors. `None` without Python.
    pub fn new(linked: &LinkedC, program: &str, flags: &[&str]) -> Option<Module> {
        let warnings = ["-Wall", "-Wextra", "-Werror"];
        let flags: Vec<&str> = warnings.iter().chain(flags).copied().collect();
        let (folder, output) = compile(linked, program, &flags)?;
        assert!(
            output.status.success(),
            "{program} refuses this:\n{}\n{}",
            String::from_utf8_lossy(&output.stderr),
            linked.source
        );
        Some(Module { folder })
    }

    /// Runs a script that has the module as `linked`.
    pub fn run(&self, script: &str) {
        self.run_with(script, &[]);
    }

    /// The same, with environment variables.
    pub fn run_with(&self, script: &str, environment: &[(&str, &str)]) {
        let path = self.folder.path().join("linked.so");
        let load = format!(
            "import gc, sys, importlib.util, importlib.machinery\n\
             loader = importlib.machinery.ExtensionFileLoader('linked', {path:?})\n\
             linked = importlib.util.module_from_spec(\n    \
                 importlib.util.spec_from_file_location('linked', {path:?}, loader=loader))\n\
             loader.exec_module(linked)\n"
        );
        python(&(load + script), environment);
    }
}

/// Runs a script, which must succeed.
pub fn python(script: &str, environment: &[(&str, &str)]) {
    let Some((python, _)) = python_and_headers() else { return };
    let mut command = Command::new(python);
    command.arg("-c").arg(script).envs(environment.iter().copied());
    let output = command.output().expect("Python was there just now");
    assert!(
        output.status.success(),
        "{script}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Compares with `tests/golden/NAME`, or writes it with `UPDATE=1`.
pub fn golden(name: &str, text: &str) {
    let path = root().join("crates/hosts/python-linker/tests/golden").join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("the golden can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == text,
        "{} is not as generated; UPDATE=1 writes it:\n{text}",
        path.display()
    );
}
