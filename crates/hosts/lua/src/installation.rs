//! Installations of Lua: the folders of the headers, from pkg-config.
//!
//! A Lua module links to no library of Lua, so only headers are needed. The interpreter is looked
//! up only to choose a Lua if the user named none.

mod cross;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use fishplate_toolchain::{Environment, Target};

/// One Lua for which modules can be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// Its name: `lua5.4`, `luajit`.
    pub name: String,
    /// Its version, from its package.
    pub version: String,
    /// Its interpreter, if it is on PATH.
    pub executable: Option<PathBuf>,
    /// The folder of `lua.h`.
    pub include_dir: PathBuf,
}

/// The supported Luas, and their names in package managers. The first is taken if the user named
/// none and no `lua` is on PATH.
const KNOWN: [(&str, &[&str], &str); 5] = [
    ("lua5.4", &["lua5.4", "lua-5.4", "lua54"], "5.4"),
    ("luajit", &["luajit"], ""),
    ("lua5.3", &["lua5.3", "lua-5.3", "lua53"], "5.3"),
    ("lua5.2", &["lua5.2", "lua-5.2", "lua52"], "5.2"),
    ("lua5.1", &["lua5.1", "lua-5.1", "lua51"], "5.1"),
];

impl Installation {
    /// The Lua to use: `explicit`, else the `lua` on PATH, else the first that is installed.
    ///
    /// # Errors
    ///
    /// [`LuaError`] if none was found, or not this one.
    pub fn find(environment: &Environment, explicit: Option<&str>) -> Result<Self, LuaError> {
        if let Some(name) = explicit {
            let known = KNOWN.iter().find(|(known, names, version)| {
                *known == name || names.contains(&name) || !name.is_empty() && *version == name
            });
            let Some((name, ..)) = known else {
                return Err(LuaError::Unknown { name: name.to_owned() });
            };
            return Self::look_for(name, environment)
                .ok_or_else(|| LuaError::NotFound { name: (*name).to_owned() });
        }
        let usual = usual_lua(environment).and_then(|name| Self::look_for(name, environment));
        usual.or_else(|| Self::all(environment).into_iter().next()).ok_or(LuaError::None)
    }

    /// Every Lua with its headers, the default first.
    pub fn all(environment: &Environment) -> Vec<Self> {
        KNOWN.iter().filter_map(|(name, ..)| Self::look_for(name, environment)).collect()
    }

    fn look_for(name: &str, environment: &Environment) -> Option<Self> {
        let (name, packages, version) = KNOWN.iter().find(|(known, ..)| *known == name)?;
        let executable = environment.which(OsStr::new(name));
        // If only one Lua can be installed, its package is called `lua`.
        let (include_dir, version) = packages
            .iter()
            .chain((!version.is_empty()).then_some(&"lua"))
            .find_map(|package| ask_pkg_config(package, version, environment))
            .or_else(|| look_in_folders(packages, version, environment))?;
        Some(Installation { name: (*name).to_owned(), version, executable, include_dir })
    }

    /// Its build target.
    pub fn target(&self) -> Target {
        let keep = if cfg!(target_os = "macos") { None } else { Some(cross::NO_DELETE.to_owned()) };
        Target {
            name: self.name.clone(),
            suffix: self.module_file_name(""),
            include_dirs: vec![self.include_dir.clone()],
            link_flags: keep.into_iter().collect(),
            macros: Vec::new(),
            defines: vec!["lua_", "luaL_"],
            identity: self.identity(),
            abi: vec![self.name.clone(), self.version.clone()],
            ..Target::default()
        }
    }

    /// The file name of a module.
    pub fn module_file_name(&self, module: &str) -> String {
        format!("{module}.so")
    }

    /// The properties that must be equal for a module to be loadable, for [`Target::identity`].
    pub fn identity(&self) -> Vec<String> {
        vec![self.name.clone(), self.version.clone(), self.include_dir.display().to_string()]
    }
}

/// The Lua that `lua` on PATH reports to be.
fn usual_lua(environment: &Environment) -> Option<&'static str> {
    const ASK: &str = "print(type(jit) == 'table' and 'luajit' or _VERSION)";
    let program = environment.which(OsStr::new("lua"))?;
    let command = [program.into_os_string(), "-e".into(), ASK.into()];
    let answer = environment.run(&command).ok()?.stdout;
    let answer = answer.lines().last()?.trim();
    let version = answer.strip_prefix("Lua ");
    KNOWN
        .iter()
        .find(|(name, _, known)| *name == answer || version.is_some_and(|v| v == *known))
        .map(|(name, ..)| *name)
}

/// The folder of a package's `lua.h` and the package's version, if that has the right prefix.
fn ask_pkg_config(
    package: &str,
    wanted: &str,
    environment: &Environment,
) -> Option<(PathBuf, String)> {
    let program = environment.which(OsStr::new("pkg-config"))?;
    let ask = |option: &str| {
        let words: [OsString; 3] = [program.clone().into(), option.into(), package.into()];
        let finished = environment.run(&words).ok()?;
        finished.status.success().then(|| finished.stdout.trim().to_owned())
    };
    let version = ask("--modversion").filter(|version| version.starts_with(wanted))?;
    let flags = ask("--cflags-only-I")?;
    // pkg-config omits folders that compilers search anyway.
    let folders = flags.split(" -I").map(|flag| flag.trim().trim_start_matches("-I"));
    let folders = folders.map(|folder| folder.replace("\\ ", " ")).map(PathBuf::from);
    let folders = folders.chain([PathBuf::from("/usr/include")]);
    let folder = folders.into_iter().find(|folder| environment.is_file(&folder.join("lua.h")))?;
    Some((folder, version))
}

/// The usual folders of headers, for machines without pkg-config.
fn look_in_folders(
    packages: &[&str],
    version: &str,
    environment: &Environment,
) -> Option<(PathBuf, String)> {
    let names = packages.iter().copied().chain((version.is_empty()).then_some("luajit-2.1"));
    names
        .flat_map(|name| {
            ["/usr/include", "/usr/local/include"].map(|root| Path::new(root).join(name))
        })
        .find(|folder| environment.is_file(&folder.join("lua.h")))
        .map(|folder| (folder, version.to_owned()))
}

/// The reason why no Lua was found to build for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LuaError {
    /// An unknown Lua.
    Unknown {
        /// Its name.
        name: String,
    },
    /// Its headers are not installed.
    NotFound {
        /// Its name.
        name: String,
    },
    /// No Lua's headers are installed.
    None,
}

/// The output of `doctor`: each Lua for which modules can be built.
pub(crate) fn survey(environment: &Environment) -> Vec<String> {
    let chosen = Installation::find(environment, None);
    let mut lines = vec!["lua:".to_owned()];
    lines.extend(Installation::all(environment).iter().map(|lua| {
        let usual = if chosen.as_ref() == Ok(lua) { ", by default" } else { "" };
        format!("  {} {}: headers in {}{usual}", lua.name, lua.version, lua.include_dir.display())
    }));
    if let Err(error) = chosen {
        lines.push(format!("  {}", error.to_string().replace('\n', ": ")));
    }
    lines
}

impl fmt::Display for LuaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let package = |name: &str| match name {
            "luajit" => "libluajit-5.1-dev".to_owned(),
            "lua5.1" => "liblua5.1-0-dev".to_owned(),
            other => format!("lib{other}-dev"),
        };
        match self {
            Self::Unknown { name } => {
                let known: Vec<&str> = KNOWN.iter().map(|(name, ..)| *name).collect();
                write!(f, "`{name}` is no Lua that is known\nchoose {}", known.join(", "))
            }
            Self::NotFound { name } => write!(
                f,
                "the headers of {name} are missing: no lua.h where pkg-config says, or below \
                 /usr/include\non Debian and Ubuntu `sudo apt install {}`",
                package(name)
            ),
            Self::None => write!(
                f,
                "no Lua was found: pkg-config knows none, and no lua.h is below /usr/include\n\
                 on Debian and Ubuntu `sudo apt install {}`",
                package("lua5.4")
            ),
        }
    }
}

impl std::error::Error for LuaError {}
