//! The time of a call: Fishplate's module beside those of `benches/calls/build.py`.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, bench, fishplate, place, process};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

pub(crate) fn run(quick: bool) -> Result<()> {
    let sources = place::root().join("benches/calls");
    let venv = Venv::benchmark("benches/calls/requirements.txt");
    venv.prepare(None)?;
    let command = fishplate::build(Profile::Release)?;
    let out = place::target("bench/calls");
    let module = out.join("fishplate");

    process::heading("Fishplate's module");
    bench::fresh_folder(&module)?;
    let mut build = process::command(&command);
    build.arg("build").arg(sources.join("calls.toml"));
    build.arg("--python").arg(venv.python()).arg("--out").arg(&module);
    let start = Instant::now();
    process::run(&mut build)?;
    let seconds = start.elapsed().as_secs_f64();

    process::heading("the peers' modules");
    process::run(script(&venv, &sources.join("build.py")).arg("--out").arg(&out))?;

    process::heading("calls");
    let mut measure = script(&venv, &sources.join("run.py"));
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
    process::run(&mut measure)
}

/// A Python program whose own tools (Cython, SWIG) are found before the machine's.
fn script(venv: &Venv, path: &Path) -> Command {
    let mut command = process::command(venv.python());
    command.arg("-B").arg(path).env("VIRTUAL_ENV", venv.folder());
    let own = venv.folder().join("bin");
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own).chain(std::env::split_paths(&rest));
    if let Ok(path) = std::env::join_paths(all) {
        command.env("PATH", path);
    }
    command
}
