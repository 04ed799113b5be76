//! What the first run of a command will download and build, said before it begins.
//!
//! The figures are those of `cargo xtask bare`, on two cores and a fast network; a later run, which finds
//! everything below `target/`, announces nothing.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{machine, place};

/// Announces the first run of `demo`.
pub(crate) fn demo(venv: &Venv) {
    first_run(venv, Profile::Release, 3, "NumPy, SciPy and OpenBLAS (70 MB)", "");
}

/// Announces the first run of all tests.
pub(crate) fn test(venv: &Venv) {
    let system = match (machine::missing().is_empty(), machine::can_install()) {
        (true, _) => "",
        (false, true) => {
            " apt-get installs the compilers and libraries that the tests lack (1 GB)."
        }
        (false, false) => {
            " Clang and a C++ compiler come from the Python package ziglang (90 MB) where they are missing."
        }
    };
    first_run(venv, Profile::Dev, 30, "NumPy, SciPy, pytest and others (300 MB)", system);
}

fn first_run(venv: &Venv, profile: Profile, minutes: u32, packages: &str, system: &str) {
    if venv.python().exists()
        && place::cargo_target().join(profile.folder()).join("fishplate").exists()
    {
        return;
    }
    println!(
        "The first run takes about {minutes} minutes on two cores. Cargo downloads some 100 crates (30 MB) and builds \
         them; pip installs {packages} into target/venv.{system}{}",
        if system.contains("apt-get") { "" } else { " Nothing is installed outside of target/." }
    );
}
