//! The requirements of a type's or an op's fragments.

/// The requirements on the unit in which fragments are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Headers to include: `math.h`, `<vector>`, `"own.h"`.
    pub headers: Vec<String>,
    /// Names for `-l`.
    pub libraries: Vec<String>,
    /// Folders for `-I`.
    pub header_dirs: Vec<String>,
    /// Folders for `-L`.
    pub lib_dirs: Vec<String>,
    /// Flags for the compiler.
    pub compile_args: Vec<String>,
    /// Flags that are removed for the compiler, from whatever source.
    pub no_compile_args: Vec<String>,
    /// Helper functions and declarations, at file scope.
    pub support_code: Vec<String>,
    /// Statements that run once, when the module is loaded.
    pub init_code: Vec<String>,
}

/// Whether compiled code may be used by other processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Version {
    /// The fragments have no version: compiled for this process only.
    ThisProcess,
    /// The parts of the version; each a string that is equal in every process.
    Parts(Vec<String>),
}

impl Version {
    /// The combination: for this process only if one of them is.
    #[must_use]
    pub fn and(self, other: Version) -> Version {
        match (self, other) {
            (Version::Parts(mut parts), Version::Parts(more)) => {
                // A separator, so that (1, 2), (3) differs from (1), (2, 3).
                parts.push("/".to_owned());
                parts.extend(more);
                Version::Parts(parts)
            }
            _ => Version::ThisProcess,
        }
    }
}

impl Needs {
    /// Adds the requirements in `more`, without duplicates.
    pub(crate) fn join(&mut self, more: Needs) {
        union(&mut self.headers, more.headers);
        union(&mut self.libraries, more.libraries);
        union(&mut self.header_dirs, more.header_dirs);
        union(&mut self.lib_dirs, more.lib_dirs);
        union(&mut self.compile_args, more.compile_args);
        union(&mut self.no_compile_args, more.no_compile_args);
        union(&mut self.support_code, more.support_code);
        union(&mut self.init_code, more.init_code);
    }
}

fn union(all: &mut Vec<String>, more: Vec<String>) {
    for item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}
