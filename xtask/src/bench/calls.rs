//! The time of a call: Fishplate's module compared with those of `benches/calls/build.py`.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process, pythons};
use std::process::Command;
use std::time::Instant;

/// With another Python than that of all benchmarks, if a version is given.
pub(crate) fn run(python: Option<(u32, u32)>, quick: bool) -> Result<()> {
    let sources = place::root().join("benches/calls");
    let (venv, suffix) = match python {
        None => (bench::venv()?, String::new()),
        Some((major, minor)) => (bench::venv_of((major, minor))?, format!("-{major}.{minor}")),
    };
    let command = fishplate::build(Profile::Release)?;
    let out = place::target(&format!("bench/calls{suffix}"));
    let module = out.join("fishplate");

    process::heading("Fishplate's module");
    place::make_empty(&module)?;
    let mut build = process::command(&command);
    build.arg("build").arg(sources.join("calls.toml"));
    build.arg("--python").arg(venv.python()).arg("--out").arg(&module);
    let start = Instant::now();
    process::run(&mut build)?;
    let seconds = start.elapsed().as_secs_f64();

    process::heading("the peers' modules");
    process::run(bench::script(&venv, &sources.join("build.py")).arg("--out").arg(&out))?;

    process::heading("calls");
    let mut calls = bench::script(&venv, &sources.join("run.py"));
    calls.arg("--out").arg(&out).arg("--fishplate").arg(&module);
    calls.arg("--fishplate-seconds").arg(format!("{seconds:.3}"));
    calls.arg("--json").arg(out.join("calls.json"));
    measure(calls, quick, &format!("calls{suffix}"))?;

    process::heading("objects, texts, structs, enums, functions");
    let mut borders = bench::script(&venv, &sources.join("borders.py"));
    borders.arg("--out").arg(&out).arg("--command").arg(&command);
    measure(borders, quick, &format!("borders{suffix}"))?;
    if python.is_some() {
        return Ok(());
    }

    process::heading("the cost of catching exceptions");
    let mut guard = bench::script(&venv, &sources.join("guard.py"));
    guard.arg("--out").arg(&out).arg("--command").arg(&command);
    measure(guard, quick, "glue")?;

    process::heading("the stable ABI");
    let pythons = pythons::prepare();
    let oldest =
        pythons.first().ok_or("the stable ABI needs Python 3.12 or later with its headers")?;
    let mut stable = bench::script(oldest, &sources.join("stable.py"));
    stable.arg("--out").arg(&out).arg("--command").arg(&command);
    measure(stable, quick, "stable-abi")
}

/// Runs a program that measures; its table is stored under this name, unless the run is quick.
fn measure(mut program: Command, quick: bool, table: &str) -> Result<()> {
    if quick {
        program.arg("--quick");
    } else {
        let page = place::root().join(format!("docs/benchmarks/{table}.md"));
        place::make_folder_of(&page)?;
        program.arg("--markdown").arg(page);
    }
    process::run(&mut program)
}
