//! One name for `void *` that serves several sorts of objects.
//!
//! Purpose: give each sort a type of its own, if functions create and destroy several: `cmsHANDLE` of `cmsIT8Alloc` and
//! `cmsIT8Free`, and of `cmsDictAlloc` and `cmsDictFree`.
//! Invariant: a function is of a sort only if its name or that of its argument says so; other functions keep the common
//! type, and no class.
//! Reason: an object of one sort that is passed as another crashes the process.

use super::lifecycle::{FREES, MAKES};
use super::words::{self, lower_words, words};
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::syntax::{Declaration, Typedef, Unit};
use std::cell::OnceCell;

/// The type of objects without a name.
const VOID: &str = "void";

/// A sort of objects, by the words of its functions.
#[derive(Debug)]
pub(crate) struct Sort {
    /// The type in the headers.
    common: String,
    /// The name of its own type, and of its class.
    name: String,
    /// Its words in lower case.
    words: Vec<String>,
    /// The place of its type in the headers.
    at: usize,
}

/// Names of arguments that say nothing about an object.
const ANYTHING: &[&str] = &[
    "ptr", "pointer", "object", "obj", "data", "mem", "memory", "buf", "buffer", "block", "addr",
    "arg", "user",
];

/// Gives each sort a type in the unit, whose name `sorts` stores. Returns the names.
pub(crate) fn divide<'t>(unit: &mut Unit<'t>, sorts: &'t OnceCell<Vec<Sort>>) -> Vec<&'t str> {
    let library = words::library(unit.functions.iter().map(|function| function.name));
    let is_void = |one: &Typedef<'_>| one.words == ["void"] && one.form == Form::Pointer;
    let shared = unit.typedefs.iter().filter(|(_, one)| is_void(one) && !one.is_const);
    let mut shared: Vec<&str> = shared.map(|(name, _)| *name).collect();
    shared.sort_unstable();
    let found = shared.into_iter().map(|common| find(common, &library, unit));
    let found = found.filter(|found| found.len() > 1).flatten();
    let found = found.chain(unnamed(unit)).collect();
    let sorts = sorts.get_or_init(|| found);
    for sort in sorts {
        let own = Typedef {
            at: sort.at,
            words: vec!["void"],
            is_const: false,
            form: Form::Pointer,
            enumeration: None,
            signature: None,
        };
        unit.typedefs.insert(&sort.name, own);
    }
    for function in &mut unit.functions {
        rename(function, &library, sorts);
        name_objects(function, &library, sorts);
    }
    sorts.iter().map(|sort| sort.name.as_str()).collect()
}

/// The sorts of objects of a type: those that some function creates and another one destroys.
fn find(common: &str, library: &str, unit: &Unit<'_>) -> Vec<Sort> {
    let gives = |one: &&Declaration<'_>| one.result == [common] && one.result_form == Form::Value;
    let is_common = |one: &Parameter<'_>| one.words == [common] && one.form == Form::Value;
    let frees =
        |one: &&Declaration<'_>| matches!(one.parameters.as_slice(), [only] if is_common(only));
    let makers = unit.functions.iter().filter(gives);
    let made: Vec<Vec<String>> =
        makers.filter_map(|one| Some(lower(&stem(one.name, library, MAKES)?))).collect();
    let mut found: Vec<Sort> = Vec::new();
    for function in unit.functions.iter().filter(frees) {
        let Some(stem) = stem(function.name, library, FREES).filter(|stem| !stem.is_empty()) else {
            continue;
        };
        let (name, words) = (words::camel(&stem), lower(&stem));
        let is_new = !found.iter().any(|sort| sort.words == words);
        if is_new && made.contains(&words) && !unit.typedefs.contains_key(name.as_str()) {
            let at = unit.typedefs[common].at;
            found.push(Sort { common: common.to_owned(), name, words, at });
        }
    }
    found
}

/// The sorts of objects that headers call by no type, but by the names of arguments: `void *solver`, of which a function
/// frees what `void **solver` leads to.
fn unnamed(unit: &Unit<'_>) -> Vec<Sort> {
    let is_void =
        |one: &Parameter<'_>, form| one.words == ["void"] && one.form == form && !one.is_const;
    let mut found: Vec<Sort> = Vec::new();
    for function in &unit.functions {
        let [only] = function.parameters.as_slice() else { continue };
        let Some(own) = only.name.filter(|_| is_void(only, Form::PointerToPointer)) else {
            continue;
        };
        let is_it = |one: &Parameter<'_>| is_void(one, Form::Pointer) && one.name == Some(own);
        let is_used = unit.functions.iter().any(|other| other.parameters.iter().any(is_it));
        let (name, words) = (words::camel(&words(own)), lower_words(own));
        let is_clear = own.len() > 2 && !ANYTHING.contains(&own.to_ascii_lowercase().as_str());
        let is_new = !found.iter().any(|sort| sort.words == words)
            && !unit.typedefs.contains_key(name.as_str());
        let frees = lower_words(function.name).iter().any(|word| FREES.contains(&word.as_str()));
        if is_used && is_clear && is_new && frees {
            let at = function.region.start;
            found.push(Sort { common: VOID.to_owned(), name, words, at });
        }
    }
    found
}

/// Gives the arguments of a function that lead to such an object its type, and the result of its constructor.
fn name_objects<'t>(function: &mut Declaration<'t>, library: &str, sorts: &'t [Sort]) {
    let mut all = sorts.iter().filter(|sort| sort.common == VOID);
    for parameter in &mut function.parameters {
        let own = lower_words(parameter.name.unwrap_or_default());
        let sort = all.clone().find(|sort| sort.words == own);
        let form = match parameter.form {
            Form::Pointer => Form::Value,
            Form::PointerToPointer => Form::Pointer,
            _ => continue,
        };
        if let Some(sort) = sort.filter(|_| parameter.words == ["void"]) {
            parameter.words = vec![&sort.name];
            parameter.form = form;
        }
    }
    // Only one sort, or another one is meant.
    let (only, is_void) =
        (all.next(), function.result == ["void"] && function.result_form == Form::Pointer);
    if let Some(sort) = only.filter(|_| all.next().is_none() && is_void)
        && stem(function.name, library, MAKES).is_some_and(|stem| stem.is_empty())
    {
        function.result = vec![&sort.name];
        function.result_form = Form::Value;
    }
}

fn lower(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_ascii_lowercase()).collect()
}

/// The words of a name besides the library and the verb, which is the first or the last one.
fn stem<'n>(name: &'n str, library: &str, verbs: &[&str]) -> Option<Vec<&'n str>> {
    let all = own_words(name, library);
    let is_verb = |word: &str| verbs.contains(&word.to_ascii_lowercase().as_str());
    match all.as_slice() {
        [stem @ .., last] if is_verb(last) => Some(stem.to_vec()),
        [first, stem @ ..] if is_verb(first) => Some(stem.to_vec()),
        _ => None,
    }
}

fn own_words<'n>(name: &'n str, library: &str) -> Vec<&'n str> {
    let mut all = words(name);
    if all.first().is_some_and(|first| first.eq_ignore_ascii_case(library)) {
        all.remove(0);
    }
    all
}

/// Replaces the common type in a function by that of its sort, if there is only one.
fn rename<'t>(function: &mut Declaration<'t>, library: &str, sorts: &'t [Sort]) {
    let name = lower(&own_words(function.name, library));
    let of = |written: &[&str], spellings: &[Vec<String>]| {
        let has = |sort: &&Sort| {
            let mut parts = spellings.iter().flat_map(|words| words.windows(sort.words.len()));
            sort.common != VOID
                && written == [sort.common.as_str()]
                && parts.any(|part| part == sort.words)
        };
        let mut fitting = sorts.iter().filter(has);
        fitting.next().filter(|_| fitting.next().is_none()).map(|sort| sort.name.as_str())
    };
    for parameter in &mut function.parameters {
        // `hIT8`, `table`
        let own = parameter.name.unwrap_or_default();
        let mut spellings = vec![lower_words(own)];
        spellings.extend(own.strip_prefix('h').map(lower_words));
        let sort = of(&parameter.words, &spellings);
        if let Some(sort) = sort.or_else(|| of(&parameter.words, std::slice::from_ref(&name))) {
            parameter.words = vec![sort];
        }
    }
    if let Some(sort) = of(&function.result, &[name]) {
        function.result = vec![sort];
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    const COLOURS: &str = "typedef void *cmHANDLE;
        cmHANDLE cmIT8Alloc(int n); void cmIT8Free(cmHANDLE hIT8);
        cmHANDLE cmDictAlloc(int n); void cmDictFree(cmHANDLE hDict);
        cmHANDLE cm_look_up_new(int n); void cm_look_up_free(cmHANDLE h); ";

    #[test]
    fn each_sort_of_objects_is_a_class() {
        for (function, guessed) in [
            ("int cmIT8TableCount(cmHANDLE hIT8);", "int cmIT8TableCount(IT8 hIT8)"),
            (
                "cmHANDLE cmIT8LoadFromFile(const char *name);",
                "own IT8 cmIT8LoadFromFile(const char *name)",
            ),
            ("int cmCompare(cmHANDLE hIT8, cmHANDLE dict);", "int cmCompare(IT8 hIT8, Dict dict)"),
            ("int cm_look_up_size(cmHANDLE h);", "int cm_look_up_size(LookUp h)"),
        ] {
            assert_eq!(proto(&format!("{COLOURS} {function}")), guessed);
        }
        let unnamed = "void *cmCreate(int kind); void cmFree(void **solver_mem); int cmStep(void *solver_mem);";
        for (function, guessed) in [
            ("int cmRun(void *solver_mem, double t);", "int cmRun(SolverMem solver_mem, double t)"),
            ("void *cmCreate(double x);", "own SolverMem cmCreate(double x)"),
        ] {
            assert_eq!(proto(&format!("{unnamed} {function}")), guessed);
        }
        for (function, reason) in [
            ("int cmSize(cmHANDLE h);", "`h` is a `void` pointer"),
            ("int cmIT8OfDict(cmHANDLE h);", "`h` is a `void` pointer"),
            (
                "void cmIT8FreeAll(cmHANDLE hIT8);",
                "the function may free a `IT8`, as its destructor does",
            ),
        ] {
            assert_eq!(left_out(&format!("{COLOURS} {function}")), reason);
        }
    }
}
