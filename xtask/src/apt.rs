//! Packages of any release of Debian, without installing them.
//!
//! Purpose: source packages, and the files of binary packages, in folders.
//! Invariant: apt-get gets sources, lists and caches of its own in the folder, so the machine's lists and packages stay as
//! they are.
//! Reason: some tests need what neither the machine nor its release of Debian has.

use crate::{Result, place, process};
use std::fs;
use std::path::{Path, PathBuf};

/// A release of Debian.
pub(crate) struct Release {
    settings: PathBuf,
    /// The files that the last command has downloaded.
    files: PathBuf,
}

impl Release {
    /// The release by its name; the files of apt-get are below `folder`.
    pub(crate) fn open(name: &str, folder: &Path) -> Result<Release> {
        if !process::is_there("apt-get") {
            return Err(format!("Debian's {name} needs apt-get, which is missing"));
        }
        let apt = folder.join(format!("apt-{name}"));
        for part in ["lists/partial", "cache/archives/partial"] {
            let part = apt.join(part);
            fs::create_dir_all(&part).map_err(|error| cannot(&part, &error))?;
        }
        let sources = apt.join("sources.list");
        let place = format!(
            "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {} {name} main",
            mirror()?
        );
        fs::write(&sources, format!("deb {place}\ndeb-src {place}\n"))
            .map_err(|error| cannot(&sources, &error))?;
        let settings = apt.join("apt.conf");
        let text = format!(
            "Dir::Etc::sourcelist \"{0}/sources.list\";\nDir::Etc::sourceparts \"-\";\nDir::State::lists \"{0}/lists\";\n\
             Dir::Cache \"{0}/cache\";\nAPT::Sandbox::User \"\";\n",
            apt.display()
        );
        fs::write(&settings, text).map_err(|error| cannot(&settings, &error))?;
        let release = Release { settings, files: apt.join("files") };
        release.get(&["update"])?;
        Ok(release)
    }

    /// Unpacks the sources of a source package, without Debian's changes, into a new folder.
    pub(crate) fn unpack_source(&self, package: &str, into: &Path) -> Result<()> {
        self.get(&["source", "--download-only", "--tar-only", "--only-source", package])?;
        let archive = self.file(|name| name.contains(".orig.tar.") && !name.ends_with(".asc"))?;
        place::make_empty(into)?;
        let mut tar = process::command("tar");
        tar.arg("-xf").arg(archive).arg("-C").arg(into).arg("--strip-components=1");
        process::run(&mut tar)
    }

    /// Unpacks the files of a binary package below `root`.
    pub(crate) fn unpack(&self, package: &str, root: &Path) -> Result<()> {
        self.get(&["download", package])?;
        let file = self.file(|name| name.ends_with(".deb"))?;
        process::run(process::command("dpkg").arg("-x").arg(&file).arg(root))
    }

    /// Runs apt-get in an empty folder.
    fn get(&self, words: &[&str]) -> Result<()> {
        place::make_empty(&self.files)?;
        let mut get = process::command("apt-get");
        process::run(get.arg("-c").arg(&self.settings).args(words).current_dir(&self.files))
    }

    /// The downloaded file of such a name.
    fn file(&self, is: impl Fn(&str) -> bool) -> Result<PathBuf> {
        let files = fs::read_dir(&self.files).map_err(|error| cannot(&self.files, &error))?;
        let files = files.filter_map(|file| file.ok());
        let mut named = files.filter(|file| is(&file.file_name().to_string_lossy()));
        let file = named.next().ok_or_else(|| "apt-get did not download the package".to_owned())?;
        Ok(file.path())
    }
}

/// The address of the packages that this machine installs from.
fn mirror() -> Result<String> {
    let mut targets = process::command("apt-get");
    targets.args([
        "indextargets",
        "--format",
        "$(REPO_URI)",
        "Created-By: Packages",
        "Component: main",
    ]);
    let listed = process::capture(&mut targets)?;
    listed
        .lines()
        .find(|line| !line.contains("security"))
        .map(str::to_owned)
        .ok_or_else(|| "apt has no sources".to_owned())
}

fn cannot(path: &Path, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", place::shown(path))
}
