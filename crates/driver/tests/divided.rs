//! The runtime header of each host can be divided, as builds do.

use fishplate_driver::{HOSTS, Host, emit_file};
use fishplate_emit::divide;
use std::collections::BTreeSet;
use std::path::Path;

/// The runtime header of a host, with its name.
fn runtime(host: &dyn Host) -> Option<(&'static str, String)> {
    let name = host.divisible_runtime()?;
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/bools/bools.toml");
    let files = emit_file(&case, host).value.expect("the case emits").files;
    let header = files.into_iter().find(|file| file.name == name).expect("it has the header");
    Some((name, header.contents))
}

/// The names of the functions and variables after a word.
fn names(text: &str, word: &str) -> BTreeSet<String> {
    let start = format!("\n{word} ");
    text.split(&start)
        .skip(1)
        .map(|part| part.split(['(', ';', '=', '[']).next().unwrap_or_default())
        .filter_map(|head| head.split_whitespace().last())
        .map(|name| name.trim_start_matches('*').to_owned())
        .collect()
}

#[test]
fn what_modules_share_is_defined_once_and_nowhere_static() {
    for (name, text) in HOSTS.iter().filter_map(|host| runtime(*host)) {
        let divided = divide(&text, 2);
        let declared = names(&divided.header, "FP_DECLARED");
        let units = divided.units.iter().map(|unit| names(unit, "FP_DEFINED")).collect::<Vec<_>>();
        assert!(declared.len() > 100, "{name}: {}", declared.len());
        for function in &declared {
            let defined = units.iter().filter(|unit| unit.contains(function)).count();
            assert_eq!(defined, 1, "{name}: {function}");
            for line in divided.header.lines().filter(|line| line.starts_with("static")) {
                assert!(!line.contains(&format!(" {function}(")), "{name}: {line}");
            }
        }
    }
}

/// Other functions exist in several units, each with its own address.
#[test]
fn only_shared_functions_are_identified_by_their_address() {
    for (name, text) in HOSTS.iter().filter_map(|host| runtime(*host)) {
        let header = divide(&text, 1).header;
        let lines: Vec<&str> = header.lines().collect();
        for pair in lines.windows(2).filter(|pair| pair[0].starts_with("static")) {
            let Some((function, _)) = pair[1].split_once('(') else { continue };
            if !function.starts_with("fp_") {
                continue;
            }
            for comparison in [format!("== {function}"), format!("!= {function}")] {
                let compared = header.match_indices(&comparison).any(|(at, found)| {
                    let next = header[at + found.len()..].chars().next();
                    next.is_some_and(|next| next != '(' && next != '_' && !next.is_alphanumeric())
                });
                assert!(!compared, "{name}: {comparison}");
            }
        }
    }
}

/// A macro that a module defines for itself is unknown where the shared functions are compiled.
#[test]
fn functions_that_only_some_modules_have_are_not_shared() {
    for (name, text) in HOSTS.iter().filter_map(|host| runtime(*host)) {
        let header = divide(&text, 1).header;
        for block in header.split("#ifdef FP_LOCKS").skip(1) {
            let mut depth = 1;
            let lines = block.lines().take_while(|line| {
                depth += i32::from(line.starts_with("#if"));
                depth -= i32::from(line.starts_with("#endif"));
                depth > 0
            });
            let shared: Vec<&str> = lines.filter(|line| line.starts_with("FP_DECLARED")).collect();
            assert!(shared.is_empty(), "{name}: {shared:?}");
        }
    }
}
