//! Objects that C identifies by a pointer.
//!
//! Purpose: find the types that are handles, their constructors and destructors, and the owners of
//! objects that functions return.
//! Invariant: a function that may free an object is never an ordinary function: an object that is
//! freed twice, or used afterwards, crashes the process.
//! Reason: libraries name such functions alike: `x_new` and `x_free`, `x_open` and `x_close`.

use super::Context;
use super::class::{Class, Classes, Free, Init, What};
use super::destructors::Given;
use super::lifecycle::{CLEARS, FREES, Kind, written};
use super::status;
use super::words::{self, ClassNames, has_word, lower_words};
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::syntax::{Declaration, Unit};

/// Finds the handles among the types that these functions take and return.
pub(super) fn add(
    own: &[&Declaration<'_>],
    unit: &Unit<'_>,
    library: &str,
    globals: &[String],
    sorts: &[&str],
    names: &mut ClassNames<'_>,
    classes: &mut Vec<Class>,
) {
    for (key, uses) in uses(own, unit) {
        if classes.iter().any(|class| class.key == key) {
            continue;
        }
        let Some((words, star)) = spelling(&uses, &key) else { continue };
        let kind = Kind::new(own, unit, library, &key, &words[words.len() - 1]);
        let destructor = kind.destructor();
        // Nothing returns such an object: it is a variable of the caller, who initialises and clears it.
        let init = kind
            .of_one(&["init"])
            .filter(|_| !kind.is_allocated() && !kind.is_opaque())
            .map(|one| Init { function: one.name.to_owned(), has_status: one.result != ["void"] });
        let maker = kind.maker(destructor.as_ref()).map(|one| one.name.to_owned());
        let mut free = destructor.as_ref().map(|one| one.free.clone());
        if init.is_some() {
            let clears = kind.of_one(CLEARS).map(|one| one.name.to_owned());
            free =
                clears.map(|function| Free { function, arguments: vec![Given::Object] }).or(free);
        }
        // The library owns the objects that it returns and that no function releases.
        let is_made = free.is_some() && (init.is_some() || kind.makers().next().is_some());
        let destroyer = kind.destroyer().filter(|_| free.is_none() && kind.is_opaque());
        if !(is_made || kind.is_given() || destroyer.is_some() || globals.contains(&key)) {
            continue;
        }
        let free = free.filter(|_| is_made);
        let destroyer = destroyer.map(|one| one.name.to_owned());
        let init = init.filter(|_| is_made);
        let is_sort = sorts.contains(&key.as_str());
        let name = match is_sort {
            true => names.same(&key),
            false => names.name(&kind.public_name(&words[words.len() - 1])),
        };
        let Some(name) = name else { continue };
        let remark = match &free {
            Some(free) if init.is_some() => {
                format!("callers store such objects, and `{}` clears one", free.function)
            }
            Some(free) => format!("`{}` frees an object, according to its name", free.function),
            None => match &destroyer {
                Some(function) => {
                    format!("the library owns its objects, and `{function}` destroys one")
                }
                None => "the library owns its objects, as no function frees one".to_owned(),
            },
        };
        let first = |one: &Declaration<'_>| {
            one.parameters.first().is_some_and(|it| kind.points(&it.words, &it.form))
        };
        let message = status::message_of_object(own, unit, &first);
        let methods = own.iter().filter(|one| first(one)).map(|one| one.name);
        // Internal functions are left out.
        let mut methods: Vec<&str> = methods.filter(|name| !name.starts_with('_')).collect();
        // `mpq_get_num` sets an `mpz_t`, whose methods begin with `mpz`.
        let most = words::library(methods.iter().copied());
        if !most.is_empty() {
            methods.retain(|name| lower_words(name).first() == Some(&most));
        }
        // `QRcode_encodeInput` accepts a `QRinput`, most of whose methods begin with `QRinput_`.
        let named = methods.iter().copied().filter(|name| kind.is_called_after(name));
        let named: Vec<&str> = named.collect();
        if named.len() < methods.len() && 3 * named.len() > 2 * methods.len() {
            methods = named;
        }
        let prefix =
            words::prefix(&methods, &|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        let prefix = words::beginning(prefix, &|word| kind.is_own_word(word, destructor.as_ref()));
        let prefix = prefix.to_owned();
        let maker = maker.filter(|_| is_made);
        classes.push(Class {
            name,
            key: key.clone(),
            words,
            at: None,
            remarks: vec![remark],
            what: What::Handle {
                star,
                free,
                maker,
                prefix,
                init,
                message,
                destroyer,
                context: None,
                is_sort,
                fields: Vec::new(),
                spellings: Vec::new(),
            },
        });
    }
    add_contexts(classes);
}

/// Names the classes of the objects that destructors need. Without such a class, no object can be freed.
fn add_contexts(classes: &mut Vec<Class>) {
    let named: Vec<(String, String)> = classes
        .iter()
        .filter(|class| matches!(class.what, What::Handle { .. }))
        .map(|class| (class.key.clone(), class.name.clone()))
        .collect();
    classes.retain_mut(|class| {
        let What::Handle { free: Some(free), context, .. } = &mut class.what else { return true };
        let Some(key) = free.context() else { return true };
        *context = named.iter().find(|(known, _)| known == key).map(|(_, name)| name.clone());
        context.is_some()
    });
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

/// The class whose objects the function destroys, as its destructor, if a method can call it.
pub(super) fn destroyed(
    function: &Declaration<'_>,
    unit: &Unit<'_>,
    classes: &Classes,
) -> Option<(String, Free)> {
    let freed = classes.all.iter().find_map(|class| match &class.what {
        What::Handle { free: Some(free), init: None, .. } if free.function == function.name => {
            Some((class, free))
        }
        _ => None,
    });
    let (class, free) = freed?;
    let values = free.values()?;
    let object = &function.parameters[values.iter().position(Option::is_none)?];
    let (_, stars) = classes.find(&object.words, unit)?;
    let is_pointer = stars + written(&object.form)? == 1;
    is_pointer.then(|| (class.name.clone(), free.clone()))
}

/// The argument of a function that destroys it, if this is an object of another one.
pub(super) fn destroyed_part(
    function: &Declaration<'_>,
    unit: &Unit<'_>,
    classes: &Classes,
) -> Option<usize> {
    function.parameters.iter().position(|parameter| {
        let class = classes.find(&parameter.words, unit).map(|(class, _)| &class.what);
        matches!(class, Some(What::Handle { destroyer: Some(one), .. }) if *one == function.name)
    })
}

/// Verbs that may be those of a second destructor.
const ENDS: &[&str] = &[
    "discard",
    "abandon",
    "drop",
    "dealloc",
    "deallocate",
    "term",
    "terminate",
    "deinit",
    "uninit",
    "teardown",
];
/// Verbs of functions that free a whole object, also if they have further arguments.
const WHOLE: &[&str] = &["free", "destroy", "close", "dispose", "dealloc", "deallocate"];

/// The reason for omitting a function that may free an object.
pub(super) fn refuse(
    function: &Declaration<'_>,
    unit: &Unit<'_>,
    classes: &Classes,
) -> Result<(), String> {
    let is_free = is_free(function) || has_word(function.name, ENDS);
    // `list_free_full(list, deep)`, `file_close_with(file, flags)`
    let is_input = |one: &Parameter<'_>| one.form == Form::Value || one.is_const;
    let frees_whole =
        has_word(function.name, WHOLE) && function.parameters.iter().skip(1).all(is_input);
    for (index, parameter) in function.parameters.iter().enumerate() {
        let Some((class, stars)) = classes.find(&parameter.words, unit) else { continue };
        if let What::Handle { free: None, destroyer: None, .. } = &class.what
            && is_free
            && function.parameters.len() == 1
        {
            return Err(format!("the function may free a `{}`", class.name));
        }
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
        if free.function == function.name {
            return Err(format!("the destructor of `{}` calls it", class.name));
        }
        let depth = stars + written(&parameter.form).unwrap_or_default();
        let is_whole = index == 0 && frees_whole && !parameter.is_const;
        if is_free && (function.parameters.len() == 1 || depth > 1) || is_whole {
            return Err(format!(
                "the function may free a `{}`, as its destructor does",
                class.name
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{OBJECTS, left_out};

    #[test]
    fn functions_that_may_be_a_second_destructor() {
        for function in [
            "void db_discard(db *d);",
            "int db_close_with(db *d, int k);",
            "void db_free_full(db *d, const char *why);",
        ] {
            assert_eq!(
                left_out(&format!("{OBJECTS} {function}")),
                "the function may free a `Db`, as its destructor does"
            );
        }
    }
}
