//! Finding and making: existing entries are found, incomplete ones are made again.

// Tests may print and read files; the crate they test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use std::fs;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use fishplate_cache::{CacheError, Key, MakeError, Settings, Store};
use support::{Place, key, make};

#[test]
fn other_processes_find_entries() {
    let place = Place::new();
    let made = place.store().get_or_make(&key("a"), make("library")).unwrap();
    assert_eq!(fs::read_to_string(made.library()).unwrap(), "library");
    let other = place.store();
    assert_eq!(other.get(&key("a")), Some(made.clone()));
    assert_eq!(other.get(&key("b")), None);
    let again = other.get_or_make(&key("a"), |_| Err(io::Error::other("made twice"))).unwrap();
    assert_eq!(again, made);
    assert_eq!(made.about()["compiler"], "test");
    assert!(made.file("source.c").unwrap().is_file());
    assert_eq!(made.file("meta.json"), None);
    assert_eq!(other.not_kept(), None);
}

#[test]
fn many_threads_make_it_once() {
    let place = Place::new();
    let store = place.store();
    let made = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..24 {
            let (store, made) = (&store, &made);
            scope.spawn(move || {
                let key = key(&format!("{}", number % 3));
                store.get_or_make(&key, |folder| {
                    made.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(20));
                    make("library")(folder)
                })
            });
        }
    });
    assert_eq!(made.into_inner(), 3);
}

#[test]
fn failed_builds_leave_nothing_and_are_retried() {
    let place = Place::new();
    let store = place.store();
    let failed = store.get_or_make(&key("a"), |folder| {
        fs::write(folder.join("library.so"), "half")?;
        Err(io::Error::other("no compiler"))
    });
    assert!(matches!(failed, Err(MakeError::Make(error)) if error.to_string() == "no compiler"));
    assert_eq!(store.get(&key("a")), None);
    assert_eq!(place.left_in("making"), 0);
    assert_eq!(place.left_in("locks"), 0);
    store.get_or_make(&key("a"), make("whole")).unwrap();
}

#[test]
fn a_maker_must_leave_its_library() {
    let place = Place::new();
    let made = place.store().get_or_make(&key("a"), |_| {
        Ok::<_, io::Error>(fishplate_cache::Made::library("library.so"))
    });
    let message = made.unwrap_err().to_string();
    assert!(message.ends_with("library.so was not made"), "{message}");
}

#[test]
fn incomplete_entries_are_absent_and_rebuilt() {
    let damages: [(&str, Damage); 8] = [
        ("truncated library", |entry| truncate(&entry.join("library.so"))),
        ("changed library", |entry| fs::write(entry.join("library.so"), "xyzrary").unwrap()),
        ("no library", |entry| fs::remove_file(entry.join("library.so")).unwrap()),
        ("truncated meta", |entry| truncate(&entry.join("meta.json"))),
        ("empty meta", |entry| fs::write(entry.join("meta.json"), "").unwrap()),
        ("no source", |entry| fs::remove_file(entry.join("source.c")).unwrap()),
        ("empty folder", |entry| {
            fs::remove_dir_all(entry).unwrap();
            fs::create_dir(entry).unwrap();
        }),
        ("a file", |entry| {
            fs::remove_dir_all(entry).unwrap();
            fs::write(entry, "").unwrap();
        }),
    ];
    for (name, damage) in damages {
        let place = Place::new();
        let store = place.store();
        let made = store.get_or_make(&key("a"), make("library")).unwrap();
        damage(made.folder());
        assert_eq!(store.get(&key("a")), None, "{name}");
        let again = store.get_or_make(&key("a"), make("library")).unwrap();
        assert_eq!(fs::read_to_string(again.library()).unwrap(), "library", "{name}");
        assert_eq!(store.get(&key("a")), Some(again), "{name}");
        assert_eq!(place.left_in("making"), 0, "{name}");
    }
}

#[test]
fn an_entry_under_another_name_is_none() {
    let place = Place::new();
    let store = place.store();
    let made = store.get_or_make(&key("a"), make("library")).unwrap();
    let other = made.folder().with_file_name(key("b").to_string());
    fs::rename(made.folder(), other).unwrap();
    assert_eq!(store.get(&key("b")), None);
}

#[test]
fn use_is_noted_once_a_day() {
    let place = Place::new();
    let store = place.store();
    let made = store.get_or_make(&key("a"), make("library")).unwrap();
    let marker = fs::File::options().write(true).open(made.folder().join("used")).unwrap();
    let ago = |hours: u64| SystemTime::now() - Duration::from_secs(hours * 3600);
    marker.set_modified(ago(23)).unwrap();
    let used = store.get(&key("a")).unwrap().used();
    assert!(used < ago(22), "not rewritten within a day");
    marker.set_modified(ago(25)).unwrap();
    let used = store.get(&key("a")).unwrap().used();
    assert!(used > ago(1), "rewritten after a day");
}

#[test]
fn unkept_entries_go_with_the_store() {
    let place = Place::new();
    let store = place.store();
    let one = store.make_unkept(make("one")).unwrap();
    let two = store.make_unkept(make("two")).unwrap();
    assert_ne!(one.folder(), two.folder());
    assert_eq!(fs::read_to_string(two.library()).unwrap(), "two");
    store.remove_unkept();
    assert!(!one.folder().exists() && !two.folder().exists());
    let three = store.make_unkept(make("three")).unwrap();
    drop(store);
    assert!(!three.folder().exists());
    assert_eq!(place.left_in("making"), 0);
}

#[test]
fn load_errors_give_the_last_reason() {
    let place = Place::new();
    let store = place.store();
    let mut folders = Vec::new();
    let loaded = store.load_or_make(&key("a"), make("library"), |entry| {
        folders.push(entry.folder().to_owned());
        Err::<(), _>(io::Error::other(format!("undefined symbol, {}", folders.len())))
    });
    let message = loaded.unwrap_err().to_string();
    assert_eq!(message, format!("undefined symbol, {}", folders.len()));
    assert_ne!(folders.first(), folders.last(), "at last one for this process alone");
    let number = store.load_or_make(&key("a"), make("library"), |entry| {
        fs::read_to_string(entry.library()).map(|text| text.len())
    });
    assert_eq!(number.unwrap(), 7);
}

#[test]
fn without_a_home_everything_goes_with_the_process() {
    let settings = Settings { folder: None, named: false, limit: 1 << 20 };
    let store = Store::open(&settings).unwrap();
    assert!(store.not_kept().is_some());
    let made = store.get_or_make(&key("a"), make("library")).unwrap();
    assert_eq!(store.get(&key("a")), Some(made.clone()));
    drop(store);
    assert!(!made.folder().exists());
}

#[test]
fn paths_with_spaces_and_accents() {
    let place = Place::named("un café à Ñandú");
    let made = place.store().get_or_make(&key("a"), make("library")).unwrap();
    assert_eq!(place.store().get(&key("a")), Some(made));
}

#[test]
fn a_folder_of_another_user_or_open_to_others_is_refused() {
    let place = Place::new();
    place.store().get_or_make(&key("a"), make("library")).unwrap();
    place.set_mode("", 0o777);
    let refused = Store::open(&place.settings()).unwrap_err();
    assert!(matches!(refused, CacheError::Untrusted { .. }));
    assert!(refused.to_string().contains("can be written by others (mode 777)"), "{refused}");
    // The usual folder is not an error: it is only not used.
    let usual = Store::open(&Settings { named: false, ..place.settings() }).unwrap();
    assert!(usual.not_kept().unwrap().contains("can be written by others"));
    assert_eq!(usual.get(&key("a")), None);
    usual.get_or_make(&key("a"), make("ours")).unwrap();
    place.set_mode("", 0o700);
    place.set_mode("entries", 0o770);
    assert!(Store::open(&place.settings()).is_err());
    place.set_mode("entries", 0o700);
    assert!(place.store().get(&key("a")).is_some());
}

/// Does something to an entry's folder.
type Damage = fn(&std::path::Path);

fn truncate(path: &std::path::Path) {
    let length = path.metadata().unwrap().len();
    fs::File::options().write(true).open(path).unwrap().set_len(length / 2).unwrap();
}

#[test]
fn keys_are_for_this_kind_only() {
    assert_ne!(Key::of("graph").part("x").finish(), Key::of("inline").part("x").finish());
}
