//! The registry of hosts. A new host is a line here.
//!
//! Purpose: the hosts by name, and the installations that the user chose.
//! Invariant: no other file of this crate, of the front ends, of builds or of the command depends
//! on a language.
//! Reason: a new target language is then its folder and a line.

use crate::store;
use fishplate_emit::Host;
use fishplate_init::Reserved;
use fishplate_model::Platform;
use fishplate_toolchain::{CrossBuild, Environment, Toolchain};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::LazyLock;

/// Every host; the first is the default.
pub const HOSTS: &[&dyn Host] = &[&fishplate_host_python::Python, &fishplate_host_lua::Lua];

/// The default host.
pub fn default_host() -> &'static dyn Host {
    HOSTS[0]
}

/// The host with this name.
pub fn host_named(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|host| host.capabilities().host == name)
}

/// The installations that the user named, by host, and the machine that they are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installations {
    named: BTreeMap<&'static str, OsString>,
    cross: Option<CrossBuild>,
}

impl Installations {
    /// The same with another one.
    #[must_use]
    pub fn with(mut self, host: &dyn Host, wanted: Option<impl Into<OsString>>) -> Self {
        self.named.extend(wanted.map(|wanted| (host.capabilities().host, wanted.into())));
        self
    }

    /// The installation for a host.
    pub fn of(&self, host: &dyn Host) -> Option<&OsStr> {
        self.named.get(host.capabilities().host).map(OsString::as_os_str)
    }

    /// The same on another machine.
    #[must_use]
    pub fn on(self, cross: Option<CrossBuild>) -> Self {
        Self { cross, ..self }
    }

    /// The other machine that modules are built for.
    pub fn cross(&self) -> Option<&CrossBuild> {
        self.cross.as_ref()
    }

    /// The properties of C on the machine that modules are built for.
    pub(crate) fn platform(&self) -> Platform {
        self.cross.as_ref().map_or(Platform::THIS, |CrossBuild { machine, .. }| Platform {
            char_is_signed: machine.char_is_signed(),
            long_size: machine.long_size(),
        })
    }
}

/// The compilers of this environment, and those that the hosts' package managers install.
pub(crate) fn toolchain(environment: Environment, wanted: &Installations) -> Toolchain {
    let packaged =
        HOSTS.iter().find_map(|host| host.packaged_compiler(&environment, wanted.of(*host)));
    let toolchain = Toolchain::find_in(environment, packaged);
    match wanted.cross() {
        Some(cross) => toolchain.for_machine(cross.clone()),
        None => toolchain,
    }
}

/// The compilers for the process's environment.
pub fn usual_toolchain(wanted: &Installations) -> Toolchain {
    toolchain(store::environment(), wanted)
}

/// The reserved words of all hosts.
pub(crate) fn reserved_words() -> Reserved {
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        HOSTS.iter().flat_map(|host| host.capabilities().reserved).copied().collect()
    });
    Reserved(&WORDS)
}
