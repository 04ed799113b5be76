//! The runtime and a graph as one C file.
//!
//! Invariant: the file includes only headers of the system.
//! Reason: exported source is compiled on machines without Fishplate.

use fishplate_graph::Value;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../runtime/", $name)))),*]
    };
}

/// The runtime's files.
pub const RUNTIME: &[(&str, &str)] = files![
    "abi.h",
    "accumulate.h",
    "base.h",
    "blas.h",
    "call.h",
    "copy.h",
    "fold.h",
    "foreign.h",
    "indexing.h",
    "library.h",
    "map.h",
    "matmul.h",
    "memory.h",
    "nest.h",
    "pack.h",
    "product.h",
    "put.h",
    "repeat.h",
    "rows.h",
    "runtime.c",
    "threads.h",
    "walk.h",
];

/// The content of a file, with each file that it includes by a name in `files` inserted, once.
pub fn flatten(name: &str, files: &[(&str, &str)]) -> String {
    let mut text = String::new();
    flatten_into(&mut text, name, files, &mut Vec::new());
    text
}

fn flatten_into<'a>(
    text: &mut String,
    name: &str,
    files: &[(&'a str, &'a str)],
    done: &mut Vec<&'a str>,
) {
    let Some(&(name, contents)) = files.iter().find(|(one, _)| *one == name) else { return };
    if done.contains(&name) {
        return;
    }
    done.push(name);
    for line in contents.lines() {
        let included = line.strip_prefix("#include \"").and_then(|rest| rest.split('"').next());
        match included {
            Some(included) if files.iter().any(|(one, _)| *one == included) => {
                flatten_into(text, included, files, done);
            }
            _ => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

/// Constants as C data, and `NAME`, their addresses in order.
pub fn constants(name: &str, values: &[impl AsRef<Value>]) -> String {
    let mut text = String::new();
    let mut addresses = Vec::new();
    for (number, value) in values.iter().enumerate() {
        text.push_str(&words(&format!("{name}{number}"), &value.as_ref().bytes));
        addresses.push(format!("(void *)(size_t){name}{number}"));
    }
    addresses.push("0".to_owned());
    text.push_str(&format!(
        "static void *const {name}[] = {{\n    {},\n}};\n",
        addresses.join(",\n    ")
    ));
    text
}

/// Bytes in memory order, as words: compilers read those faster.
pub fn words(name: &str, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3 + 128);
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    });
    let count = bytes.len().div_ceil(8).max(1);
    text.push_str(&format!(
        "static const uint64_t {name}[{count}] __attribute__((aligned(64))) = {{"
    ));
    for (index, word) in words.enumerate() {
        text.push_str(if index % 4 == 0 { "\n    " } else { " " });
        text.push_str(&format!("{word:#x}u,"));
    }
    if bytes.is_empty() {
        text.push('0');
    }
    text.push_str("\n};\n");
    text
}

/// The byte order check of a unit with constants.
pub const BYTE_ORDER: &str = if cfg!(target_endian = "little") {
    "#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n#error \"constants are little-endian\"\n#endif\n"
} else {
    "#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__\n#error \"constants are big-endian\"\n#endif\n"
};

/// The beginning of a unit, which sets the rules of arithmetic: others compile it, with other
/// flags. Clang obeys C's pragma and GCC only its own; GCC would otherwise use fused multiply-adds.
pub const EXACT: &str = "\
/* Each operation rounds once, to its own type, as the graph says: no fused multiply-adds, no other
 * order, no wider registers. */
#if defined(__FAST_MATH__)
#error \"compile this file without -ffast-math and -Ofast\"
#elif __FLT_EVAL_METHOD__ > 0 && __FLT_EVAL_METHOD__ <= 2
#error \"compile this file such that double is computed in double (x86: -msse2 -mfpmath=sse)\"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize (\"fp-contract=off\")
#endif
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_includes_nothing_of_ours() {
        let text = flatten("runtime.c", RUNTIME);
        assert!(!text.lines().any(|line| line.starts_with("#include \"")), "{text}");
        assert_eq!(text.matches("#define FP_ABI 1").count(), 1);
    }

    #[test]
    fn every_file_of_the_runtime_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime");
        for entry in std::fs::read_dir(folder).expect("the runtime is there") {
            let name = entry.expect("it can be read").file_name();
            let is_listed = RUNTIME.iter().any(|(one, _)| name == *one);
            assert!(is_listed || name == "README.md", "{name:?} is not listed");
        }
    }

    #[test]
    fn partial_words_are_padded() {
        let text = words("c", &[1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert!(text.contains("c[2]"), "{text}");
        assert!(words("c", &[]).contains("c[1]"));
    }
}
