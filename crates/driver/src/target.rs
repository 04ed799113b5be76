//! What a module is built for: one Python, or one Lua.

use crate::{BuildOptions, HostName, LuaInstallation, PythonError, PythonInstallation, VERSION};
use fishplate_host_lua::Integers;
use fishplate_toolchain::Request;
use std::path::PathBuf;

/// What a sanitizer's runtime defines when the module is loaded.
const SANITIZERS: [&str; 4] = ["__asan", "__ubsan", "__tsan", "__sanitizer"];

/// An installation, as far as a build must know it.
pub(crate) struct Target {
    /// How the file name of a module ends.
    pub(crate) suffix: String,
    /// The interpreter whose package may hold a compiler.
    pub(crate) python: Option<PathBuf>,
    /// What a Lua has for integers of 64 bits.
    pub(crate) integers: Integers,
    include_dirs: Vec<PathBuf>,
    link_flags: Vec<String>,
    /// Prefixes of what the interpreter defines when the module is loaded. Any other symbol that nothing
    /// defines is an error now instead of on import.
    defines: Vec<&'static str>,
    identity: Vec<String>,
}

impl Target {
    /// The target that the options ask for; or, in words, what is missing.
    pub(crate) fn find(options: &BuildOptions) -> Result<Self, String> {
        match options.host {
            HostName::Python => PythonInstallation::find(options.python.as_deref())
                .and_then(Self::python)
                .map_err(|error| error.to_string()),
            HostName::Lua => LuaInstallation::find(options.lua.as_deref())
                .map(|lua| Self::lua(&lua))
                .map_err(|error| error.to_string()),
        }
    }

    /// A Python that has what modules need: its headers and NumPy.
    pub(crate) fn python(python: PythonInstallation) -> Result<Self, PythonError> {
        let mut include_dirs = python.headers()?.to_owned();
        include_dirs.push(python.numpy()?.include_dir.clone());
        Ok(Target {
            suffix: python.extension_suffix.clone(),
            identity: python.identity(),
            python: Some(python.executable),
            integers: Integers::Own,
            include_dirs,
            link_flags: Vec::new(),
            defines: vec!["Py", "_Py"],
        })
    }

    pub(crate) fn lua(lua: &LuaInstallation) -> Self {
        // Tensors that a module made may outlive the Lua state that loaded it, and then need its code.
        let keep =
            if cfg!(target_os = "macos") { vec![] } else { vec!["-Wl,-z,nodelete".to_owned()] };
        Target {
            suffix: lua.module_file_name(""),
            python: None,
            integers: match lua.name.as_str() {
                "luajit" => Integers::Cdata,
                "lua5.1" | "lua5.2" => Integers::Digits,
                _ => Integers::Own,
            },
            include_dirs: vec![lua.include_dir.clone()],
            link_flags: keep,
            defines: vec!["lua_", "luaL_"],
            identity: lua.identity(),
        }
    }

    /// Adds what all modules for this target need.
    pub(crate) fn complete(&self, request: &mut Request) {
        request.generated.include_dirs.clone_from(&self.include_dirs);
        request.link_flags.extend(self.link_flags.iter().cloned());
        // C's mathematics is part of C to everybody but the linker.
        request.libraries.push("m".to_owned());
        let defined = self.defines.iter().chain(&SANITIZERS);
        request.undefined_ok = Some(defined.map(|&prefix| prefix.to_owned()).collect());
        request.identity.clone_from(&self.identity);
        request.identity.push(format!("fishplate {VERSION}"));
    }
}
