//! Runs the command itself, for diagnostics exactly as printed.

use super::{Case, root};
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// `fishplate check` in the case's folder: whether it passed, and its standard error.
pub fn check(case: &Case) -> (bool, String) {
    let output = Command::new(fishplate())
        .args(["check", &case.interface_name()])
        .current_dir(case.folder())
        .env("NO_COLOR", "1")
        .env_remove("FISHPLATE_NOT_SET")
        .output()
        .expect("the command was just built");
    (output.status.success(), String::from_utf8(output.stderr).expect("text"))
}

/// The path of the command: `$FISHPLATE`, else built now, so that it is never older than the test.
fn fishplate() -> &'static PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        if let Some(path) = std::env::var_os("FISHPLATE") {
            return PathBuf::from(path);
        }
        // This test is TARGET/PROFILE/deps/cases-0123456789abcdef.
        let test = std::env::current_exe().expect("a test has a path");
        let folder = test.ancestors().nth(2).expect("a profile's folder");
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(other) => other,
        };
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "fishplate", "--profile", profile])
            .arg("--target-dir")
            .arg(folder.parent().expect("a target folder"))
            .current_dir(root())
            .status();
        assert!(built.is_ok_and(|status| status.success()), "cargo build --package fishplate");
        folder.join(format!("fishplate{}", std::env::consts::EXE_SUFFIX))
    })
}
