//! Conversion preserves meaning: for every case, the interface and its conversion yield the same C,
//! and converting the result changes nothing more.

mod support;

use fishplate_driver::{FileRole, convert_file, emit_file};
use fishplate_host_python::Python;
use std::fs;
use std::path::Path;
use support::Failures;

/// The generated C, without the lines that refer to places in the interface.
fn generated(path: &Path) -> Option<String> {
    let emitted = emit_file(path, &Python).value?;
    let units = emitted.files.into_iter().filter(|file| file.role != FileRole::Header);
    let strings: Vec<String> = units.map(|file| file.contents).collect();
    let lines = strings.iter().flat_map(|text| text.lines());
    let is_place = |line: &str| line.starts_with("#line") || line.trim_start().starts_with("/*");
    let lines = lines.filter(|line| !is_place(line) && !is_about_macros(line));
    let lines: Vec<String> = lines.map(without_prototype).map(as_function).collect();
    // A single line there is a single line of C.
    Some(lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" "))
}

/// True for code about a name that may be a macro in a configuration. Interface files specify
/// whether it is one, and prototypes there have the header's `const`.
fn is_about_macros(line: &str) -> bool {
    let words = ["#ifndef ", "#else", "#endif", "#define FP_ADDRESS_"];
    words.iter().any(|word| line.starts_with(word))
}

/// A line with arguments and addresses as functions have them, which need no types.
fn as_function(line: String) -> String {
    for end in ["(fp_target)FP_ADDRESS_", "FP_TARGET(", "FP_AGREES"] {
        if let Some((before, _)) = line.split_once(end) {
            return before.to_owned();
        }
    }
    let mut line = line;
    while let Some(star) = line.find("*)FP_") {
        let Some(open) = line[..star].rfind("((") else { break };
        let argument = star + "*)".len();
        let mut depth = 0usize;
        let end = line[argument..].char_indices().find_map(|(at, c)| {
            depth += usize::from(c == '(');
            let closes = c == ')' && depth == 0;
            depth -= usize::from(c == ')' && depth > 0);
            closes.then_some(argument + at)
        });
        let Some(end) = end else { break };
        line = format!("{}{}{}", &line[..open], &line[argument..end], &line[end + 1..]);
    }
    line
}

/// A signature's line without the prototype that `explain` shows, its third string.
fn without_prototype(line: &str) -> String {
    if !line.contains(" fp_signature ") {
        return line.to_owned();
    }
    let parts: Vec<&str> = line.split('"').collect();
    match parts.as_slice() {
        [first, name, _, call, _, .., last] => format!("{first}{name} {call}{last}"),
        _ => line.to_owned(),
    }
}

/// Copies a folder and all in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a writable folder");
    for entry in fs::read_dir(from).expect("a readable folder").flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a writable folder");
        }
    }
}

#[test]
fn converted_interfaces_lead_to_the_same_c() {
    let mut failures = Failures::default();
    let mut count = 0;
    for case in support::cases() {
        let Some(text) = convert_file(&case.interface(), &Python).value else { continue };
        let Some(original) = generated(&case.interface()) else { continue };
        count += 1;
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(case.folder(), folder.path());
        let path = folder.path().join("converted.toml");
        fs::write(&path, &text).expect("a writable folder");
        if generated(&path).as_ref() != Some(&original) {
            failures.add(&case, format!("other C comes of what it is converted to:\n{text}"));
        }
        let again = convert_file(&path, &Python).value;
        if again.as_ref() != Some(&text) {
            failures.add(&case, format!("it is converted again to\n{again:?}\nnot to\n{text}"));
        }
    }
    assert!(count > 40, "only {count} interfaces were converted");
    failures.report();
}
