//! The machines that libraries are built for.
//!
//! Purpose: the names of targets, and what a build depends on in each: processor, system, C library.
//! Invariant: only a machine for which modules are known to compile has a name here.
//! Reason: an unknown target would be guessed, and a library under a wrong name is imported nowhere.

use std::fmt;

/// The system of a machine, with its C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux with glibc.
    Gnu,
    /// Linux with musl, such as Alpine.
    Musl,
    /// macOS.
    MacOs,
    /// Windows, by the compilers that use MinGW's headers.
    Windows,
}

impl System {
    /// That of this program.
    pub const THIS: System = if cfg!(target_os = "macos") {
        System::MacOs
    } else if cfg!(windows) {
        System::Windows
    } else if cfg!(target_env = "musl") {
        System::Musl
    } else {
        System::Gnu
    };

    /// Whether it is Linux.
    pub fn is_linux(self) -> bool {
        matches!(self, System::Gnu | System::Musl)
    }
}

/// A machine that libraries can be built for: `aarch64-linux-gnu.2.17`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    name: &'static str,
    /// The processor: `aarch64`.
    pub processor: &'static str,
    /// The system.
    pub system: System,
    /// The oldest version of glibc or macOS that the library needs: `2.17`.
    pub version: Option<String>,
}

/// The name of each machine, its processor and its system.
const KNOWN: [(&str, &str, System); 11] = [
    ("x86_64-linux-gnu", "x86_64", System::Gnu),
    ("aarch64-linux-gnu", "aarch64", System::Gnu),
    ("riscv64-linux-gnu", "riscv64", System::Gnu),
    ("s390x-linux-gnu", "s390x", System::Gnu),
    ("x86_64-linux-musl", "x86_64", System::Musl),
    ("aarch64-linux-musl", "aarch64", System::Musl),
    ("riscv64-linux-musl", "riscv64", System::Musl),
    ("s390x-linux-musl", "s390x", System::Musl),
    ("x86_64-macos", "x86_64", System::MacOs),
    ("aarch64-macos", "aarch64", System::MacOs),
    ("x86_64-windows-gnu", "x86_64", System::Windows),
];

impl Machine {
    /// The machine with this name.
    ///
    /// # Errors
    ///
    /// Why there is none, with the names that are known.
    pub fn parse(text: &str) -> Result<Self, String> {
        let of = |&(name, processor, system): &(&'static str, &'static str, System)| {
            let version = match text.strip_prefix(name)? {
                "" => None,
                rest => Some(rest.strip_prefix('.')?.to_owned()),
            };
            Some(Machine { name, processor, system, version })
        };
        let Some(machine) = KNOWN.iter().find_map(of) else {
            let names: Vec<&str> = KNOWN.iter().map(|(name, ..)| *name).collect();
            let meant = Self::meant(text).map(|name| format!("did you mean `{name}`? "));
            let meant = meant.unwrap_or_default();
            let names = names.join(", ");
            return Err(format!("`{text}` is not a known target; {meant}known are {names}"));
        };
        let Some(version) = &machine.version else { return Ok(machine) };
        let parts: Vec<Option<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
        match (machine.system, parts.as_slice()) {
            (System::Musl | System::Windows, _) => {
                Err(format!("`{}` has no version: write it without one", machine.name))
            }
            (System::Gnu, [Some(2), Some(_)]) | (System::MacOs, [Some(10..), ..])
                if parts.iter().all(Option::is_some) =>
            {
                Ok(machine)
            }
            (System::Gnu, _) => Err(format!("`{version}` is not a version of glibc, such as 2.17")),
            (System::MacOs, _) => {
                Err(format!("`{version}` is not a version of macOS, such as 11.0"))
            }
        }
    }

    /// The known name for what compilers, Rust or other systems call a machine: `arm64-apple-darwin`,
    /// `x86_64-w64-mingw32`, `aarch64-unknown-linux-gnu`; that with glibc if there is no word about the C library.
    fn meant(text: &str) -> Option<&'static str> {
        let text = text.to_ascii_lowercase().replace('_', "-").replace("x86-64", "x86_64");
        let words: Vec<&str> = text.split('-').collect();
        let processor = match *words.first()? {
            "arm64" => "aarch64",
            "amd64" | "x64" => "x86_64",
            other => other,
        };
        let has = |part: &str| words[1..].iter().any(|word| word.starts_with(part));
        let system = if has("darwin") || has("macos") {
            System::MacOs
        } else if has("mingw") || has("windows") || has("win") {
            System::Windows
        } else if has("musl") {
            System::Musl
        } else if has("linux") || has("gnu") {
            System::Gnu
        } else {
            return None;
        };
        let is_meant = |&&(_, of, on): &&(&str, &str, System)| of == processor && on == system;
        KNOWN.iter().find(is_meant).map(|(name, ..)| *name)
    }

    /// Its name without a version, as compilers and Debian name it: `aarch64-linux-gnu`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name with which the programs of its GNU compilers begin, `x86_64-w64-mingw32`; `None` if there are none.
    pub(crate) fn gnu_name(&self) -> Option<&'static str> {
        match self.system {
            System::Gnu | System::Musl => Some(self.name),
            System::Windows => Some("x86_64-w64-mingw32"),
            System::MacOs => None,
        }
    }

    /// Whether a plain `char` has a sign in C.
    pub fn char_is_signed(&self) -> bool {
        self.processor == "x86_64" || self.system == System::MacOs
    }

    /// The size of `long` in C.
    pub fn long_size(&self) -> usize {
        if self.system == System::Windows { 4 } else { 8 }
    }

    /// Whether this is the target of a compiler, in the words of its `-dumpmachine`:
    /// `aarch64-unknown-linux-gnu`, `arm64-apple-darwin23`, `x86_64-w64-mingw32`.
    pub(crate) fn is_target(&self, dumped: &str) -> bool {
        let processor = dumped.split('-').next().unwrap_or_default();
        let words: &[&str] = match self.system {
            System::Gnu => &["linux-gnu"],
            System::Musl => &["linux-musl"],
            System::MacOs => &["darwin", "macos"],
            System::Windows => &["mingw", "windows-gnu"],
        };
        let same =
            processor == self.processor || processor == "arm64" && self.processor == "aarch64";
        same && words.iter().any(|word| dumped.contains(word))
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.version.iter().try_for_each(|version| write!(f, ".{version}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_names_and_versions() {
        let arm = Machine::parse("aarch64-linux-gnu.2.17").unwrap();
        assert_eq!((arm.name(), arm.version.as_deref()), ("aarch64-linux-gnu", Some("2.17")));
        assert_eq!(arm.to_string(), "aarch64-linux-gnu.2.17");
        assert_eq!(Machine::parse("aarch64-macos.11.0").unwrap().system, System::MacOs);
        for wrong in
            ["arm", "aarch64-linux-gnux", "aarch64-linux-musl.1.2", "aarch64-linux-gnu.", ""]
        {
            assert!(Machine::parse(wrong).is_err(), "{wrong}");
        }
        for version in ["9", "2", "2.17.1.x", "1.17", "2.x", ".17", "2.17."] {
            let error = Machine::parse(&format!("x86_64-linux-gnu.{version}")).unwrap_err();
            let wanted = format!("`{version}` is not a version of glibc, such as 2.17");
            assert_eq!(error, wanted);
        }
        assert!(Machine::parse("x86_64-macos.2.17").unwrap_err().contains("such as 11.0"));
        assert!(Machine::parse("x86_64-macos.11").is_ok());
        let unknown = Machine::parse("armv7-linux-gnueabihf").unwrap_err();
        assert!(unknown.contains("x86_64-windows-gnu"), "{unknown}");
    }

    #[test]
    fn other_names_of_machines_lead_to_the_known_ones() {
        for (other, known) in [
            ("arm64-linux-gnu", "aarch64-linux-gnu"),
            ("aarch64-unknown-linux-musl", "aarch64-linux-musl"),
            ("aarch64-linux", "aarch64-linux-gnu"),
            ("linux-aarch64", ""),
            ("x86_64-w64-mingw32", "x86_64-windows-gnu"),
            ("arm64-apple-darwin23", "aarch64-macos"),
            ("macosx-11.0-arm64", ""),
            ("amd64-windows", "x86_64-windows-gnu"),
            ("aarch64-windows-gnu", ""),
        ] {
            assert_eq!(Machine::meant(other).unwrap_or_default(), known, "{other}");
        }
        let error = Machine::parse("arm64-linux-gnu").unwrap_err();
        assert!(error.contains("did you mean `aarch64-linux-gnu`? known are"), "{error}");
    }

    #[test]
    fn compilers_name_their_targets_differently() {
        let is = |name: &str, dumped| Machine::parse(name).unwrap().is_target(dumped);
        assert!(is("aarch64-linux-gnu", "aarch64-unknown-linux-gnu"));
        assert!(is("aarch64-macos", "arm64-apple-darwin23.1.0"));
        assert!(is("x86_64-windows-gnu", "x86_64-w64-mingw32"));
        assert!(!is("aarch64-linux-gnu", "x86_64-linux-gnu"));
        assert!(!is("x86_64-linux-musl", "x86_64-linux-gnu"));
    }
}
