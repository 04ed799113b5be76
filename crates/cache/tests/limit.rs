//! The order in which entries are removed.

// Tests may print and read files; the crate they test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use fishplate_cache::{Clean, Entry, Settings, Store};
use support::{Place, key, make};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn age(path: &Path, age: Duration) {
    File::open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
}

fn used_ago(entry: &Entry, ago: Duration) {
    age(&entry.folder().join("used"), ago);
}

#[test]
fn the_least_recently_used_go_first() {
    let place = Place::new();
    let library = "x".repeat(10_000);
    let generous = place.store();
    let entries: Vec<Entry> = (0..6)
        .map(|n| generous.get_or_make(&key(&n.to_string()), make(&library)).unwrap())
        .collect();
    for (n, entry) in entries.iter().enumerate() {
        used_ago(entry, DAY * (10 - n as u32));
    }
    // The oldest is used again.
    assert!(generous.get(&key("0")).is_some());
    let strict = Store::open(&Settings { limit: 50_000, ..place.settings() }).unwrap();
    let new = strict.get_or_make(&key("new"), make(&library)).unwrap();
    let there = |n: usize| strict.get(&key(&n.to_string())).is_some();
    assert_eq!((0..6).map(there).collect::<Vec<_>>(), [true, false, false, false, true, true]);
    assert!(new.library().exists());
    assert_eq!(place.left_in("making"), 0);
}

#[test]
fn new_entries_stay_at_any_size() {
    let place = Place::new();
    let store = Store::open(&Settings { limit: 0, ..place.settings() }).unwrap();
    for name in ["a", "b", "c"] {
        store.get_or_make(&key(name), make("library")).unwrap();
        assert!(store.get(&key(name)).is_some());
        assert_eq!(place.left_in("entries"), 1);
    }
}

#[test]
fn clean_removes_old_or_broken_or_all_entries() {
    let place = Place::new();
    let store = place.store();
    let old = store.get_or_make(&key("old"), make("library")).unwrap();
    let new = store.get_or_make(&key("new"), make("library")).unwrap();
    let broken = store.get_or_make(&key("broken"), make("library")).unwrap();
    fs::write(broken.library(), "otherwise").unwrap();
    used_ago(&old, DAY * 3);
    assert_eq!(store.clean(Clean::default()).unwrap().removed, 1);
    assert!(!broken.folder().exists() && old.folder().exists());
    let cleaned = store.clean(Clean { older_than: Some(DAY * 2), all: false }).unwrap();
    assert_eq!((cleaned.removed, cleaned.left > 0), (1, true));
    assert!(!old.folder().exists() && new.folder().exists());
    let cleaned = store.clean(Clean { all: true, older_than: None }).unwrap();
    assert_eq!((cleaned.removed, cleaned.left), (1, 0));
    assert!(cleaned.problems.is_empty());
    assert_eq!(store.list().unwrap().len(), 0);
}

#[test]
fn verify_reads_every_file() {
    let place = Place::new();
    let store = place.store();
    store.get_or_make(&key("good"), make("library")).unwrap();
    let bad = store.get_or_make(&key("bad"), make("library")).unwrap();
    let source = bad.file("source.c").unwrap();
    let changed = fs::read_to_string(&source).unwrap().replace("return 1", "return 2");
    fs::write(source, changed).unwrap();
    assert!(store.list().unwrap().iter().all(|listed| listed.entry.is_ok()));
    let verified = store.verify().unwrap();
    let bad: Vec<_> = verified.iter().filter_map(|one| one.entry.as_ref().err()).collect();
    assert_eq!(bad.len(), 1);
    assert!(bad[0].to_string().ends_with("source.c has changed since it was built"), "{}", bad[0]);
    assert_eq!(store.clean(Clean::default()).unwrap().removed, 1);
    assert!(store.verify().unwrap().iter().all(|listed| listed.entry.is_ok()));
}

#[test]
fn leftovers_of_killed_processes_are_removed() {
    let place = Place::new();
    let store = place.store();
    store.get_or_make(&key("a"), make("library")).unwrap();
    let unkept = store.make_unkept(make("library")).unwrap();
    let private = unkept.folder().ancestors().nth(2).unwrap();
    let making = place.root.join("making");
    for (name, days) in [("killed.abc", 2), ("killed.now", 0), ("process.dead", 2)] {
        fs::create_dir(making.join(name)).unwrap();
        fs::write(making.join(name).join("half"), "").unwrap();
        age(&making.join(name), DAY * days);
    }
    fs::write(place.root.join("locks").join("left"), "").unwrap();
    age(private, DAY * 2);
    store.clean(Clean::default()).unwrap();
    assert!(unkept.library().exists(), "its process lives");
    assert!(making.join("killed.now").exists(), "somebody may be making it");
    assert_eq!(place.left_in("making"), 2);
    assert_eq!(place.left_in("locks"), 0);
    assert!(store.get(&key("a")).is_some());
}

#[test]
fn an_empty_cache_is_cleaned_without_being_made() {
    let place = Place::new();
    let store = place.store();
    assert_eq!(store.clean(Clean { all: true, older_than: None }).unwrap().removed, 0);
    assert!(!place.root.exists());
}
