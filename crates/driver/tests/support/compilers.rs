//! Real compilers, and the headers that generated modules need.

use super::{Case, root, skip};
use fishplate_driver::{FileRole, Host, emit_file, plan_file};
use fishplate_host_lua::Lua;
use fishplate_host_python::Python;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// A compiler and its options for generated C.
pub struct Compiler {
    pub command: String,
    program: &'static str,
    arguments: [&'static str; 3],
}

/// As a person may compile it, and as `fishplate build` does.
const STANDARDS: [[&str; 3]; 3] =
    [["-x", "c", "-std=c99"], ["-x", "c", "-std=gnu17"], ["-x", "c++", "-std=c++17"]];

/// gcc and clang with each standard, as far as they are installed.
pub fn compilers() -> Vec<Compiler> {
    let mut found = Vec::new();
    for program in ["gcc", "clang"] {
        for arguments in STANDARDS {
            // A C driver may be installed without its C++ compiler.
            let probe = Command::new(program)
                .args(arguments)
                .args(["-fsyntax-only", "/dev/null"])
                .output()
                .is_ok_and(|output| output.status.success());
            let command = format!("{program} {}", arguments.join(" "));
            if probe {
                found.push(Compiler { command, program, arguments });
            } else {
                skip(&format!("`{command}` does not work here; the goldens are not tried with it"));
            }
        }
    }
    found
}

/// The units of cases, and the folders of Python's, NumPy's and Fishplate's headers.
pub struct Headers {
    system: Vec<String>,
    runtime: tempfile::TempDir,
    /// The runtime's headers, by their text and the command.
    precompiled: Mutex<HashMap<String, Arc<Precompiled>>>,
}

/// A header that is compiled when a unit needs it.
struct Precompiled {
    path: PathBuf,
    is_there: OnceLock<bool>,
}

impl Headers {
    /// `None`, with a message, if there is no Python with NumPy.
    pub fn find(cases: &[Case]) -> Option<Headers> {
        const ASK: &str = "import sysconfig, numpy\n\
                           print(sysconfig.get_path('include'))\n\
                           print(numpy.get_include())";
        let candidates = [
            std::env::var_os("PYTHON").map(PathBuf::from),
            Some(root().join("target/venv/bin/python")),
            Some(root().join("target/bench-venv/bin/python")),
            Some(PathBuf::from("python3")),
        ];
        let answer = candidates.into_iter().flatten().find_map(|python| {
            let output = Command::new(python).args(["-c", ASK]).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        });
        let Some(answer) = answer else {
            skip("there is no Python with NumPy; run `cargo xtask setup`");
            return None;
        };
        Some(Self::of(cases, &Python, answer.lines().map(str::to_owned).collect()))
    }

    /// The cases' units and the runtime headers, which they include, next to system folders.
    pub fn of(cases: &[Case], host: &dyn Host, system: Vec<String>) -> Headers {
        let runtime = tempfile::tempdir().expect("a temporary folder");
        let unit = host.capabilities().host;
        for case in cases {
            let emitted = emit_file(&case.interface(), host).value;
            let folder = runtime.path().join(case.name());
            fs::create_dir(&folder).expect("a temporary folder");
            for file in emitted.into_iter().flat_map(|emitted| emitted.files) {
                let name = match file.role {
                    FileRole::Header => file.name,
                    FileRole::Unit => case.unit(unit),
                    FileRole::Beside | FileRole::Completed => continue,
                };
                fs::write(folder.join(name), &file.contents).expect("a temporary folder");
            }
        }
        Headers { system, runtime, precompiled: Mutex::default() }
    }

    /// The runtime's header, with the macros that a unit defines before, precompiled for a command, in which it is the
    /// most that compilers read. `None` if that fails: the compiler then reports it for the unit.
    fn precompile(&self, case: &Case, file: &str, command: &[String]) -> Option<PathBuf> {
        let unit = fs::read_to_string(self.runtime_of(case).join(file)).ok()?;
        let (before, after) = unit.split_once("#include \"fishplate_")?;
        let macros = before.lines().filter(|line| line.starts_with('#'));
        let mut text: String = macros.map(|line| format!("{line}\n")).collect();
        text += &format!("#include \"fishplate_{}\n", after.lines().next()?);
        let mut made = self.precompiled.lock().expect("no thread panics while it holds this");
        let path = self.runtime.path().join(format!("header_{}.h", made.len()));
        let header = made
            .entry(format!("{text}{}", command.join(" ")))
            .or_insert_with(|| Arc::new(Precompiled { path, is_there: OnceLock::new() }))
            .clone();
        drop(made);
        let make = || {
            fs::write(&header.path, text).expect("a temporary folder");
            let mut compiler = Command::new(&command[0]);
            for word in &command[1..] {
                match word.as_str() {
                    "c" | "c++" => compiler.arg(format!("{word}-header")),
                    _ => compiler.arg(word),
                };
            }
            compiler.arg("-I").arg(self.runtime_of(case)).arg(&header.path);
            compiler.arg("-o").arg(header.path.with_extension("h.gch"));
            compiler.output().is_ok_and(|output| output.status.success())
        };
        header.is_there.get_or_init(make).then(|| header.path.clone())
    }

    /// The folder with a case's unit and the headers that it includes.
    fn runtime_of(&self, case: &Case) -> PathBuf {
        self.runtime.path().join(case.name())
    }
}

impl Compiler {
    /// It compiles units as C.
    pub fn is_c(&self) -> bool {
        self.arguments.contains(&"c")
    }

    /// The compiler's messages about a case's unit, with warnings as errors; `None` if there are
    /// none.
    pub fn refuses(&self, case: &Case, headers: &Headers) -> Option<String> {
        self.refuses_file(case, &case.unit("python"), headers, &Python, &headers.system)
    }

    /// The same for its unit for Lua, with the headers of one Lua.
    pub fn refuses_for_lua(&self, case: &Case, headers: &Headers, lua: &Path) -> Option<String> {
        let lua = [lua.to_string_lossy().into_owned()];
        self.refuses_file(case, &case.unit("lua"), headers, &Lua, &lua)
    }

    fn refuses_file(
        &self,
        case: &Case,
        file: &str,
        headers: &Headers,
        host: &dyn Host,
        system: &[String],
    ) -> Option<String> {
        let module = plan_file(&case.interface(), host).value?.module;
        let warnings = ["-Wall", "-Wextra", "-Werror"];
        let words = [self.program].into_iter().chain(warnings).chain(self.arguments);
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.extend(system.iter().flat_map(|folder| ["-isystem".to_owned(), folder.clone()]));
        let mut command = Command::new(self.program);
        command.args(&words[1..]).arg("-fsyntax-only");
        if let (true, Some(header)) =
            (module.defines.is_empty(), headers.precompile(case, file, &words))
        {
            command.arg("-include").arg(header);
        }
        command.arg("-I").arg(headers.runtime_of(case)).arg("-I").arg(case.folder());
        for folder in &module.include_dirs {
            command.arg("-I").arg(case.path(&folder.value));
        }
        command.args(module.defines.iter().map(|define| format!("-D{}", define.value)));
        let output = command
            .arg(headers.runtime_of(case).join(file))
            .output()
            .expect("the compiler was there just now");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
