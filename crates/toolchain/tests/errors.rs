//! Error messages of builds.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

mod support;

use std::path::PathBuf;

use fishplate_toolchain::{
    BuildError, CompilerMessage, Outcome, Severity, SourceLanguage, Toolchain, Unit,
};
use support::{Project, answer, environment, toolchain, with_cc};

fn compile_error(error: &BuildError) -> &[CompilerMessage] {
    match error {
        BuildError::Compile { messages, .. } => messages,
        other => panic!("{other}"),
    }
}

#[test]
fn a_compile_error_gives_file_line_and_text_with_each_compiler() {
    for compiler in ["gcc", "clang"] {
        if toolchain().environment().which(compiler.as_ref()).is_none() {
            eprintln!("SKIPPED: no {compiler}");
            continue;
        }
        let toolchain = with_cc(compiler);
        let project = Project::new();
        project.build_with(&toolchain).built();
        project.write("part.c", "#include \"part.h\"\nint part(void) {\n  return whatever;\n}\n");
        let outcome = project.build_with(&toolchain);
        let messages = compile_error(outcome.error());
        let first = &messages[0];
        assert_eq!(first.file, project.root().join("part.c"));
        assert_eq!((first.line, first.column, first.severity), (3, Some(10), Severity::Error));
        assert!(first.text.contains("whatever"), "{}", first.text);
        let text = outcome.error().to_string();
        assert!(text.contains("could not compile") && text.contains("part.c:3:10: error: "));
        // The old library still exists.
        assert_eq!(answer(&project.library()), 42);
        assert!(project.unfinished().is_empty());
    }
}

#[test]
fn all_units_report_errors_and_good_units_are_kept() {
    let mut project = Project::new();
    let root = project.root();
    project.write("bad.h", "static int bad(void) { return nothing; }\n");
    for name in ["one.c", "two.c"] {
        project.write(name, "#include \"bad.h\"\nint f(void) { return missing; }\n");
        project.request.units.push(Unit::source(root.join(name)));
    }
    let outcome = project.build();
    let BuildError::Compile { messages, failures } = outcome.error() else {
        panic!("{}", outcome.error())
    };
    let files: Vec<PathBuf> = failures.iter().map(|failure| failure.unit.clone()).collect();
    assert_eq!(files, [root.join("one.c"), root.join("two.c")]);
    assert!(failures.iter().all(|f| f.raw.contains("bad.h:1") && f.command.contains(" -c ")));
    // The header's error appears once, though two units include it.
    let in_header =
        |m: &&CompilerMessage| m.severity == Severity::Error && m.file.ends_with("bad.h");
    assert_eq!(messages.iter().filter(in_header).count(), 1, "{messages:?}");
    assert!(messages.iter().any(|m| m.file.ends_with("one.c")));
    assert!(messages.iter().any(|m| m.file.ends_with("two.c")));

    project.request.units.truncate(2);
    assert!(project.build().compiled().is_empty());
    assert_eq!(answer(&project.library()), 42);
}

#[test]
fn compilers_that_write_nothing_are_reported() {
    let project = Project::new();
    let outcome = project.build_with(&with_cc("/bin/true"));
    let BuildError::NoOutput { program, .. } = outcome.error() else {
        panic!("{}", outcome.error())
    };
    assert_eq!(program, &PathBuf::from("/bin/true"));
}

#[test]
fn a_fortran_error_has_a_position_too() {
    let toolchain = toolchain();
    if toolchain.compiler(SourceLanguage::Fortran).is_err() {
        eprintln!("SKIPPED: no Fortran compiler");
        return;
    }
    let mut project = Project::new();
    project.write("f.f90", "subroutine f\n  implicit none\n  x = 1\nend subroutine\n");
    project.request.units = vec![Unit::source(project.root().join("f.f90"))];
    let outcome = project.build_with(&toolchain);
    let messages = compile_error(outcome.error());
    assert_eq!((messages[0].line, messages[0].severity), (3, Severity::Error));
    assert!(messages[0].file.ends_with("f.f90"));
}

#[test]
fn link_errors_name_missing_symbols() {
    let mut project = Project::new();
    project.request.libraries = vec!["no_such_library".into()];
    let outcome = project.build();
    let BuildError::Link { raw, command, .. } = outcome.error() else {
        panic!("{}", outcome.error())
    };
    assert!(raw.contains("no_such_library") && command.contains("-lno_such_library"));

    project.request.libraries.clear();
    project.request.link_flags = vec!["-Wl,-z,defs".into()];
    project.write("part.c", "int gone(void);\nint part(void) { return gone(); }\n");
    let outcome = project.build();
    let BuildError::Link { undefined, .. } = outcome.error() else { panic!("{}", outcome.error()) };
    assert_eq!(undefined, &["gone"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_symbol_that_nothing_defines_is_found_before_loading() {
    let mut project = Project::new();
    project.write(
        "part.c",
        "int gone(void), HostCall(void);\nint part(void) { return gone() + HostCall(); }\n",
    );
    // Not checked by default: the library is created, and fails when it is loaded.
    project.build().built();
    project.request.undefined_ok = Some(vec!["Host".into()]);
    let outcome = project.build();
    let BuildError::Link { undefined, raw, .. } = outcome.error() else {
        panic!("{}", outcome.error())
    };
    assert_eq!(undefined, &["gone"]);
    assert!(raw.contains("gone") && !raw.contains("HostCall"), "{raw}");
    assert!(outcome.error().to_string().contains("nothing defines gone"), "{}", outcome.error());
    project.write("part.c", "int HostCall(void);\nint part(void) { return HostCall(); }\n");
    project.build().built();
    assert!(!project.build().built().fresh);
}

#[test]
fn no_compiler_gives_advice() {
    let project = Project::new();
    let empty = tempfile::tempdir().unwrap();
    let toolchain =
        Toolchain::find_in(environment().with("PATH", empty.path()), Some(support::ziglang(None)));
    let outcome = project.build_with(&toolchain);
    let BuildError::NoCompiler { language, looked, advice, .. } = outcome.error() else {
        panic!("{}", outcome.error())
    };
    assert_eq!(*language, SourceLanguage::C);
    assert!(looked.iter().all(|looked| looked.outcome == Outcome::Absent));
    assert!(advice.iter().any(|line| line.contains("apt install gcc")));
    let text = outcome.error().to_string();
    for part in ["no C compiler", "$CC: not set", "clang on PATH", "xcode-select", "ziglang"] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
    // The number of places in the search depends on the Python in use.
    for language in [SourceLanguage::C, SourceLanguage::Cxx, SourceLanguage::Fortran] {
        assert!(toolchain.survey().iter().any(|looked| looked.language == language));
    }
}

#[test]
fn a_compiler_that_was_chosen_and_is_not_there_is_not_replaced() {
    let project = Project::new();
    let outcome = project.build_with(&with_cc("no-such-cc -m64"));
    let text = outcome.error().to_string();
    assert!(text.starts_with("$CC names no usable C compiler: `no-such-cc -m64`"), "{text}");
    let outcome = project.build_with(&with_cc("false"));
    let text = outcome.error().to_string();
    assert!(text.contains("does not work"), "{text}");
}

#[test]
fn the_survey_lists_compilers() {
    let survey = toolchain().survey();
    let found = survey.iter().find_map(|looked| match &looked.outcome {
        Outcome::Found { path, version } => Some((path, version)),
        _ => None,
    });
    let (path, version) = found.expect("the tests need a C compiler");
    assert!(path.is_absolute() && !version.is_empty());
}

#[test]
fn paths_that_cannot_be_written_or_read_are_named() {
    let mut project = Project::new();
    let file = project.root().join("part.c");
    project.request.out = file.join("out");
    let outcome = project.build();
    let BuildError::Io { doing, path, .. } = outcome.error() else { panic!("{}", outcome.error()) };
    assert_eq!(doing, "create the folder");
    assert!(path.starts_with(&file));

    let mut project = Project::new();
    project.request.units[0] = Unit::source(project.root().join("nowhere.c"));
    let text = project.build().error().to_string();
    assert!(text.contains("could not read the source") && text.contains("nowhere.c"), "{text}");
}

#[test]
fn requests_that_contradict_themselves() {
    let refused = |change: &dyn Fn(&mut Project), part: &str| {
        let mut project = Project::new();
        change(&mut project);
        let outcome = project.build();
        let text = outcome.error().to_string();
        assert!(matches!(outcome.error(), BuildError::Request { .. }), "{text}");
        assert!(text.contains(part), "{part} is not in: {text}");
    };
    refused(&|p| p.request.file_name = "../x.so".into(), "file name");
    refused(&|p| p.request.name = "..".into(), "name");
    refused(&|p| p.request.name = String::new(), "name");
    refused(&|p| p.request.extra_files = vec![("a/b".into(), String::new())], "extra file");
    refused(&|p| p.request.extra_files = vec![("stats.so".into(), String::new())], "stats.so");
    refused(&|p| p.request.units.clear(), "nothing to compile");
    refused(&|p| p.request.units.push(Unit::source("x.rs")), "x.rs");
    refused(&|p| p.request.units.push(Unit::generated("own.h", "")), "own.h");
    refused(&|p| p.request.headers.push(Unit::generated("own.h", "")), "twice");
    refused(&|p| p.request.headers.push(Unit::source("x.h")), "include_dirs");
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_written_is_enough_if_nothing_changed() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    fn set_writable(path: &std::path::Path, writable: bool) {
        let folder = path.is_dir();
        let mode = if folder { 0o555 } else { 0o444 } | if writable { 0o200 } else { 0 };
        if writable {
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
        if folder {
            for entry in fs::read_dir(path).unwrap() {
                set_writable(&entry.unwrap().path(), writable);
            }
        }
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    let mut project = Project::new();
    project.build().built();
    let out = project.request.out.clone();
    set_writable(&out, false);
    if fs::write(out.join("probe"), "").is_ok() {
        eprintln!("SKIPPED: root may write everywhere");
        return;
    }
    let same = project.build();
    project.request.cflags = vec!["-O1".into()];
    let changed = project.build();
    set_writable(&out, true);
    assert!(!same.built().fresh);
    let error = changed.error();
    assert!(matches!(error, BuildError::Io { .. }), "{error}");
    assert!(error.to_string().contains("output folder that can be written"), "{error}");
}

/// `mount -t tmpfs -o size=96k tmpfs DIR; FP_SMALL_DISK=DIR cargo test … -- --ignored`
#[test]
#[ignore = "needs a small file system in $FP_SMALL_DISK"]
fn a_full_disk_says_so_and_harms_nothing() {
    let Some(disk) = std::env::var_os("FP_SMALL_DISK").map(PathBuf::from) else { return };
    let mut project = Project::new();
    project.request.out = disk.join("out");
    project.build().built();
    // The remaining space is too small for the output, at each step in turn.
    let filler = disk.join("filler");
    for left in [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20] {
        let mut size = 0;
        while std::fs::write(&filler, vec![1; size + 1024]).is_ok() {
            size += 1024;
        }
        std::fs::write(&filler, vec![1; size.saturating_sub(left * 1024)]).unwrap();
        project.write("part.h", &format!("#define PART 1{left}\nint part(void);\n"));
        project.request.headers[0].contents = Some(format!("#define OWN {left}\n"));
        match &project.build().result {
            Ok(_) => println!("{left} KiB: built"),
            Err(error) => {
                println!("{left} KiB: {error}");
                assert!(matches!(error, BuildError::Io { .. }), "{error}");
                assert!(error.to_string().contains("free some space"), "{error}");
            }
        }
        // The old one or the new one, and loadable.
        answer(&project.library());
        std::fs::remove_file(&filler).unwrap();
        project.build().built();
    }
}
