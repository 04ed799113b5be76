//! The owners of returned objects.
//!
//! Purpose: derive from names of functions and comments who frees an object, and on what it
//! depends.
//! Invariant: an owner is guessed only from an unambiguous name or comment; otherwise the function
//! is omitted, because a wrong guess leaks the object or frees it twice.
//! Reason: C declares the type of a pointee, and not its lifetime.

use super::class::{Class, What};
use super::comment::Comment;
use super::lifecycle::{COPIES, MAKES, OBJECTS};
use super::words::{has_word, lower_words, type_words};
use super::{Context, Given};
use fishplate_readers::header::syntax::Declaration;

/// Verbs of constructors, even with an argument of the same kind.
pub(super) const ALLOCATES: &[&str] = &["new", "create", "alloc", "calloc", "make", "open"];
/// Verbs of functions that return an object owned by something else, unless they only read their
/// arguments.
const FINDS: &[&str] =
    &["get", "default", "global", "current", "instance", "find", "lookup", "peek"];
/// Verbs of functions that may return a part of an object, or a new object with what they have read.
const READS: &[&str] = &["read", "decode", "fetch", "receive", "recv"];
/// Words of functions that return an object that is part of another, regardless of `const`.
const PARTS: &[&str] = &[
    "root", "first", "next", "last", "parent", "prev", "previous", "child", "children", "item",
    "sibling", "head", "tail", "front", "back", "top",
];
/// Verbs of functions that create an object as a part of another.
const INSERTS: &[&str] = &["add", "insert"];
/// Verbs of functions that remove an object from its owner.
const REMOVES: &[&str] =
    &["detach", "remove", "pop", "take", "steal", "extract", "unlink", "dequeue", "replace"];
/// Verbs of functions that may move an object: the previous pointer is invalid.
const MOVES: &[&str] = &["realloc", "resize", "grow", "reinit", "append", "cat"];

/// The owner of an object that a function returns or stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The caller; the object needs other objects.
    Caller { keeps: Vec<String> },
    /// An argument.
    Argument(String),
    /// The library.
    Library,
}

impl Owner {
    /// A point to check.
    pub(super) fn remark(&self, class: &str) -> String {
        match self {
            Owner::Caller { keeps } if keeps.is_empty() => {
                format!("the caller owns the `{class}`, which does not depend on an argument")
            }
            Owner::Caller { keeps } => {
                let kept = keeps.join("` and `");
                format!(
                    "the caller owns the `{class}`, which depends on `{kept}`; C does not take ownership of `{kept}`"
                )
            }
            Owner::Argument(name) => format!("`{name}` owns the `{class}`"),
            Owner::Library => format!("the library owns the `{class}`"),
        }
    }
}

/// The keywords of a prototype for it.
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

/// The owner of the object of `class` that `function` returns, or stores in the argument called
/// `stored`. `handles` are the function's arguments that are handles. An object of the caller keeps the one that its
/// destructor needs.
pub(super) fn owner(
    function: &Declaration<'_>,
    comment: &Comment,
    class: &Class,
    handles: &[Given<'_>],
    stored: Option<&str>,
    is_const: bool,
    context: &Context<'_, '_>,
) -> Result<Owner, String> {
    let mut owner = owner_of_any(function, comment, class, handles, stored, is_const)?;
    if let (Owner::Caller { keeps }, What::Handle { context: Some(context), .. }) =
        (&mut owner, &class.what)
    {
        let Some(given) = handles.iter().find(|given| given.class.name == *context) else {
            let returned = stored.map_or("returned ", |_| "");
            return Err(format!(
                "the `{context}` that frees the {returned}`{}` is unknown",
                class.name
            ));
        };
        if !keeps.contains(&given.name) {
            keeps.insert(0, given.name.clone());
        }
    }
    if let Owner::Caller { keeps } = &mut owner
        && keeps.is_empty()
        && has_word(function.name, COPIES)
        && depends(class, context)
    {
        // A copy depends on the same object, which the original retains.
        keeps.extend(
            handles.iter().filter(|one| one.class.name == class.name).map(|one| one.name.clone()),
        );
    }
    Ok(owner)
}

/// Some function creates such an object from one of another class, on which it may depend: `db_prepare(db, sql)`.
fn depends(class: &Class, context: &Context<'_, '_>) -> bool {
    let of = |words: &[&str]| context.classes.find(words, context.unit).map(|(found, _)| found);
    context.unit.functions.iter().any(|one| {
        let mut given = one.parameters.iter().filter_map(|parameter| of(&parameter.words));
        has_word(one.name, MAKES)
            && of(&one.result).is_some_and(|made| made.name == class.name)
            && given.any(|other| other.is_freed() && other.name != class.name)
    })
}

fn owner_of_any(
    function: &Declaration<'_>,
    comment: &Comment,
    class: &Class,
    handles: &[Given<'_>],
    stored: Option<&str>,
    is_const: bool,
) -> Result<Owner, String> {
    let words = lower_words(function.name);
    let has = |list: &[&str]| has_word(function.name, list);
    let first = || handles.first().map(|first| Owner::Argument(first.name.clone()));
    if !class.is_freed() {
        if comment.caller_frees() && !comment.library_owns() {
            return Err(format!(
                "the caller must free the returned `{}`, and no function of the headers does",
                class.name
            ));
        }
        return Ok(first().unwrap_or(Owner::Library));
    }
    if has(MOVES) {
        return Err("the function may invalidate an object that it is passed".to_owned());
    }
    let unknown = || match stored {
        Some(name) => {
            format!("the owner of the `{}` that C stores in `{name}` is unknown", class.name)
        }
        None => format!("the owner of the returned `{}` is unknown", class.name),
    };
    let keeps = |all: bool| {
        let kept = handles.iter().filter(|other| all && other.class.is_freed());
        Owner::Caller { keeps: kept.map(|other| other.name.clone()).collect() }
    };
    match (comment.library_owns() || is_const, !is_const && comment.caller_frees()) {
        (true, false) => return Ok(first().unwrap_or(Owner::Library)),
        (false, true) => return Ok(keeps(!has(COPIES))),
        (true, true) => return Err(unknown()),
        (false, false) => {}
    }
    if has(COPIES) {
        return Ok(keeps(false));
    }
    if has(REMOVES) {
        return Err(unknown());
    }
    let same = handles.iter().find(|other| other.class.name == class.name);
    let makes =
        has(MAKES) || words.iter().any(|word| MAKES.iter().any(|make| word.ends_with(make)));
    if makes && (same.is_none() || has(ALLOCATES)) {
        return Ok(keeps(true));
    }
    // A function that only reads its arguments and returns an object that may be changed has
    // probably created it.
    let only_reads =
        same.is_some_and(|same| same.is_const) || handles.iter().all(|given| given.is_const);
    let is_getter = has(FINDS) || same.is_none() && is_named_after(class, &words) && !has(READS);
    match same.or(handles.first()) {
        Some(owner) if has(PARTS) || has(INSERTS) || is_getter && !only_reads => {
            Ok(Owner::Argument(owner.name.clone()))
        }
        None if stored.is_none() && !has(FINDS) && !has(PARTS) => Ok(keeps(true)),
        _ => Err(unknown()),
    }
}

/// True for a name such as `cursor_store`, whose result is a store, or `db_handle`.
fn is_named_after(class: &Class, words: &[String]) -> bool {
    let kind = class.words.last().map(|name| type_words(name)).unwrap_or_default();
    let last = kind.last().map(|word| word.to_ascii_lowercase());
    words.len() > kind.len().max(1)
        && words
            .last()
            .is_some_and(|word| Some(word) == last.as_ref() || OBJECTS.contains(&word.as_str()))
}

/// True if there may be no object.
pub(super) fn finds(function: &Declaration<'_>) -> bool {
    lower_words(function.name)
        .iter()
        .any(|word| [FINDS, PARTS].iter().any(|list| list.contains(&word.as_str())))
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    #[test]
    fn a_copy_depends_on_what_its_original_depends_on() {
        const UNITS: &str = "typedef struct sys sys; sys *sys_new(void); void sys_free(sys *s); \
                             typedef struct unit unit; void unit_free(unit *u); ";
        let clone = "unit *unit_clone(const unit *u);";
        assert_eq!(
            proto(&format!("{UNITS} unit *unit_parse(sys *s, const char *text); {clone}")),
            "own keep(u) unit *unit_clone(const unit *u)"
        );
        assert_eq!(
            proto(&format!("{UNITS} unit *unit_new(int k); {clone}")),
            "own unit *unit_clone(const unit *u)"
        );
        let unfreed = "typedef struct part part; int part_size(part *p); int part_kind(part *p); \
                       /* The caller must free the result by drop_part(). */ part *part_get(int k);";
        assert_eq!(
            left_out(unfreed),
            "the caller must free the returned `Part`, and no function of the headers does"
        );
    }

    #[test]
    fn an_object_that_was_read_may_be_new() {
        let header = "typedef struct File File; typedef struct { int n; } FileObject; File *FileOpen(const char *path); \
                      void FileClose(File *f); void FileDestroyObject(FileObject *object); ";
        let read = format!("{header} FileObject *FileReadObject(File *f, int k);");
        assert_eq!(left_out(&read), "the owner of the returned `Object` is unknown");
    }
}
