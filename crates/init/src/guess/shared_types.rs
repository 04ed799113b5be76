//! One name for `void *` that serves several sorts of objects.
//!
//! Purpose: give each sort a type of its own, if functions create and destroy several: `cmsHANDLE` of `cmsIT8Alloc` and
//! `cmsIT8Free`, and of `cmsDictAlloc` and `cmsDictFree`.
//! Invariant: a function is of a sort only if its name or that of its argument says so; other functions keep the common
//! type, which is no class.
//! Reason: an object of one sort that is passed as another crashes the process.

use super::lifecycle::{FREES, MAKES};
use super::words::{self, lower_words, words};
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::syntax::{Declaration, Typedef, Unit};

/// A sort of objects, by the words of its functions.
struct Sort<'t> {
    /// As the functions spell it.
    name: &'t str,
    /// Its words in lower case.
    words: Vec<String>,
}

/// Gives each sort a type in the unit. Returns the names of these types.
pub(crate) fn divide<'t>(unit: &mut Unit<'t>) -> Vec<&'t str> {
    let library = words::library(unit.functions.iter().map(|function| function.name));
    let is_void = |one: &Typedef<'_>| one.words == ["void"] && one.form == Form::Pointer;
    let shared = unit.typedefs.iter().filter(|(_, one)| is_void(one) && !one.is_const);
    let mut shared: Vec<&'t str> = shared.map(|(name, _)| *name).collect();
    shared.sort_unstable();
    let mut names = Vec::new();
    for common in shared {
        let sorts = sorts(common, &library, unit);
        if sorts.len() < 2 {
            continue;
        }
        for function in &mut unit.functions {
            rename(function, common, &library, &sorts);
        }
        for sort in sorts {
            let Typedef { at, .. } = unit.typedefs[common];
            let (words, form) = (vec!["void"], Form::Pointer);
            let own =
                Typedef { at, words, is_const: false, form, enumeration: None, signature: None };
            unit.typedefs.insert(sort.name, own);
            names.push(sort.name);
        }
    }
    names
}

/// The sorts of objects of a type: those that some function creates and another one destroys.
fn sorts<'t>(common: &str, library: &str, unit: &Unit<'t>) -> Vec<Sort<'t>> {
    let gives = |one: &&Declaration<'_>| one.result == [common] && one.result_form == Form::Value;
    let frees = |one: &&Declaration<'_>| matches!(one.parameters.as_slice(), [only] if only.words == [common] && only.form == Form::Value);
    let made: Vec<Vec<String>> = unit
        .functions
        .iter()
        .filter(gives)
        .filter_map(|one| Some(lower(&stem(one.name, library, MAKES)?)))
        .collect();
    let mut found: Vec<Sort<'_>> = Vec::new();
    for function in unit.functions.iter().filter(frees) {
        let Some(stem) = stem(function.name, library, FREES) else { continue };
        let words = lower(&stem);
        let Some(name) = spanned(function.name, &stem) else { continue };
        let is_new = !found.iter().any(|sort| sort.words == words);
        if is_new && made.contains(&words) && !unit.typedefs.contains_key(name) {
            found.push(Sort { name, words });
        }
    }
    found
}

/// The part of a name from the first to the last of these words of it.
fn spanned<'n>(name: &'n str, words: &[&'n str]) -> Option<&'n str> {
    let [first, ..] = words else { return None };
    let start = first.as_ptr() as usize - name.as_ptr() as usize;
    let length: usize =
        words.last()?.as_ptr() as usize + words.last()?.len() - first.as_ptr() as usize;
    name.get(start..start + length)
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
fn rename<'t>(function: &mut Declaration<'t>, common: &str, library: &str, sorts: &[Sort<'t>]) {
    let name = lower(&own_words(function.name, library));
    let has = |words: &[String], sort: &Sort<'_>| {
        words.windows(sort.words.len()).any(|part| part == sort.words)
    };
    let only = |has: &dyn Fn(&Sort<'t>) -> bool| {
        let mut fitting = sorts.iter().filter(|sort| has(sort));
        fitting.next().filter(|_| fitting.next().is_none()).map(|sort| sort.name)
    };
    let by_name = only(&|sort| has(&name, sort));
    for parameter in &mut function.parameters {
        // `hIT8`, `table`
        let own = parameter.name.unwrap_or_default();
        let mut spellings = vec![lower_words(own)];
        spellings.extend(own.strip_prefix('h').map(lower_words));
        let sort = only(&|sort| spellings.iter().any(|words| has(words, sort))).or(by_name);
        if let (true, Some(name)) = (parameter.words == [common], sort) {
            parameter.words = vec![name];
        }
    }
    if let (true, Some(name)) = (function.result == [common], by_name) {
        function.result = vec![name];
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
            ("int cm_look_up_size(cmHANDLE h);", "int cm_look_up_size(look_up h)"),
        ] {
            assert_eq!(proto(&format!("{COLOURS} {function}")), guessed);
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
