//! Headers of a target language for another machine.
//!
//! Purpose: copies of this machine's headers, of which some have another content.
//! Invariant: a folder of copies is complete, and never changed.
//! Reason: a header finds those next to it first, so that one in another folder cannot replace them.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A folder of headers.
#[derive(Debug, Clone, Default)]
pub struct HeaderCopy {
    /// The name of the folder.
    pub name: &'static str,
    /// The folders whose headers are copied, and those below them.
    pub from: Vec<PathBuf>,
    /// Folders that are left out, by their names.
    pub without: &'static [&'static str],
    /// Headers with another content.
    pub changed: Vec<ChangedHeader>,
}

/// A header with another content.
#[derive(Debug, Clone)]
pub struct ChangedHeader {
    /// Its path in the copy.
    pub path: String,
    /// The file with which it begins.
    pub original: Option<PathBuf>,
    /// The text after it.
    pub text: String,
}

/// Makes copies in a folder that belongs to these copies alone; returns their folders.
///
/// # Errors
///
/// A header could not be read or written.
pub fn copy_headers(folder: &Path, copies: &[HeaderCopy]) -> io::Result<Vec<PathBuf>> {
    let finished = folder.join("headers");
    let folders = copies.iter().map(|copy| finished.join(copy.name)).collect();
    if finished.is_dir() {
        return Ok(folders);
    }
    let unfinished = folder.join(format!("headers.{}", std::process::id()));
    for copy in copies {
        let to = unfinished.join(copy.name);
        fs::create_dir_all(&to)?;
        for from in &copy.from {
            copy_folder(from, &to, copy.without)?;
        }
        for changed in &copy.changed {
            let original = changed.original.as_ref().map(fs::read_to_string).transpose()?;
            let text = format!("{}{}", original.unwrap_or_default(), changed.text);
            fs::write(to.join(&changed.path), text)?;
        }
    }
    match fs::rename(&unfinished, &finished) {
        // Another process was faster.
        Err(_) if finished.is_dir() => fs::remove_dir_all(&unfinished)?,
        renamed => renamed?,
    }
    Ok(folders)
}

fn copy_folder(from: &Path, to: &Path, without: &[&str]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            if !without.iter().any(|name| entry.file_name() == *name) {
                copy_folder(&path, &copy, without)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "h") {
            fs::copy(&path, &copy)?;
        }
    }
    Ok(())
}
