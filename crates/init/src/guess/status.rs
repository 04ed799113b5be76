//! Return codes: integers that report whether a function has failed.
//!
//! Purpose: find the type of a library's return codes, the functions that return one, and the
//! function that returns the message for one.
//! Invariant: only if the headers name the value of success, and it is 0.
//! Reason: a return code that is ignored is a failure that goes unnoticed.

use super::argument::Argument;
use super::class::Classes;
use super::words::lower_words;
use fishplate_model::Scalar;
use fishplate_readers::header::bodies::Enumeration;
use fishplate_readers::header::declarator::Form;
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::{Declaration, Unit};

/// Verbs of functions that return whether they succeeded.
const DO: &[&str] = &[
    "open",
    "close",
    "exec",
    "prepare",
    "bind",
    "reset",
    "set",
    "init",
    "load",
    "save",
    "create",
    "register",
    "unregister",
    "add",
    "remove",
    "insert",
    "update",
    "begin",
    "commit",
    "rollback",
    "flush",
    "compress",
    "uncompress",
    "deflate",
    "inflate",
    "decompress",
    "encode",
    "decode",
    "configure",
    "config",
    "setup",
    "start",
    "stop",
    "enable",
    "disable",
    "attach",
    "detach",
    "connect",
    "solve",
    "iterate",
    "initialize",
    "shutdown",
    "params",
    "memcpy",
];
/// Verbs of functions that return a value that they have found.
const TELL: &[&str] = &[
    "get", "count", "is", "has", "num", "size", "length", "version", "changes", "status", "read",
    "write", "errcode", "bound", "type", "index", "find", "cmp", "compare", "random", "limit",
    "pending", "number", "max", "min",
];

/// The ends of names of success.
const SUCCESS: &[&str] = &["_OK", "_SUCCESS", "_NO_ERROR", "_NOERROR"];

/// Names of arguments to which C writes its return code.
const CODE: &[&str] = &[
    "info",
    "ierr",
    "ierror",
    "bzerror",
    "errcode",
    "err_code",
    "errorcode",
    "error_code",
    "error",
    "err",
];

fn is_name_of_code(name: &str) -> bool {
    name == "status" || CODE.contains(&name)
}

/// The name of an argument for return codes that most functions have last, and which they read, too: cfitsio's
/// `int *status`. They may return the code as well.
pub(super) fn convention(own: &[&Declaration<'_>]) -> Option<String> {
    let last = |function: &&&Declaration<'_>| {
        let last = function.parameters.last()?;
        let name = last.name?.to_ascii_lowercase();
        let is_integer = last.form == Form::Pointer && !last.is_const && last.words == ["int"];
        (is_integer && is_name_of_code(&name)).then_some(name)
    };
    let name = own.iter().find_map(|function| last(&function))?;
    let count = own.iter().filter(|function| last(function).as_ref() == Some(&name)).count();
    (count >= 5 && 2 * count > own.len()).then_some(name)
}

/// Guesses the argument to which a function without another return code writes one. `convention` is the name that such
/// arguments have in the library.
pub(super) fn by_argument(
    arguments: &mut [Argument],
    convention: Option<&str>,
    remarks: &mut Vec<String>,
) {
    let mut codes = arguments.iter_mut().filter(|argument| {
        let is_integer = argument.scalar().is_some_and(|scalar| scalar.is_integer());
        let is_written = argument.is_open() && !argument.is_const;
        let name = argument.lower.as_str();
        is_written && is_integer && convention.map_or(CODE.contains(&name), |only| only == name)
    });
    if let (Some(code), None) = (codes.next(), codes.next()) {
        code.intent = Some("status");
        remarks.push(format!("C writes its return code to `{}`: 0 means success", code.name));
    }
}

/// True for an argument that by its name is one return code: the last of a function.
pub(super) fn is_code(argument: &Argument) -> bool {
    let is_integer = argument.scalar().is_some_and(|scalar| scalar.is_integer());
    let name = argument.lower.as_str();
    is_integer && !argument.is_const && is_name_of_code(name)
}

/// True for the name of a type of strings that report a failure: `soxr_error_t`.
pub(super) fn is_message(words: &[&str]) -> bool {
    let [name] = words else { return false };
    lower_words(name).iter().any(|word| matches!(word.as_str(), "err" | "error"))
}

/// The return codes of a library.
#[derive(Clone, Debug)]
pub(crate) struct Statuses {
    /// The enumeration; without it, any integer by value.
    key: Option<String>,
    /// The name of success.
    success: String,
    /// The C expression for the message of a return code.
    pub message: Option<String>,
}

/// Determines the return codes. `zeros` are macros that are 0.
pub(super) fn find(
    own: &[&Declaration<'_>],
    enumerations: &[&Enumeration<'_>],
    zeros: &[&str],
    unit: &Unit<'_>,
) -> Option<Statuses> {
    let is_success = |name: &str| SUCCESS.iter().any(|end| name.ends_with(end));
    let first = |found: &&Enumeration<'_>| {
        let (index, success) =
            found.values.iter().enumerate().find(|(_, value)| is_success(value.name))?;
        let is_zero = success.value.map_or(index == 0, |value| value.trim() == "0");
        is_zero.then(|| success.name.to_owned())
    };
    let returned = |key: &String| {
        own.iter().any(|one| {
            one.result_form == Form::Value
                && unit.named(&one.result).is_some_and(|(found, stars)| stars == 0 && found == *key)
        })
    };
    // The headers that these include may declare the enumeration.
    let all = enumerations.iter().copied().chain(&unit.enumerations);
    let typed = all.into_iter().find_map(|found| {
        let success = first(&found)?;
        let name = super::enums::spelling(found)?;
        let (key, _) = unit.named(&name)?;
        returned(&key).then_some((key, success))
    });
    let (key, success) = match typed {
        Some((key, success)) => (Some(key), success),
        None => {
            let zero = zeros.iter().find(|name| is_success(name)).map(|name| (*name).to_owned());
            (None, zero.or_else(|| enumerations.iter().find_map(first))?)
        }
    };
    let mut statuses = Statuses { key, success, message: None };
    let messages = unit.functions.iter().filter(|one| statuses.has_text(one, unit));
    let message = messages.min_by_key(|one| {
        // The library's own function takes precedence over C's `strerror`.
        (!own.iter().any(|other| other.name == one.name), one.name.len())
    });
    statuses.message = message.map(|one| format!("{}(status)", one.name));
    Some(statuses)
}

/// The expression for the message that an object stores: `zip_strerror(object)`. `takes` is true for functions that
/// accept an object.
pub(super) fn message_of_object(
    own: &[&Declaration<'_>],
    unit: &Unit<'_>,
    takes: &dyn Fn(&Declaration<'_>) -> bool,
) -> Option<String> {
    let is_message = |one: &&&Declaration<'_>| {
        one.parameters.len() == 1
            && takes(one)
            && returns_text(one, unit)
            && one.name.to_ascii_lowercase().contains("err")
    };
    let shortest = own.iter().filter(is_message).min_by_key(|one| one.name.len())?;
    Some(format!("{}(object)", shortest.name))
}

/// The result is a `const char *`.
fn returns_text(function: &Declaration<'_>, unit: &Unit<'_>) -> bool {
    function.result_form == Form::Pointer
        && function.result_is_const
        && unit.meaning(&function.result) == Meaning::Scalar(Scalar::Char)
}

impl Statuses {
    /// True for their enumeration.
    pub(super) fn is_type(&self, key: &str) -> bool {
        self.key.as_deref() == Some(key)
    }

    /// True for `const char *lib_strerror(int)`.
    fn has_text(&self, function: &Declaration<'_>, unit: &Unit<'_>) -> bool {
        let [one] = function.parameters.as_slice() else { return false };
        let library = lower_words(&self.success).into_iter().next().unwrap_or_default();
        let name = function.name.to_ascii_lowercase();
        one.form == Form::Value
            && self.is_status_type(&one.words, unit)
            && returns_text(function, unit)
            && name.starts_with(&library)
            && name.contains("err")
    }

    fn is_status_type(&self, words: &[&str], unit: &Unit<'_>) -> bool {
        match &self.key {
            Some(key) => unit.named(words).is_some_and(|(found, _)| found == *key),
            None => unit.meaning(words) == Meaning::Scalar(Scalar::Int),
        }
    }

    /// Why the result of a function is a return code; `makes`: it stores an object. `None` if it is
    /// not one.
    pub(super) fn remark(
        &self,
        function: &Declaration<'_>,
        unit: &Unit<'_>,
        makes: bool,
        classes: &Classes,
    ) -> Option<String> {
        if function.result_form != Form::Value || !self.is_status_type(&function.result, unit) {
            return None;
        }
        let words = lower_words(function.name);
        let does = |list: &[&str]| {
            words.iter().any(|word| {
                // `compress2`
                list.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()))
            })
        };
        let acts = does(DO) && !does(TELL) || makes;
        let is_class = classes.find(&function.result, unit).is_some();
        let is_status = self.key.is_some() || acts && !is_class;
        is_status.then(|| format!("the result is a return code: `{}` means success", self.success))
    }
}
