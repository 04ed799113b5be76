//! The use of memory and objects by C after a call.
//!
//! Purpose: find functions that may free their arguments, or use them after they have returned.
//! Invariant: objects that may have been freed are never used: such a function is omitted.
//! Reason: a caller in a garbage-collected language cannot know how long C uses an array.

use super::Given;
use super::argument::{Argument, Of, Passed};
use super::comment::Comment;
use super::words::has_word;
use super::{handles, kept};
use fishplate_readers::header::syntax::Declaration;

/// Verbs of functions that make one object refer to their other arguments.
const REFER: &[&str] = &["ref", "reference", "attach", "assign", "link", "use", "connect"];
/// The same, if C could also change these arguments.
const MAY_REFER: &[&str] =
    &["set", "add", "bind", "append", "push", "insert", "register", "install", "put"];
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
    if handles::is_free(function) && arguments.iter().any(|one| may_change(&one)) {
        return Err("the function may free its argument".to_owned());
    }
    let is_given = |argument: &Argument| argument.passed == Passed::Pointer;
    if comment.takes_over(function.result_is_const || comment.library_owns())
        && arguments.iter().any(is_given)
    {
        return Err(
            "the function takes ownership of an argument, according to its comment".to_owned()
        );
    }
    let stores = has(REFER) || has(MAY_REFER);
    let list = arguments.iter().find(|one| matches!(one.of, Of::Objects(_)));
    if let Some(list) = list.filter(|_| stores || handles::is_free(function)) {
        return Err(format!("C may use the objects of `{}` after the function returns", list.name));
    }
    let [Given { name: first, .. }, others @ ..] = handles else { return Ok(()) };
    let is_given = has(REFER) || has(&["set"]) && has(MEMORY);
    // Memory that C only reads is retained instead.
    let is_lost = |one: &&Argument| is_memory(one) && (!one.is_const || !kept::retains(arguments));
    if let (Some(memory), true) = (arguments.iter().find(is_lost), is_given) {
        return Err(format!("C may use `{}` after the function returns", memory.name));
    }
    let kept = others
        .iter()
        .find(|other| other.class.is_freed() && (has(REFER) || has(MAY_REFER) && !other.is_const));
    match kept {
        Some(other) => {
            Err(format!("`{first}` may use `{}` after the function returns", other.name))
        }
        None => Ok(()),
    }
}
