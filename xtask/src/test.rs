//! `cargo xtask test`: the tests that a change must pass; `--all`: every test.
//!
//! Parts that fail do not stop the others. Parts that this machine cannot test are reported first
//! and last, and are an error under `CI=true`: an incomplete run must not look complete.

use crate::fishplate::Profile;
use crate::machines::Machine;
use crate::venv::Venv;
use crate::{
    Result, announce, examples, fishplate, free_threaded, machine, machines, package, place,
    process, pythons, setup, stand_ins,
};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// The environment variable by which tests omit nothing.
const ALL: &str = "FISHPLATE_ALL";

/// Rust tests that `--fast` omits: they compile every golden file with two compilers.
const SLOW_RUST: &str = "compilers_take_the_goldens";

/// Files of Python tests that `--fast` runs: each case in Python, the readers' drafts, the documents' words and
/// tables, and functions of graphs.
const FAST_PYTHON: [&str; 7] = [
    "test_cases.py",
    "test_schema.py",
    "test_tables.py",
    "test_phrases.py",
    "graph/test_layers.py",
    "graph/test_function.py",
    "graph/test_as_numpy.py",
];

/// Arguments of `test`.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("one part"))]
pub(crate) struct Arguments {
    /// Only the tests that detect most mistakes in a few minutes
    #[arg(long, group = "one part", conflicts_with = "args")]
    fast: bool,
    /// Also slow tests: each case in every Lua and under valgrind, more seeds, and all builds as
    /// users build
    #[arg(long, conflicts_with = "fast")]
    all: bool,
    /// Only the Rust tests
    #[arg(long, group = "one part")]
    rust: bool,
    /// Only the Python tests: built modules, and generated C under compilers and sanitizers
    #[arg(long, group = "one part")]
    python: bool,
    /// Only the examples
    #[arg(long, group = "one part", conflicts_with = "args")]
    examples: bool,
    /// Only some cases and graphs, on an emulated machine that `setup --machines` unpacked
    #[arg(long, group = "one part", value_enum)]
    machine: Option<Machine>,
    /// Only cases and tests of threads, by a free-threaded Python without the GIL, which is built if there is none; not
    /// part of --all
    #[arg(long, group = "one part", conflicts_with = "all")]
    free_threaded: bool,
    /// Arguments for the test runner of the part that was chosen
    #[arg(last = true, requires = "one part")]
    args: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(machine) = arguments.machine {
        return machines::test(machine, &arguments.args);
    }
    if arguments.free_threaded {
        return free_threaded::test(&arguments.args);
    }
    let fast = arguments.fast;
    let each = !(arguments.rust || arguments.python || arguments.examples);
    announce::test(&Venv::development());
    machine::install_packages()?;
    let missing = machine::missing();
    report_missing(&missing);
    let venv = setup::ensure()?;
    let path = stand_ins::path(&venv)?;
    let mut failed = Vec::new();
    let mut part = |name: &str, run: &dyn Fn() -> Result<()>| {
        process::heading(name);
        failed.extend(run().err());
    };
    let command = fishplate::build(Profile::Dev)?;
    if each || arguments.rust {
        part("Rust tests", &|| rust(&command, &venv, &path, arguments));
    }
    if (each && !fast) || arguments.examples {
        part("examples", &|| examples::run_all(&command, &venv));
    }
    // Last, since its summary names the tests that have failed.
    if each || arguments.python {
        let package = package::build(Profile::Dev)?;
        if arguments.all {
            pythons::prepare();
        }
        part("Python tests", &|| python(&command, &package, &venv, &path, arguments));
    }
    report_missing(&missing);
    if !missing.is_empty() && under_ci() {
        failed.push("CI=true, and this machine cannot run every test".to_owned());
    }
    if failed.is_empty() {
        println!("\nall tests passed");
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

/// With nextest if it is installed: the same tests, sooner.
fn rust(fishplate: &Path, venv: &Venv, path: &OsStr, arguments: &Arguments) -> Result<()> {
    let Arguments { fast, all, ref args, .. } = *arguments;
    let cargo = |words: &[&str]| {
        let mut command = process::cargo();
        command.args(words);
        // Arguments may select packages; otherwise Cargo takes all of them at the root anyway.
        if args.is_empty() {
            command.arg("--workspace");
        }
        // Tests that have no command build it alone: with other features, and so all libraries again.
        command.env("FISHPLATE", fishplate);
        // The Python with NumPy, for tests that build modules.
        command.env("VIRTUAL_ENV", venv.folder()).env("PATH", path);
        if all {
            command.env(ALL, "1");
        }
        command
    };
    if !process::succeeds(process::cargo().args(["nextest", "--version"])) {
        let skip: &[&str] = if fast { &["--", "--skip", SLOW_RUST] } else { &[] };
        return process::run(cargo(&["test", "--no-fail-fast"]).args(skip).args(args));
    }
    let mut nextest = cargo(&["nextest", "run", "--no-fail-fast"]);
    if fast {
        nextest.arg("--filterset").arg(format!("not test({SLOW_RUST})"));
    }
    process::run(nextest.args(args))?;
    // nextest omits these.
    if args.is_empty() && !fast {
        process::run(&mut cargo(&["test", "--doc", "--quiet"]))
    } else {
        Ok(())
    }
}

fn python(
    command: &Path,
    package: &Path,
    venv: &Venv,
    path: &OsStr,
    arguments: &Arguments,
) -> Result<()> {
    let mut pytest: Command = process::command(venv.python());
    // Files on all cores: a build for the tests of a file is done once. `conftest.py` orders the
    // files.
    pytest.args(["-m", "pytest", "--numprocesses", "auto", "--dist", "loadfile"]);
    pytest.arg("--no-loadscope-reorder");
    let tests = place::root().join("tests");
    let files = if arguments.fast { FAST_PYTHON.as_slice() } else { &[""] };
    pytest.args(files.iter().map(|file| tests.join(file))).args(&arguments.args);
    if arguments.all {
        pytest.env(ALL, "1");
    }
    pytest.env("FISHPLATE", command).env("PYTHONPATH", package).env("PATH", path);
    pytest.envs(examples::openblas(venv)?);
    process::run(&mut pytest)
}

fn report_missing(missing: &[String]) {
    if !missing.is_empty() {
        println!("\n!!! This machine cannot run every test. It lacks:");
        for line in missing {
            println!("!!!   {line}");
        }
    }
}

/// The variable that every CI service sets.
fn under_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}
