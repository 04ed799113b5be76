//! The tensor library, which is built by `make` without this crate, has the same runtime as
//! generated modules.

// Tests read files of the repository.
#![allow(clippy::disallowed_methods)]

use fishplate_host_lua::tensor_header;
use std::fs;

/// The library's Makefile concatenates the same parts, in the same order.
#[test]
fn the_library_has_the_same_parts() {
    let crate_folder = env!("CARGO_MANIFEST_DIR");
    let makefile = fs::read_to_string(format!("{crate_folder}/../../../bindings/lua/Makefile"))
        .expect("the library's Makefile");
    let parts: Vec<String> = makefile
        .split_once("names := ")
        .and_then(|(_, rest)| rest.split_once("parts := "))
        .expect("the names of the parts")
        .0
        .split_whitespace()
        .filter(|word| *word != "\\")
        .map(|name| {
            fs::read_to_string(format!("{crate_folder}/../../../bindings/lua/runtime/{name}"))
                .expect("a part")
        })
        .collect();
    assert_eq!(parts.join("\n"), tensor_header());
}
