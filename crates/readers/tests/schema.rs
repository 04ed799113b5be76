//! The committed schema equals the generated one. To update it: `UPDATE=1 cargo test -p
//! fishplate-readers --test schema`.

// Tests may print and read files; the crate under test may not.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::path::Path;

#[test]
fn the_committed_schema_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/interface.schema.json");
    let schema = fishplate_readers::interface::json_schema();
    let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        committed == current,
        "docs/interface.schema.json is not current; write it anew with UPDATE=1"
    );
}
