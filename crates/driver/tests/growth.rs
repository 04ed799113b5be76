//! Large interfaces: the time of reading and checking is linear in the size.
//!
//! Purpose: find quadratic searches, by inputs that are far larger than any that a person writes.
//! Invariant: the limit is many times the usual time, and a fraction of that of a quadratic search.
//! Reason: times vary with the machine; a factor of a hundred does not.

use fishplate_driver::check_file;
use fishplate_host_python::Python;
use fishplate_model::Code;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Each takes 0.1 to 1 s without optimization; with a quadratic search, minutes.
const LIMIT: Duration = Duration::from_secs(45);

/// The number of diagnostics of a module with these tables.
fn check(name: &str, tables: &str) -> usize {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    let head = format!("[module]\nname = \"{name}\"\nheaders = [\"{name}.h\"]\n");
    fs::write(&path, head + tables).expect("a file");
    let start = Instant::now();
    let found = check_file(&path, &Python).diagnostics;
    assert!(start.elapsed() < LIMIT, "{name} took {:?}", start.elapsed());
    found.len()
}

fn prototype(arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    format!("[function.f]\nproto = \"void f({})\"\n", arguments.join(", "))
}

#[test]
fn arguments_are_found_by_name() {
    let numbers = (0..20_000).map(|index| format!("int a{index}"));
    assert_eq!(check("growth_numbers", &prototype(numbers)), 0);
    let arrays =
        (0..10_000).map(|index| format!("size_t n{index}, const double a{index}[n{index}]"));
    assert_eq!(check("growth_arrays", &prototype(arrays)), 0);
    let chain = (0..20_000).map(|index| match index {
        0 => "int a0".to_owned(),
        _ => format!("hidden int a{index} = a{}", index - 1),
    });
    assert_eq!(check("growth_chain", &prototype(chain)), 0);
}

#[test]
fn repeated_qualifiers_are_noted_once() {
    let consts = "const ".repeat(100_000);
    assert_eq!(
        check("growth_consts", &format!("[function.f]\nproto = \"void f({consts}int x)\"\n")),
        0
    );
}

#[test]
fn every_error_is_reported() {
    let wrong = (0..5_000).map(|index| format!("foo a{index}"));
    assert_eq!(check("growth_wrong_arguments", &prototype(wrong)), 5_000);
    let unknown = (0..2_000).map(|index| format!("const double a{index}[m{index}]"));
    assert_eq!(check("growth_unknown_names", &prototype(unknown)), 2_000);
    let mut functions = String::new();
    for index in 0..2_000 {
        let _ = write!(functions, "[function.f{index}]\nproto = \"void f{index}(foo x)\"\n");
    }
    assert_eq!(check("growth_wrong_functions", &functions), 2_000);
}

#[test]
fn functions_of_a_header_are_found_by_place() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut text = "#include \"fishplate.h\"\n".to_owned();
    for index in 0..10_000 {
        let _ = writeln!(
            text,
            "int f{index}(const double *x FP_SHAPE(m), const double *y FP_SHAPE(n), int n);"
        );
    }
    let path = folder.join("growth_annotated.h");
    fs::write(&path, text).expect("a file");
    let start = Instant::now();
    assert_eq!(check_file(&path, &Python).diagnostics.len(), 10_000);
    assert!(start.elapsed() < LIMIT, "annotated functions took {:?}", start.elapsed());
}

#[test]
fn callbacks_nest_to_a_limit() {
    let nested = |depth: usize| {
        (0..depth).fold("int x".to_owned(), |inner, level| format!("void (*f{level})({inner})"))
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth_nested.toml");
    for (depth, is_refused) in [(16, false), (17, true), (400, true), (10_000, true)] {
        check("growth_nested", &prototype(std::iter::once(nested(depth))));
        let found = check_file(&path, &Python).diagnostics;
        let is_too_deep = |message: &str| message.contains("more than 16 levels deep");
        let refused =
            found.iter().any(|one| one.code == Code::PROTO_SYNTAX && is_too_deep(&one.message));
        assert_eq!(refused, is_refused, "{depth}: {found:#?}");
    }
}
