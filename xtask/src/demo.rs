//! `cargo xtask demo`: the examples, built and run.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{Result, announce, examples, fishplate};

pub(crate) fn run() -> Result<()> {
    let venv = Venv::examples();
    announce::demo(&venv);
    venv.prepare(None)?;
    let command = fishplate::build(Profile::Release)?;
    examples::run_all(&command, &venv)?;
    println!("\nAll results agree with NumPy's.");
    Ok(())
}
