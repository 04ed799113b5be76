//! One library: drafted, checked, built and imported.

use super::libraries::Library;
use crate::venv::Venv;
use crate::{Result, process};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The time limit for each step of a library.
const LIMIT: Duration = Duration::from_secs(300);

/// The result for a library.
pub(super) enum Outcome {
    /// The draft checks, builds and imports, or it has no function.
    Drafted(Drafted),
    /// It declares no functions.
    Nothing,
    /// It is not on this machine.
    Skipped(String),
    /// A step that must not fail, and its output.
    Failed(&'static str, String),
}

/// The numbers of a draft.
pub(super) struct Drafted {
    pub functions: usize,
    pub left_out: usize,
    /// The number of occurrences of each reason.
    pub reasons: BTreeMap<String, usize>,
}

/// Drafts a library in an empty folder.
pub(super) fn draft(library: &Library, command: &Path, venv: &Venv, folder: &Path) -> Outcome {
    let fishplate = |arguments: &[&str]| {
        let mut fishplate = process::command(command);
        fishplate.args(arguments).current_dir(folder).env("VIRTUAL_ENV", venv.folder());
        fishplate
    };
    let mut init = fishplate(&["--json", "init", "--name", "drafted"]);
    let printed = match process::within(init.args(&library.arguments), LIMIT) {
        Ok(printed) => printed,
        Err(failure) if failure.contains("` not found") => {
            return Outcome::Skipped("the header is not on this machine".into());
        }
        Err(failure) if failure.contains("FP0402") || failure.contains("FP0403") => {
            return Outcome::Nothing;
        }
        Err(failure) => return Outcome::Failed("init", failure),
    };
    let Some(drafted) = read(&printed) else { return Outcome::Failed("init", printed) };
    if drafted.functions == 0 {
        return Outcome::Drafted(drafted);
    }
    let mut import = process::command(venv.python());
    import.current_dir(folder).args(["-X", "dev", "-c", "import drafted"]);
    let steps = [
        ("check", fishplate(&["check", "drafted.toml"])),
        ("build", fishplate(&["build", "drafted.toml"])),
        ("import", import),
    ];
    for (name, mut step) in steps {
        if let Err(failure) = process::within(&mut step, LIMIT) {
            return Outcome::Failed(name, failure);
        }
    }
    Outcome::Drafted(drafted)
}

/// The numbers in what `init --json` prints.
fn read(printed: &str) -> Option<Drafted> {
    let value: serde_json::Value = serde_json::from_str(printed.trim()).ok()?;
    let left_out = value.get("left_out")?.as_array()?;
    let mut reasons = BTreeMap::new();
    for left in left_out {
        *reasons.entry(general(left.get("reason")?.as_str()?)).or_default() += 1;
    }
    let functions = value.get("functions")?.as_u64()? as usize;
    Some(Drafted { functions, left_out: left_out.len(), reasons })
}

/// Types in a reason, whatever the function.
const TYPES: &[&str] = &["void", "va_list", "long double"];

/// A reason without the names in it.
fn general(reason: &str) -> String {
    let reason = reason.split(": ").next().unwrap_or(reason);
    let parts = reason.split('`').enumerate();
    let general: Vec<&str> = parts
        .map(|(index, part)| if index % 2 == 1 && !TYPES.contains(&part) { "…" } else { part })
        .collect();
    general.join("`")
}

/// Whether apt installs packages here, and the packages of the corpus that are not installed.
pub(super) fn missing<'p>(packages: impl Iterator<Item = &'p str>) -> Vec<&'p str> {
    let is_there = |package: &str| {
        let mut query = process::command("dpkg-query");
        let printed = process::capture(query.args(["-W", "-f", "${db:Status-Status}", package]));
        printed.is_ok_and(|status| status == "installed")
    };
    let mut missing: Vec<&str> = packages.filter(|package| !is_there(package)).collect();
    missing.dedup();
    missing
}

/// Installs packages as root; otherwise prints what to install.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    let is_root = process::capture(process::command("id").arg("-u")).is_ok_and(|id| id == "0");
    if !is_root || !process::is_there("apt-get") {
        println!("not installed, and skipped: {}", packages.join(" "));
        return Ok(());
    }
    println!("installing with apt: {}", packages.join(" "));
    for package in packages {
        let mut apt = process::command("apt-get");
        apt.args(["install", "-y", "-q", "--no-install-recommends", package]);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        if let Err(failure) = process::within(&mut apt, LIMIT) {
            println!("cannot install {package}: {}", failure.lines().last().unwrap_or_default());
        }
    }
    Ok(())
}
