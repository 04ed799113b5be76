//! Data flows one way: what each crate may import of ours is written here, and nowhere else obeyed.

use std::collections::BTreeMap;
use std::path::Path;

/// Crate, and what it may depend on among our own.
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
    ("cli", &["driver", "lua", "model"]),
    ("bindings/python", &["cli", "driver", "host-python", "model"]),
];

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/driver is two deep")
}

fn manifest(path: &Path) -> toml::Table {
    let text = std::fs::read_to_string(path).expect("a manifest can be read");
    text.parse().expect("a manifest is TOML")
}

/// The folder of a crate, as the workspace names it.
fn member(name: &str) -> String {
    if name.starts_with("bindings/") { name.to_owned() } else { format!("crates/{name}") }
}

#[test]
fn crates_import_only_what_the_architecture_allows() {
    for (name, allowed) in EDGES {
        let manifest = manifest(&workspace().join(member(name)).join("Cargo.toml"));
        let dependencies = manifest.get("dependencies").and_then(|value| value.as_table());
        let ours: Vec<&str> = dependencies
            .into_iter()
            .flat_map(|table| table.keys())
            .filter_map(|dependency| dependency.strip_prefix("fishplate-"))
            .collect();
        for dependency in ours {
            assert!(allowed.contains(&dependency), "{name} may not import {dependency}");
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
}
