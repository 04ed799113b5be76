//! Many processes, processes that are killed, and folders that they may not use: real processes,
//! each one this test program itself, run with [`child`] alone.

// Tests may print and read files; the crate they test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use fishplate_cache::{CacheError, Made, MakeError, Settings, Store};
use support::{Place, key};

const NOBODY: u32 = 65534;

/// The content of the children's entries: large enough to be half written.
fn library(name: &str) -> String {
    format!("{name}\n").repeat(20_000)
}

/// Not a test: the code of the child processes. It prints the outcome for each key.
#[test]
#[ignore = "run by the other tests, in processes of its own"]
fn child() {
    let Some(folder) = std::env::var_os("FP_FOLDER") else { return };
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let pause = Duration::from_millis(variable("FP_PAUSE").parse().unwrap_or(0));
    let limit = variable("FP_LIMIT").parse().unwrap_or(1 << 30);
    let settings = Settings { folder: Some(folder.into()), named: true, limit };
    let store = match Store::open(&settings) {
        Ok(store) => store,
        Err(error) => return println!("RESULT refused: {error}"),
    };
    for name in variable("FP_KEYS").split_whitespace() {
        let make = |folder: &Path| {
            println!("MADE {name}");
            make_slowly(folder, name, pause)
        };
        match store.load_or_make(&key(name), make, |entry| fs::read_to_string(entry.library())) {
            Ok(loaded) => {
                assert_eq!(loaded, library(name));
                println!("RESULT {name} not kept: {:?}", store.not_kept());
            }
            Err(MakeError::Make(error)) => println!("RESULT {name} maker: {error}"),
            Err(MakeError::Cache(error)) => println!("RESULT {name} cache: {error}"),
        }
    }
}

fn make_slowly(folder: &Path, name: &str, pause: Duration) -> io::Result<Made> {
    let text = library(name);
    let (first, second) = text.split_at(text.len() / 2);
    let mut file = fs::File::create(folder.join("library.so"))?;
    file.write_all(first.as_bytes())?;
    std::thread::sleep(pause);
    file.write_all(second.as_bytes())?;
    Ok(Made::library("library.so"))
}

fn command(folder: &Path, keys: &str, pause: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("FP_FOLDER", folder)
        .env("FP_KEYS", keys)
        .env("FP_PAUSE", pause.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(folder: &Path, keys: &str, pause: u64) -> Child {
    command(folder, keys, pause).spawn().unwrap()
}

fn output_of(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

#[test]
fn thirty_processes_make_each_of_five_things_once() {
    let place = Place::new();
    let orders = ["a b c d e", "e d c b a", "c a e b d"];
    let children: Vec<Child> =
        (0..30).map(|number| start(&place.root, orders[number % 3], 10)).collect();
    let outputs = children.into_iter().map(|child| output_of(&child.wait_with_output().unwrap()));
    let all: String = outputs.collect();
    assert_eq!(count(&all, "MADE "), 5, "{all}");
    assert_eq!(count(&all, "not kept: None"), 150);
    assert_eq!(place.left_in("entries"), 5);
    assert_eq!(place.left_in("making"), 0);
    assert_eq!(place.left_in("locks"), 0);
}

/// If locking fails, entries may be made twice, and are correct.
#[test]
fn without_locks_everything_is_right() {
    let place = Place::new();
    for name in ["a", "b"] {
        fs::create_dir_all(place.root.join("locks").join(key(name).to_string())).unwrap();
    }
    let children: Vec<Child> = (0..12).map(|_| start(&place.root, "a b", 10)).collect();
    let outputs = children.into_iter().map(|child| output_of(&child.wait_with_output().unwrap()));
    let all: String = outputs.collect();
    assert_eq!(count(&all, "not kept: None"), 24, "{all}");
    assert!(count(&all, "MADE ") > 2, "the test is of nothing: there were locks");
    assert_eq!((place.left_in("entries"), place.left_in("making")), (2, 0));
}

/// Each removes entries that the others are about to load.
#[test]
fn a_limit_that_is_far_too_low_keeps_nobody_from_loading() {
    let place = Place::new();
    let children: Vec<Child> = (0..10)
        .map(|number| {
            let keys = ["a b c d e f ", "f e d c b a "][number % 2].repeat(2);
            let mut command = command(&place.root, &keys, 0);
            command.env("FP_LIMIT", "1").spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = output_of(&child.wait_with_output().unwrap());
        assert!(!output.contains(" cache: ") && !output.contains(" maker: "), "{output}");
    }
    assert_eq!(place.left_in("making"), 0);
}

#[test]
fn a_maker_killed_at_any_moment_harms_nobody() {
    let place = Place::new();
    let keys = "a b c d e f g h";
    let mut killed = 0;
    // Spread over the whole of its life, from its start to its end, as long as that takes here.
    let begun = Instant::now();
    output_of(&start(Place::new().root.as_path(), keys, 4).wait_with_output().unwrap());
    let life = begun.elapsed();
    for moment in 0..40 {
        let mut child = start(&place.root, keys, 4);
        std::thread::sleep(life * moment / 40);
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().signal() == Some(9));
        // It left a complete entry or none.
        let store = place.store();
        for name in keys.split(' ') {
            if let Some(entry) = store.get(&key(name)) {
                assert_eq!(fs::read_to_string(entry.library()).unwrap(), library(name));
                if moment % 3 == 0 {
                    fs::remove_dir_all(entry.folder()).unwrap();
                }
            }
        }
    }
    assert!(killed > 10, "only {killed} were killed before their end");
    let begun = Instant::now();
    let rest = output_of(&start(&place.root, keys, 4).wait_with_output().unwrap());
    assert_eq!(count(&rest, "not kept: None"), 8, "{rest}");
    assert!(begun.elapsed() < Duration::from_secs(30), "a killed process holds no lock");
}

#[test]
fn a_waiting_process_takes_over_from_a_killed_one() {
    let place = Place::new();
    let mut first = start(&place.root, "a", 60_000);
    let begun = Instant::now();
    while place.left_in("making") == 0 && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = start(&place.root, "a", 0);
    std::thread::sleep(Duration::from_millis(300));
    first.kill().unwrap();
    first.wait().unwrap();
    let second = output_of(&second.wait_with_output().unwrap());
    assert_eq!(count(&second, "MADE a"), 1, "{second}");
    assert!(begun.elapsed() < Duration::from_secs(30));
}

/// A limit on the size of files stops writing in the middle, as a full disk does.
#[test]
fn partly_written_entries_are_absent() {
    let place = Place::new();
    let run = |limit: &str| {
        let mut shell = Command::new("sh");
        let program = command(&place.root, "a", 0);
        shell.args(["-c", &format!("{limit} exec \"$@\""), "sh"]).arg(program.get_program());
        shell.args(program.get_args());
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        output_of(&shell.output().unwrap())
    };
    // Blocks of 512 bytes; the signal would end the process.
    let limited = run("trap '' XFSZ; ulimit -f 30;");
    assert!(limited.contains("RESULT a maker: File too large"), "{limited}");
    assert_eq!(place.store().get(&key("a")), None);
    assert_eq!(place.left_in("making"), 0);
    let unlimited = run("");
    assert!(unlimited.contains("RESULT a not kept: None"), "{unlimited}");
}

/// A real one: as root, where a file system can be mounted.
#[test]
fn a_full_disk_says_so_and_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Some(_disk) = Disk::mount(folder.path(), "size=9m,mode=700") else { return };
    let root = folder.path().join("cache");
    // An entry takes 40 kB to 44 kB. Once 8 MB are left, new entries are deleted with the process;
    // stored ones stay.
    let keys: Vec<String> = (0..60).map(|number| number.to_string()).collect();
    let full = output_of(&command(&root, &keys.join(" "), 0).output().unwrap());
    assert!(full.contains("no storage space"), "{full}");
    assert_eq!(count(&full, "RESULT"), count(&full, "not kept: "), "{full}");
    let store =
        Store::open(&Settings { folder: Some(root.clone()), named: true, limit: 1 << 30 }).unwrap();
    let there: Vec<_> = keys.iter().filter(|name| store.get(&key(name)).is_some()).collect();
    assert!(there.len() > 5 && there.len() < 60, "{}", there.len());
    assert_eq!(fs::read_dir(root.join("making")).unwrap().count(), 0);
    store.clean(fishplate_cache::Clean { all: true, older_than: None }).unwrap();
    let emptied = output_of(&command(&root, "0 1", 0).output().unwrap());
    assert_eq!(count(&emptied, "not kept: None"), 2, "{emptied}");
}

#[test]
fn a_folder_that_cannot_be_written_is_read_and_no_more() {
    let place = Place::new();
    output_of(&start(&place.root, "a", 0).wait_with_output().unwrap());
    let folder = place.root.parent().unwrap();
    let Some(disk) = Disk::bind_read_only(folder) else { return };
    let output = output_of(&start(&place.root, "a b", 0).wait_with_output().unwrap());
    assert!(output.contains("RESULT a not kept: None"), "{output}");
    assert_eq!(count(&output, "MADE"), 1, "{output}");
    assert!(
        output.contains("RESULT b not kept: Some(") && output.contains("Read-only"),
        "{output}"
    );
    let missing = output_of(&start(&folder.join("none"), "c", 0).wait_with_output().unwrap());
    assert!(missing.contains("RESULT c not kept: Some("), "{missing}");
    drop(disk);
    assert_eq!(place.left_in("entries"), 1);
}

/// Needs root, who alone can change the owner of files.
#[test]
fn entries_of_other_users_are_never_loaded() {
    let place = Place::new();
    let store = place.store();
    let made = store.get_or_make(&key("a"), support::make("library")).unwrap();
    if chown(made.folder(), Some(NOBODY), None).is_err() {
        return eprintln!("SKIPPED: only root can give files away");
    }
    assert_eq!(store.get(&key("a")), None);
    let refused = store.get_or_make(&key("a"), support::make("ours")).unwrap_err();
    assert!(matches!(&refused, MakeError::Cache(CacheError::Untrusted { path, .. })
        if path == made.folder()));
    assert!(refused.to_string().contains("is owned by user 65534"), "{refused}");
    assert_eq!(fs::read_to_string(made.library()).unwrap(), "library", "not touched");
    let cleaned = store.clean(fishplate_cache::Clean { all: true, older_than: None }).unwrap();
    assert_eq!((cleaned.removed, cleaned.problems.len()), (0, 1));
    chown(made.folder(), Some(0), None).unwrap();
    assert!(store.get(&key("a")).is_some());
    for file in ["library.so", "meta.json"] {
        chown(made.folder().join(file), Some(NOBODY), None).unwrap();
        assert_eq!(store.get(&key("a")), None, "{file}");
        chown(made.folder().join(file), Some(0), None).unwrap();
    }
    // The whole folder, as root and as a third user.
    chown(&place.root, Some(NOBODY), None).unwrap();
    let output = output_of(&start(&place.root, "a", 0).wait_with_output().unwrap());
    assert!(output.contains("RESULT refused: ") && output.contains("user 65534"), "{output}");
}

#[test]
fn a_folder_in_a_place_open_to_all_is_refused_unless_sticky() {
    let place = Place::new();
    let inner = place.root.join("open");
    fs::create_dir_all(&inner).unwrap();
    place.set_mode("open", 0o777);
    let settings = Settings { folder: Some(inner.join("cache")), named: true, limit: 1 << 30 };
    fs::create_dir(inner.join("cache")).unwrap();
    let refused = Store::open(&settings).unwrap_err().to_string();
    assert!(refused.contains("above it can be written by others"), "{refused}");
    place.set_mode("open", 0o1777);
    Store::open(&settings).unwrap();
}

/// Other users cannot write files that are loaded, with any umask.
#[test]
fn a_careless_umask_opens_nothing() {
    let place = Place::new();
    let program = command(&place.root, "a", 0);
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(program.get_program());
    shell.args(program.get_args());
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    output_of(&shell.output().unwrap());
    assert!(place.store().get(&key("a")).is_some());
}

/// Another user's process, where tests may become one: it has a cache of its own, or none.
#[test]
fn another_user_gets_nothing_from_ours() {
    let place = Place::new();
    output_of(&start(&place.root, "a", 0).wait_with_output().unwrap());
    place.set_mode("", 0o755);
    let above = place.root.parent().unwrap();
    fs::set_permissions(above, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = std::env::current_exe().unwrap();
    let copy = above.join("program");
    fs::copy(program, &copy).unwrap();
    let mut theirs = Command::new(copy);
    theirs
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("FP_FOLDER", &place.root)
        .env("FP_KEYS", "a")
        .uid(NOBODY)
        .gid(NOBODY);
    let Ok(output) = theirs.output() else {
        return eprintln!("SKIPPED: only root can become another user");
    };
    let output = output_of(&output);
    assert!(
        output.contains("RESULT refused: ") && output.contains("is owned by user 0"),
        "{output}"
    );
}

/// A mounted file system; unmounted when dropped.
struct Disk<'a>(&'a Path);

impl<'a> Disk<'a> {
    fn mount(folder: &'a Path, options: &str) -> Option<Self> {
        let arguments = ["-t", "tmpfs", "-o", options, "tmpfs"];
        Self::run(Command::new("mount").args(arguments).arg(folder)).then_some(Self(folder))
    }

    fn bind_read_only(folder: &'a Path) -> Option<Self> {
        if !Self::run(Command::new("mount").arg("--bind").args([folder, folder])) {
            return None;
        }
        let disk = Self(folder);
        let remount = ["-o", "remount,bind,ro"];
        Self::run(Command::new("mount").args(remount).arg(folder)).then_some(disk)
    }

    fn run(command: &mut Command) -> bool {
        let mounted = command.output().is_ok_and(|output| output.status.success());
        if !mounted {
            eprintln!("SKIPPED: nothing can be mounted here");
        }
        mounted
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).output();
    }
}
