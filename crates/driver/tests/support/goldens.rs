//! Compares generated files with reviewed ones: whole files for some cases, hashes for the others.
//!
//! Purpose: a change of the generator is a diff of real C in the cases of [`WHOLE`], and a line for each function
//! that changed in the others.
//! Invariant: every line of every generated file is compared. Generated files are stored by hash in
//! `target/goldens`, so that a different file can be compared with the one that was reviewed.
//! Reason: whole files of all cases were a third of the repository, and a change of one line was a
//! diff too long to read. `cargo xtask goldens` shows such a diff, and generates missing files
//! again.

use super::{Case, Failures, first_difference, is_update, root};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The cases whose generated files are stored whole: a short one for each kind of argument, module
/// and language.
const WHOLE: [&str; 26] = [
    // Scalars, bools, enums, complex numbers.
    "bools",
    "complex_numbers",
    "enums",
    "intents_value",
    "void_complex",
    // Arrays: intents, layouts, strides, sizes, output buffers, devices.
    "buffers",
    "cuda",
    "empty_arrays",
    "intents_vector",
    "strides",
    "vla",
    // Structs, objects and C-allocated memory, including strings.
    "cplusplus_memory",
    "cplusplus_handles",
    "cplusplus_structs",
    "struct_arrays",
    // Callbacks, and exceptions of C++ around them.
    "cplusplus_callbacks",
    // Results and failures.
    "returns",
    "status",
    // Overloads.
    "kinds",
    // Batches.
    "const_in_configuration",
    "fragments",
    // Modules: constants, locks, packages, headers, and empty ones.
    "constants",
    "gil",
    "header_only",
    "no_functions",
    "pkg_member",
];

/// The file with the hashes of a case.
const HASHES: &str = "golden/hashes.txt";

const HEAD: &str =
    "# Hashes of what is generated; `cargo xtask goldens CASE` shows what changes.\n";

fn is_whole(case: &Case) -> bool {
    WHOLE.contains(&case.name().as_str())
}

/// True if a file in `golden/` is compared with generated output.
pub fn is_purposeful(case: &Case, file: &str) -> bool {
    if !is_whole(case) {
        return file == HASHES;
    }
    let name = file.strip_prefix("golden/").unwrap_or(file);
    name == "python.pyi"
        || name == case.unit("python")
        || (case.is_for_lua() && (name == "lua.d.lua" || name == case.unit("lua")))
}

/// Compares the files generated for a case: names as in `golden/`, with their contents. `UPDATE=1`
/// writes them.
pub fn compare(failures: &mut Failures, case: &Case, files: &[(String, String)]) {
    let now: String = files.iter().map(|(name, text)| hashes(name, text)).collect();
    let now = format!("{HEAD}{now}");
    keep(&case.name(), &now);
    files.iter().for_each(|(_, text)| keep_text(text));
    if is_whole(case) {
        for (name, text) in files {
            failures.compare(case, &format!("golden/{name}"), text);
        }
        return;
    }
    if is_update() {
        failures.compare(case, HASHES, &now);
        return;
    }
    let reviewed = fs::read_to_string(case.path(HASHES)).unwrap_or_default();
    for (name, text) in files {
        if sections(&reviewed, name) != sections(&now, name) {
            failures.add(case, difference(&case.name(), name, &sections(&reviewed, name), text));
        }
    }
    if failures.is_empty_for(case) {
        failures.compare(case, HASHES, &now);
    }
}

/// The folder of generated files, each by its hash, and the current hashes of each case.
fn store() -> PathBuf {
    std::env::var_os("FISHPLATE_GOLDENS")
        .map_or_else(|| root().join("target/goldens"), PathBuf::from)
}

/// Stores a generated file, so that a later one can be compared with it.
pub fn keep_text(text: &str) {
    keep(&hash(text, 16), text);
}

fn keep(name: &str, text: &str) {
    let path = store().join(name);
    if fs::read_to_string(&path).is_ok_and(|kept| kept == text) {
        return;
    }
    // A concurrent reader finds the complete file or none.
    fs::create_dir_all(store()).expect("a writable target folder");
    let mut file = tempfile::NamedTempFile::new_in(store()).expect("a writable target folder");
    std::io::Write::write_all(&mut file, text.as_bytes()).expect("a writable target folder");
    file.persist(path).expect("a writable target folder");
}

fn hash(text: &str, length: usize) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..length].to_owned()
}

/// The lines for one file: its hash, then those of its functions, each with the lines before it.
pub fn hashes(name: &str, text: &str) -> String {
    let mut lines = format!("{name} {} {} lines\n", hash(text, 16), text.lines().count());
    if name.starts_with("python.c") || name.starts_with("lua.c") {
        for (function, part) in functions(text) {
            let count = part.lines().count();
            writeln!(lines, "  {} {count:4} {function}", hash(&part, 8)).expect("a String");
        }
    }
    lines
}

/// The functions of a C file, each with the lines before it. The lines after the last belong to it.
fn functions(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: Vec<(String, String)> = Vec::new();
    let mut start = 0;
    for (index, line) in lines.iter().enumerate() {
        if *line == "{" {
            // `name(…` of the declarator, on the line before or, if that is long, further up.
            let head = lines[start..index]
                .iter()
                .rev()
                .find(|line| line.contains('(') && !line.starts_with([' ', '#', '/']));
            let name = head.and_then(|head| head.split('(').next()).unwrap_or_default();
            let name = name.rsplit([' ', '*']).next().unwrap_or_default();
            found.push((name.to_owned(), String::new()));
        } else if *line == "}"
            && let Some((_, part)) = found.last_mut()
        {
            *part = lines[start..=index].join("\n");
            start = index + 1;
        }
    }
    if let Some((_, part)) = found.last_mut() {
        *part += &lines[start..].join("\n");
    }
    found
}

/// The lines of a file in a case's hashes.
fn sections(hashes: &str, file: &str) -> String {
    let mut lines = hashes.lines().skip_while(|line| line.split(' ').next() != Some(file));
    let Some(first) = lines.next() else { return String::new() };
    let rest = lines.take_while(|line| line.starts_with(' '));
    std::iter::once(first).chain(rest).flat_map(|line| [line, "\n"]).collect()
}

/// The report about a file that differs from the reviewed one.
pub fn difference(case: &str, file: &str, reviewed: &str, text: &str) -> String {
    let then = reviewed.split(' ').nth(1);
    let then = then.and_then(|hash| fs::read_to_string(store().join(hash)).ok());
    let shown = match then {
        Some(then) => first_difference(&then, text),
        None => "differs from what was reviewed, which is not kept here".to_owned(),
    };
    let now = hashes(file, text);
    let differs = |line: &&str| line.starts_with(' ') && !reviewed.lines().any(|old| old == *line);
    let functions: Vec<&str> =
        now.lines().filter(differs).filter_map(|line| line.split(' ').next_back()).collect();
    let more =
        if functions.len() > 8 { format!(", … ({})", functions.len()) } else { String::new() };
    let functions = functions[..functions.len().min(8)].join(", ");
    let path = store().join(hash(text, 16));
    format!(
        "golden/{file} {shown}\n  functions that differ: {functions}{more}\n  the whole file: {}\n`cargo xtask goldens \
         {case}` shows all differences, UPDATE=1 accepts them",
        path.display()
    )
}
