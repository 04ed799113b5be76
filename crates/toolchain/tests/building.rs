//! The results of builds, and their reuse by later builds.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use std::fs;
use std::process::Command;

use fishplate_toolchain::{Severity, SourceLanguage, Unit};
use support::{Project, answer, settle, toolchain, with_cc};

#[test]
fn two_units_and_a_header_make_a_library_that_loads() {
    let mut project = Project::new();
    project.request.extra_files = vec![("stats.pyi".into(), "def answer() -> int: ...\n".into())];
    let outcome = project.build();
    assert!(outcome.built().fresh);
    assert_eq!(outcome.built().path, project.library());
    assert_eq!(outcome.compiled(), ["part.c", "stats_module.c"]);
    assert_eq!(answer(&project.library()), 42);
    let stub = fs::read_to_string(project.request.out.join("stats.pyi")).unwrap();
    assert_eq!(stub, "def answer() -> int: ...\n");
    assert!(project.unfinished().is_empty());
    assert!(project.request.out.join(".fishplate/.gitignore").is_file());

    let again = project.build();
    assert!(!again.built().fresh);
    assert!(again.up_to_date() && again.compiled().is_empty() && !again.linked());
}

#[test]
fn commands_can_be_pasted_into_a_shell() {
    let project = Project::inside("it's $HOME; \"x\"\\ *");
    let outcome = project.build();
    let objects: Vec<_> = fs::read_dir(project.request.out.join(".fishplate/stats/obj"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(objects.len(), 2);
    for file in objects.iter().chain([&outcome.built().path]) {
        fs::remove_file(file).unwrap();
    }
    let commands = outcome.commands();
    assert_eq!(commands.len(), 3);
    for command in &commands {
        let status = Command::new("sh").args(["-c", command]).status().unwrap();
        assert!(status.success(), "{command}");
    }
    assert!(objects.iter().all(|object| object.is_file()));
    assert_eq!(answer(&project.library()), 42);
    assert!(project.build().commands().is_empty());
}

#[test]
fn only_changed_units_are_compiled() {
    let mut project = Project::new();
    project.build().built();

    project.write("part.h", "#define PART 50\nint part(void);\n");
    let both_include_it = project.build();
    assert_eq!(both_include_it.compiled(), ["part.c", "stats_module.c"]);
    assert_eq!(answer(&project.library()), 52);

    project.request.headers[0].contents = Some("#define OWN 3\n".into());
    assert_eq!(project.build().compiled(), ["stats_module.c"]);
    assert_eq!(answer(&project.library()), 53);

    project.write("part.c", "#include \"part.h\"\nint part(void) { return PART + 7; }\n");
    assert_eq!(project.build().compiled(), ["part.c"]);
    assert_eq!(answer(&project.library()), 60);

    // A changed comment gives the same object, and the library is unchanged.
    project.write("part.c", "#include \"part.h\"\nint part(void) { return PART + 7; } /* 7 */\n");
    let comment = project.build();
    assert_eq!(comment.compiled(), ["part.c"]);
    assert!(comment.built().fresh && !comment.linked());

    project.request.cflags = vec!["-O1".into()];
    assert_eq!(project.build().compiled(), ["part.c", "stats_module.c"]);

    project.request.generated.flags = vec!["-DUNUSED".into()];
    assert_eq!(project.build().compiled(), ["stats_module.c"]);

    project.request.link_flags = vec!["-lm".into()];
    let link_only = project.build();
    assert!(link_only.compiled().is_empty() && link_only.linked());

    project.request.identity = vec!["Python 3.12".into()];
    assert_eq!(project.build().compiled(), ["part.c", "stats_module.c"]);
    assert!(!project.build().built().fresh);
}

#[test]
fn a_header_that_would_be_found_now_is_a_change() {
    let mut project = Project::new();
    let root = project.root();
    for folder in ["first", "second/sub", "sources"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    project.request.include_dirs.extend([root.join("first"), root.join("second")]);
    project.request.units[0] = Unit::source(root.join("sources/part.c"));
    let unit = "#include <part.h>\n#include \"sub/more.h\"\n#include <stddef.h>\n\
                #if __has_include(\"option.h\")\n#define OPTION 100\n#else\n#define OPTION 0\n#endif\n\
                int part(void) { return PART + MORE + OPTION; }\n";
    project.write("sources/part.c", unit);
    project.write("second/sub/more.h", "#define MORE 1\n");
    let check = |project: &Project, expected: i32, compiled: &[&str]| {
        assert_eq!(project.build().compiled(), compiled);
        assert_eq!(answer(&project.library()), expected);
        assert!(project.build().up_to_date());
    };
    check(&project, 43, &["part.c", "stats_module.c"]);
    // Earlier among the folders; then next to the file that includes it.
    fs::create_dir(root.join("first/sub")).unwrap();
    project.write("first/sub/more.h", "#define MORE 2\n");
    check(&project, 44, &["part.c"]);
    fs::create_dir(root.join("sources/sub")).unwrap();
    project.write("sources/sub/more.h", "#define MORE 3\n");
    check(&project, 45, &["part.c"]);
    // A file that is not included, but named by `__has_include`.
    project.write("second/option.h", "");
    check(&project, 145, &["part.c"]);
    fs::remove_file(root.join("second/option.h")).unwrap();
    check(&project, 45, &["part.c"]);
    // The same through a macro of another file.
    let unit = unit.replace("\"option.h\"", "OPTIONAL");
    project.write("sources/part.c", &unit);
    project.write("second/sub/more.h", "#define MORE 1\n#define OPTIONAL <option.h>\n");
    fs::remove_file(root.join("sources/sub/more.h")).unwrap();
    fs::remove_file(root.join("first/sub/more.h")).unwrap();
    check(&project, 43, &["part.c"]);
    project.write("first/option.h", "");
    check(&project, 143, &["part.c"]);
    // A file that is not looked up is not a change.
    project.write("second/other.h", "");
    assert!(project.build().up_to_date());
}

#[test]
fn an_edit_within_the_same_second_is_seen() {
    let project = Project::new();
    project.build().built();
    for part in 10..15 {
        // Same length, and no waiting for the clock.
        let text = format!("#define PART {part}\nint part(void);\n");
        fs::write(project.root().join("part.h"), text).unwrap();
        project.build().built();
        assert_eq!(answer(&project.library()), part + 2);
    }
}

#[test]
fn a_touched_file_with_the_same_contents_is_no_change() {
    let project = Project::new();
    project.build().built();
    project.write("part.h", "#define PART 40\nint part(void);\n");
    assert!(!project.build().built().fresh);
}

#[test]
fn a_deleted_or_damaged_library_is_linked_again() {
    let project = Project::new();
    project.build().built();
    let library = project.library();

    fs::remove_file(&library).unwrap();
    let deleted = project.build();
    assert!(deleted.built().fresh && deleted.linked() && deleted.compiled().is_empty());

    let length = fs::metadata(&library).unwrap().len();
    fs::File::options().write(true).open(&library).unwrap().set_len(length / 2).unwrap();
    let truncated = project.build();
    assert!(truncated.linked() && truncated.compiled().is_empty());
    assert_eq!(answer(&library), 42);

    // The same length, and invalid.
    fs::write(&library, vec![0; usize::try_from(length).unwrap()]).unwrap();
    assert!(project.build().linked());
    assert_eq!(answer(&library), 42);
}

#[test]
fn damaged_objects_and_manifests_cost_a_compilation() {
    let project = Project::new();
    project.build().built();
    let work = project.request.out.join(".fishplate/stats");
    for entry in fs::read_dir(work.join("obj")).unwrap() {
        fs::write(entry.unwrap().path(), "not an object").unwrap();
    }
    assert_eq!(project.build().compiled().len(), 2);
    for text in ["", "{", "{\"format\": 99}"] {
        fs::write(work.join("manifest.json"), text).unwrap();
        assert_eq!(project.build().compiled().len(), 2, "after {text:?}");
        assert_eq!(answer(&project.library()), 42);
    }
    fs::remove_dir_all(project.request.out.join(".fishplate")).unwrap();
    assert_eq!(project.build().compiled().len(), 2);
}

#[test]
fn extra_files_are_kept_as_they_should_be() {
    let mut project = Project::new();
    project.request.extra_files = vec![("stats.pyi".into(), "old\n".into())];
    project.build().built();
    project.request.extra_files[0].1 = "new\n".into();
    let outcome = project.build();
    assert!(outcome.built().fresh && outcome.compiled().is_empty() && !outcome.linked());
    let stub = project.request.out.join("stats.pyi");
    assert_eq!(fs::read_to_string(&stub).unwrap(), "new\n");
    fs::remove_file(&stub).unwrap();
    assert!(project.build().built().fresh);
    assert!(stub.is_file());
}

#[test]
fn unused_outputs_are_removed() {
    let mut project = Project::new();
    project.request.headers.push(Unit::generated("old.h", "#define OLD\n"));
    project.build().built();
    let sources = project.request.out.join(".fishplate/stats/src");
    assert!(sources.join("old.h").is_file());
    project.request.headers.pop();
    project.request.cflags = vec!["-DX".into()];
    project.build().built();
    assert!(!sources.join("old.h").exists());
    let objects = fs::read_dir(project.request.out.join(".fishplate/stats/obj")).unwrap();
    assert_eq!(objects.count(), 2);
}

#[test]
fn another_compiler_compiles_everything_again() {
    let toolchain = toolchain();
    let gcc = toolchain.environment().which("gcc".as_ref());
    let clang = toolchain.environment().which("clang".as_ref());
    let (Some(gcc), Some(clang)) = (gcc, clang) else {
        eprintln!("SKIPPED: needs both gcc and clang");
        return;
    };
    let project = Project::new();
    project.build_with(&with_cc(&gcc)).built();
    let other = project.build_with(&with_cc(&clang));
    assert_eq!(other.compiled().len(), 2);
    assert_eq!(answer(&project.library()), 42);
    assert!(!project.build_with(&with_cc(&clang)).built().fresh);
    // A different argument makes a different compiler.
    let mut with_argument = gcc.into_os_string();
    with_argument.push(" -DARGUMENT");
    assert_eq!(project.build_with(&with_cc(&with_argument)).compiled().len(), 2);
}

#[test]
fn warnings_are_repeated() {
    let mut project = Project::new();
    project.request.cflags = vec!["-Wall".into()];
    project.write("part.c", "#include \"part.h\"\nint part(void) { int unused; return PART; }\n");
    for _ in 0..2 {
        let outcome = project.build();
        let [warning] = outcome.built().warnings.as_slice() else {
            panic!("{:?}", outcome.built().warnings)
        };
        assert_eq!(warning.severity, Severity::Warning);
        assert_eq!((warning.file.clone(), warning.line), (project.root().join("part.c"), 2));
        assert!(warning.text.contains("unused"), "{}", warning.text);
    }
}

#[test]
fn a_users_flags_win_and_generated_flags_stay_with_generated_units() {
    let mut project = Project::new();
    project.request.generated.flags = vec!["-DPLACE=1".into()];
    project.request.cflags = vec!["-DPLACE=2".into(), "-Wno-all".into()];
    project.write("part.c", "#include \"part.h\"\nint part(void) { return PART + PLACE; }\n");
    project.build().built();
    assert_eq!(answer(&project.library()), 44);
    // The user's function is visible from outside, as without Fishplate.
    project.request.cflags.clear();
    let outcome = project.build();
    assert!(outcome.error().to_string().contains("PLACE"), "{}", outcome.error());
}

#[test]
fn names_that_are_hard_to_pass_on() {
    let mut project = Project::inside("it's a \"dépôt\" of $HOME, #1: (x) & y\\ z");
    project.request.extra_files = vec![("é è.pyi".into(), "text\n".into())];
    project.build().built();
    assert_eq!(answer(&project.library()), 42);
    assert!(!project.build().built().fresh);
    project.write("part.h", "#define PART 41\nint part(void);\n");
    assert_eq!(project.build().compiled().len(), 2);
    assert_eq!(answer(&project.library()), 43);
}

#[test]
fn libraries_are_found_and_watched() {
    let project = Project::new();
    let lib = project.root().join("my libs, here");
    let mut helper = fishplate_toolchain::Request::new("helper", &lib, "libhelper.so");
    helper.units = vec![Unit::source(project.root().join("helper.c"))];
    // The build's own flag hides other symbols; the user's flags come last.
    helper.cflags = vec!["-fvisibility=default".into()];
    let build_helper = |value: i32| {
        project.write("helper.c", &format!("int helper(void) {{ return {value}; }}\n"));
        fishplate_toolchain::build(&helper, &toolchain(), &mut |_| {}).unwrap();
        settle();
    };
    build_helper(1);

    let mut user = fishplate_toolchain::Request::new("user", project.root().join("out"), "user.so");
    user.units = vec![Unit::generated(
        "user.c",
        "int helper(void);\n__attribute__((visibility(\"default\"))) int answer(void) \
         { return helper(); }\n",
    )];
    user.libraries = vec!["helper".into()];
    user.library_dirs = vec![lib.clone()];
    let built = fishplate_toolchain::build(&user, &toolchain(), &mut |_| {}).unwrap();
    // Found when loading too, by the run path.
    assert_eq!(answer(&built.path), 1);
    assert!(!fishplate_toolchain::build(&user, &toolchain(), &mut |_| {}).unwrap().fresh);
    build_helper(2);
    assert!(fishplate_toolchain::build(&user, &toolchain(), &mut |_| {}).unwrap().fresh);
    assert_eq!(answer(&built.path), 2);

    user.libraries = vec![lib.join("libhelper.so").to_str().unwrap().into()];
    assert!(fishplate_toolchain::build(&user, &toolchain(), &mut |_| {}).unwrap().fresh);
    assert_eq!(answer(&built.path), 2);
}

#[test]
fn cxx_and_fortran_units() {
    let toolchain = toolchain();
    for language in [SourceLanguage::Cxx, SourceLanguage::Fortran] {
        if toolchain.compiler(language).is_err() {
            eprintln!("SKIPPED: no {} compiler", language.name());
            return;
        }
    }
    let mut project = Project::new();
    let root = project.root();
    project.write(
        "cxx.cpp",
        "#include <stdexcept>\n#include <string>\nextern \"C\" int part() {\n  auto s = \
         std::string(1000, 'x');\n  try { throw std::runtime_error(s); }\n  catch \
         (std::exception const&) { return 30; }\n}\n",
    );
    project.write("kinds.inc", "integer, parameter :: ten = 10\n");
    project.write("a.f90", "module kinds\n  implicit none\n  include 'kinds.inc'\nend module\n");
    project.write(
        "b.f90",
        "function ften() bind(c) result(r)\n  use iso_c_binding\n  use kinds, only: ten\n  \
         integer(c_int) :: r\n  character(8) :: s\n  write (s, '(i0)') ten\n  read (s, *) r\nend \
         function\n",
    );
    project.request.cflags = vec!["-std=c++17".into()];
    let own = "__attribute__((visibility(\"default\")))";
    project.request.units = vec![
        Unit::source(root.join("cxx.cpp")),
        Unit::source(root.join("a.f90")),
        Unit::source(root.join("b.f90")),
        Unit::generated(
            "m.c",
            format!(
                "int part(void), ften(void);\n{own} int answer(void) {{ return part() + ften(); }}\n"
            ),
        ),
    ];
    project.build_with(&toolchain).built();
    assert_eq!(answer(&project.library()), 40);
    assert!(!project.build_with(&toolchain).built().fresh);
    // Modules of one unit are used by the next: they are compiled together.
    project.write("kinds.inc", "integer, parameter :: ten = 11\n");
    assert_eq!(project.build_with(&toolchain).compiled(), ["a.f90", "b.f90"]);
    assert_eq!(answer(&project.library()), 41);
    // Without C++, gfortran links.
    project.request.units[0] = Unit::generated("part.c", "int part(void) { return 1; }\n");
    project.build_with(&toolchain).built();
    assert_eq!(answer(&project.library()), 12);
}

#[test]
fn work_files_may_be_elsewhere() {
    let mut project = Project::new();
    // Another file system, on most machines with Linux.
    let shared = std::path::Path::new("/dev/shm");
    let root = if shared.is_dir() { shared.to_owned() } else { std::env::temp_dir() };
    let work = tempfile::tempdir_in(root).unwrap();
    project.request.work = Some(work.path().join("work"));
    project.build().built();
    assert_eq!(answer(&project.library()), 42);
    let files = fs::read_dir(&project.request.out).unwrap().count();
    assert_eq!(files, 1 + project.request.extra_files.len());
    assert!(project.build().up_to_date());
    assert!(work.path().join("work/manifest.json").is_file());
}
