//! Builds for another machine.
//!
//! Purpose: the flags by which a compiler builds for it, and the folders that count there.
//! Invariant: no header and no library of this machine gets into such a build.
//! Reason: a header of this machine would be wrong silently, and a library would not load.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::machine::Machine;
use crate::toolchain::Family;

/// A machine to build for, and a copy of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossBuild {
    /// The machine.
    pub machine: Machine,
    /// The folder with the machine's headers and libraries, as below its `/`.
    pub sysroot: Option<PathBuf>,
}

/// The variables that lead compilers to headers and libraries of this machine.
const OF_THIS_MACHINE: [&str; 7] = [
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "LD_RUN_PATH",
    "LIBRARY_PATH",
];

/// The folders with files that belong to this machine.
const SYSTEM_FOLDERS: [&str; 4] = ["/usr", "/lib", "/lib64", "/opt"];

impl CrossBuild {
    /// The variables that a compiler must not see.
    pub(crate) fn hidden_variables() -> &'static [&'static str] {
        &OF_THIS_MACHINE
    }

    /// True for a folder of this machine's system, or below one.
    pub fn is_of_this_machine(path: &Path) -> bool {
        SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
    }

    /// The same folder in the sysroot, if it is there.
    pub fn in_sysroot(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.sysroot.as_ref()?.join(path.strip_prefix("/").ok()?);
        folder.is_dir().then_some(folder)
    }

    /// The folders of headers in the sysroot.
    fn include_dirs(&self) -> Vec<PathBuf> {
        let name = self.machine.name();
        self.folders(&[
            "usr/local/include",
            &format!("usr/include/{name}"),
            "usr/include",
            "include",
        ])
    }

    /// The folders of libraries in the sysroot.
    fn library_dirs(&self) -> Vec<PathBuf> {
        let name = self.machine.name();
        self.folders(&[
            "usr/local/lib",
            &format!("usr/lib/{name}"),
            &format!("lib/{name}"),
            "usr/lib64",
            "usr/lib",
            "lib",
        ])
    }

    fn folders(&self, names: &[&str]) -> Vec<PathBuf> {
        let Some(sysroot) = &self.sysroot else { return Vec::new() };
        names.iter().map(|name| sysroot.join(name)).filter(|folder| folder.is_dir()).collect()
    }

    /// The flags for compiling and preprocessing.
    pub(crate) fn compile_flags(&self, family: Family) -> Vec<OsString> {
        match (family, &self.sysroot) {
            // Zig brings its own headers of the C library, which must be found first.
            (Family::Zig, _) => {
                let folders = self.include_dirs().into_iter();
                folders.flat_map(|folder| ["-idirafter".into(), folder.into()]).collect()
            }
            (_, sysroot) => sysroot.iter().map(|folder| sysroot_flag(folder)).collect(),
        }
    }

    /// The flags for linking.
    pub(crate) fn link_flags(&self, family: Family) -> Vec<OsString> {
        match (family, &self.sysroot) {
            (Family::Zig, _) => {
                let folders = self.library_dirs().into_iter();
                folders.map(|folder| flag_with("-L", &folder)).collect()
            }
            (_, sysroot) => sysroot.iter().map(|folder| sysroot_flag(folder)).collect(),
        }
    }
}

fn sysroot_flag(folder: &Path) -> OsString {
    flag_with("--sysroot=", folder)
}

fn flag_with(flag: &str, folder: &Path) -> OsString {
    let mut flag = OsString::from(flag);
    flag.push(folder);
    flag
}
