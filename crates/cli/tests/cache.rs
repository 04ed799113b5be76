//! `fishplate cache` from the perspective of a person or a script.

// Tests may read and write files.
#![allow(clippy::disallowed_methods)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use fishplate_cache::{Entry, Key, Made, Settings, Store};

fn cache(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fishplate"))
        .arg("cache")
        .args(arguments)
        .env("FISHPLATE_CACHE_DIR", folder)
        .env_remove("FISHPLATE_CACHE_SIZE")
        .output()
        .expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A cache of two entries: one of 2,000 bytes used today, a smaller one ten days ago.
struct Place {
    _temporary: tempfile::TempDir,
    folder: PathBuf,
    old: Entry,
}

impl Place {
    fn new() -> Self {
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let folder = temporary.path().canonicalize().expect("a path").join("cache é");
        let settings = Settings { folder: Some(folder.clone()), named: true, limit: 1 << 20 };
        let store = Store::open(&settings).expect("a store");
        let make = |name: &str, size: usize| {
            let made = store.get_or_make(&Key::of("test").part(name).finish(), |folder| {
                std::fs::write(folder.join("library.so"), "x".repeat(size))?;
                let about = serde_json::json!({"name": name});
                Ok::<_, io::Error>(Made::library("library.so").about(about))
            });
            made.expect("an entry")
        };
        make("softmax", 2000);
        let old = make("old", 1000);
        let marker = std::fs::File::options().write(true).open(old.folder().join("used"));
        let ago = SystemTime::now() - Duration::from_secs(10 * 24 * 3600 + 60);
        marker.and_then(|marker| marker.set_modified(ago)).expect("a marker");
        Self { _temporary: temporary, folder, old }
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = cache(&self.folder, &[arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

#[test]
fn list_shows_the_last_used_first() {
    let place = Place::new();
    let output = cache(&place.folder, &["list"]);
    assert!(output.status.success());
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("2 entries, ") && lines[0].ends_with("cache é"), "{printed}");
    assert!(lines[0].contains(" of 2.0 GiB in "), "{printed}");
    assert!(lines[1].contains(" KiB  today ") && lines[1].ends_with("softmax"), "{printed}");
    assert!(lines[2].contains(" 10 days ago ") && lines[2].ends_with("old"), "{printed}");
    let json = place.json(&["list"]);
    assert_eq!(json["ok"], true);
    assert_eq!(json["entries"][1]["about"]["name"], "old");
    assert_eq!(json["entries"][1]["key"], place.old.key());
    assert_eq!(json["folder"], place.folder.to_str().expect("UTF-8"));
}

#[test]
fn an_empty_cache_is_listed_and_not_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("none");
    assert!(text(&cache(&folder, &["list"]).stdout).starts_with("0 entries, 0 B of "));
    assert!(cache(&folder, &["verify"]).status.success());
    assert!(cache(&folder, &["clean", "--all"]).status.success());
    assert!(!folder.exists());
}

#[test]
fn clean_removes_named_entries() {
    let place = Place::new();
    let nothing = text(&cache(&place.folder, &["clean", "--older-than", "2w"]).stdout);
    assert!(nothing.starts_with("0 entries removed, 0 B; "), "{nothing}");
    let old = place.json(&["clean", "--older-than", "9d"]);
    assert_eq!((&old["ok"], &old["removed"]), (&true.into(), &1.into()));
    assert!(!place.old.folder().exists());
    let all = text(&cache(&place.folder, &["clean", "--all"]).stdout);
    assert!(all.starts_with("1 entry removed, ") && all.ends_with("; 0 B left\n"), "{all}");
    let wrong = cache(&place.folder, &["clean", "--older-than", "soon"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("no age such as"), "{}", text(&wrong.stderr));
}

#[test]
fn verify_reports_changed_entries() {
    let place = Place::new();
    let good = cache(&place.folder, &["verify"]);
    assert_eq!(text(&good.stdout), "2 entries, all as they were made\n");
    std::fs::write(place.old.library(), "y".repeat(1000)).expect("a file can be written");
    let bad = cache(&place.folder, &["verify"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stderr).contains("library.so has changed since it was built"));
    assert!(text(&bad.stdout).starts_with("2 entries, 1 not as made; "));
    assert_eq!(place.json(&["verify"])["problems"].as_array().map(Vec::len), Some(1));
    assert!(cache(&place.folder, &["clean"]).status.success());
    let good = cache(&place.folder, &["verify"]);
    assert_eq!(text(&good.stdout), "1 entry, all as they were made\n");
}

#[cfg(unix)]
#[test]
fn a_cache_that_is_not_trusted_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    std::fs::set_permissions(&place.folder, PermissionsExt::from_mode(0o777)).expect("our folder");
    for command in ["list", "verify", "clean"] {
        let output = cache(&place.folder, &[command]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("can be written by others (mode 777)"));
        assert_eq!(place.json(&[command])["ok"], false);
    }
}

#[test]
fn invalid_sizes_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = Command::new(env!("CARGO_BIN_EXE_fishplate"))
        .args(["cache", "list"])
        .env("FISHPLATE_CACHE_DIR", folder.path())
        .env("FISHPLATE_CACHE_SIZE", "much")
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("FISHPLATE_CACHE_SIZE is `much`"));
}

#[test]
fn without_a_home_nothing_is_kept() {
    let output = Command::new(env!("CARGO_BIN_EXE_fishplate"))
        .args(["cache", "list"])
        .env_clear()
        .output()
        .expect("the command starts");
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "nothing is kept: no home folder for a cache\n");
}
