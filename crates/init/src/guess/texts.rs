//! Texts and bytes beside their lengths.
//!
//! Purpose: which text ends with a NUL and which where an integer says so, and what C does with room for
//! bytes.
//! Invariant: C never gets a length that is more than there is.
//! Reason: `const char *` is a text, a file's contents, or any bytes; only names tell.

use super::argument::{Argument, Of, Passed};
use super::sizes;
use super::words::lower_words;
use fishplate_readers::header::syntax::Declaration;

/// Names of what is a text, and no other bytes.
const TEXTS: &[&str] = &[
    "sql", "str", "string", "text", "name", "path", "filename", "msg", "message", "expr", "pattern",
];

/// Names of integers beside a text that are not its length.
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

/// What functions do that fill room.
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

/// What functions do with bytes that are no text.
const BINARY: &[&str] = &[
    "compress", "inflate", "deflate", "crypt", "random", "digest", "hash", "sign", "recv", "read",
];

/// Names of what C only reads.
const SOURCES: &[&str] = &["source", "src", "in", "input"];

/// Names of room that C fills.
const ROOM: &[&str] = &["buf", "buffer", "out", "output", "dst", "dest", "result", "z"];

/// Finds the lengths of texts. A wrong guess would have C read too much, so in doubt there is none.
pub(super) fn lengths(arguments: &mut [Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    let texts: Vec<usize> = (0..arguments.len())
        .filter(|index| arguments[*index].of == Of::Text && arguments[*index].shape.is_none())
        .collect();
    let found: Vec<Option<usize>> = texts.iter().map(|index| length(arguments, *index)).collect();
    let others = other_lengths(arguments);
    let are_alone = found.iter().filter(|length| length.is_none()).count();
    for (index, length) in texts.into_iter().zip(found) {
        let name = arguments[index].name.clone();
        let only = others.first().copied().filter(|_| others.len() == 1 && are_alone == 1);
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

/// The integer that is the length of a text, by its name or as it stands behind it.
fn length(arguments: &[Argument], index: usize) -> Option<usize> {
    let named = sizes::length_of(arguments, &arguments[index].lower);
    let is_next = arguments.get(index + 1).is_some_and(sizes::is_plain_length);
    named.or_else(|| is_next.then_some(index + 1))
}

/// The integers that are called a length, and are that of nothing else: `compressedSize`.
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

/// Says what C does with memory whose length is known by now. `counted`: what the function returns may
/// say how much of it was filled.
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

/// Where C stores texts: the library's, or those that the caller frees by `free`.
pub(super) fn stored(
    arguments: &mut [Argument],
    free: Option<&str>,
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    for index in 0..arguments.len() {
        if arguments[index].of != Of::Texts {
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
