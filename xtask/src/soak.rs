//! `cargo xtask soak`: tests of any duration.
//!
//! Fuzzing of the front ends, then ten million calls across every language boundary, random
//! interfaces and calls with a new seed in each round, and random graphs. None is part of `cargo
//! xtask test`, which runs a fixed, short selection.

use crate::fishplate::Profile;
use crate::{Result, fishplate, package, place, process, setup};
use std::time::{Duration, Instant, SystemTime};

/// Arguments of `soak`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The time for fuzzing each front end, for random calls, and for random graphs
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// Only random interfaces, calls and graphs, which need no cargo-fuzz
    #[arg(long)]
    calls: bool,
    /// Only ten million calls, after which memory use must be unchanged
    #[arg(long, conflicts_with = "calls")]
    borders: bool,
}

/// The number of calls after which memory use must be unchanged.
const CALLS: u64 = 10_000_000;

/// The number of random graphs per run.
const PROGRAMS: usize = 100;

const READERS: [&str; 4] = ["interface", "prototype", "header", "kernels"];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.borders {
        return borders();
    }
    if !arguments.calls {
        if !process::succeeds(process::cargo().args(["fuzz", "--version"])) {
            return Err("fuzzing needs cargo-fuzz: `cargo install cargo-fuzz`, or --calls".into());
        }
        for reader in READERS {
            process::heading(&format!("fuzzing the reader of {reader}"));
            fuzz(reader, arguments.seconds)?;
        }
    }
    borders()?;
    let venv = setup::ensure()?;
    let command = fishplate::build(Profile::Dev)?;
    process::heading("random interfaces and calls");
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    for seed in (first_seed()..).take_while(|_| Instant::now() < end) {
        let mut pytest = process::command(venv.python());
        pytest.args(["-m", "pytest", "-q", "tests/robustness/test_properties.py"]);
        pytest.arg("tests/robustness/test_lua_calls.py").env("FISHPLATE_SEED", seed.to_string());
        process::run(pytest.env("FISHPLATE", &command))?;
    }
    process::heading("random graphs");
    let package = package::build(Profile::Dev)?;
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    // The tests use the first seeds.
    for first in (100_000..).step_by(PROGRAMS).take_while(|_| Instant::now() < end) {
        let mut pytest = process::command(venv.python());
        pytest.args(["-m", "pytest", "-q", "tests/graph/test_random_programs.py"]);
        pytest.arg("tests/graph/test_graph_sanitizers.py").env("PYTHONPATH", &package);
        pytest.env("FISHPLATE_PROGRAMS", format!("{first} {PROGRAMS}"));
        process::run(&mut pytest)?;
    }
    Ok(())
}

/// Handles, strings, C-allocated memory, values, return codes, callbacks and exceptions, from
/// Python and from every Lua.
fn borders() -> Result<()> {
    process::heading("calls over every border");
    let venv = setup::ensure()?;
    let command = fishplate::build(Profile::Dev)?;
    let mut pytest = process::command(venv.python());
    pytest.args(["-m", "pytest", "-q", "-s", "tests/robustness/test_soak.py"]);
    pytest.env("FISHPLATE_CALLS", CALLS.to_string());
    process::run(pytest.env("FISHPLATE", &command))
}

/// A different seed every second, so that no two runs make the same calls.
fn first_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

fn fuzz(reader: &str, seconds: u64) -> Result<()> {
    let folder = place::root().join("fuzz");
    std::fs::create_dir_all(folder.join("corpus").join(reader))
        .map_err(|error| format!("cannot make the corpus of {reader}: {error}"))?;
    let mut cargo = process::cargo();
    // cargo-fuzz enables the sanitizer with a flag that stable compilers accept too.
    cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(folder);
    cargo.args(["fuzz", "run", "--fuzz-dir", ".", reader]);
    cargo.args([format!("corpus/{reader}"), format!("seeds/{reader}"), "--".into()]);
    cargo.args(["-dict=words.dict", "-max_len=4096"]);
    process::run(cargo.arg(format!("-max_total_time={seconds}")))
}
