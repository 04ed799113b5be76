//! Announcements: the downloads and builds of the first run of a command.
//!
//! The figures are the times and downloads of `cargo xtask bare` on two cores and a fast network. A later run, which
//! finds everything below `target/`, announces nothing.

use crate::fishplate::Profile;
use crate::venv::Venv;
use crate::{examples, machine, place};

/// Announces the first run of `demo`.
pub(crate) fn demo(venv: &Venv) {
    first_run(venv, 2, "NumPy, SciPy and OpenBLAS (60 MB)", "");
    println!(
        "Builds {} modules in target/examples and runs them: the first result is there after some \
         five seconds, all of them after about a minute.",
        examples::COUNT
    );
}

/// Announces the first run of all tests.
pub(crate) fn test(venv: &Venv) {
    // Without the packages of apt-get, fewer tests run.
    let (minutes, system) = match (machine::missing().is_empty(), machine::can_install()) {
        (true, _) => (25, ""),
        (false, true) => {
            (25, " apt-get installs the compilers and libraries that the tests lack (130 MB).")
        }
        (false, false) => (
            15,
            " Clang and a C++ compiler come from the Python package ziglang (100 MB) where they are missing.",
        ),
    };
    first_run(venv, minutes, "NumPy, SciPy, pytest and others (300 MB)", system);
}

fn first_run(venv: &Venv, minutes: u32, packages: &str, system: &str) {
    if venv.python().exists()
        && place::cargo_target().join(Profile::Dev.folder()).join("fishplate").exists()
    {
        return;
    }
    println!(
        "The first run takes about {minutes} minutes on two cores. Cargo downloads some 120 crates (15 MB) and builds \
         them; pip installs {packages} into target/venv.{system}{}",
        if system.contains("apt-get") { "" } else { " Nothing is installed outside of target/." }
    );
}
