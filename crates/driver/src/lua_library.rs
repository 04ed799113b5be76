//! The tensor library for one Lua, whose sources the command holds.

use crate::LuaInstallation;
use crate::store;
use crate::target::Target;
use fishplate_host_lua::{RUNTIME_NAME, TENSORS};
use fishplate_toolchain::{BuildError, Event, Request, Toolchain, Unit, build};
use std::path::{Path, PathBuf};

macro_rules! library {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../../bindings/lua/fishplate/", $name)))),*]
    };
}

const UNITS: [(&str, &str); 8] = library!(
    "arguments.c",
    "create.c",
    "exchange.c",
    "fishplate.c",
    "index.c",
    "text.c",
    "values.c",
    "views.c"
);
const HEADERS: [(&str, &str); 1] = library!("library.h");

/// What editors know of the library.
const ANNOTATIONS: &str = include_str!("../../../bindings/lua/fishplate.d.lua");

/// Builds the library into a folder; gives its path.
///
/// # Errors
///
/// Those of a build.
pub fn lua_library(
    lua: &LuaInstallation,
    out: &Path,
    observe: &mut dyn FnMut(Event),
) -> Result<PathBuf, BuildError> {
    let file_name = lua.module_file_name("fishplate");
    let mut request = Request::new(file_name.clone(), out, file_name);
    let generated = |(name, text): &(&str, &str)| Unit::generated(*name, *text);
    request.units = UNITS.iter().map(generated).collect();
    request.headers = HEADERS.iter().map(generated).collect();
    request.headers.push(Unit::generated(RUNTIME_NAME, TENSORS));
    request.extra_files.push(("fishplate.d.lua".to_owned(), ANNOTATIONS.to_owned()));
    Target::lua(lua).complete(&mut request);
    request.work = store::build_folder(&request.out, &request.file_name);
    build(&request, &Toolchain::find(None), observe).map(|built| built.path)
}
