//! Virtual environments of other Pythons, for modules that several of them load.
//!
//! Purpose: one environment for each Python from 3.12 on, in target/python-3.12 and the like.
//! Invariant: a Python that cannot be used is left out, as is one for which a package cannot be installed: tests report
//! how many they need.
//! Reason: which Pythons a machine has is its own business.

use crate::base_python::{self, BasePython};
use crate::venv::Venv;
use crate::{place, process};

/// The oldest Python that loads modules with the stable ABI.
const OLDEST: (u32, u32) = (3, 12);

/// The packages.
const REQUIREMENTS: &str = "tests/pythons.txt";

/// Creates the environments, or brings them up to date, and prints what there is; returns them, the oldest Python first.
pub(crate) fn prepare() -> Vec<Venv> {
    let found = base_python::newer_than(OLDEST);
    if found.is_empty() {
        println!("there is no Python {}.{} or later with its headers", OLDEST.0, OLDEST.1);
    }
    let mut ready = Vec::new();
    for base in &found {
        let venv = environment(base);
        match venv.prepare(Some(&base.executable)) {
            Ok(_) => {
                println!("{} is ready", place::shown(&venv.python()));
                ready.push(venv);
            }
            Err(message) => {
                process::heading(&format!("{} is left out", place::shown(venv.folder())));
                println!("{message}");
            }
        }
    }
    ready
}

fn environment(base: &BasePython) -> Venv {
    let (major, minor) = base.version;
    Venv::separate(&format!("python-{major}.{minor}"), REQUIREMENTS)
}
