//! Common helpers of the tests over case folders.

#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

mod command;
mod compilers;
pub mod goldens;

pub use command::check;
pub use compilers::{Compiler, Headers, compilers};
pub use fishplate_testing::{is_ci, skip};

use fishplate_emit::{FileRole, Host, OutputFile};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository.
pub fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("a checkout")
}

/// One folder of `tests/cases` or `tests/refused`.
pub struct Case {
    folder: PathBuf,
}

/// The name of the golden for an emitted file: the host's name and the file's suffix. Headers and
/// empty markers have none.
pub fn golden_name(host: &dyn Host, file: &OutputFile) -> Option<String> {
    let last = file.name.rsplit('/').next()?;
    let (_, ending) = last.split_once('.')?;
    let is_golden = file.role != FileRole::Header && !file.contents.is_empty();
    is_golden.then(|| format!("{}.{ending}", host.capabilities().host))
}

/// All cases, valid ones first, in order of their names.
pub fn cases() -> Vec<Case> {
    ["tests/cases", "tests/refused"].into_iter().flat_map(cases_of).collect()
}

fn cases_of(folder: &str) -> Vec<Case> {
    let entries = fs::read_dir(root().join(folder)).expect("the cases are there");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir() && !path.ends_with("__pycache__"))
        .collect();
    folders.sort();
    folders.into_iter().map(|folder| Case { folder }).collect()
}

impl Case {
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The interface: a `.toml`, else a configuration of xndtools, else an annotated header.
    pub fn interface(&self) -> PathBuf {
        self.folder.join(self.interface_name())
    }

    /// The interface's file name.
    pub fn interface_name(&self) -> String {
        let name = self.name();
        let files = [".toml", "-kernels.cfg", ".h"].map(|ending| format!("{name}{ending}"));
        let there = files.iter().find(|file| self.has(file));
        there.unwrap_or(&files[0]).clone()
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    pub fn has(&self, file: &str) -> bool {
        self.path(file).is_file()
    }

    /// True if the interface has no mistakes: a script tests the module.
    pub fn is_good(&self) -> bool {
        self.folder.parent().is_some_and(|cases| cases.ends_with("cases"))
    }

    /// True if a script tests the module, or a bug in it.
    pub fn has_script(&self) -> bool {
        self.has("run.py") || self.files().iter().any(|file| file.starts_with("bug_"))
    }

    /// True if a script tests the module in Lua.
    pub fn is_for_lua(&self) -> bool {
        self.has("run.lua")
    }

    /// True if the generated code is C++.
    pub fn is_cxx(&self) -> bool {
        let text = fs::read_to_string(self.interface()).unwrap_or_default();
        text.lines().any(|line| line.replace(' ', "") == "language=\"c++\"")
    }

    /// The name of the unit for a host: `python` or `lua`.
    pub fn unit(&self, host: &str) -> String {
        format!("{host}.{}", if self.is_cxx() { "cpp" } else { "c" })
    }

    /// All files, relative to the folder, without hidden ones and caches.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        for folder in ["", "golden/"] {
            for entry in fs::read_dir(self.folder.join(folder)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if entry.path().is_file() && !name.starts_with('.') {
                    files.push(format!("{folder}{name}"));
                }
            }
        }
        files
    }

    /// Why this compiler need not accept the golden: a line of `golden/refused.txt`, which begins
    /// with the beginning of the compiler's command.
    pub fn excuse(&self, compiler: &Compiler) -> Option<String> {
        let text = fs::read_to_string(self.path("golden/refused.txt")).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(": "));
        let found = lines.find(|(command, _)| compiler.command.starts_with(command));
        found.map(|(_, reason)| reason.to_owned())
    }

    /// A known bug for which `expected.stderr` or `build.stderr` differs from the output.
    pub fn bug(&self) -> Option<String> {
        fs::read_to_string(self.path("bug.txt")).ok()
    }
}

/// The failures of all cases: each test reports everything at once.
#[derive(Default)]
pub struct Failures(Vec<(String, String)>);

impl Failures {
    pub fn of(failures: Vec<(String, String)>) -> Self {
        Failures(failures)
    }

    pub fn add(&mut self, case: &Case, text: String) {
        self.0.push((case.name(), text));
    }

    /// Compares a file of the case with its expected content; `UPDATE=1` writes it.
    pub fn compare(&mut self, case: &Case, file: &str, wanted: &str) {
        let path = case.path(file);
        let there = fs::read_to_string(&path).ok();
        if there.as_deref() == Some(wanted) {
            return;
        }
        if is_update() {
            fs::create_dir_all(path.parent().expect("a folder")).expect("a writable checkout");
            fs::write(&path, wanted).expect("a writable checkout");
            return;
        }
        let text = match there {
            None => "is not there".to_owned(),
            Some(there) => first_difference(&there, wanted),
        };
        self.add(case, format!("{file} {text}\nUPDATE=1 writes it"));
    }

    pub fn is_empty_for(&self, case: &Case) -> bool {
        self.0.iter().all(|(name, _)| *name != case.name())
    }

    pub fn report(self) {
        let strings: Vec<String> =
            self.0.into_iter().map(|(case, text)| format!("{case}: {text}")).collect();
        assert!(strings.is_empty(), "\n\n{}\n", strings.join("\n\n"));
    }
}

/// True if files are rewritten rather than compared.
pub fn is_update() -> bool {
    std::env::var("UPDATE").is_ok_and(|value| value == "1")
}

/// True if no test is omitted, however long all take: `cargo xtask test --all`.
pub fn is_all() -> bool {
    std::env::var("FISHPLATE_ALL").is_ok_and(|value| value == "1")
}

fn first_difference(there: &str, wanted: &str) -> String {
    let (mut old, mut new) = (there.lines(), wanted.lines());
    let mut line = 1;
    loop {
        match (old.next(), new.next()) {
            (Some(a), Some(b)) if a == b => line += 1,
            (None, None) => return "differs in its last newline".to_owned(),
            (a, b) => {
                let shown = |text: Option<&str>| text.unwrap_or("(the end)").to_owned();
                return format!(
                    "differs from line {line} on:\n  there: {}\n  now:   {}",
                    shown(a),
                    shown(b)
                );
            }
        }
    }
}

/// Runs `work` for every job on all processors, and returns the messages.
pub fn in_parallel<T: Sync, R: Send>(jobs: &[T], work: impl Fn(&T) -> Option<R> + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let report = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(found) = work(job) {
                        report.lock().expect("no thread panics while it holds this").push(found);
                    }
                }
            });
        }
    });
    report.into_inner().expect("no thread panics while it holds this")
}
