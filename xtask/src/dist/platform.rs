//! The platforms that wheels are made for.

use crate::machines::Machine;
use crate::{Result, process};
use std::path::Path;

/// A processor and a C library.
pub(crate) struct Platform {
    /// The name on the command line.
    pub name: &'static str,
    /// Rust's target.
    pub rust: &'static str,
    /// The target of `zig cc`, with the oldest version of the C library.
    pub zig: &'static str,
    /// The tag of the wheel, by the names of maturin.
    pub policy: &'static str,
    /// The end of the names of extension modules: after `cpython-311-`.
    pub suffix: &'static str,
}

/// All of them.
pub(crate) const PLATFORMS: [Platform; 4] = [
    Platform {
        name: "manylinux-x86_64",
        rust: "x86_64-unknown-linux-gnu",
        zig: "x86_64-linux-gnu.2.17",
        policy: "manylinux2014",
        suffix: "x86_64-linux-gnu",
    },
    Platform {
        name: "manylinux-aarch64",
        rust: "aarch64-unknown-linux-gnu",
        zig: "aarch64-linux-gnu.2.17",
        policy: "manylinux2014",
        suffix: "aarch64-linux-gnu",
    },
    Platform {
        name: "musllinux-x86_64",
        rust: "x86_64-unknown-linux-musl",
        zig: "x86_64-linux-musl",
        policy: "musllinux_1_2",
        suffix: "x86_64-linux-musl",
    },
    Platform {
        name: "musllinux-aarch64",
        rust: "aarch64-unknown-linux-musl",
        zig: "aarch64-linux-musl",
        policy: "musllinux_1_2",
        suffix: "aarch64-linux-musl",
    },
];

impl Platform {
    /// The reason why it cannot be built for, and what to do.
    pub(crate) fn complaint(&self) -> Result<Option<String>> {
        let sysroot = process::capture(process::command("rustc").args(["--print", "sysroot"]))?;
        let library = Path::new(&sysroot).join("lib/rustlib").join(self.rust).join("lib");
        Ok((!library.is_dir()).then(|| {
            format!("Rust's library for {0} is missing: run `rustup target add {0}`", self.rust)
        }))
    }

    /// True if its programs run on this machine.
    pub(crate) fn runs_here(&self) -> bool {
        self.has_this_libc() && self.suffix.starts_with(std::env::consts::ARCH)
    }

    /// The machine of `cargo xtask setup --machines` that runs its programs.
    pub(crate) fn machine(&self) -> Option<Machine> {
        match self.suffix {
            "aarch64-linux-gnu" => Some(Machine::Aarch64),
            "x86_64-linux-musl" => Some(Machine::Musl),
            "aarch64-linux-musl" => Some(Machine::MuslAarch64),
            _ => None,
        }
    }

    /// The tags of the wheels that it takes: its own, and that of NumPy's wheels.
    pub(crate) fn tags(&self) -> Vec<String> {
        let (processor, libc) = self.suffix.split_once('-').unwrap_or_default();
        let numpy = (libc == "linux-gnu").then_some("manylinux_2_28");
        let policies = std::iter::once(self.policy).chain(numpy);
        policies.map(|policy| format!("{policy}_{processor}")).collect()
    }

    /// True if this machine has its C library.
    pub(crate) fn has_this_libc(&self) -> bool {
        self.suffix.ends_with(if cfg!(target_env = "musl") { "musl" } else { "gnu" })
    }
}
