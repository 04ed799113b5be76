//! Finding Luas, with stand-ins for pkg-config and interpreters.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]
#![cfg(unix)]

use fishplate_host_lua::{Installation, LuaError};
use fishplate_toolchain::Environment;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use tempfile::TempDir;

/// A folder of programs: their names, and their scripts.
fn programs(list: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in list {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// An environment that has these programs and nothing else.
fn with(folder: &TempDir) -> Environment {
    Environment::current().with("PATH", folder.path())
}

/// A pkg-config with one package.
fn pkg_config(package: &str, version: &str, folder: &Path) -> String {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("lua.h"), "").unwrap();
    format!(
        "[ \"$2\" = {package} ] || exit 1\n\
         case $1 in --modversion) echo {version};; *) echo -I{};; esac",
        folder.display()
    )
}

#[test]
fn pkg_config_says_where_headers_are() {
    let headers = tempfile::tempdir().unwrap();
    let include = headers.path().join("lua-é 53");
    let text = pkg_config("lua-5.3", "5.3.6", &include);
    let folder = programs(&[("pkg-config", &text)]);
    let lua = Installation::find(&with(&folder), Some("lua5.3")).unwrap();
    assert_eq!((lua.name.as_str(), lua.version.as_str()), ("lua5.3", "5.3.6"));
    assert_eq!(lua.include_dir, include);
    assert_eq!(lua.module_file_name("stats"), "stats.so");
    assert_eq!(lua.executable, None);
}

#[test]
fn a_package_called_lua_is_the_version_that_it_says() {
    let headers = tempfile::tempdir().unwrap();
    let text = pkg_config("lua", "5.4.6", headers.path());
    let folder = programs(&[("pkg-config", &text)]);
    let lua = Installation::find(&with(&folder), Some("lua5.4")).unwrap();
    assert_eq!((lua.version.as_str(), lua.include_dir.as_path()), ("5.4.6", headers.path()));
}

#[test]
fn the_lua_on_the_path_is_the_one_that_is_meant() {
    let headers = tempfile::tempdir().unwrap();
    let config = pkg_config("luajit", "2.1", headers.path());
    let folder = programs(&[("pkg-config", &config), ("lua", "echo luajit"), ("luajit", "")]);
    let lua = Installation::find(&with(&folder), None).unwrap();
    assert_eq!(lua.name, "luajit");
    assert_eq!(lua.executable, Some(folder.path().join("luajit")));
}

#[test]
fn unknown_versions_are_reported_with_known_ones() {
    let error = Installation::find(&Environment::current(), Some("lua9")).unwrap_err();
    assert_eq!(error, LuaError::Unknown { name: "lua9".to_owned() });
    assert!(error.to_string().contains("choose lua5.4, luajit"), "{error}");
    let missing = LuaError::NotFound { name: "lua5.1".to_owned() };
    assert!(missing.to_string().contains("liblua5.1-0-dev"));
}
