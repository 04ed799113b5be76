//! Readability of the generated C: overloads are short, and names differ visibly.
//!
//! Purpose: limits that new kinds of arguments keep to.
//! Invariant: C that is the same in every function is in a runtime header.
//! Reason: a reader of a module, and of its golden file, reads each of these lines.

mod support;

use fishplate_driver::{Host, emit_file};
use fishplate_emit::{FileRole, OutputFile};
use fishplate_host_lua::Lua;
use fishplate_host_python::Python;
use std::collections::BTreeMap;

/// The most lines of an overload, tables and loops included.
const MOST: usize = 120;

/// An overload in a generated file.
struct Overload {
    entry: String,
    lines: usize,
}

/// The overloads of a file: from the place of the file that serves a prototype to the end of the C function that makes the
/// call.
fn overloads(file: &OutputFile) -> Vec<Overload> {
    let lines: Vec<&str> = file.contents.lines().collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("static const fp_signature ") else { continue };
        let Some((signature, _)) = rest.split_once(" = ") else { continue };
        let start = file.origins.iter().map(|(line, _)| line - 1).filter(|at| *at <= number).max();
        let start = start.expect("an overload serves a prototype");
        // The last function before the next overload that has the arguments of a call.
        let is_entry = |line: &&str| {
            ["(FP_ENTRY)", "(PyObject *const *fp_args)", "(lua_State *fp_L)"]
                .iter()
                .any(|end| line.ends_with(end))
                || line.ends_with("const fp_value *fp_seen)")
        };
        let next = file.origins.iter().map(|(line, _)| line - 1).find(|at| *at > start);
        let next = next.unwrap_or(lines.len());
        let body = &lines[number..next];
        let own = signature.split("_signature").next().unwrap_or_default();
        let entry = body.iter().rposition(|line| is_entry(line) && line.contains(own));
        let entry = number + entry.unwrap_or_else(|| panic!("{}: no C function", file.name));
        let length = lines[entry..].iter().position(|line| *line == "}").expect("a body");
        let own_callbacks = callbacks(&lines[start..entry]);
        let theirs: usize = own_callbacks.iter().map(|one| one.lines).sum();
        found.push(Overload { entry: own.to_owned(), lines: entry + length + 1 - start - theirs });
        found.extend(own_callbacks);
    }
    found
}

/// The callbacks among the lines of an overload: from the comment with the prototype, which names the overload's function,
/// to the end of the function that C calls. Each serves a prototype, as an overload does; a class may have many.
fn callbacks(lines: &[&str]) -> Vec<Overload> {
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        if !line.starts_with("/* ") || !line.contains("), of ") || !line.ends_with("() */") {
            continue;
        }
        let is_called = |line: &&str| !line.starts_with([' ', '/', '#']) && line.contains("_call(");
        let Some(entry) = lines[start..].iter().position(is_called) else { continue };
        let length = lines[start + entry..].iter().position(|line| *line == "}").expect("a body");
        found.push(Overload { entry: (*line).to_owned(), lines: entry + length + 1 });
    }
    found
}

/// The generated C of all cases, with the name of each file's case.
fn units() -> Vec<(String, OutputFile)> {
    let mut units = Vec::new();
    for case in support::cases().into_iter().filter(support::Case::is_good) {
        for host in [&Python as &dyn Host, &Lua] {
            let Some(emitted) = emit_file(&case.interface(), host).value else { continue };
            let files = emitted.files.into_iter().filter(|file| file.role == FileRole::Unit);
            units.extend(files.map(|file| (format!("{} ({})", case.name(), file.name), file)));
        }
    }
    units
}

#[test]
fn an_overload_is_short() {
    let mut all: Vec<(String, Overload)> = Vec::new();
    for (case, file) in units() {
        all.extend(overloads(&file).into_iter().map(|one| (case.clone(), one)));
    }
    all.sort_by_key(|(_, one)| std::cmp::Reverse(one.lines));
    assert!(all.len() > 1000, "{} overloads", all.len());
    let show = |(case, one): &(String, Overload)| {
        format!("{:4} lines: {} of {case}", one.lines, one.entry)
    };
    let longer: Vec<String> = all.iter().filter(|(_, one)| one.lines > MOST).map(show).collect();
    assert!(longer.is_empty(), "longer than {MOST} lines:\n{}", longer.join("\n"));
}

/// Our names in a function which are the same but for underscores; strings and prototypes have the author's.
fn confusable(function: &str) -> Vec<(String, String)> {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let code: Vec<&str> = function.lines().filter(|line| !line.starts_with("/*")).collect();
    let code: String = code.join("\n").split('"').step_by(2).collect();
    let words = code.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    let ours = words.filter(|word| ["fp_", "FP_"].iter().any(|start| word.starts_with(start)));
    ours.filter_map(|word| {
        let other = seen.entry(word.replace('_', "")).or_insert_with(|| word.to_owned());
        (other != word).then(|| (other.clone(), word.to_owned()))
    })
    .collect()
}

#[test]
fn names_differ_by_more_than_an_underscore() {
    for (case, file) in units() {
        for function in file.contents.split("\n}\n") {
            let found = confusable(function);
            assert!(found.is_empty(), "{case}: {found:?} in\n{function}");
        }
    }
    assert_eq!(confusable("fp_map fp_map_; x x_").len(), 1);
}
