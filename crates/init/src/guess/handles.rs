//! Objects that C identifies by a pointer.
//!
//! Purpose: find the types that are handles, their constructors and destructors, and the owners of
//! objects that functions return.
//! Invariant: a function that may free an object is never an ordinary function: an object that is
//! freed twice, or used afterwards, crashes the process.
//! Reason: libraries name such functions alike: `x_new` and `x_free`, `x_open` and `x_close`.

use super::Context;
use super::class::{Class, Classes, Init, What};
use super::words::{self, ClassNames, lower_words, type_words};
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

const FREES: &[&str] = &[
    "free", "destroy", "close", "delete", "finalize", "release", "dispose", "cleanup", "finish",
    "unref", "del", "end", "fini",
];
/// Verbs of functions that clear an object whose memory is the caller's.
const CLEARS: &[&str] = &["clear", "deinit", "uninit", "fin"];
pub(super) const MAKES: &[&str] = &[
    "new", "create", "alloc", "open", "init", "make", "calloc", "build", "parse", "dup", "clone",
    "copy", "compile", "load", "connect", "start", "prepare", "begin",
];
/// Verbs of functions that create another object of the same kind, independent of the first.
pub(super) const COPIES: &[&str] = &["dup", "clone", "copy"];
/// Words in names of functions that denote any object.
pub(super) const OBJECTS: &[&str] =
    &["instance", "object", "obj", "handle", "context", "ctx", "struct"];
/// Finds the handles among the types that these functions take and return.
pub(super) fn add(
    own: &[&Declaration<'_>],
    unit: &Unit<'_>,
    library: &str,
    globals: &[String],
    names: &mut ClassNames<'_>,
    classes: &mut Vec<Class>,
) {
    for (key, uses) in uses(own, unit) {
        if classes.iter().any(|class| class.key == key) {
            continue;
        }
        let Some((words, star)) = spelling(&uses, &key) else { continue };
        let mut kind = type_words(&words[words.len() - 1]);
        kind.extend(type_words(key.strip_prefix("struct ").unwrap_or(&key)));
        let kind: Vec<String> = kind.into_iter().map(str::to_ascii_lowercase).collect();
        let rest = |name: &str| rest(name, &kind, library);
        let points = |words: &[&str], form: &Form<'_>| depth(words, form, unit, &key) == Some(1);
        // The shortest name of a function of one object, which is such a word.
        let of_one = |words: &[&str]| {
            let one = own.iter().filter(|function| frees(function, unit, &key));
            let named = one.filter(|function| {
                matches!(rest(function.name).as_slice(), [word] if words.contains(&word.as_str()))
            });
            named.min_by_key(|function| function.name.len())
        };
        let mut free = of_one(FREES).map(|one| one.name.to_owned());
        let takes = |function: &Declaration<'_>| {
            function.parameters.iter().any(|it| points(&it.words, &it.form) && !it.is_const)
        };
        let stores = |function: &Declaration<'_>| {
            function
                .parameters
                .iter()
                .any(|parameter| depth(&parameter.words, &parameter.form, unit, &key) == Some(2))
        };
        let gives = |one: &Declaration<'_>| points(&one.result, &one.result_form);
        let is_const =
            |one: &Declaration<'_>| one.result_is_const || unit.points_to_const(&one.result);
        let makers = own.iter().filter(|function| {
            gives(function) && !is_const(function) && !takes(function) || stores(function)
        });
        let made: Vec<&str> = makers.map(|function| function.name).collect();
        let is_plain = |name: &&&str| {
            matches!(rest(name).as_slice(), [word]
                if MAKES.contains(&word.as_str()) && !COPIES.contains(&word.as_str()))
        };
        let maker = made.iter().filter(is_plain).min_by_key(|name| name.len());
        let makes = |one: &Declaration<'_>| {
            rest(one.name).iter().any(|word| MAKES.contains(&word.as_str()))
        };
        let given = own.iter().any(|one| gives(one))
            && !own.iter().any(|one| (gives(one) || stores(one)) && makes(one));
        let is_opaque = !unit.structs.contains_key(key.strip_prefix("struct ").unwrap_or(&key));
        // The library owns the objects that it returns and that no function releases.
        let mut is_made = free.is_some() && !made.is_empty();
        // Nothing returns such an object: it is a variable of the caller, who initialises and clears it.
        // An array of pointers that C only reads creates none.
        let allocates = own.iter().any(|one| {
            gives(one) && !is_const(one)
                || stores(one) && one.parameters.iter().all(|it| !it.is_const)
        });
        let init = of_one(&["init"])
            .filter(|_| !allocates && !is_opaque)
            .map(|one| Init { function: one.name.to_owned(), has_status: one.result != ["void"] });
        if init.is_some() {
            free = of_one(CLEARS).map(|one| one.name.to_owned()).or(free);
            is_made = free.is_some();
        }
        let init = init.filter(|_| is_made);
        let is_kept = given && is_opaque || globals.contains(&key);
        if !(is_made || is_kept) {
            continue;
        }
        let Some(name) = names.name(&words[words.len() - 1]) else { continue };
        let mut remarks = Vec::new();
        match (&free, maker) {
            (Some(free), _) if init.is_some() => {
                remarks.push(format!("callers store such objects, and `{free}` clears one"));
            }
            (Some(free), _) if is_made => {
                remarks.push(format!("`{free}` frees an object, according to its name"));
            }
            _ => remarks.push("the library owns its objects, as no function frees one".to_owned()),
        }
        let mut methods: Vec<&str> = own
            .iter()
            .filter(|one| one.parameters.first().is_some_and(|it| points(&it.words, &it.form)))
            .map(|one| one.name)
            // Internal functions are left out.
            .filter(|name| !name.starts_with('_'))
            .collect();
        // `mpq_get_num` sets an `mpz_t`, whose methods begin with `mpz`.
        let most = words::library(methods.iter().copied());
        if !most.is_empty() {
            methods.retain(|name| lower_words(name).first() == Some(&most));
        }
        let prefix =
            words::prefix(&methods, &|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        let prefix =
            words::beginning(prefix, &|word| word == library || kind.iter().any(|it| it == word));
        classes.push(Class {
            name,
            key: key.clone(),
            words,
            at: None,
            remarks,
            what: What::Handle {
                star,
                free: free.filter(|_| is_made),
                maker: maker.filter(|_| is_made).map(|name| (*name).to_owned()),
                prefix: prefix.to_owned(),
                init,
            },
        });
    }
}

/// The uses of a type.
#[derive(PartialEq, Eq)]
struct Use {
    words: Vec<String>,
    /// The words are a pointer by themselves.
    is_pointer: bool,
    /// The pointee is `const`.
    is_const: bool,
}

/// Every type that is a pointee, and its uses, in source order.
fn uses(own: &[&Declaration<'_>], unit: &Unit<'_>) -> Vec<(String, Vec<Use>)> {
    let mut found: Vec<(String, Vec<Use>)> = Vec::new();
    let parameters = own.iter().flat_map(|one| &one.parameters);
    let parameters = parameters.map(|one| (&one.words, &one.form, one.is_const));
    let results = own.iter().map(|one| (&one.result, &one.result_form, one.result_is_const));
    for (words, form, is_const) in parameters.chain(results) {
        let Some((key, stars)) = unit.named(words) else { continue };
        let depth = stars + written(form).unwrap_or_default();
        if key.starts_with("enum ") || stars > 1 || depth == 0 {
            continue;
        }
        let written = depth - stars;
        let one = Use {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            is_pointer: stars == 1,
            is_const: unit.points_to_const_by(words, written, is_const),
        };
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, uses)) => uses.push(one),
            None => found.push((key, vec![one])),
        }
    }
    found
}

/// The spelling in most uses, and whether a star belongs after it. A typedef of the pointer
/// excludes a `const` that some use needs: then it is the spelling of the pointee, or else `key`.
fn spelling(uses: &[Use], key: &str) -> Option<(Vec<String>, bool)> {
    let needs_const = uses.iter().any(|one| one.is_const);
    let good = |one: &&Use| !needs_const || !one.is_pointer;
    let count = |one: &&Use| uses.iter().filter(|other| other.words == one.words).count();
    match uses.iter().filter(good).max_by_key(count) {
        Some(one) => Some((one.words.clone(), !one.is_pointer)),
        None => needs_const.then(|| (key.split(' ').map(str::to_owned).collect(), true)),
    }
}

/// The number of stars in a declarator.
fn written(form: &Form<'_>) -> Option<usize> {
    match form {
        Form::Value => Some(0),
        Form::Pointer => Some(1),
        Form::PointerToPointer => Some(2),
        _ => None,
    }
}

/// The depth of this pointer to the type `key`.
fn depth(words: &[&str], form: &Form<'_>, unit: &Unit<'_>, key: &str) -> Option<usize> {
    let (found, stars) = unit.named(words)?;
    (found == key).then_some(stars + written(form)?)
}

/// A function of one object, whose result does not describe it.
fn frees(function: &Declaration<'_>, unit: &Unit<'_>, key: &str) -> bool {
    let [one] = function.parameters.as_slice() else { return false };
    let drops = match unit.meaning(&function.result) {
        Meaning::Scalar(scalar) => scalar.is_integer(),
        Meaning::Foreign(what) => what == "`void`",
    };
    // NULL, to be stored in place of the pointer.
    let name = function.name.to_ascii_lowercase();
    let gives_nothing =
        ["free", "destroy", "delete", "close"].iter().any(|end| name.ends_with(end))
            && depth(&function.result, &function.result_form, unit, key) == Some(1);
    (drops && function.result_form == Form::Value || gives_nothing)
        && depth(&one.words, &one.form, unit, key) == Some(1)
}

/// The words of a function's name that name neither the library nor the type.
fn rest(name: &str, kind: &[String], library: &str) -> Vec<String> {
    let words = lower_words(name).into_iter();
    let mut rest: Vec<String> =
        words.filter(|word| !kind.contains(word) && word != library).collect();
    if rest.len() == 2 && OBJECTS.contains(&rest[1].as_str()) {
        rest.pop();
    }
    // `gzclose` of a `gzFile`
    if let [word] = rest.as_mut_slice() {
        let joined = kind.iter().find_map(|kind| {
            let verb = word.strip_prefix(kind.as_str())?;
            (FREES.contains(&verb) || MAKES.contains(&verb)).then(|| verb.to_owned())
        });
        *word = joined.unwrap_or_else(|| std::mem::take(word));
    }
    rest
}

/// The class of a method, and its name there.
pub(super) fn method(
    function: &Declaration<'_>,
    context: &Context<'_, '_>,
) -> Option<(String, String)> {
    let first = function.parameters.first()?;
    let (class, stars) = context.classes.find(&first.words, context.unit)?;
    let What::Handle { prefix, .. } = &class.what else { return None };
    let name = function.name.strip_prefix(prefix.as_str()).filter(|_| !prefix.is_empty())?;
    // `mpz_2fac_ui` cannot be a method `2fac_ui`.
    let is_good = !name.starts_with(|first: char| first.is_ascii_digit())
        && (context.reserved.allows_member(name) || name == "name")
        && !matches!(name, "close" | "closed");
    (stars + written(&first.form)? == 1 && is_good).then(|| (class.name.clone(), name.to_owned()))
}

/// True for a function that by its name frees something.
pub(super) fn is_free(function: &Declaration<'_>) -> bool {
    lower_words(function.name)
        .iter()
        .any(|word| FREES.iter().any(|free| word == free || free.len() > 3 && word.ends_with(free)))
}

/// The reason for omitting a function that may free an object.
pub(super) fn refuse(
    function: &Declaration<'_>,
    unit: &Unit<'_>,
    classes: &Classes,
) -> Result<(), String> {
    let is_free = is_free(function);
    for parameter in &function.parameters {
        let Some((class, stars)) = classes.find(&parameter.words, unit) else { continue };
        let What::Handle { free: Some(free), init, .. } = &class.what else { continue };
        if init.as_ref().is_some_and(|init| init.function == function.name) {
            return Err(format!("the `init` of `{}` calls it", class.name));
        }
        if init.is_some() && lower_words(function.name).iter().any(|it| it.starts_with("init")) {
            return Err(format!(
                "it initialises a `{}`, as the `init` of its handle does; write `out init` before an object that it \
                 creates",
                class.name
            ));
        }
        if free == function.name {
            return Err(format!("the destructor of `{}` calls it", class.name));
        }
        let depth = stars + written(&parameter.form).unwrap_or_default();
        if is_free && (function.parameters.len() == 1 || depth > 1) {
            return Err(format!(
                "the function may free a `{}`, as its destructor does",
                class.name
            ));
        }
    }
    Ok(())
}
