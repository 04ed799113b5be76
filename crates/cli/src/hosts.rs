//! Options about hosts, with values from the registry.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command};
use fishplate_driver::{HOSTS, Host, Installations, default_host, host_named};
use std::ffi::OsString;

/// The value of `--host`.
#[derive(Clone, Copy)]
pub(crate) struct HostName(pub(crate) &'static dyn Host);

impl Default for HostName {
    fn default() -> Self {
        HostName(default_host())
    }
}

impl std::fmt::Display for HostName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name(self.0))
    }
}

/// Parses `--host`.
pub(crate) fn parser() -> impl TypedValueParser<Value = HostName> {
    let values =
        HOSTS.iter().map(|host| PossibleValue::new(name(*host)).help(host.about().summary));
    PossibleValuesParser::new(values)
        .map(|name| HostName(host_named(&name).unwrap_or(default_host())))
}

/// An option for each host that names an installation: `--python`, `--lua`.
#[derive(Clone, Debug, Default)]
pub(crate) struct InstallationOptions(pub(crate) Installations);

impl InstallationOptions {
    /// The other hosts whose installations are named.
    pub(crate) fn others(
        &self,
        host: &'static dyn Host,
    ) -> impl Iterator<Item = &'static dyn Host> {
        let is_other = move |other: &&dyn Host| name(*other) != name(host);
        HOSTS.iter().copied().filter(is_other).filter(|other| self.0.of(*other).is_some())
    }

    /// The selected host: an option for an installation selects its host.
    pub(crate) fn host(&self) -> &'static dyn Host {
        self.others(default_host()).next().unwrap_or_else(default_host)
    }
}

/// The name of a host.
pub(crate) fn name(host: &dyn Host) -> &'static str {
    host.capabilities().host
}

/// The option of one host.
fn installation(host: &dyn Host) -> Arg {
    let (name, about) = (name(host), host.about());
    Arg::new(name)
        .long(name)
        .value_name(about.value)
        .value_parser(clap::value_parser!(OsString))
        .help(about.option)
}

impl clap::FromArgMatches for InstallationOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = HOSTS.iter().fold(Installations::default(), |named, host| {
            let wanted = matches.get_one::<OsString>(name(*host));
            named.with(*host, wanted)
        });
        Ok(InstallationOptions(named))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for InstallationOptions {
    fn augment_args(command: Command) -> Command {
        HOSTS.iter().fold(command, |command, host| command.arg(installation(*host)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
