//! The source distribution: the tracked files, with metadata for an index.

use super::links::{Address, make_absolute};
use super::tools::Tools;
use crate::{Result, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// The pages that `[project.urls]` names.
const PAGES: [(&str, &str); 3] =
    [("Documentation", "docs"), ("Changelog", "CHANGELOG.md"), ("Security", "SECURITY.md")];

/// Makes the source distribution in `out`, and returns its path.
pub(super) fn make(tools: &Tools, address: Option<&Address>, out: &Path) -> Result<PathBuf> {
    let tree = place::target("wheels-build").join("tree");
    copy_tracked_files(&tree)?;
    change(&tree.join("README.md"), |page| {
        make_absolute(&page, address, |path| place::root().join(path).is_dir())
    })?;
    if let Some(address) = address {
        change(&tree.join("pyproject.toml"), |project| project + &urls(address))?;
    }
    process::run(tools.maturin().current_dir(&tree).args(["sdist", "--out"]).arg(out))?;
    Ok(out.join(format!("fishplate-{}.tar.gz", env!("CARGO_PKG_VERSION"))))
}

/// Unpacks it, so that the wheels are made of nothing but what it contains; returns its folder. The wheels have the
/// dependencies that were tested: those of the checkout's lock file.
pub(super) fn unpack(sdist: &Path) -> Result<PathBuf> {
    let folder = place::target("wheels-build").join("sdist");
    place::make_empty(&folder)?;
    process::run(
        process::command("tar")
            // Cargo compares times, and all of the archive's are of the year 2006: it would compile no changed file again.
            .args(["--strip-components=1", "--touch", "-xzf"])
            .arg(sdist)
            .arg("-C")
            .arg(&folder),
    )?;
    let lock = place::root().join("Cargo.lock");
    if lock.exists() {
        fs::copy(&lock, folder.join("Cargo.lock"))
            .map_err(|error| format!("cannot copy Cargo.lock: {error}"))?;
    }
    Ok(folder)
}

/// Ignored and untracked files are not distributed.
fn copy_tracked_files(tree: &Path) -> Result<()> {
    place::make_empty(tree)?;
    let names = process::capture(process::command("git").args(["ls-files", "-z"]))?;
    for name in names.split('\0').filter(|name| place::root().join(name).is_file()) {
        let to = tree.join(name);
        place::make_folder_of(&to)?;
        fs::copy(place::root().join(name), &to)
            .map_err(|error| format!("cannot copy {name}: {error}"))?;
    }
    Ok(())
}

fn change(file: &Path, by: impl FnOnce(String) -> String) -> Result<()> {
    fs::read_to_string(file)
        .and_then(|text| fs::write(file, by(text)))
        .map_err(|error| format!("cannot change {}: {error}", place::shown(file)))
}

fn urls(address: &Address) -> String {
    let mut table = format!("\n[project.urls]\nRepository = \"{}\"\n", address.repository);
    for (name, page) in PAGES {
        let url = address.of(page, |path| place::root().join(path).is_dir());
        table += &format!("{name} = \"{url}\"\n");
    }
    table + &format!("Issues = \"{}/issues\"\n", address.repository)
}
