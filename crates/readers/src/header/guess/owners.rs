//! Whose the objects are that functions give.
//!
//! Purpose: from the names of functions, who gives an object back, and what it needs until then.
//! Invariant: in doubt, an object is given back by nobody: that costs memory, the reverse the process.
//! Reason: C says of a pointer what it points to, and not for how long.

use super::class::Class;
use super::handles::{COPIES, MAKES};
use super::words::lower_words;
use crate::header::syntax::Declaration;

/// What makes an object even where it is given one of the same kind.
const ALLOCATES: &[&str] = &["new", "create", "alloc", "calloc", "make", "open"];
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
                format!("the `{class}` is the caller's, and needs `{}`", keeps.join("` and `"))
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

/// Whose the object of `class` is that `function` returns, or, where `stored`, puts behind an argument.
/// `handles` are the function's arguments that are handles, each by its name and class.
pub(super) fn owner(
    function: &Declaration<'_>,
    class: &Class,
    handles: &[(String, &Class)],
    stored: bool,
    is_const: bool,
) -> Result<Owner, String> {
    let words = lower_words(function.name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if !class.is_freed() {
        return Ok(handles
            .first()
            .map_or(Owner::Library, |(name, _)| Owner::Argument(name.clone())));
    }
    if has(MOVES) {
        return Err("an object that it is given may be gone afterwards".to_owned());
    }
    let keeps = |all: bool| {
        let kept = handles.iter().filter(|(_, other)| all && other.is_freed());
        Owner::Caller { keeps: kept.map(|(name, _)| name.clone()).collect() }
    };
    let same = handles.iter().find(|(_, other)| other.name == class.name);
    if let (Some((name, _)), false) = (same, has(ALLOCATES) || has(COPIES) || is_const) {
        return Ok(Owner::Argument(name.clone()));
    }
    let makes =
        has(MAKES) || words.iter().any(|word| MAKES.iter().any(|make| word.ends_with(make)));
    if is_const {
        Ok(handles.first().map_or(Owner::Library, |(name, _)| Owner::Argument(name.clone())))
    } else if has(COPIES) {
        Ok(keeps(false))
    } else if makes || !stored && handles.is_empty() && !has(FINDS) {
        Ok(keeps(true))
    } else if let Some((name, _)) = handles.first().filter(|_| !stored || has(FINDS)) {
        Ok(Owner::Argument(name.clone()))
    } else {
        Err("it is not plain whose the object is that it gives".to_owned())
    }
}

/// True where there may be no object to be found.
pub(super) fn finds(function: &Declaration<'_>) -> bool {
    lower_words(function.name).iter().any(|word| FINDS.contains(&word.as_str()))
}
