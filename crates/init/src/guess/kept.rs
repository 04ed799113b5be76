//! Arguments that an object retains.
//!
//! Purpose: find what setters may store, and retain it as long as the object.
//! Invariant: C never uses a string or an array of a setter after its memory was released.
//! Reason: `reader_set_query(reader, text)` may store the pointer or copy the text; headers rarely say which, and
//! memory that is retained without need is no mistake.

use super::argument::{Argument, Of};
use super::comment::Comment;
use super::words::has_word;
use fishplate_readers::header::syntax::Declaration;

/// Words in names of functions that store a pointer in their object, or copy what it leads to.
const SET: &[&str] = &[
    "set",
    "setopt",
    "assign",
    "attach",
    "bind",
    "use",
    "install",
    "register",
    "link",
    "ref",
    "reference",
    "connect",
];

/// Words in names of functions that begin to read from memory: `reader_open_memory`.
const OPEN: &[&str] = &["open", "load", "init", "reset", "begin", "start"];
const MEMORY: &[&str] = &["memory", "mem", "buffer", "buf", "data"];

/// True for the name of a method that may store a pointer.
pub(crate) fn stores_pointer(name: &str) -> bool {
    has_word(name, SET)
}

/// The function is a method that may change its object.
pub(super) fn retains(arguments: &[Argument]) -> bool {
    arguments.first().is_some_and(|one| matches!(one.of, Of::Handle(_)) && !one.is_const)
}

/// The object in which a function may store its arguments.
pub(super) fn stores(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &[Argument],
) -> Option<String> {
    let opens = has_word(function.name, OPEN) && has_word(function.name, MEMORY);
    let is_setter =
        (stores_pointer(function.name) || opens) && !comment.copies() && retains(arguments);
    arguments.first().filter(|_| is_setter).map(|object| object.name.clone())
}

/// A point to check.
pub(super) fn remark(name: &str, object: &str) -> String {
    format!(
        "C may use `{name}` until `{object}` is closed, so every one is retained; remove `keep({object})` if C copies \
         it, or write `replace({object})` if each call replaces the previous one"
    )
}

/// Retains the strings and arrays that a method may store.
pub(super) fn apply(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &mut [Argument],
    remarks: &mut Vec<String>,
) {
    let Some(object) = stores(function, comment, arguments) else { return };
    for argument in arguments.iter_mut().filter(|one| may_be_stored(one)) {
        remarks.push(remark(&argument.name, &object));
        argument.kept = Some(object.clone());
        // C works in the memory of the caller.
        if argument.intent == Some("inplace") {
            argument.intent = Some("inout");
        }
    }
}

/// A string, or memory of the caller.
fn may_be_stored(argument: &Argument) -> bool {
    let is_given = matches!(argument.intent, None | Some("inplace")) && argument.whole.is_none();
    let is_memory = matches!(argument.of, Of::Number(_) | Of::Void | Of::Struct | Of::Text)
        && argument.shape.is_some();
    let is_text = argument.of == Of::Text && argument.shape.is_none();
    is_given && (is_memory || is_text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{left_out, proto};

    const READER: &str =
        "typedef struct reader reader; reader *reader_new(void); void reader_free(reader *r); ";

    #[test]
    fn the_zero_of_a_setter_takes_over() {
        let reason = "the function takes over an argument, according to the `0` in its name";
        for function in [
            "int reader_set0_info(reader *r, int *dat, int datlen);",
            "int reader_add0(const reader *r);",
        ] {
            assert_eq!(left_out(&format!("{READER}{function}")), reason, "{function}");
        }
    }

    #[test]
    fn setters_retain() {
        for (function, guessed) in [
            (
                "void reader_set_query(reader *r, const char *text);",
                "void reader_set_query(reader *r, keep(r) const char *text)",
            ),
            (
                "int reader_set_weights(reader *r, const double *w, int n);",
                "int reader_set_weights(reader *r, keep(r) const double w[n], int n)",
            ),
            (
                "void reader_bind(reader *r, double *w, int n);",
                "void reader_bind(reader *r, keep(r) inout double w[n], int n)",
            ),
            (
                "int reader_open_memory(reader *r, const void *data, size_t size);",
                "int reader_open_memory(reader *r, keep(r) bytes const void data[size], size_t size)",
            ),
            (
                "void reader_assign(reader *r, const void *data, size_t size);",
                "void reader_assign(reader *r, keep(r) bytes const void data[size], size_t size)",
            ),
            // Values, and strings that C copies or only reads.
            (
                "void reader_set_level(reader *r, int level);",
                "void reader_set_level(reader *r, int level)",
            ),
            (
                "/* The name is copied. */ void reader_set_name(reader *r, const char *name);",
                "void reader_set_name(reader *r, const char *name)",
            ),
            (
                "void reader_set_words(reader *r, const char *const *words);",
                "void reader_set_words(reader *r, keep(r) const char *const words[len(words)])",
            ),
            (
                "int reader_find_any(reader *r, int n, const char *const *words);",
                "int reader_find_any(reader *r, int n, const char *const words[n])",
            ),
            (
                "int reader_find_all(reader *r, char *const *argv);",
                "int reader_find_all(reader *r, in char *const argv[len(argv)])",
            ),
            (
                "int reader_find(reader *r, const char *word);",
                "int reader_find(reader *r, const char *word)",
            ),
        ] {
            assert_eq!(proto(&format!("{READER}{function}")), guessed);
        }
    }

    #[test]
    fn arrays_of_objects() {
        for (function, guessed) in [
            (
                "int reader_run(reader *const *readers, size_t n);",
                "int reader_run(reader *const readers[n], size_t n)",
            ),
            (
                "int reader_run(int num_readers, const reader *const *readers, int mode);",
                "int reader_run(int num_readers, const reader *const readers[num_readers], int mode)",
            ),
        ] {
            assert_eq!(proto(&format!("{READER}{function}")), guessed);
        }
        for (function, reason) in [
            (
                "int reader_run(reader *const *all, double x);",
                "the array of objects `all` has no known length",
            ),
            (
                "void reader_set_parts(reader *r, reader *const *parts, int n);",
                "C may use the objects of `parts` after the function returns",
            ),
            (
                "reader *reader_join(reader *const *parts, int n);",
                "the created object may use those of `parts` later",
            ),
        ] {
            assert_eq!(left_out(&format!("{READER}{function}")), reason);
        }
    }
}
