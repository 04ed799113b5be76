//! `cargo xtask demo`: the examples, built and run.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, announce, examples, fishplate};

pub(crate) fn run() -> Result<()> {
    let venv = Venv::examples();
    announce::demo(&venv);
    // The profile of the tests: `cargo xtask test` finds everything built, and an optimised command, which takes longer
    // to build, makes no faster modules.
    let command = venv.prepare_while(None, || fishplate::build(Profile::Dev))?.1;
    examples::run_all(&command, &venv)?;
    println!("\nAll results agree with NumPy's.");
    Ok(())
}
