//! The time of a call: Fishplate's module compared with those of `benches/calls/build.py`.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process, pythons};
use std::time::Instant;

pub(crate) fn run(quick: bool) -> Result<()> {
    let sources = place::root().join("benches/calls");
    let venv = bench::venv()?;
    let command = fishplate::build(Profile::Release)?;
    let out = place::target("bench/calls");
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
    let mut measure = bench::script(&venv, &sources.join("run.py"));
    measure.arg("--out").arg(&out).arg("--fishplate").arg(&module);
    measure.arg("--fishplate-seconds").arg(format!("{seconds:.3}"));
    measure.arg("--json").arg(out.join("calls.json"));
    if quick {
        measure.arg("--quick");
    } else {
        let table = place::root().join("docs/benchmarks/calls.md");
        place::make_folder_of(&table)?;
        measure.arg("--markdown").arg(table);
    }
    process::run(&mut measure)?;

    process::heading("objects, texts, structs, enums, functions");
    let mut borders = bench::script(&venv, &sources.join("borders.py"));
    borders.arg("--out").arg(&out).arg("--command").arg(&command);
    if quick {
        borders.arg("--quick");
    } else {
        borders.arg("--markdown").arg(place::root().join("docs/benchmarks/borders.md"));
    }
    process::run(&mut borders)?;

    process::heading("the cost of catching exceptions");
    let mut guard = bench::script(&venv, &sources.join("guard.py"));
    guard.arg("--out").arg(&out).arg("--command").arg(&command);
    if quick {
        guard.arg("--quick");
    } else {
        guard.arg("--markdown").arg(place::root().join("docs/benchmarks/glue.md"));
    }
    process::run(&mut guard)?;

    process::heading("the stable ABI");
    let pythons = pythons::prepare();
    let oldest =
        pythons.first().ok_or("the stable ABI needs Python 3.12 or later with its headers")?;
    let mut stable = bench::script(oldest, &sources.join("stable.py"));
    stable.arg("--out").arg(&out).arg("--command").arg(&command);
    if quick {
        stable.arg("--quick");
    } else {
        stable.arg("--markdown").arg(place::root().join("docs/benchmarks/stable-abi.md"));
    }
    process::run(&mut stable)
}
