//! The installation that a module is built for, on this machine or on another.

use crate::{BuildOptions, Installations, VERSION, store};
use fishplate_cache::Key;
use fishplate_emit::Host;
use fishplate_plan::Plan;
use fishplate_toolchain::Target;

/// The target of a build; the error is a message for the user.
pub(crate) fn find(host: &dyn Host, wanted: &Installations) -> Result<Target, String> {
    let environment = store::environment();
    let Some(cross) = wanted.cross() else { return host.find(&environment, wanted.of(host)) };
    // The files written there depend on the installation of this machine, whose properties this target lists, if it is
    // complete. Otherwise the host decides.
    let here = host.find(&environment, wanted.of(host)).unwrap_or_default();
    let key = Key::of("machine")
        .part(cross.machine.to_string())
        .part(host.capabilities().host)
        .parts(&here.identity)
        .part(VERSION)
        .finish()
        .to_string();
    let store = store::store(&environment).map_err(|error| error.to_string())?;
    let folder = store::work_folder(&store, "machines", &key[..24])
        .map_err(|error| format!("could not make a folder for headers: {error}"))?;
    host.find_on(&environment, wanted.of(host), cross, &folder)
}

/// The target of a module that is built for users. The option for the stable ABI is an error where there is none; the key
/// of an interface has no effect there, since other users of the interface may have one.
pub(crate) fn find_for(options: &BuildOptions, plan: &Plan) -> Result<Target, String> {
    let (host, wanted) = (options.host, &options.installations);
    let target = find(host, wanted)?;
    if !(options.stable_abi || plan.module.stable_abi) {
        return Ok(target);
    }
    let stable = host.with_stable_abi(&store::environment(), wanted.of(host), target.clone());
    match stable {
        Err(_) if !options.stable_abi => Ok(target),
        stable => stable,
    }
}
