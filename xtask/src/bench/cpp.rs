//! C++ libraries wrapped by Fishplate and by nanobind: amounts, calls, messages and stubs.

use crate::fishplate::Profile;
use crate::{Result, bench, fishplate, place, process, setup};

pub(crate) fn run(quick: bool) -> Result<()> {
    // Only nanobind and NumPy, which the tests need as well.
    let venv = setup::ensure()?;
    let command = fishplate::build(Profile::Release)?;
    let mut measure = bench::script(&venv, &place::root().join("benches/cpp/run.py"));
    measure.arg("--fishplate").arg(command).arg("--out").arg(place::target("bench/cpp"));
    if quick {
        measure.arg("--quick");
    } else {
        measure.arg("--markdown").arg(place::root().join("docs/benchmarks/cpp.md"));
    }
    process::run(&mut measure)
}
