//! Destructors with more arguments than the object.
//!
//! Purpose: determine the sort of each further argument: a return code, flags, nothing, or the object of another class in which this
//! one was created.
//! Invariant: a function with an argument of another sort is not a destructor.
//! Reason: a destructor is called when no caller is there who could pass a value.

use super::words::lower_words;
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::header::syntax::Unit;

/// Names of arguments to which C writes a return code.
const CODES: &[&str] =
    &["status", "stat", "minor", "info", "ierr", "error", "err", "errcode", "rc", "ret"];
/// Names of integers of which 0 is the ordinary value.
const FLAGS: &[&str] = &["flags", "flag", "options", "reserved", "unused"];
/// Names of pointers that may be NULL.
const NOTHING: &[&str] = &["reserved", "unused", "allocator"];
/// Words of objects in which others are created, and which do not look after them.
const CONTEXTS: &[&str] = &[
    "ctx",
    "context",
    "env",
    "environment",
    "pool",
    "heap",
    "arena",
    "allocator",
    "device",
    "instance",
    "session",
];

/// The function that destroys an object, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    /// Its name.
    pub function: String,
    /// Its arguments.
    pub arguments: Vec<Given>,
}

/// An argument of a destructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// The pointer.
    Object,
    /// The address of the pointer.
    Address,
    /// The pointer to an object of this type.
    Context(String),
    /// This integer.
    Flags,
    /// The address of an integer of this type, which is 0.
    Code(String),
    /// NULL.
    Nothing,
}

impl Free {
    /// As `free` of a handle.
    pub(crate) fn text(&self) -> String {
        if self.arguments == [Given::Object] {
            return self.function.clone();
        }
        let arguments = self.arguments.iter().map(|given| match given {
            Given::Object => "object".to_owned(),
            Given::Address => "&object".to_owned(),
            Given::Context(_) => "context".to_owned(),
            Given::Flags => "0".to_owned(),
            Given::Code(ctype) => format!("({ctype}[]){{0}}"),
            Given::Nothing => "NULL".to_owned(),
        });
        format!("{}({})", self.function, arguments.collect::<Vec<_>>().join(", "))
    }

    /// The type of the object that it needs besides the one that it destroys.
    pub(crate) fn context(&self) -> Option<&str> {
        self.arguments.iter().find_map(|given| match given {
            Given::Context(key) => Some(key.as_str()),
            _ => None,
        })
    }

    /// The values of the arguments of a method that calls it: `None` for the object. `None` altogether if a prototype
    /// cannot hide them.
    pub(super) fn values(&self) -> Option<Vec<Option<&'static str>>> {
        let value = |given: &Given| match given {
            Given::Object => Some(None),
            Given::Flags | Given::Code(_) => Some(Some("0")),
            Given::Address | Given::Context(_) | Given::Nothing => None,
        };
        self.arguments.iter().map(value).collect()
    }

    /// C writes a return code to one of its arguments.
    pub(super) fn has_code(&self) -> bool {
        self.arguments.iter().any(|given| matches!(given, Given::Code(_)))
    }
}

/// The argument for this parameter, which is not the object, of a destructor of objects of the type `key`.
pub(super) fn given(parameter: &Parameter<'_>, key: &str, unit: &Unit<'_>) -> Option<Given> {
    let words = lower_words(parameter.name?);
    let is_called =
        |names: &[&str]| words.last().is_some_and(|last| names.contains(&last.as_str()));
    let is_integer =
        matches!(unit.meaning(&parameter.words), Meaning::Scalar(scalar) if scalar.is_integer());
    match &parameter.form {
        Form::Value if is_integer && is_called(FLAGS) => Some(Given::Flags),
        Form::Pointer if is_integer && !parameter.is_const && is_called(CODES) => {
            Some(Given::Code(parameter.words.join(" ")))
        }
        Form::Pointer if is_called(NOTHING) => Some(Given::Nothing),
        _ => context(parameter, key, unit).map(Given::Context),
    }
}

/// The type of an object in which others are created.
pub(super) fn context(parameter: &Parameter<'_>, key: &str, unit: &Unit<'_>) -> Option<String> {
    let (found, stars) = unit.named(&parameter.words)?;
    let depth = stars + super::lifecycle::written(&parameter.form)?;
    let names = parameter.words.last().into_iter().copied().chain(parameter.name);
    let mut words = names.flat_map(lower_words);
    let is_context = words.any(|word| CONTEXTS.contains(&word.as_str()));
    (depth == 1 && found != key && !found.starts_with("enum ") && is_context).then_some(found)
}

#[cfg(test)]
mod tests {
    use crate::guess::tests::{left_out, proto};

    const ARENA: &str = "typedef struct mu_context mu_context; typedef struct mu_pix mu_pix;
        mu_context *mu_new_context(void); void mu_drop_context(mu_context *ctx);
        void mu_free_context(mu_context *ctx);
        mu_pix *mu_new_pix(mu_context *ctx, int w); void mu_free_pix(mu_context *ctx, mu_pix *pix);";

    #[test]
    fn objects_that_are_freed_in_a_context_keep_it() {
        for (function, guessed) in [
            (
                "mu_pix *mu_open_pix(mu_context *ctx);",
                "own keep(ctx) mu_pix *mu_open_pix(mu_context *ctx)",
            ),
            (
                "mu_pix *mu_clone_pix(mu_context *ctx, const mu_pix *p);",
                "own keep(ctx) mu_pix *mu_clone_pix(mu_context *ctx, const mu_pix *p)",
            ),
            (
                "int mu_pix_width(mu_context *ctx, const mu_pix *p);",
                "int mu_pix_width(mu_context *ctx, const mu_pix *p)",
            ),
        ] {
            assert_eq!(proto(&format!("{ARENA} {function}")), guessed);
        }
        assert_eq!(
            left_out(&format!("{ARENA} mu_pix *mu_clone_pix(const mu_pix *p);")),
            "the `Context` that frees the returned `Pix` is unknown"
        );
        assert_eq!(
            left_out(
                "typedef struct ff ff; int ff_open(ff **f, int *status); void ff_close(ff *f, int *status);"
            ),
            "the destructor of `Ff` calls it"
        );
    }

    #[test]
    fn destructors_with_a_code_are_methods() {
        assert_eq!(
            proto(
                "typedef struct ff ff; int ff_open(ff **f, int *status); int ff_close(ff *f, unsigned flags, int *status);"
            ),
            "status int ff_close(own ff *f, hidden unsigned flags = 0, hidden int *status = 0)"
        );
        // Not a function that needs a value.
        assert_eq!(
            left_out(
                "typedef struct ff ff; ff *ff_open(int n); int ff_close(ff *f, int when); int ff_size(ff *f);"
            ),
            "`f` is a pointer to a struct"
        );
    }
}
