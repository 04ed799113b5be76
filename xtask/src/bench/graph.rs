//! Graphs compared with hand-written loops and other tools: the time of a call, and the time to the
//! first result.

use crate::fishplate::Profile;
use crate::{Result, bench, package, place, process};

pub(crate) fn run(quick: bool) -> Result<()> {
    let sources = place::root().join("benches/graph");
    let venv = bench::venv()?;
    let out = place::target("bench/graph");

    process::heading("the package");
    let package = package::build(Profile::Release)?;

    process::heading("the loops by hand");
    process::run(bench::script(&venv, &sources.join("build.py")).arg("--out").arg(&out))?;

    process::heading("graphs");
    let mut measure = bench::script(&venv, &sources.join("run.py"));
    measure.arg("--out").arg(&out);
    let folders = std::env::join_paths([package, place::root().join("benches/shared")])
        .map_err(|error| format!("cannot put Fishplate on PYTHONPATH: {error}"))?;
    measure.env("PYTHONPATH", folders);
    // PyTensor's compiled files stay with the rest; JAX must not look for other devices.
    measure.env("PYTENSOR_FLAGS", format!("base_compiledir={}", out.join("pytensor").display()));
    measure.env("JAX_PLATFORMS", "cpu");
    if quick {
        measure.arg("--quick");
    } else {
        let table = place::root().join("docs/benchmarks/graph.md");
        place::make_folder_of(&table)?;
        measure.arg("--markdown").arg(table);
    }
    process::run(&mut measure)
}
