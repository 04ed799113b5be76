//! The registry of hosts. A new host is a line here.
//!
//! Purpose: the hosts by name, and the installations that the user chose.
//! Invariant: no other file of this crate, of the front ends, of builds or of the command depends
//! on a language.
//! Reason: a new target language is then its folder and a line.

use fishplate_emit::Host;
use fishplate_init::Reserved;
use fishplate_toolchain::{Environment, Toolchain};
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

/// The installations that the user named, by host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installations(BTreeMap<&'static str, OsString>);

impl Installations {
    /// The same with another one.
    #[must_use]
    pub fn with(mut self, host: &dyn Host, wanted: Option<impl Into<OsString>>) -> Self {
        self.0.extend(wanted.map(|wanted| (host.capabilities().host, wanted.into())));
        self
    }

    /// The installation for a host.
    pub fn of(&self, host: &dyn Host) -> Option<&OsStr> {
        self.0.get(host.capabilities().host).map(OsString::as_os_str)
    }
}

/// The compilers of this environment, and those that the hosts' package managers install.
pub(crate) fn toolchain(environment: Environment, wanted: &Installations) -> Toolchain {
    let packaged =
        HOSTS.iter().find_map(|host| host.packaged_compiler(&environment, wanted.of(*host)));
    Toolchain::find_in(environment, packaged)
}

/// The compilers for the process's environment.
pub fn usual_toolchain(wanted: &Installations) -> Toolchain {
    toolchain(Environment::current(), wanted)
}

/// The reserved words of all hosts.
pub(crate) fn reserved_words() -> Reserved {
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        HOSTS.iter().flat_map(|host| host.capabilities().reserved).copied().collect()
    });
    Reserved(&WORDS)
}
