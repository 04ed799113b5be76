//! Tests that run in the copy of the repository.
//!
//! Invariant: a mutant is killed by a test that fails, or by a crash of the tests' own process. If
//! its C does not compile, or a fixture fails, it is broken.

use super::Tree;
use crate::venv::Venv;
use crate::{Result, examples, place, process, stand_ins};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(super) enum Verdict {
    /// The test that failed.
    Killed(String),
    Survived,
    /// Why the result is meaningless.
    Broken(String),
}

/// Messages in the output if the C of a mutant does not compile or its library does not load.
const NOT_BUILT: [&str; 5] = [
    ": error: ",
    "fishplate build failed",
    "error[FP0",
    "undefined symbol",
    "error: could not compile",
];

pub(super) struct Runner<'a> {
    tree: &'a Tree,
    python: PathBuf,
    environment: Vec<(OsString, OsString)>,
    /// The package's cache, new for each run.
    cache: PathBuf,
}

impl<'a> Runner<'a> {
    pub(super) fn new(tree: &'a Tree, venv: &Venv) -> Result<Self> {
        let cache = place::target("mutants").join("cache");
        let mut environment = vec![
            ("FISHPLATE".into(), tree.command().into()),
            ("PYTHONPATH".into(), tree.package().into()),
            ("PATH".into(), stand_ins::path(venv)?),
            ("VIRTUAL_ENV".into(), venv.folder().into()),
            ("FISHPLATE_CACHE_DIR".into(), cache.clone().into()),
            ("CARGO_TARGET_DIR".into(), place::cargo_target().into()),
        ];
        let openblas = examples::openblas(venv)?;
        environment.extend(openblas.into_iter().map(|(name, value)| (name.into(), value)));
        Ok(Self { tree, python: venv.python(), environment, cache })
    }

    /// Runs tests that must all pass.
    pub(super) fn pass(&self, package: Option<&str>, tests: &[String]) -> Result<()> {
        let output = self.output(package, tests, false)?;
        if output.status.success() {
            println!("{}", last_line(&text(&output)));
            Ok(())
        } else {
            Err(format!("tests fail without a mistake:\n{}", text(&output)))
        }
    }

    /// Runs tests until one fails.
    pub(super) fn try_to_kill(&self, package: Option<&str>, tests: &[String]) -> Result<Verdict> {
        let output = self.output(package, tests, true)?;
        let text = text(&output);
        let failed = text.lines().find_map(|line| match package {
            None => line.strip_prefix("FAILED "),
            Some(_) => line.strip_suffix(" ... FAILED")?.strip_prefix("test "),
        });
        let sign = NOT_BUILT.iter().find(|sign| text.contains(*sign));
        Ok(match (output.status.code(), sign, failed) {
            (Some(0), ..) => Verdict::Survived,
            (None, ..) => Verdict::Killed("the process of the tests crashed".to_owned()),
            (_, Some(sign), _) => Verdict::Broken(format!("`{sign}` in the output:\n{text}")),
            (_, None, Some(test)) => {
                Verdict::Killed(test.split(" - ").next().unwrap_or(test).to_owned())
            }
            (_, None, None) => Verdict::Broken(format!("no test failed:\n{text}")),
        })
    }

    fn output(&self, package: Option<&str>, tests: &[String], is_first: bool) -> Result<Output> {
        if self.cache.exists() {
            fs::remove_dir_all(&self.cache)
                .map_err(|error| format!("cannot remove {}: {error}", place::shown(&self.cache)))?;
        }
        let mut command = match package {
            None => {
                let mut pytest: Command = process::command(&self.python);
                pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(tests);
                if is_first {
                    pytest.arg("-x");
                }
                pytest
            }
            Some(package) => {
                let mut cargo = process::cargo();
                cargo.args(["test", "-p", package, "--"]).args(tests);
                cargo
            }
        };
        command.current_dir(self.tree.root());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.output().map_err(|error| format!("cannot run the tests: {error}"))
    }
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).join("\n")
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().next_back().unwrap_or_default()
}
