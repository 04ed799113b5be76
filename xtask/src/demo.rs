//! `cargo xtask demo`: what Fishplate does, in a few seconds.

use crate::fishplate::Profile;
use crate::{Result, examples, fishplate, setup};

pub(crate) fn run() -> Result<()> {
    let venv = setup::ensure()?;
    let command = fishplate::build(Profile::Release)?;
    examples::run_all(&command, &venv)?;
    println!("\nAll results agree with NumPy's.");
    Ok(())
}
