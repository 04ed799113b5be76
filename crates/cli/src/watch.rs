//! Waiting until a file changes.
//!
//! Purpose: a list of files is watched, and a burst of changes is one change.
//! Invariant: folders are watched, not files: editors replace files, and a watched file that is replaced is gone.
//! Reason: a file that does not exist yet can be waited for too.

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A change is over when nothing has changed for so long: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// A program that writes all the time does not delay builds for longer.
const LONGEST: Duration = Duration::from_secs(2);

/// A change of the watched files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// Another file in a folder of the files.
    Other,
    /// One of the files.
    File,
}

/// Files whose changes are reported.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<notify::Event>>,
    files: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
}

impl Watch {
    pub(crate) fn new() -> notify::Result<Self> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender)?;
        Ok(Watch { watcher, events, files: BTreeSet::new(), folders: BTreeSet::new() })
    }

    /// Watches these files, and no others; returns whether there is a folder among theirs that was not watched, so that a
    /// change in it may have been missed.
    pub(crate) fn set(&mut self, files: impl IntoIterator<Item = PathBuf>) -> bool {
        self.files = files.into_iter().flat_map(places).collect();
        let folders: BTreeSet<PathBuf> =
            self.files.iter().filter_map(|file| existing_folder(file)).collect();
        for folder in self.folders.difference(&folders) {
            // It may be gone.
            let _ = self.watcher.unwatch(folder);
        }
        // All of them: one that was removed and made again is another folder.
        let mut watched = BTreeSet::new();
        for folder in folders {
            if self.watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok() {
                watched.insert(folder);
            }
        }
        let has_new = !watched.is_subset(&self.folders);
        self.folders = watched;
        has_new
    }

    /// How many files are watched.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Waits for a change: of the files, and with `any` of any visible file in their folders. `None` if there will be none.
    pub(crate) fn wait(&self, any: bool) -> Option<Change> {
        let relevant = |event: notify::Result<notify::Event>| {
            self.change(&event).filter(|change| any || *change == Change::File)
        };
        let mut change = loop {
            if let Some(change) = relevant(self.events.recv().ok()?) {
                break change;
            }
        };
        let end = Instant::now() + LONGEST;
        let mut last = Instant::now();
        while let Some(rest) = (last + QUIET).min(end).checked_duration_since(Instant::now()) {
            let Ok(event) = self.events.recv_timeout(rest) else { break };
            if let Some(another) = relevant(event) {
                change = change.max(another);
                last = Instant::now();
            }
        }
        Some(change)
    }

    fn change(&self, event: &notify::Result<notify::Event>) -> Option<Change> {
        let Ok(event) = event else { return Some(Change::File) };
        if event.need_rescan() {
            return Some(Change::File); // Events were lost.
        }
        if matches!(event.kind, EventKind::Access(_)) {
            return None;
        }
        let of = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_visible = !name.starts_with('.') && !name.ends_with('~');
            match self.files.contains(path) {
                true => Some(Change::File),
                false => is_visible.then_some(Change::Other),
            }
        };
        event.paths.iter().filter_map(of).max()
    }
}

/// A file in its real folder, as events name it, and the file that a link leads to.
fn places(file: PathBuf) -> Vec<PathBuf> {
    let file = std::path::absolute(&file).unwrap_or(file);
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    let place = match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file,
    };
    let target = place.canonicalize().ok().filter(|target| *target != place);
    target.into_iter().chain([place]).collect()
}

/// The nearest folder that exists: a missing one is waited for in it.
fn existing_folder(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned)
}
