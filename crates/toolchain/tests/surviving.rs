//! Concurrent builds, and builds that are killed: real processes, each one this test program
//! itself, as [`child`].

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]
#![cfg(unix)]

mod support;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fishplate_toolchain::{Event, Request, Toolchain, Unit, build};
use support::{GENERATED, Project, answer, environment, settle};

/// A compiler that records each compilation in `$FP_LOG`; `$FP_MODE` makes it slow at a bad moment.
const WRAPPER: &str = r#"
case " $* " in *" -c "*) step=compile ;; *" -shared "*) step=link ;; esac
[ "$step" ] && echo "$step" >> "$FP_LOG"
if [ "$step" = link ] && [ "$FP_MODE" = half-link ]; then
    for word do
        [ "$last" = -o ] && printf 'half of a library' > "$word"
        last=$word
    done
fi
case "$FP_MODE-$step" in
    slow-compile-compile|half-link-link) : > "$FP_LOG.reached"; sleep 3 ;;
    late-compile) sleep 0.3 ;;
esac
exec gcc "$@"
"#;

fn request(root: &Path) -> Request {
    let mut request = Request::new("stats", root.join("out"), "stats.so");
    request.units =
        vec![Unit::source(root.join("part.c")), Unit::generated("stats_module.c", GENERATED)];
    request.headers = vec![Unit::generated("own.h", "#define OWN 2\n")];
    request.include_dirs = vec![root.into()];
    request
}

/// `$CC` for the wrapper: run by `sh`, since a file just written can be "busy" when executed.
fn wrapper(root: &Path) -> OsString {
    let script = root.join("wrapper.sh");
    if !script.exists() {
        fs::write(&script, WRAPPER).unwrap();
        settle();
    }
    format!("sh '{}'", script.display()).into()
}

/// Not a test: the code of the child processes.
#[test]
#[ignore = "run by the other tests, in processes of its own"]
fn child() {
    let Some(root) = std::env::var_os("FP_ROOT") else { return };
    let root = PathBuf::from(root);
    let toolchain = Toolchain::find_in(environment().with("CC", wrapper(&root)), None);
    let mut waited = false;
    let built = build(&request(&root), &toolchain, &mut |event| {
        waited |= matches!(event, Event::WaitingForLock { .. });
    });
    match built {
        Ok(built) => println!("RESULT fresh={} waited={waited}", built.fresh),
        Err(error) => panic!("{error}"),
    }
}

fn start(root: &Path, mode: &str) -> Child {
    wrapper(root);
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture"])
        .env("FP_ROOT", root)
        .env("FP_LOG", root.join("log"))
        .env("FP_MODE", mode)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn finish(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

fn count(root: &Path, step: &str) -> usize {
    let log = fs::read_to_string(root.join("log")).unwrap_or_default();
    log.lines().filter(|line| *line == step).count()
}

fn has_gcc() -> bool {
    let found = environment().which("gcc".as_ref()).is_some();
    if !found {
        eprintln!("SKIPPED: no gcc");
    }
    found
}

#[test]
fn eight_processes_compile_once() {
    if !has_gcc() {
        return;
    }
    let project = Project::new();
    let root = project.root();
    let children: Vec<Child> = (0..8).map(|_| start(&root, "late")).collect();
    let printed: Vec<String> = children.into_iter().map(finish).collect();
    assert_eq!(
        printed.iter().filter(|printed| printed.contains("fresh=true")).count(),
        1,
        "{printed:?}"
    );
    assert!(printed.iter().any(|printed| printed.contains("waited=true")), "{printed:?}");
    assert_eq!((count(&root, "compile"), count(&root, "link")), (2, 1));
    assert_eq!(answer(&project.library()), 42);
    assert!(project.unfinished().is_empty());
}

#[test]
fn threads_take_turns_too() {
    let project = Project::new();
    let fresh: usize = std::thread::scope(|scope| {
        let builds: Vec<_> = (0..8)
            .map(|_| {
                let request = &project.request;
                scope.spawn(move || {
                    build(request, &support::toolchain(), &mut |_| {}).unwrap().fresh
                })
            })
            .collect();
        builds.into_iter().map(|build| usize::from(build.join().unwrap())).sum()
    });
    assert_eq!(fresh, 1);
    assert_eq!(answer(&project.library()), 42);
}

/// Kills a build that has reached the point `mode`, and examines its files.
fn kill_at(mode: &str, project: &Project) {
    let root = project.root();
    let mut child = start(&root, mode);
    let reached = root.join("log.reached");
    let patience = Instant::now();
    while !reached.exists() {
        assert!(patience.elapsed() < Duration::from_secs(20), "{mode} was never reached");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::remove_file(&reached).unwrap();
}

#[test]
fn a_killed_build_harms_nothing() {
    if !has_gcc() {
        return;
    }
    for mode in ["slow-compile", "half-link"] {
        let project = Project::new();
        let root = project.root();
        // Killed before the library existed: it does not exist, not even in part.
        kill_at(mode, &project);
        assert!(!project.library().exists());
        // The next build neither waits nor is affected by the files.
        let printed = finish(start(&root, ""));
        assert!(printed.contains("fresh=true waited=false"), "{printed}");
        assert_eq!(answer(&project.library()), 42);
        assert!(project.unfinished().is_empty());

        // Killed after there was one: it is still complete.
        project.write("part.h", "#define PART 50\nint part(void);\n");
        kill_at(mode, &project);
        assert_eq!(answer(&project.library()), 42);
        finish(start(&root, ""));
        assert_eq!(answer(&project.library()), 52);
        assert!(finish(start(&root, "")).contains("fresh=false"));
        // The orphaned compilers of the killed builds end by now, and change nothing.
        std::thread::sleep(Duration::from_secs(4));
        assert_eq!(answer(&project.library()), 52);
        assert!(finish(start(&root, "")).contains("fresh=false"));
    }
}

#[test]
fn killed_at_any_moment() {
    if !has_gcc() {
        return;
    }
    let project = Project::new();
    let root = project.root();
    finish(start(&root, ""));
    let mut last = 42;
    for round in 0..20 {
        let part = 100 + round;
        project.write("part.h", &format!("#define PART {part}\nint part(void);\n"));
        let mut child = start(&root, "");
        std::thread::sleep(Duration::from_millis(u64::try_from(round).unwrap() * 9));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = answer(&project.library());
        assert!(now == last || now == part + 2, "{now} after {last} in round {round}");
        last = now;
        if round % 5 == 4 {
            finish(start(&root, ""));
            last = part + 2;
            assert_eq!(answer(&project.library()), last);
        }
    }
}

#[test]
fn a_mapped_library_is_not_written_over() {
    let project = Project::new();
    project.build().built();
    let old = fs::File::open(project.library()).unwrap();
    let before = old.metadata().unwrap();
    project.write("part.h", "#define PART 50\nint part(void);\n");
    project.build().built();
    let after = project.library().metadata().unwrap();
    assert_ne!(before.ino(), after.ino());
    assert_eq!(old.metadata().unwrap().len(), before.len());
}

#[test]
fn the_work_folder_may_go_while_we_wait() {
    if !has_gcc() {
        return;
    }
    let project = Project::new();
    let root = project.root();
    let first = start(&root, "slow-compile");
    while !root.join("log.reached").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = start(&root, "");
    std::thread::sleep(Duration::from_millis(300));
    fs::remove_dir_all(project.request.out.join(".fishplate")).unwrap();
    finish(second);
    assert_eq!(answer(&project.library()), 42);
    // The first has lost its files: it fails with a proper error, or has created a valid library.
    let _ = first.wait_with_output().unwrap();
    assert_eq!(answer(&project.library()), 42);
}
