//! A project in a temporary folder, real compilers, and a program that loads the results.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use fishplate_toolchain::{
    BuildError, Built, Environment, Event, PackagedCompiler, Request, SourceLanguage, Toolchain,
    Unit, build,
};
use tempfile::TempDir;

/// The generated unit of the project: `answer` adds two functions of the user's.
pub const GENERATED: &str = "#include \"own.h\"\n#include \"part.h\"\n\
    __attribute__((visibility(\"default\"))) int answer(void) { return part() + OWN; }\n";

/// A user's source and header, a generated unit and header.
pub struct Project {
    pub folder: TempDir,
    pub request: Request,
}

impl Project {
    pub fn new() -> Self {
        Self::inside("plain")
    }

    /// In a folder of this name, for names that are difficult to handle.
    pub fn inside(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(name);
        fs::create_dir(&root).unwrap();
        let mut request = Request::new("stats", root.join("out"), "stats.so");
        request.units =
            vec![Unit::source(root.join("part.c")), Unit::generated("stats_module.c", GENERATED)];
        request.headers = vec![Unit::generated("own.h", "#define OWN 2\n")];
        request.include_dirs = vec![root.clone()];
        let project = Self { folder, request };
        project.write("part.h", "#define PART 40\nint part(void);\n");
        project.write("part.c", "#include \"part.h\"\nint part(void) { return PART; }\n");
        project
    }

    pub fn root(&self) -> PathBuf {
        self.request.include_dirs[0].clone()
    }

    pub fn library(&self) -> PathBuf {
        self.request.out.join(&self.request.file_name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.root().join(name), text).unwrap();
        settle();
    }

    pub fn build(&self) -> Outcome {
        self.build_with(&toolchain())
    }

    pub fn build_with(&self, toolchain: &Toolchain) -> Outcome {
        let mut events = Vec::new();
        let result = build(&self.request, toolchain, &mut |event| events.push(event));
        Outcome { result, events }
    }

    /// The content of the work folder besides the folders of objects and sources.
    pub fn unfinished(&self) -> Vec<PathBuf> {
        let root = self.request.out.join(".fishplate").join(&self.request.name);
        let paths = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("tmp-"))
            .collect()
    }
}

/// Waits until a file's time is older than the clock: one that is written right before compiling is
/// compiled twice, on purpose, and tests that count need once.
pub fn settle() {
    std::thread::sleep(Duration::from_millis(30));
}

pub struct Outcome {
    pub result: Result<Built, BuildError>,
    pub events: Vec<Event>,
}

impl Outcome {
    #[track_caller]
    pub fn built(&self) -> &Built {
        match &self.result {
            Ok(built) => built,
            Err(error) => panic!("{error}"),
        }
    }

    #[track_caller]
    pub fn error(&self) -> &BuildError {
        self.result.as_ref().unwrap_err()
    }

    /// The file names of the units that were compiled, sorted.
    pub fn compiled(&self) -> Vec<String> {
        let mut names: Vec<_> = self
            .events
            .iter()
            .filter_map(|event| match event {
                Event::Compiled { unit, .. } => {
                    Some(unit.file_name().unwrap().to_str().unwrap().to_owned())
                }
                _ => None,
            })
            .collect();
        names.sort();
        names
    }

    /// The commands that were run, in order.
    pub fn commands(&self) -> Vec<String> {
        let commands = self.events.iter().filter_map(|event| match event {
            Event::Compiling { command, .. } | Event::Linking { command, .. } => Some(command),
            _ => None,
        });
        commands.cloned().collect()
    }

    pub fn linked(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Linking { .. }))
    }

    pub fn up_to_date(&self) -> bool {
        matches!(self.events.as_slice(), [.., Event::UpToDate { .. }])
    }
}

/// The process's environment without the variables that choose compilers.
pub fn environment() -> Environment {
    Environment::current().without("CC").without("CXX").without("FC")
}

/// An interpreter that may have the package `ziglang`: `$FISHPLATE_ZIG_PYTHON`, that of the repository, or one on PATH.
pub fn interpreter() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    let chosen = std::env::var_os("FISHPLATE_ZIG_PYTHON").map(PathBuf::from);
    let usual = || Environment::current().which("python3".as_ref());
    chosen.or_else(|| own.is_file().then_some(own)).or_else(usual)
}

/// The compiler of that package.
pub fn ziglang(interpreter: Option<&Path>) -> PackagedCompiler {
    let shown = interpreter.unwrap_or(Path::new("python")).display().to_string();
    PackagedCompiler {
        place: format!("ziglang in {shown}"),
        command: interpreter.map(|one| vec![one.into(), "-m".into(), "ziglang".into()]),
        install: format!("{shown} -m pip install ziglang"),
    }
}

pub fn toolchain() -> Toolchain {
    Toolchain::find_in(environment(), None)
}

/// A toolchain with this `$CC`.
pub fn with_cc(cc: impl AsRef<OsStr>) -> Toolchain {
    Toolchain::find_in(environment().with("CC", cc.as_ref()), None)
}

/// Loads a library and calls `int answer(void)`.
#[track_caller]
pub fn answer(library: &Path) -> i32 {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("load.c");
        fs::write(
            &source,
            r#"#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
    int (*answer)(void) = library ? (int (*)(void))dlsym(library, "answer") : 0;
    if (!answer) { puts(dlerror()); return 1; }
    printf("%d", answer());
    return 0;
}
"#,
        )
        .unwrap();
        let program = folder.path().join("load");
        let toolchain = toolchain();
        let command = &toolchain.compiler(SourceLanguage::C).unwrap().command;
        let status = Command::new(&command[0])
            .args(&command[1..])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .arg("-ldl")
            .status()
            .unwrap();
        assert!(status.success());
        (folder, program)
    });
    let output = Command::new(program).arg(library).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed.parse().unwrap_or_else(|_| panic!("{}: {printed}", library.display()))
}
