//! A Lua of another machine.
//!
//! Purpose: a build target for a machine whose Lua is not installed here.
//! Invariant: Lua's headers are those of the sysroot if it has them, else those of this machine.
//! Reason: they are the same everywhere; Debian's include one more, with the name of the machine.

use super::{Installation, KNOWN};
use fishplate_toolchain::{
    ChangedHeader, CrossBuild, Environment, HeaderCopy, System, Target, copy_headers,
};
use std::path::{Path, PathBuf};

impl Installation {
    /// The build target for the same Lua on another machine. Headers that are made for it go to `folder`.
    pub(crate) fn target_on(
        &self,
        environment: &Environment,
        cross: &CrossBuild,
        folder: &Path,
    ) -> Result<Target, String> {
        let machine = &cross.machine;
        if machine.system == System::Windows {
            return Err(format!(
                "modules of Lua for {machine} are not supported: the library of Lua has no fixed name on Windows\n\
                 build there, with the compiler of that Lua"
            ));
        }
        let here = self.target();
        let include_dir =
            cross.sysroot.as_ref().and_then(|root| self.headers_in(root, environment));
        // Debian's `luaconf.h` includes it.
        let with_name = ChangedHeader {
            path: format!("{}-deb-multiarch.h", self.name),
            original: None,
            text: format!("#define DEB_HOST_MULTIARCH \"{}\"\n", machine.name()),
        };
        let copy = HeaderCopy { name: "lua", changed: vec![with_name], ..HeaderCopy::default() };
        let made = copy_headers(folder, &[copy])
            .map_err(|error| format!("could not write a header for {}: {error}", self.name))?;
        let first = include_dir.unwrap_or_else(|| self.include_dir.clone());
        let include_dirs = [vec![first], made].concat();
        let link_flags = match machine.system {
            System::MacOs => Vec::new(),
            _ => vec![NO_DELETE.to_owned()],
        };
        let mut identity = here.identity.clone();
        identity.push(machine.to_string());
        identity.extend(cross.sysroot.iter().map(|sysroot| sysroot.display().to_string()));
        Ok(Target { include_dirs, link_flags, abi: identity.clone(), identity, ..here })
    }

    /// The folder of `lua.h` in a sysroot.
    fn headers_in(&self, sysroot: &Path, environment: &Environment) -> Option<PathBuf> {
        let (_, packages, _) = KNOWN.iter().find(|(known, ..)| *known == self.name)?;
        let names = packages.iter().copied().chain(["luajit-2.1"]);
        let names = names.filter(|name| name.starts_with("luajit") == (self.name == "luajit"));
        let mut folders = names.flat_map(|name| {
            ["usr/include", "usr/local/include"].map(|root| sysroot.join(root).join(name))
        });
        folders.find(|folder| environment.is_file(&folder.join("lua.h")))
    }
}

/// The flag by which a module stays loaded: tensors from it may outlive the Lua state that loaded it, and then need
/// its code.
pub(super) const NO_DELETE: &str = "-Wl,-z,nodelete";
