//! A compiler that a package manager has installed.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]
#![cfg(unix)]

mod support;

use fishplate_toolchain::{Family, SourceLanguage, Toolchain};
use support::{environment, interpreter, ziglang};

#[test]
fn ziglang_compiles_if_it_is_alone() {
    let Some(interpreter) = interpreter() else { return eprintln!("SKIPPED: no Python") };
    let empty = tempfile::tempdir().unwrap();
    let environment = environment().with("PATH", empty.path());
    let toolchain = Toolchain::find_in(environment, Some(ziglang(Some(&interpreter))));
    let compiler = match toolchain.compiler(SourceLanguage::C) {
        Ok(compiler) => compiler,
        Err(_) => return eprintln!("SKIPPED: {} has no ziglang", interpreter.display()),
    };
    assert_eq!(compiler.family, Family::Zig);
    let project = support::Project::inside("zig é");
    project.build_with(&toolchain).built();
    assert_eq!(support::answer(&project.library()), 42);
    assert!(!project.build_with(&toolchain).built().fresh);
    project.write("part.h", "#define PART 50\nint part(void);\n");
    assert_eq!(project.build_with(&toolchain).compiled(), ["part.c", "stats_module.c"]);
    assert_eq!(support::answer(&project.library()), 52);
}

#[test]
fn a_script_that_starts_zig_is_zig() {
    let Some(interpreter) = interpreter() else { return eprintln!("SKIPPED: no Python") };
    let empty = tempfile::tempdir().unwrap();
    let alone = environment().with("PATH", empty.path());
    let packaged = Toolchain::find_in(alone, Some(ziglang(Some(&interpreter))));
    let Ok(compiler) = packaged.compiler(SourceLanguage::C) else {
        return eprintln!("SKIPPED: {} has no ziglang", interpreter.display());
    };
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("my-cc");
    let zig = compiler.command[0].display();
    std::fs::write(&script, format!("#!/bin/sh\nexec '{zig}' cc \"$@\"\n")).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let toolchain = support::with_cc(&script);
    assert_eq!(toolchain.compiler(SourceLanguage::C).unwrap().family, Family::Zig);
}
