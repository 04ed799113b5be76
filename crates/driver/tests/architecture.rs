//! Data flows in one direction: the allowed dependencies of each crate, and a test of them.
//!
//! Purpose: find a dependency that violates the architecture, however it is written: in a manifest,
//! as a file of another crate, or through a third crate that re-exports it.
//! Invariant: every crate has a row; the rows are those of the table in docs/architecture.md.
//! Reason: a dependency is easily added, and hard to remove.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Each crate with the crates of Fishplate that it may depend on.
const EDGES: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("testing", &[]),
    ("readers", &["model"]),
    ("init", &["model", "readers"]),
    ("check", &["model"]),
    ("plan", &["check", "model"]),
    ("emit", &["plan", "model", "toolchain"]),
    ("graph", &["plan", "model"]),
    ("graph-c", &["emit", "graph", "plan", "model"]),
    ("hosts/python-linker", &["emit", "model"]),
    ("hosts/lua", &["emit", "plan", "model", "toolchain"]),
    ("hosts/python", &["emit", "plan", "model", "toolchain"]),
    ("toolchain", &[]),
    ("cache", &[]),
    ("lua", &[]),
    (
        "driver",
        &[
            "cache",
            "check",
            "emit",
            "graph",
            "graph-c",
            "host-lua",
            "host-python",
            "init",
            "model",
            "plan",
            "python-linker",
            "readers",
            "toolchain",
        ],
    ),
    ("cli", &["cache", "driver", "lua", "model"]),
    (
        "bindings/python",
        &["cli", "driver", "graph", "graph-c", "host-python", "model", "python-linker"],
    ),
];

/// Files outside of a crate, and outside of those that it depends on, that its sources include: a crate, and the
/// beginning of their paths.
const FILES: &[(&str, &str)] = &[
    // Lua's own C is in its binding, where it is built without Rust too; the command includes it.
    ("hosts/lua", "bindings/lua/"),
    ("lua", "bindings/lua/"),
    // One copy of each header for handwritten C, which the package for Python installs.
    ("driver", "bindings/python/fishplate/include/fishplate/interrupt.h"),
    // The document on the web is also the one that the command prints.
    ("driver", "docs/diagnostics.md"),
];

/// Sources that may name a target language, in crates that are independent of languages: the
/// allowed words, and the reason.
const LANGUAGES: &[(&str, &[&str])] = &[
    // Keys of the interface language, whose values are Python's; a format that is that of Python's `configparser`;
    // the keyword `python module`.
    (
        "readers",
        &[
            "f2py/file.rs",
            "f2py/tests.rs",
            "interface/schema.rs",
            "interface/schema/function.rs",
            "interface/schema/module.rs",
            "interface/schema/status.rs",
            "kernels/document.rs",
            "kernels/settings.rs",
            "header/doxygen.rs",
        ],
    ),
    ("toolchain", &[]),
    // The registry; the crate of linked functions; a file's path, endings of files, and a comment.
    ("driver", &["hosts.rs", "protocols.rs", "build_request.rs", "front_end.rs", "lib.rs"]),
    // Subcommands and examples in help.
    ("cli", &["build.rs", "hosts.rs", "init.rs", "lib.rs", "lua.rs", "lua_library.rs"]),
];

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/driver is two deep")
}

fn manifest(path: &Path) -> toml::Table {
    let text = fs::read_to_string(path).expect("a manifest can be read");
    text.parse().expect("a manifest is TOML")
}

/// The folder of a crate, as the workspace names it.
fn member(name: &str) -> String {
    if name.starts_with("bindings/") { name.to_owned() } else { format!("crates/{name}") }
}

/// The name by which other crates depend on the crate in a folder.
fn package(name: &str) -> String {
    match name.strip_prefix("hosts/") {
        Some("python-linker") => "python-linker".to_owned(),
        Some(host) => format!("host-{host}"),
        None => name.to_owned(),
    }
}

/// The Rust sources of a crate, with their paths, including its build script.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let root = workspace().join(member(name));
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.extend(Some(root.join("build.rs")).filter(|path| path.is_file()));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a readable source");
        (path, text)
    };
    found.into_iter().map(read).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
        plain
    })
}

#[test]
fn crates_import_only_allowed_crates() {
    for (name, allowed) in EDGES {
        let manifest = manifest(&workspace().join(member(name)).join("Cargo.toml"));
        for table in ["dependencies", "build-dependencies"] {
            let dependencies = manifest.get(table).and_then(|value| value.as_table());
            let ours = dependencies
                .into_iter()
                .flat_map(|table| table.keys())
                .filter_map(|dependency| dependency.strip_prefix("fishplate-"));
            for dependency in ours {
                assert!(allowed.contains(&dependency), "{name}: {dependency} in `{table}`");
            }
        }
    }
}

/// A source that includes a file of another crate depends on that crate. Each literal that begins with `../` counts:
/// arguments of `include_str!`, and of what a build script compiles.
#[test]
fn crates_include_files_of_their_dependencies_only() {
    let mut included = 0;
    for (name, allowed) in EDGES {
        for (source, text) in sources(name) {
            let folder = source.parent().expect("a source is in a folder");
            for part in text.split('"').skip(1).step_by(2).filter(|part| part.starts_with("../")) {
                // Build scripts run in the folder of their crate, which is where they are.
                let file = plain(&folder.join(part));
                let file = file.strip_prefix(workspace()).expect("a file of the repository");
                let owner = EDGES.iter().map(|(owner, _)| *owner);
                let owner = owner.filter(|owner| file.starts_with(member(owner)));
                let owner = owner.max_by_key(|owner| owner.len());
                let is_own = owner == Some(name);
                let is_dependency = owner.is_some_and(|owner| allowed.contains(&&*package(owner)));
                let is_listed = FILES.iter().any(|(crate_, beginning)| {
                    crate_ == name && file.to_string_lossy().starts_with(beginning)
                });
                included += usize::from(!is_own);
                assert!(
                    is_own || is_dependency || is_listed,
                    "{}: {} belongs to no dependency of {name}",
                    source.display(),
                    file.display()
                );
            }
        }
    }
    assert!(included > 30, "only {included} files of other crates were found");
}

/// A crate depends directly on each crate that it uses: none re-exports another as a whole.
#[test]
fn no_crate_is_re_exported() {
    for (name, _) in EDGES {
        for (source, text) in sources(name) {
            for line in
                text.lines().filter_map(|line| line.trim().strip_prefix("pub use fishplate_"))
            {
                let path = line.trim_end_matches(';');
                let is_whole = !path.contains("::") || path.ends_with("::*");
                assert!(!is_whole, "{}: pub use fishplate_{line}", source.display());
            }
        }
    }
}

/// A file holds one idea, and can be read at once: of C, Lua, Python and Rust, tests included, generated files excluded.
#[test]
fn no_file_is_long() {
    const LINES: usize = 600;
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .args(["*.c", "*.cpp", "*.h", "*.hpp", "*.lua", "*.py", "*.rs"])
        .current_dir(workspace())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("paths are UTF-8");
    assert!(listed.split('\0').count() > 1000, "git lists too few files: {listed}");
    let is_written =
        |path: &&str| !path.is_empty() && !path.split('/').any(|part| part.starts_with("golden"));
    let mut long = Vec::new();
    for path in listed.split('\0').filter(is_written) {
        let text = fs::read_to_string(workspace().join(path)).unwrap_or_default();
        let count = text.lines().count();
        if count > LINES {
            long.push(format!("{path}: {count} lines"));
        }
    }
    assert!(long.is_empty(), "more than {LINES} lines, split by idea: {long:#?}");
}

/// A kind is a file in `check/src/kinds`, one in each host, and few places that list all kinds. Strings are the measure.
#[test]
fn few_files_name_a_kind() {
    const FILES: usize = 9;
    let mut found = Vec::new();
    for (name, _) in EDGES {
        for (source, text) in sources(name) {
            let kinds = ["Passing", "Crossing", "Pointee", "Elements"];
            let is_test = source.components().any(|part| part.as_os_str() == "tests");
            if !is_test && kinds.iter().any(|kind| text.contains(&format!("{kind}::String"))) {
                found.push(source);
            }
        }
    }
    assert!(
        !found.is_empty() && found.len() <= FILES,
        "ask `Crossing::properties` instead: {found:#?}"
    );
}

/// Where the variants of `Crossing` may be named: its own file, the files of kinds in `check`, and those of the hosts.
const KINDS: &[&str] = &[
    "crates/check/src/crossing.rs",
    "crates/check/src/kinds/",
    "crates/hosts/lua/src/kinds/",
    "crates/hosts/python/src/kinds/",
];

/// The variants of `Crossing` that a source names: `Crossing::File`, `Crossing::<ToC>::File`, and all by `Crossing::*`.
fn named_variants(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let after = code.flat_map(|line| line.split("Crossing::").skip(1));
    // The names of functions begin with a small letter.
    after
        .map(|rest| {
            rest.split_once(">::").filter(|_| rest.starts_with('<')).map_or(rest, |of| of.1)
        })
        .filter(|rest| rest.starts_with(|first: char| "*{".contains(first) || first.is_uppercase()))
        .map(|rest| rest.split_once(|c: char| !c.is_alphanumeric()).map_or(rest, |one| one.0))
        .collect()
}

/// Other files ask for a property of a crossing, or call one of its methods, so that a new kind does not change them.
#[test]
fn kinds_are_matched_in_their_own_files() {
    let mut named = BTreeMap::new();
    for (name, _) in EDGES {
        for (source, text) in sources(name) {
            let path = source.strip_prefix(workspace()).expect("a source of the repository");
            let path = path.to_string_lossy().replace('\\', "/");
            let variants = named_variants(&text).len();
            match KINDS.iter().find(|place| path.starts_with(**place)) {
                Some(place) => *named.entry(*place).or_default() += variants,
                None => assert!(
                    variants == 0,
                    "{path} matches on kinds of values: ask `Crossing::properties` or one of its methods"
                ),
            }
        }
    }
    // The search finds what it is for.
    let counts: Vec<usize> = KINDS.iter().map(|place| named[place]).collect();
    assert!(counts.iter().all(|count| *count > 10), "{counts:?}");
}

/// The strings by which sources name the kind `File`, outside of its own files.
const FILE: &[&str] = &[
    "Type::File",
    "Crossing::File",
    "Feature::Files",
    "file::File",
    "files::argument",
    "files.h",
    "FP_TYPE_FILE",
];

/// docs/architecture.md lists the files that a new kind changes, by the example of `File`.
#[test]
fn a_new_kind_changes_the_documented_files() {
    const CHANGED: usize = 10;
    let page = fs::read_to_string(workspace().join("docs/architecture.md")).expect("the page");
    let table = page.split_once("| Existing file |").expect("a table of files").1;
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let documented: BTreeSet<String> =
        rows.filter_map(|row| row.split('`').nth(1)).map(str::to_owned).collect();
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .args(["crates/*.rs", "crates/*.h", "bindings/*.rs", "bindings/*.h", "bindings/*.c"])
        .current_dir(workspace())
        .output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("paths are UTF-8");
    let is_own = |path: &str| {
        ["/tests/", "/kinds/file.rs", "/guess/files.rs", "/files.h"]
            .iter()
            .any(|own| path.contains(own))
    };
    let names_it = |path: &&str| {
        let text = fs::read_to_string(workspace().join(path)).unwrap_or_default();
        FILE.iter().any(|name| text.contains(name))
    };
    let paths = listed.split('\0').filter(|path| !path.is_empty() && !is_own(path));
    let found: BTreeSet<String> = paths.filter(names_it).map(str::to_owned).collect();
    assert_eq!(found, documented);
    assert!(found.len() <= CHANGED, "ask for a property of the kind instead: {found:#?}");
}

#[test]
fn a_named_kind_is_found() {
    let matched =
        "match x {\n    Crossing::File(()) => 1,\n    _ => Crossing::<ToC>::List(list),\n}\n";
    assert_eq!(named_variants(matched), ["File", "List"]);
    assert_eq!(named_variants("use fishplate_plan::Crossing::*;").len(), 1);
    assert_eq!(named_variants("use fishplate_plan::Crossing::{File, List};").len(), 1);
    assert!(named_variants("// Crossing::File\nall.filter_map(Crossing::callback)").is_empty());
}

/// Only the host depends on the properties of its target language.
#[test]
fn languages_are_known_by_their_hosts() {
    for (name, allowed) in LANGUAGES {
        let root = workspace().join(member(name)).join("src");
        for (source, text) in sources(name) {
            let path = source.strip_prefix(&root).unwrap_or(&source).to_string_lossy().into_owned();
            let text = text.to_lowercase();
            let names = ["python", "lua"].iter().any(|word| {
                // `evaluate` names none.
                text.match_indices(word).any(|(at, _)| !text[..at].ends_with("eva"))
            });
            let is_allowed = allowed.contains(&path.as_str());
            assert!(!names || is_allowed, "{} names a target language", source.display());
            assert!(names || !is_allowed, "{} names none: take it out of the list", path);
        }
    }
}

#[test]
fn every_crate_has_its_place_in_the_architecture() {
    let members = manifest(&workspace().join("Cargo.toml"));
    let members = members["workspace"]["members"].as_array().expect("a list of members");
    let known: BTreeMap<String, ()> = EDGES.iter().map(|(name, _)| (member(name), ())).collect();
    for member in members.iter().filter_map(|member| member.as_str()) {
        assert!(member == "xtask" || known.contains_key(member), "{member} is in no rule");
    }
    let page = fs::read_to_string(workspace().join("docs/architecture.md")).expect("the page");
    for (name, allowed) in EDGES {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} has no row in docs/architecture.md"));
        let imports = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        let missing = allowed.iter().find(|one| {
            let folder = EDGES.iter().map(|(name, _)| *name).find(|name| package(name) == **one);
            !imports.contains(&format!("`{}`", folder.unwrap_or(one)))
        });
        let is_whole = *name == "driver" || *name == "testing" || missing.is_none();
        assert!(is_whole, "{name}: {missing:?} is not in its row of docs/architecture.md");
    }
}
