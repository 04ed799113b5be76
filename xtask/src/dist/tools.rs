//! maturin, zig and the other tools that wheels are made with, in a virtual environment of their own.

use crate::Result;
use crate::machines::Machine;
use crate::process;
use crate::venv::Venv;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment with the tools.
pub(super) struct Tools(Venv);

impl Tools {
    /// Installs what is missing.
    pub(super) fn prepare() -> Result<Tools> {
        let venv = Venv::separate("wheels-venv", "xtask/dist-requirements.txt");
        venv.prepare(None)?;
        Ok(Tools(venv))
    }

    /// maturin, which finds zig on the `PATH`, through Python.
    pub(super) fn maturin(&self) -> Command {
        self.command("maturin")
    }

    /// A program of one of the packages.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = process::command(self.0.program(name));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = std::iter::once(self.0.folder().join("bin"));
        if let Ok(path) = std::env::join_paths(own.chain(std::env::split_paths(&path))) {
            command.env("PATH", path);
        }
        command.env("VIRTUAL_ENV", self.0.folder()).env("PYO3_PYTHON", self.0.python());
        command
    }

    /// The Python of the environment, which has `ziglang`.
    pub(super) fn python(&self) -> PathBuf {
        self.0.python()
    }

    /// Installs a wheel for the Python of another machine, with what it requires.
    pub(super) fn install_for(
        &self,
        machine: Machine,
        platforms: &[String],
        wheel: &Path,
        folder: &Path,
    ) -> Result<()> {
        self.0.install_for(machine.python(), platforms, wheel, folder)
    }

    /// The compiler for any platform.
    pub(super) fn zig_cc(&self) -> Command {
        let mut command = self.command("python");
        command.args(["-m", "ziglang", "cc"]);
        command
    }

    /// The folder of NumPy's headers, which are the same for every Python and platform.
    pub(super) fn numpy_headers(&self) -> Result<String> {
        process::capture(
            self.command("python").args(["-c", "import numpy; print(numpy.get_include())"]),
        )
    }
}
