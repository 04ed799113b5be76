//! Strings and bytes with their lengths.
//!
//! Purpose: decide which string ends with a NUL and which has a length, and the use of byte
//! buffers.
//! Invariant: C never receives a length that exceeds the buffer.
//! Reason: `const char *` is a string, a file's contents, or any bytes; only names distinguish
//! them.

use super::argument::{Argument, Of, Passed};
use super::comment::Comment;
use super::words::lower_words;
use super::{kept, sizes};
use fishplate_readers::header::syntax::Declaration;

/// Names of strings, as opposed to other bytes.
const TEXTS: &[&str] = &[
    "sql", "str", "string", "text", "name", "path", "filename", "msg", "message", "expr", "pattern",
];

/// Names of integers next to a string that are not its length.
const NO_LENGTHS: &[&str] = &[
    "flags",
    "flag",
    "mode",
    "type",
    "kind",
    "option",
    "options",
    "level",
    "index",
    "idx",
    "i",
    "port",
    "base",
    "fd",
    "id",
    "op",
    "code",
    "value",
    "x",
    "y",
    "width",
    "height",
    "precision",
    "version",
    "timeout",
    "ms",
    "line",
    "col",
    "row",
    "key",
];

/// Verbs of functions that fill a buffer.
const FILL: &[&str] = &[
    "read",
    "get",
    "gets",
    "recv",
    "compress",
    "decompress",
    "uncompress",
    "encode",
    "decode",
    "format",
    "print",
    "snprintf",
    "random",
    "bytes",
    "fill",
    "generate",
    "serialize",
    "dump",
    "name",
    "strerror",
    "tostring",
    "str",
    "string",
    "version",
    "final",
    "digest",
];

/// Verbs of functions for bytes that are not a string.
const BINARY: &[&str] = &[
    "compress", "inflate", "deflate", "crypt", "random", "digest", "hash", "sign", "recv", "read",
];

/// Names of buffers that C only reads.
const SOURCES: &[&str] = &["source", "src", "in", "input"];

/// Names of buffers that C fills.
const ROOM: &[&str] = &["buf", "buffer", "out", "output", "dst", "dest", "result", "z"];

/// Finds the lengths of strings. After a wrong guess C would read too much, so in doubt there is
/// none.
pub(super) fn lengths(arguments: &mut [Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    let strings: Vec<usize> = (0..arguments.len())
        .filter(|index| arguments[*index].of == Of::Text && arguments[*index].shape.is_none())
        .collect();
    let found: Vec<Option<usize>> = strings.iter().map(|index| length(arguments, *index)).collect();
    let others = other_lengths(arguments);
    let are_alone = found.iter().filter(|length| length.is_none()).count();
    for (index, length) in strings.into_iter().zip(found) {
        let name = arguments[index].name.clone();
        let only = others.first().copied().filter(|at| {
            // It may be the length of the array that follows it.
            let is_of_next = arguments.get(at + 1).is_some_and(Argument::is_open);
            others.len() == 1 && are_alone == 1 && !is_of_next
        });
        let Some(length) = length.or(only) else {
            match arguments.get(index + 1).filter(|next| next.is_count()) {
                _ if !others.is_empty() => {
                    return Err(format!(
                        "the parameter `{name}` may be a string that is not NUL-terminated"
                    ));
                }
                Some(next) if !is_no_length(&next.name) => {
                    return Err(format!(
                        "the parameter `{name}` may be a string that is not NUL-terminated"
                    ));
                }
                _ => remarks.push(format!("`{name}` is a NUL-terminated string")),
            }
            continue;
        };
        if is_text(&name) {
            let bytes = arguments[length].name.clone();
            remarks.push(format!("`{bytes}` is the length of the string `{name}`"));
            arguments[length].hide(format!("len({name})"));
        } else {
            let length = arguments[length].name.clone();
            remarks.push(format!(
                "`{name}` is an array of `{length}` bytes; a string is `const char *{name}`, and its \
                 length `= len({name})`"
            ));
            arguments[index].is_bytes = true;
            arguments[index].shape = Some(vec![length]);
        }
    }
    Ok(())
}

/// The integer that is the length of a string, by its name or because it follows it.
fn length(arguments: &[Argument], index: usize) -> Option<usize> {
    let named = sizes::length_of(arguments, &arguments[index].lower);
    let is_next = arguments.get(index + 1).is_some_and(sizes::is_plain_length);
    named.or_else(|| is_next.then_some(index + 1))
}

/// The integers that are named as a length and are not assigned: `compressedSize`.
fn other_lengths(arguments: &[Argument]) -> Vec<usize> {
    let is_length = |index: &usize| {
        let count = &arguments[*index];
        let last = lower_words(&count.name).pop().unwrap_or_default();
        let named = |other: &Argument| sizes::length_of(arguments, &other.lower);
        let is_beside = arguments
            .get(index.wrapping_sub(1))
            .is_some_and(|before| before.passed == Passed::Pointer && named(before).is_none());
        count.is_count()
            && matches!(last.as_str(), "size" | "len" | "length" | "bytes")
            && !is_beside
            && !arguments.iter().any(|other| named(other) == Some(*index))
    };
    (0..arguments.len()).filter(is_length).collect()
}

/// A name such as `flags`, `iRow` or `is_last`.
fn is_no_length(name: &str) -> bool {
    let words = lower_words(name);
    let asks = ["is", "has", "use", "do"];
    words.iter().any(|word| NO_LENGTHS.contains(&word.as_str()))
        || words.first().is_some_and(|first| asks.contains(&first.as_str()))
        || name.starts_with("is") && name.len() > 5
}

/// A name such as `sql`, or `zSql` as some write it.
fn is_text(name: &str) -> bool {
    lower_words(name).iter().any(|word| TEXTS.contains(&word.as_str()))
}

/// Sets the use of memory with a known length. `counted`: the result may report how much of it was
/// filled.
pub(super) fn memory(
    function: &Declaration<'_>,
    arguments: &mut [Argument],
    counted: bool,
    remarks: &mut Vec<String>,
) {
    let words = lower_words(function.name);
    let fills = words.iter().any(|word| FILL.iter().any(|verb| word.ends_with(verb)));
    let is_memory = |argument: &Argument| matches!(argument.of, Of::Void | Of::Room);
    let is_binary = BINARY.iter().any(|verb| function.name.to_ascii_lowercase().contains(verb));
    let has_bytes = is_binary || arguments.iter().any(|argument| argument.is_bytes);
    let rooms = arguments.iter().filter(|one| is_memory(one) && !one.is_const).count();
    for argument in arguments.iter_mut().filter(|argument| is_memory(argument)) {
        let Some([length]) = argument.shape.as_deref() else { continue };
        let name = argument.name.clone();
        let is_room = lower_words(&name).iter().any(|word| ROOM.contains(&word.as_str()));
        argument.is_bytes = argument.of == Of::Void || has_bytes;
        if argument.is_const || argument.passed == Passed::Value {
            continue;
        }
        if argument.is_bytes && SOURCES.contains(&argument.lower.trim_matches('_')) {
            argument.intent = Some("in");
            remarks.push(format!("C only reads `{name}`, according to its name"));
        } else if !argument.is_bytes {
            argument.intent = Some("out");
            remarks.push(format!("C writes a string into `{name}`"));
        } else if fills || is_room {
            argument.intent = Some("out");
            if counted && rooms == 1 {
                remarks.push(format!("C fills `{name}`, and returns the number of bytes"));
                argument.shape = Some(vec![format!("{length} : result")]);
            } else {
                remarks.push(format!("C fills all of `{name}`"));
            }
        } else {
            argument.intent = Some("inplace");
            remarks.push(format!(
                "C modifies `{name}`, which is not const; write `out` if C only fills it"
            ));
        }
    }
}

/// Lists of strings, with the integers that are their lengths. Without one, a NULL ends the list.
pub(super) fn lists(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &mut [Argument],
    remarks: &mut Vec<String>,
) {
    let stores = kept::stores(function, comment, arguments);
    for index in 0..arguments.len() {
        let Argument { name, lower, of: Of::Strings, is_const, .. } = &arguments[index] else {
            continue;
        };
        let beside = [index + 1, index.wrapping_sub(1)];
        let is_length = |at: &usize| arguments.get(*at).is_some_and(sizes::is_plain_length);
        let length = sizes::length_of(arguments, lower)
            .or_else(|| beside.into_iter().find(is_length))
            .map(|at| arguments[at].name.clone());
        remarks.push(match &length {
            Some(length) => format!("`{name}` is an array of `{length}` strings"),
            None => format!("`{name}` is an array of strings, which ends with NULL"),
        });
        let intent = if *is_const { "const " } else { "in " };
        let length = length.unwrap_or_else(|| format!("len({name})"));
        let kept = match &stores {
            Some(object) => {
                remarks.push(kept::remark(name, object));
                format!("keep({object}) ")
            }
            None => String::new(),
        };
        let whole = format!("{kept}{intent}char *const {name}[{length}]");
        arguments[index].whole = Some(whole);
    }
}

/// Out-pointers for strings: the library's, or those that the caller frees with `free`.
pub(super) fn stored(
    arguments: &mut [Argument],
    free: Option<&str>,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    for index in 0..arguments.len() {
        if arguments[index].of != Of::StringPointers {
            continue;
        }
        let beside = index.saturating_sub(1)..arguments.len().min(index + 2);
        let is_counted = arguments[beside].iter().any(Argument::is_count);
        let Argument { name, lower, is_const, .. } = &arguments[index];
        if is_counted || lower.ends_with(['s', 'v']) || lower.ends_with("list") {
            return Err(format!("the parameter `{name}` may be a list of strings"));
        }
        let whole = match (is_const, free) {
            (true, _) => {
                remarks.push(format!("C stores a string in `{name}`, which the library owns"));
                format!("out nullable const char **{name}")
            }
            (false, Some(free)) => {
                remarks.push(format!("C stores a string in `{name}`, which `{free}` frees"));
                format!("out nullable own({free}) char **{name}")
            }
            (false, None) => {
                return Err(format!(
                    "the owner of the string that C stores in `{name}` is unknown"
                ));
            }
        };
        arguments[index].whole = Some(whole);
    }
    Ok(())
}
