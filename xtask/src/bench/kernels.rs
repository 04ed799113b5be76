//! The time of batched calls: Fishplate's module compared with the tools of `benches/kernels/`.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process};

pub(crate) fn run(quick: bool) -> Result<()> {
    let sources = place::root().join("benches/kernels");
    let venv = bench::venv()?;
    let command = fishplate::build(Profile::Release)?;
    let out = place::target("bench/kernels");
    let module = out.join("fishplate");

    process::heading("the modules");
    place::make_empty(&module)?;
    let mut build = process::command(&command);
    build.arg("build").arg(sources.join("kernels.toml"));
    build.arg("--python").arg(venv.python()).arg("--out").arg(&module);
    process::run(&mut build)?;
    process::run(bench::script(&venv, &sources.join("build.py")).arg("--out").arg(&out))?;

    process::heading("kernels");
    let mut measure = bench::script(&venv, &sources.join("run.py"));
    measure.arg("--out").arg(&out).arg("--fishplate").arg(&module);
    if quick {
        measure.arg("--quick");
    } else {
        let table = place::root().join("docs/benchmarks/kernels.md");
        place::make_folder_of(&table)?;
        measure.arg("--markdown").arg(table);
    }
    process::run(&mut measure)
}
