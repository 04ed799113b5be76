//! The meaning of the return codes of C functions.
//!
//! Purpose: which codes are success and which are warnings, and the message and exception for all
//! others.
//! Invariant: values and expressions are C as written, each with its place; their values are
//! unknown here.
//! Reason: the headers define their names, so only the C compiler can evaluate them.

use crate::{Spanned, words};

/// The error convention of a function, a class or a module; a key that is absent has the value that
/// [`Default`] gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// The codes of success; `None`: 0, or `true`.
    pub success: Option<StatusTest>,
    /// Of the other codes, those that only cause a warning.
    pub warnings: Option<StatusTest>,
    /// The message, over `status`.
    pub message: Option<Message>,
    /// Messages for single codes; these take precedence over `message`.
    pub messages: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// Exceptions for single codes.
    pub exceptions: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// A C expression for the error number: `errno` itself, or one over `status`. Empty:
    /// the library has none.
    pub errno: Option<Spanned<String>>,
    /// C that is called before the function, so that no earlier error is reported.
    pub clear: Option<Spanned<String>>,
    /// The errors that C has stored on the thread of the call: together they are the message.
    pub stack: Option<ErrorStack>,
}

/// A message that C has.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// A C expression for the string, which may be NULL.
    pub text: Spanned<String>,
    /// The C function that frees the string; `None`: the library retains it.
    pub free: Option<String>,
}

/// The errors that a library stores on a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorStack {
    /// How they are found.
    pub source: ErrorSource,
    /// The message of one of them.
    pub message: Message,
}

/// How the errors on a stack are found.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorSource {
    /// C for the next one, which the message calls `code`: 0 or NULL after the last one.
    Next(Spanned<String>),
    /// C that calls a function for each.
    Walk {
        /// It passes the function `each` and its user data `data`.
        call: Spanned<String>,
        /// The function's prototype, whose arguments the message may use.
        each: Spanned<String>,
    },
}

/// A set of return codes.
#[derive(Clone, Debug, PartialEq)]
pub enum StatusTest {
    /// These codes: integers, or names that the headers define.
    Values(Vec<Spanned<String>>),
    /// The codes for which a C expression over `status` is true.
    Expression(Spanned<String>),
}

impl Message {
    /// A string that the library retains.
    pub fn retained(text: Spanned<String>) -> Message {
        Message { text, free: None }
    }

    /// Returns whether the expression uses a name.
    pub fn uses(&self, name: &str) -> bool {
        words(&self.text.value).any(|word| word == name)
    }
}

impl Status {
    /// The same, with the keys of `others` where it lacks them.
    pub fn or(self, others: &Status) -> Status {
        Status {
            success: self.success.or_else(|| others.success.clone()),
            warnings: self.warnings.or_else(|| others.warnings.clone()),
            message: self.message.or_else(|| others.message.clone()),
            messages: self.messages.or_else(|| others.messages.clone()),
            exceptions: self.exceptions.or_else(|| others.exceptions.clone()),
            errno: self.errno.or_else(|| others.errno.clone()),
            clear: self.clear.or_else(|| others.clear.clone()),
            stack: self.stack.or_else(|| others.stack.clone()),
        }
    }

    /// Some key is present.
    pub fn says_something(&self) -> bool {
        *self != Status::default()
    }

    /// The part that applies to every failure: the errors that the library stores.
    pub fn stored_errors(&self) -> Status {
        Status { clear: self.clear.clone(), stack: self.stack.clone(), ..Status::default() }
    }

    /// The part that applies to a pointer, which has no return code.
    pub fn of_pointers(&self) -> Status {
        let message = self.message.as_ref().filter(|message| !message.uses("status"));
        let without_code =
            |code: &&Spanned<String>| words(&code.value).all(|word| word != "status");
        Status {
            message: message.cloned(),
            errno: self.errno.as_ref().filter(without_code).cloned(),
            ..self.stored_errors()
        }
    }

    /// The part that applies to a `bool`, which is `true` for success, whatever other codes mean.
    pub fn of_bools(&self) -> Status {
        let of_bool = |rows: &Option<Vec<(Spanned<String>, Spanned<String>)>>| {
            let is_bool = |value: &str| matches!(value, "true" | "false");
            let rows = rows.iter().flatten().filter(|(value, _)| is_bool(&value.value));
            Some(rows.cloned().collect::<Vec<_>>()).filter(|rows| !rows.is_empty())
        };
        Status {
            messages: of_bool(&self.messages),
            exceptions: of_bool(&self.exceptions),
            ..self.of_pointers()
        }
    }

    /// Applicable to a pointer, of which only NULL is a failure.
    pub fn suits_pointers(&self) -> bool {
        let rows = self.messages.iter().chain(&self.exceptions).flatten();
        let mut values = rows.map(|(value, _)| value.value.as_str());
        self.success.is_none() && self.warnings.is_none() && values.all(|value| value == "NULL")
    }

    /// The exceptions for single codes, if any.
    pub fn exceptions(&self) -> &[(Spanned<String>, Spanned<String>)] {
        self.exceptions.as_deref().unwrap_or(&[])
    }

    /// The C expression for the error number, if there is one.
    pub fn errno(&self) -> Option<&Spanned<String>> {
        self.errno.as_ref().filter(|code| !code.value.is_empty())
    }

    /// Every piece of C code in it.
    pub fn code(&self) -> Vec<&Spanned<String>> {
        let mut code: Vec<&Spanned<String>> = Vec::new();
        for test in self.success.iter().chain(&self.warnings) {
            match test {
                StatusTest::Values(values) => code.extend(values),
                StatusTest::Expression(expression) => code.push(expression),
            }
        }
        code.extend(self.message.as_ref().map(|message| &message.text));
        let tables = self.messages.iter().chain(&self.exceptions);
        code.extend(tables.flatten().map(|(value, _)| value));
        code.extend(self.errno());
        code.extend(&self.clear);
        if let Some(stack) = &self.stack {
            match &stack.source {
                ErrorSource::Next(next) => code.push(next),
                ErrorSource::Walk { call, each } => code.extend([call, each]),
            }
            code.push(&stack.message.text);
        }
        code
    }
}
