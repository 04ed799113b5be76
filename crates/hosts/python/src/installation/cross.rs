//! A Python of another machine: the file names of its modules, and its headers.
//!
//! Purpose: a build target for a machine whose Python cannot be run.
//! Invariant: every property that differs among machines is computed by the compiler that builds for the machine, or is in
//! the sysroot; nothing is taken from the configuration of this machine's Python.
//! Reason: Python's headers are the same everywhere, except for `pyconfig.h`, and NumPy's, except for
//! `_numpyconfig.h`. A module needs only sizes and the byte order of these.

use super::Installation;
use fishplate_toolchain::{
    ChangedHeader, CrossBuild, Environment, HeaderCopy, Machine, System, Target, copy_headers,
};
use std::path::{Path, PathBuf};

/// The values of `pyconfig.h` that differ among machines, by the compiler.
const PYTHON_SIZES: &str = include_str!("pyconfig.h");

/// The whole configuration on Windows.
const PYTHON_ON_WINDOWS: &str = include_str!("pyconfig_windows.h");

/// Those of NumPy's configuration.
const NUMPY_SIZES: &str = include_str!("numpyconfig.h");

impl Installation {
    /// The build target for the same version of Python on another machine. Headers come from the sysroot if it has
    /// them, else from this installation; copies of these, with another configuration, are written to `folder`.
    pub(crate) fn target_on(
        &self,
        environment: &Environment,
        cross: &CrossBuild,
        folder: &Path,
    ) -> Result<Target, String> {
        let CrossBuild { machine, sysroot } = cross;
        if self.implementation != "cpython" {
            return Err(format!(
                "modules for another machine need CPython, and {} is {}\nname a CPython with --python",
                self.executable.display(),
                self.implementation
            ));
        }
        let own = self.target(environment).map_err(|error| error.to_string());
        let inside = sysroot
            .as_ref()
            .map(|sysroot| self.headers_in(sysroot, environment))
            .unwrap_or_default();
        let include_dirs = match inside {
            (Some(python), Some(numpy)) => vec![numpy, python],
            (Some(_), None) => {
                return Err(format!(
                    "the sysroot has Python's headers and no NumPy: {}\ninstall NumPy there, or remove the headers \
                     of Python, for which those of this machine are then taken",
                    sysroot.as_deref().unwrap_or(folder).display()
                ));
            }
            (None, _) => {
                own?;
                copy_headers(folder, &self.copied_headers(machine.system))
                    .map_err(|error| format!("could not copy Python's headers: {error}"))?
            }
        };
        let mut identity = self.identity();
        identity.extend([machine.to_string(), self.suffix_on(machine)]);
        identity.extend(sysroot.iter().map(|sysroot| sysroot.display().to_string()));
        Ok(Target {
            name: format!("python{}.{}", self.version.0, self.version.1),
            suffix: self.suffix_on(machine),
            include_dirs,
            defines: vec!["Py", "_Py"],
            imports_from: (machine.system == System::Windows).then(|| self.library_on_windows()),
            abi: identity.clone(),
            identity,
            ..Target::default()
        })
    }

    /// The suffix of a module's file name, as Python's build computes it.
    fn suffix_on(&self, machine: &Machine) -> String {
        let (major, minor, _) = self.version;
        let flags = [(self.free_threaded, "t"), (self.debug, "d")];
        let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, flag)| *flag).collect();
        match machine.system {
            System::Gnu | System::Musl => {
                format!(".cpython-{major}{minor}{flags}-{}.so", machine.name())
            }
            System::MacOs => format!(".cpython-{major}{minor}{flags}-darwin.so"),
            System::Windows => format!(".cp{major}{minor}{flags}-win_amd64.pyd"),
        }
    }

    /// The library of the interpreter.
    fn library_on_windows(&self) -> String {
        let (major, minor, _) = self.version;
        format!("python{major}{minor}{}.dll", if self.free_threaded { "t" } else { "" })
    }

    /// The folders of `Python.h` and of NumPy's headers in a sysroot.
    fn headers_in(
        &self,
        sysroot: &Path,
        environment: &Environment,
    ) -> (Option<PathBuf>, Option<PathBuf>) {
        let (major, minor, _) = self.version;
        let version = format!("python{major}.{minor}{}", if self.free_threaded { "t" } else { "" });
        let roots = ["usr/", "usr/local/", ""].map(|root| sysroot.join(root));
        let mut python = roots.iter().map(|root| root.join("include").join(&version));
        let packages = roots.iter().flat_map(|root| {
            [
                "lib/python3/dist-packages".to_owned(),
                format!("lib/{version}/site-packages"),
                format!("lib64/{version}/site-packages"),
                format!("lib/{version}/dist-packages"),
            ]
            .map(|folder| root.join(folder))
        });
        let mut numpy = packages.flat_map(|packages| {
            ["_core", "core"].map(|core| packages.join("numpy").join(core).join("include"))
        });
        let with = |header: &'static str| {
            move |folder: &PathBuf| environment.is_file(&folder.join(header))
        };
        (python.find(with("Python.h")), numpy.find(with("numpy/arrayobject.h")))
    }

    /// Copies of the headers of Python and of NumPy, with the configuration of the machine.
    fn copied_headers(&self, system: System) -> Vec<HeaderCopy> {
        let numpy = self.numpy().ok().map(|numpy| numpy.include_dir.clone());
        let config = "numpy/_numpyconfig.h";
        let changed = |path: &str, original: PathBuf, text: &str| {
            vec![ChangedHeader {
                path: path.to_owned(),
                original: Some(original),
                text: text.to_owned(),
            }]
        };
        vec![
            HeaderCopy {
                name: "numpy",
                changed: numpy
                    .iter()
                    .flat_map(|dir| changed(config, dir.join(config), NUMPY_SIZES))
                    .collect(),
                from: numpy.into_iter().collect(),
                without: &[],
            },
            HeaderCopy {
                name: "python",
                from: self.include_dirs.clone(),
                without: &["internal"],
                changed: vec![ChangedHeader {
                    path: "pyconfig.h".to_owned(),
                    original: (system != System::Windows).then(|| self.config_header.clone()),
                    text: match system {
                        System::Windows => format!("{PYTHON_ON_WINDOWS}{PYTHON_SIZES}"),
                        _ => PYTHON_SIZES.to_owned(),
                    },
                }],
            },
        ]
    }
}
