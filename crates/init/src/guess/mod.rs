//! Guesses of the annotations that a plain C prototype lacks.
//!
//! Purpose: find intents, shapes and hidden values for a function of a header, from common
//! conventions for names of arguments; or the reason why the function is left out.
//! Invariant: a guess is a valid prototype, and each annotation that is not in the header has a
//! remark.
//! Reason: a person who checks a guess is faster than one who starts from nothing, if guesses are
//! marked; and an omitted function does less harm than one that overruns memory.

mod afterwards;
mod any_arrays;
mod argument;
mod blas;
mod buffers;
mod callbacks;
mod class;
mod comment;
mod constants;
mod context;
mod counts;
mod destructors;
mod enums;
mod expressions;
mod families;
mod fields;
mod files;
mod getters;
mod handles;
mod kept;
mod lifecycle;
mod memory;
mod owners;
mod result;
mod returned_array;
mod shared_types;
mod sizes;
mod sparse;
mod status;
mod strings;
mod structs;
mod tables;
mod variants;
mod words;

pub(crate) use callbacks::stores_callback;
pub(crate) use class::{Class, What};
pub(crate) use comment::Comment;
pub(crate) use constants::Constants;
pub(crate) use context::{Context, Own};
pub(crate) use families::Families;
pub(crate) use fields::find as find_fields;
pub(crate) use kept::stores_pointer;
pub(crate) use shared_types::divide;
pub(crate) use variants::{Variants, find as find_variants};
pub(crate) use words::lower_words;

use argument::{Argument, Of};
use class::Classes;
use fishplate_model::{CLOSE, Scalar};
use fishplate_readers::header::declarator::Parameter;
use fishplate_readers::header::syntax::Declaration;
use fishplate_readers::prototype;
use fishplate_readers::span_map::SpanMap;
use owners::Owner;
use result::Returned;

/// A prototype and the guesses in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guess {
    /// The annotated prototype.
    pub proto: String,
    /// The points to check: a sentence each.
    pub remarks: Vec<String>,
    /// The spellings of the types that it uses.
    pub spellings: Vec<String>,
    /// The class of handles of which it is a constructor.
    pub makes: Option<String>,
    /// The class of which it is a method, and its name there.
    pub method: Option<(String, String)>,
    /// It returns a return code.
    pub has_status: bool,
    /// Its results, if these are not all possible ones.
    pub returns: Option<Vec<String>>,
}

/// The argument, or why it cannot be passed.
fn argument(
    parameter: &Parameter<'_>,
    index: usize,
    context: &Context<'_, '_>,
    void: Option<Scalar>,
) -> Result<Argument, String> {
    let file = files::argument(parameter, index, context);
    file.map_or_else(|| Argument::of(parameter, index, context, void), Ok)
}

/// Guesses one function; the error is the reason for omitting it.
pub(crate) fn guess(
    function: &Declaration<'_>,
    comment: &Comment,
    context: &Context<'_, '_>,
) -> Result<Guess, String> {
    guess_as(function, function, comment, context)
}

/// Guesses a function, and prints a variant of it with other types.
pub(crate) fn guess_as(
    function: &Declaration<'_>,
    variant: &Declaration<'_>,
    comment: &Comment,
    context: &Context<'_, '_>,
) -> Result<Guess, String> {
    let mut remarks = Vec::new();
    if function.variadic {
        return Err("the function is variadic".to_owned());
    }
    let destroyed = handles::destroyed(function, context.unit, &context.classes);
    let code = |makes: bool| {
        let statuses = context.statuses.as_ref().filter(|_| !comment.zero_is_failure());
        statuses.and_then(|one| one.remark(function, context.unit, makes, &context.classes))
    };
    // A destructor that returns a code is a method, too.
    let closed = destroyed.filter(|(_, free)| {
        let is_zero = free.has_code() || comment.zero_is_success();
        code(true).is_some() || function.result == ["int"] && is_zero
    });
    if closed.is_none() {
        handles::refuse(function, context.unit, &context.classes)?;
    }
    let void = blas::complex_by_name(function.name);
    let parameters = function.parameters.iter().enumerate();
    let mut arguments = parameters
        .map(|(index, parameter)| argument(parameter, index, context, void))
        .collect::<Result<Vec<_>, _>>()?;
    let hidden = closed.iter().filter_map(|(_, free)| free.values()).flatten();
    for (argument, value) in arguments.iter_mut().zip(hidden) {
        argument.value = value.map(str::to_owned);
        argument.intent = value.map(|_| "hidden");
    }
    let handles = handles_among(&arguments, &context.classes);
    afterwards::refuse(function, comment, &arguments, &handles)?;
    let takes_over = comment.takes_over(function.result_is_const || comment.library_owns());
    let taken = afterwards::taken_over(comment, &arguments, &handles).filter(|_| takes_over);
    let mut handles = handles;
    if let Some(at) = taken {
        handles.retain(|one| one.name != arguments[at].name);
    }
    let mut returned = result::read(function, comment, &handles, context, &mut remarks)?;
    if function.parameters.iter().any(|parameter| parameter.name.is_none()) {
        remarks.push("the header does not name its parameters".to_owned());
    }
    strings::lengths(&mut arguments, &mut remarks)?;
    files::check(function.name, &arguments, &mut remarks)?;
    let lists = getters::lists(function, &mut arguments, returned.is_count, &mut remarks);
    list_objects(&mut arguments, &mut remarks)?;
    strings::lists(function, comment, &mut arguments, &mut remarks);
    let mut stored = stored(function, comment, &arguments, &handles, &lists, context)?;
    let owners =
        stored.iter().map(|(_, owner)| owner).chain(returned.handle.iter().map(|it| &it.0));
    let makes = owners.into_iter().any(|owner| matches!(owner, Owner::Caller { .. }));
    if let Some(list) = arguments.iter().find(|one| makes && matches!(one.of, Of::Objects(_))) {
        return Err(format!("the created object may use those of `{}` later", list.name));
    }
    let mut spellings = vec![returned.spelling.clone()];
    callbacks::apply(function, &mut arguments, context, makes, &mut spellings, &mut remarks)?;
    let of_type = code(!stored.is_empty() || closed.is_some());
    let is_blas = blas::follows(function.name, &arguments);
    let mut has_status = if is_blas {
        blas::apply(function.name, &mut arguments, context, &mut remarks)?
    } else {
        let convention = context.code.as_deref();
        if of_type.is_none() && (convention.is_some() || !returned.is_count) {
            status::by_argument(&mut arguments, convention, &mut remarks);
        }
        counts::apply(function.name, comment, &mut arguments, &mut remarks)?;
        any_arrays::refuse(&arguments)?;
        false
    };
    if has_status {
        remarks.push(format!("the {} is a return code: 0 means success", returned.spelling));
    } else {
        has_status = of_type.is_some();
        remarks.extend(of_type);
    }
    if !has_status && closed.as_ref().is_some_and(|(_, free)| free.has_code()) {
        has_status = true;
        remarks.push("the result is a return code: 0 means success".to_owned());
    }
    if returned.is_text && status::is_message(&function.result) {
        has_status = true;
        remarks.push("the result is the message of a failure, and NULL means success".to_owned());
    }
    if !has_status && returned.is_count && comment.zero_is_success() {
        has_status = true;
        remarks.push(
            "the result is a return code: 0 means success, according to its comment".to_owned(),
        );
    }
    strings::memory(function, &mut arguments, returned.is_count && !has_status, &mut remarks);
    if returned.is_text && arguments.iter().any(sizes::is_length_argument) {
        return Err("the returned string may not be NUL-terminated".to_owned());
    }
    strings::stored(
        &mut arguments,
        context.frees.of(function.name).unwrap_or_default(),
        &mut remarks,
    )?;
    kept::apply(function, comment, &mut arguments, &mut remarks);
    if makes {
        keep_arrays(&mut arguments, &mut returned, &mut stored, &mut remarks)?;
    }
    for (index, owner) in &stored {
        if let Of::Made(class) = &arguments[*index].of {
            remarks.push(format!(
                "C stores an object in `{}`: {}",
                arguments[*index].name,
                owner.remark(class)
            ));
        }
        let whole = arguments[*index].whole.take().unwrap_or_default();
        arguments[*index].whole = Some(format!("out {owner}{whole}"));
    }
    let array = match returned.is_array {
        true => {
            let free = context.frees.of(function.name)?;
            Some(returned_array::read(function, comment, &arguments, free, &mut remarks)?)
        }
        false => None,
    };
    if function.name != variant.name {
        take_types(&mut arguments, &mut returned, &mut spellings, variant);
    }
    let makes = only_makes(&arguments, &returned, &stored, has_status);
    let of_array = array.as_ref().and_then(|array| array.returns.clone());
    let returns = of_array.or_else(|| returns(&arguments));
    let mut printed: Vec<String> = arguments.iter().map(Argument::print).collect();
    let method = handles::method(function, context);
    for (at, argument) in arguments.iter().enumerate() {
        let is_object = at == 0 && method.is_some();
        if !is_object && argument.may_be_null() && comment.may_be_null(&argument.lower) {
            remarks.push(format!("`{}` may be NULL, according to its comment", argument.name));
            printed[at].insert_str(0, "nullable ");
        }
    }
    let owner = &returned.handle;
    let is_borrowed =
        owner.as_ref().is_some_and(|(owner, _)| !matches!(owner, Owner::Caller { .. }));
    if closed.is_some() || is_borrowed {
        // The object is gone, or its parts remain.
    } else if let Some(at) = taken {
        remarks.push(format!("C takes over `{}`, according to its comment", arguments[at].name));
        printed[at].insert_str(0, "own ");
    } else if let Some(at) = afterwards::freed_parts(function, &arguments, context.unit) {
        let name = &arguments[at].name;
        remarks.push(format!(
            "C may free parts of `{name}`: the objects that lead to them are closed"
        ));
        printed[at].insert_str(0, "invalidates ");
    }
    if let Some(at) = handles::destroyed_part(function, context.unit, &context.classes) {
        remarks.push(format!("C destroys the object `{}`", arguments[at].name));
        printed[at].insert_str(0, "own ");
    }
    if closed.is_some() {
        remarks.push(
            "the object is gone, also if that fails; otherwise write `own(success)`".to_owned(),
        );
        let object = arguments.iter().position(|one| matches!(one.of, Of::Handle(_)));
        printed[object.unwrap_or_default()].insert_str(0, "own ");
    }
    let list = if printed.is_empty() { "void".to_owned() } else { printed.join(", ") };
    let status = if has_status { "status " } else { "" };
    let owner = array.as_ref().map_or("", |array| array.owner.as_str());
    let shape = array.as_ref().map_or("", |array| array.shape.as_str());
    let before = returned.words();
    let Returned { text, .. } = &returned;
    let proto = format!("{status}{owner}{before}{text}{}({list}){shape}", variant.name);
    // The parser reports everything else that a prototype cannot express.
    let mut found = Vec::new();
    let map = SpanMap::verbatim(&proto, 0);
    let is_read = prototype::read(&proto, &map, &context.types, &mut found).is_some();
    let has_callback = arguments.iter().any(|argument| argument.of == Of::Callback);
    // Only the parser of the whole file knows the types of callbacks.
    if !is_read && !has_callback {
        let message = found.into_iter().next().map(|diagnostic| diagnostic.message);
        return Err(message
            .unwrap_or_else(|| "an annotated prototype cannot express the function".to_owned()));
    }
    spellings.extend(arguments.into_iter().map(|argument| argument.spelling));
    let close = closed.map(|(class, _)| (class, CLOSE.to_owned()));
    let method = close.or(method);
    Ok(Guess { proto, remarks, spellings, makes, method, has_status, returns })
}

/// Replaces the number types by those of a variant of the function.
fn take_types(
    arguments: &mut [Argument],
    returned: &mut Returned,
    spellings: &mut Vec<String>,
    variant: &Declaration<'_>,
) {
    for (argument, parameter) in arguments.iter_mut().zip(&variant.parameters) {
        if argument.scalar().is_some() {
            argument.spelling = parameter.words.join(" ");
        }
    }
    let spelling = variant.result.join(" ");
    if returned.handle.is_none() && !returned.is_text && returned.spelling != spelling {
        returned.text = returned.text.replacen(&returned.spelling, &spelling, 1);
        spellings.push(spelling);
    }
}

/// An argument that is a handle.
struct Given<'c> {
    name: String,
    class: &'c Class,
    is_const: bool,
}

/// The arguments that are handles.
fn handles_among<'c>(arguments: &[Argument], classes: &'c Classes) -> Vec<Given<'c>> {
    let found = arguments.iter().filter_map(|argument| {
        let Of::Handle(class) = &argument.of else { return None };
        let class = classes.all.iter().find(|known| known.name == *class)?;
        Some(Given { name: argument.name.clone(), class, is_const: argument.is_const })
    });
    found.collect()
}

/// The out-pointers for handles, and the owners of these.
fn stored(
    function: &Declaration<'_>,
    comment: &Comment,
    arguments: &[Argument],
    handles: &[Given<'_>],
    lists: &[usize],
    context: &Context<'_, '_>,
) -> Result<Vec<(usize, Owner)>, String> {
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let Of::Made(class) = &argument.of else { continue };
        let Some(class) = context.classes.all.iter().find(|known| known.name == *class) else {
            continue;
        };
        let beside = index.saturating_sub(1)..arguments.len().min(index + 2);
        let counts = |(at, count): (usize, &Argument)| {
            let is_next = beside.contains(&at) && sizes::is_plain_length(count);
            let is_free = count.intent.is_none() && !sizes::is_size(arguments, &count.name);
            is_free && (is_next || sizes::is_called_size(count))
        };
        let is_list = lists.contains(&index) && !class.is_freed();
        let is_many =
            getters::is_plural(&argument.lower) && arguments.iter().any(Argument::is_count);
        if !is_list && (is_many || arguments.iter().enumerate().any(counts)) {
            return Err(format!("`{}` may be an array of handles", argument.name));
        }
        let stored = Some(argument.name.as_str());
        found.push((
            index,
            owners::owner(function, comment, class, handles, stored, false, context)?,
        ));
    }
    Ok(found)
}

/// Arrays of objects that C reads, with the integers that are their lengths.
fn list_objects(arguments: &mut [Argument], remarks: &mut Vec<String>) -> Result<(), String> {
    for index in 0..arguments.len() {
        let Argument { name, of: Of::Objects(_), .. } = &arguments[index] else { continue };
        let neighbours = [index + 1, index.wrapping_sub(1)];
        let is_length = |at: &usize| arguments.get(*at).is_some_and(sizes::is_plain_length);
        let Some(count) = sizes::length_of(arguments, &arguments[index].lower)
            .or_else(|| neighbours.into_iter().find(is_length))
        else {
            return Err(format!("the array of objects `{name}` has no known length"));
        };
        let count = arguments[count].name.clone();
        remarks.push(format!("`{name}` is an array of `{count}` objects"));
        let whole = arguments[index].whole.take().unwrap_or_default();
        arguments[index].whole = Some(format!("{whole}[{count}]"));
    }
    Ok(())
}

/// The new object may use arrays that C may write to, so they must outlive it, and are used in
/// place.
fn keep_arrays(
    arguments: &mut [Argument],
    returned: &mut Returned,
    stored: &mut [(usize, Owner)],
    remarks: &mut Vec<String>,
) -> Result<(), String> {
    let is_kept = |argument: &&mut Argument| {
        argument.shape.is_some() && !argument.is_const && argument.intent != Some("hidden")
    };
    let mut kept = Vec::new();
    for argument in arguments.iter_mut().filter(is_kept) {
        if argument.is_bytes || argument.of == Of::Room {
            return Err(format!("the created object may write to `{}` later", argument.name));
        }
        argument.intent = Some("inout");
        remarks.push(format!("the created object uses `{}` for its whole lifetime", argument.name));
        kept.push(argument.name.clone());
    }
    let returned = returned.handle.iter_mut().map(|(owner, _)| owner);
    for owner in returned.chain(stored.iter_mut().map(|(_, owner)| owner)) {
        if let Owner::Caller { keeps } = owner {
            keeps.extend(kept.iter().cloned());
        }
    }
    Ok(())
}

/// The remaining results if C's result reports how much of an array was filled.
fn returns(arguments: &[Argument]) -> Option<Vec<String>> {
    let mut shapes = arguments.iter().flat_map(|argument| argument.shape.iter().flatten());
    let is_list =
        |one: &Argument| one.whole.as_ref().is_some_and(|whole| whole.ends_with(": result]"));
    let is_filled = shapes.any(|size| size.ends_with(": result"));
    (is_filled || arguments.iter().any(is_list)).then(|| {
        let outputs = arguments.iter().filter(|argument| argument.is_output());
        outputs.map(|argument| argument.name.clone()).collect()
    })
}

/// The class of which a function returns one object, and nothing else.
fn only_makes(
    arguments: &[Argument],
    returned: &Returned,
    stored: &[(usize, Owner)],
    has_status: bool,
) -> Option<String> {
    let has_outputs = arguments
        .iter()
        .any(|argument| !matches!(argument.of, Of::Made(_)) && argument.is_output());
    let is_own = |owner: &Owner| matches!(owner, Owner::Caller { .. });
    match (&returned.handle, stored) {
        _ if has_outputs => None,
        (Some((owner, class)), []) if is_own(owner) => Some(class.clone()),
        (None, [(index, owner)]) if is_own(owner) && (has_status || returned.text == "void ") => {
            match &arguments[*index].of {
                Of::Made(class) => Some(class.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
