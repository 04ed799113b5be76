//! Whose the objects are that functions give.
//!
//! Purpose: from the names of functions, who gives an object back, and what it needs until then.
//! Invariant: in doubt, an object is given back by nobody: that costs memory, the reverse the process.
//! Reason: C says of a pointer what it points to, and not for how long.

use super::Given;
use super::class::Class;
use super::comment::Comment;
use super::handles::{COPIES, MAKES};
use super::words::lower_words;
use crate::header::syntax::Declaration;

/// What makes an object even where it is given one of the same kind.
pub(super) const ALLOCATES: &[&str] = &["new", "create", "alloc", "calloc", "make", "open"];
/// What gives an object that somebody else has.
const FINDS: &[&str] = &[
    "get", "default", "global", "current", "instance", "find", "lookup", "root", "first", "next",
    "last", "parent",
];
/// What may move an object: the pointer before is dead.
const MOVES: &[&str] = &["realloc", "resize", "grow", "reinit", "append", "cat"];

/// Whose an object is that a function returns or stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The caller's; it needs other objects.
    Caller { keeps: Vec<String> },
    /// That of an argument.
    Argument(String),
    /// The library's.
    Library,
}

impl Owner {
    /// What is to be checked.
    pub(super) fn remark(&self, class: &str) -> String {
        match self {
            Owner::Caller { keeps } if keeps.is_empty() => {
                format!("the `{class}` is the caller's, and needs nothing that is given here")
            }
            Owner::Caller { keeps } => {
                let kept = keeps.join("` and `");
                format!(
                    "the `{class}` is the caller's, and needs `{kept}`; C takes no ownership of that"
                )
            }
            Owner::Argument(name) => format!("the `{class}` belongs to `{name}`"),
            Owner::Library => format!("the `{class}` is the library's own"),
        }
    }
}

/// The words of a prototype for it.
impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Owner::Caller { keeps } if keeps.is_empty() => f.write_str("own "),
            Owner::Caller { keeps } => write!(f, "own keep({}) ", keeps.join(", ")),
            Owner::Argument(name) => write!(f, "borrow({name}) "),
            Owner::Library => f.write_str("borrow "),
        }
    }
}

/// Whose the object of `class` is that `function` returns, or stores in the argument called `stored`.
/// `handles` are the function's arguments that are handles.
pub(super) fn owner(
    function: &Declaration<'_>,
    comment: &Comment,
    class: &Class,
    handles: &[Given<'_>],
    stored: Option<&str>,
    is_const: bool,
) -> Result<Owner, String> {
    let words = lower_words(function.name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let first = || handles.first().map(|first| Owner::Argument(first.name.clone()));
    if !class.is_freed() {
        return Ok(first().unwrap_or(Owner::Library));
    }
    if has(MOVES) {
        return Err("an object that it is given may be gone afterwards".to_owned());
    }
    let keeps = |all: bool| {
        let kept = handles.iter().filter(|other| all && other.class.is_freed());
        Owner::Caller { keeps: kept.map(|other| other.name.clone()).collect() }
    };
    let same = handles.iter().find(|other| other.class.name == class.name);
    let copies = has(ALLOCATES) || has(COPIES);
    let makes =
        has(MAKES) || words.iter().any(|word| MAKES.iter().any(|make| word.ends_with(make)));
    if !is_const && comment.caller_frees() {
        return Ok(keeps(!has(COPIES)));
    }
    // What only reads its arguments, and returns an object that may be changed, has likely made it.
    let only_reads = !handles.is_empty() && handles.iter().all(|given| given.is_const);
    let is_made_for_call = only_reads && !copies && !has(FINDS) && (same.is_some() || !makes);
    if !is_const && stored.is_none() && is_made_for_call {
        return Err(format!("it is not clear who frees the `{}` that it returns", class.name));
    }
    if let (Some(same), false) = (same, copies || is_const) {
        return Ok(Owner::Argument(same.name.clone()));
    }
    if is_const {
        Ok(first().unwrap_or(Owner::Library))
    } else if has(COPIES) {
        Ok(keeps(false))
    } else if makes || stored.is_none() && handles.is_empty() && !has(FINDS) {
        Ok(keeps(true))
    } else if let Some(owner) = first().filter(|_| stored.is_none() || has(FINDS)) {
        Ok(owner)
    } else {
        Err("it is not plain whose the object is that it gives".to_owned())
    }
}

/// True where there may be no object to be found.
pub(super) fn finds(function: &Declaration<'_>) -> bool {
    lower_words(function.name).iter().any(|word| FINDS.contains(&word.as_str()))
}
