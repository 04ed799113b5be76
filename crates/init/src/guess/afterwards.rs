//! The use of memory and objects by C after a call.
//!
//! Purpose: find functions that may free their arguments, or use them after they have returned.
//! Invariant: objects that may have been freed are never used: such a function is omitted.
//! Reason: a caller in a garbage-collected language cannot know how long C uses an array.

use super::Given;
use super::argument::{Argument, Of, Passed};
use super::comment::Comment;
use super::words::{has_word, lower_words};
use super::{handles, kept};
use fishplate_readers::header::syntax::{Declaration, Unit};

/// Verbs of functions that make one object refer to their other arguments.
const REFER: &[&str] = &["ref", "reference", "attach", "assign", "link", "use", "connect"];
/// Last words of functions that make one object a part of another one: `picture_view(&whole, x, y, &part)`.
const VIEWS: &[&str] = &["view", "subview", "slice", "window"];
/// The same, if C could also change these arguments.
const MAY_REFER: &[&str] = &[
    "set", "add", "bind", "append", "push", "insert", "register", "install", "put", "replace",
    "prepend", "store", "enqueue", "merge", "move", "steal", "adopt", "absorb", "transfer",
    "consume", "graft", "splice",
];
/// Words of functions that take over an argument, by the convention of OpenSSL: `set1` and `get0` do not.
const TAKE_OVER: &[&str] = &["set0", "add0", "push0", "assign0"];
/// Verbs of functions that return memory to the system.
const UNMAPS: &[&str] = &["unmap", "munmap", "dealloc", "deallocate"];
/// Verbs of functions that allocate memory.
const ALLOCATES: &[&str] = &["alloc", "allocate", "malloc"];
/// Verbs of functions that free parts of their object.
const DROP: &[&str] = &["delete", "remove", "detach", "replace", "erase", "clear", "pop", "prune"];
/// Words of functions that return a part of their object.
const LEAD: &[&str] =
    &["get", "first", "last", "next", "prev", "child", "parent", "item", "find", "at"];
/// Names of arguments that an object goes on using.
const MEMORY: &[&str] = &[
    "buffer",
    "buf",
    "memory",
    "mem",
    "workspace",
    "output",
    "input",
    "pointer",
    "ptr",
    "userdata",
    "storage",
];

/// The object that C takes over: the only argument that may be meant by a comment which says so.
pub(super) fn taken_over(
    comment: &Comment,
    arguments: &[Argument],
    handles: &[Given<'_>],
) -> Option<usize> {
    let is_pointer = |one: &&Argument| one.passed == Passed::Pointer && one.of != Of::Text;
    let [Given { class, is_const: false, .. }] = handles else { return None };
    let is_only = class.is_freed() && arguments.iter().filter(is_pointer).count() == 1;
    let is_object = |one: &Argument| matches!(one.of, Of::Handle(_));
    arguments.iter().position(is_object).filter(|_| is_only && comment.takes_ownership())
}

/// The object of which a function may free parts, to which other objects of the target language lead.
pub(super) fn freed_parts(
    function: &Declaration<'_>,
    arguments: &[Argument],
    unit: &Unit<'_>,
) -> Option<usize> {
    let object =
        arguments.first().filter(|one| matches!(one.of, Of::Handle(_)) && !one.is_const)?;
    // `tree_first(tree)` and `tree_get_child(tree, k)` of the same class.
    let key = unit.named(&function.parameters.first()?.words)?.0;
    let leads = |one: &Declaration<'_>| {
        let of = |words: &[&str]| unit.named(words).is_some_and(|(found, _)| found == key);
        let accepts = one.parameters.first().is_some_and(|first| of(&first.words));
        accepts && of(&one.result) && has_word(one.name, LEAD)
    };
    let is_tree = unit.functions.iter().any(leads);
    (is_tree && has_word(function.name, DROP) && object.intent.is_none()).then_some(0)
}

/// The reason for omitting a function. `handles` are its arguments that are handles, by name and
/// class.
pub(super) fn refuse(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &[Argument],
    handles: &[Given<'_>],
) -> Result<(), String> {
    let has = |list: &[&str]| has_word(function.name, list);
    let is_memory = |argument: &&Argument| {
        argument.passed == Passed::Pointer
            && matches!(
                argument.of,
                Of::Number(_) | Of::Room | Of::Void | Of::Struct | Of::StringPointers | Of::Strings
            )
            && argument.whole.is_none()
            && argument.value.is_none()
    };
    let may_change = |argument: &&Argument| is_memory(argument) && !argument.is_const;
    if (handles::is_free(function) || has(UNMAPS)) && arguments.iter().any(|one| may_change(&one)) {
        return Err("the function may free its argument".to_owned());
    }
    let is_given = |argument: &Argument| argument.passed == Passed::Pointer;
    if comment.takes_over(function.result_is_const || comment.library_owns())
        && arguments.iter().any(is_given)
        && taken_over(comment, arguments, handles).is_none()
    {
        return Err(
            "the function takes ownership of an argument, according to its comment".to_owned()
        );
    }
    let is_address = |one: &&Argument| one.of == Of::Void && may_change(one);
    if let Some(address) = arguments.iter().find(is_address).filter(|_| has(ALLOCATES)) {
        return Err(format!("C may write the address of new memory to `{}`", address.name));
    }
    let is_value = |index: usize| index > 0 || arguments.len() == 1;
    if has(TAKE_OVER) && (0..arguments.len()).any(|at| is_value(at) && is_given(&arguments[at])) {
        return Err(
            "the function takes over an argument, according to the `0` in its name".to_owned()
        );
    }
    let is_view =
        lower_words(function.name).last().is_some_and(|last| VIEWS.contains(&last.as_str()));
    let refers = is_view || has(REFER);
    let stores = refers || has(MAY_REFER);
    let list = arguments.iter().find(|one| matches!(one.of, Of::Objects(_)));
    if let Some(list) = list.filter(|_| stores || handles::is_free(function)) {
        return Err(format!("C may use the objects of `{}` after the function returns", list.name));
    }
    if let Some(memory) = arguments.iter().find(is_memory)
        && handles.is_empty()
        && (has(&["attach"]) || has(&["set", "setup"]) && has(MEMORY))
    {
        return Err(format!("C may use `{}` after the function returns", memory.name));
    }
    let [Given { name: first, .. }, others @ ..] = handles else { return Ok(()) };
    let is_given = refers || has(&["set", "setup"]) && has(MEMORY);
    // Memory that C only reads is retained instead.
    let is_lost = |one: &&Argument| is_memory(one) && (!one.is_const || !kept::retains(arguments));
    if let (Some(memory), true) = (arguments.iter().find(is_lost), is_given) {
        return Err(format!("C may use `{}` after the function returns", memory.name));
    }
    let kept = others
        .iter()
        .find(|other| other.class.is_freed() && (refers || has(MAY_REFER) && !other.is_const));
    match kept {
        Some(other) => {
            Err(format!("`{first}` may use `{}` after the function returns", other.name))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{OBJECTS, left_out, proto};

    #[test]
    fn c_takes_over_frees_parts_or_stores() {
        for (function, guessed) in [
            (
                "/* Takes ownership of rows. */ db *db_create(row *r);",
                "own db *db_create(own row *r)",
            ),
            ("void row_clear(row *r);", "void row_clear(row *r)"),
            (
                "row *row_next(row *r); void row_remove(row *r, int k);",
                "void row_remove(invalidates row *r, int k)",
            ),
            (
                "/* @param[out] size the size of it */ void db_size(const db *d, double *size);",
                "void db_size(const db *d, out double *size)",
            ),
        ] {
            assert_eq!(proto(&format!("{OBJECTS} {function}")), guessed);
        }
        let steal = "void row_steal(row *r, row *other);";
        assert_eq!(
            left_out(&format!("{OBJECTS} {steal}")),
            "`r` may use `other` after the function returns"
        );
        let view = "void row_view(const row *r, int k, row *part);";
        assert_eq!(
            left_out(&format!("{OBJECTS} {view}")),
            "`r` may use `part` after the function returns"
        );
        for (function, reason) in [
            ("int mem_unmap(void *addr, size_t len);", "the function may free its argument"),
            (
                "int mem_alloc(size_t size, void *base);",
                "C may write the address of new memory to `base`",
            ),
            (
                "int buffer_attach(void *buffer, int size);",
                "C may use `buffer` after the function returns",
            ),
            (
                "int set_buffer(int list, size_t size, double *memory);",
                "C may use `memory` after the function returns",
            ),
            (
                "int db_buffer_setup(db *d, void *bp, size_t size);",
                "C may use `bp` after the function returns",
            ),
        ] {
            assert_eq!(left_out(&format!("{OBJECTS} {function}")), reason, "{function}");
        }
        let replaces = "void db_replace(db *d, int k, row *r);";
        assert_eq!(
            left_out(&format!("{OBJECTS} {replaces}")),
            "`d` may use `r` after the function returns"
        );
    }
}
