//! What the statuses of C functions mean.
//!
//! Purpose: which values are success and which are warnings, and what a host says and raises for the others.
//! Invariant: values and expressions are C as their author wrote it, each with its place; nothing here knows
//! what they come to.
//! Reason: only the headers know their names, so only the C compiler can judge them.

use crate::Spanned;

/// What is said of statuses; where a key is not written, it is as [`Default`] has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Which are success; `None`: 0.
    pub success: Option<StatusTest>,
    /// Which, of the others, the host only warns of.
    pub warnings: Option<StatusTest>,
    /// A C expression over `status` for a text, which may be NULL.
    pub message: Option<Spanned<String>>,
    /// Texts of single values, which come before `message`.
    pub messages: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// Exceptions of single values.
    pub exceptions: Option<Vec<(Spanned<String>, Spanned<String>)>>,
    /// A C expression for the error's number, as C's `errno` has it: that itself, or `status`. The empty text:
    /// it has none.
    pub errno: Option<Spanned<String>>,
}

/// A set of statuses.
#[derive(Clone, Debug, PartialEq)]
pub enum StatusTest {
    /// These values: integers and whatever the headers define.
    Values(Vec<Spanned<String>>),
    /// Those of which a C expression over `status` is true.
    Expression(Spanned<String>),
}

impl Status {
    /// The same, with the keys of `others` where it has none itself.
    pub fn or(self, others: &Status) -> Status {
        Status {
            success: self.success.or_else(|| others.success.clone()),
            warnings: self.warnings.or_else(|| others.warnings.clone()),
            message: self.message.or_else(|| others.message.clone()),
            messages: self.messages.or_else(|| others.messages.clone()),
            exceptions: self.exceptions.or_else(|| others.exceptions.clone()),
            errno: self.errno.or_else(|| others.errno.clone()),
        }
    }

    /// Something is said of statuses.
    pub fn says_something(&self) -> bool {
        *self != Status::default()
    }

    /// What of it is not said for the module already.
    pub fn beyond(&self, module: &Status) -> Status {
        fn own<T: Clone + PartialEq>(one: &Option<T>, of_module: &Option<T>) -> Option<T> {
            one.clone().filter(|_| one != of_module)
        }
        Status {
            success: own(&self.success, &module.success),
            warnings: own(&self.warnings, &module.warnings),
            message: own(&self.message, &module.message),
            messages: own(&self.messages, &module.messages),
            exceptions: own(&self.exceptions, &module.exceptions),
            errno: own(&self.errno, &module.errno),
        }
    }

    /// It can be said of a pointer, of which only NULL is a failure.
    pub fn suits_pointers(&self) -> bool {
        let rows = self.messages.iter().chain(&self.exceptions).flatten();
        let mut values = rows.map(|(value, _)| value.value.as_str());
        self.success.is_none() && self.warnings.is_none() && values.all(|value| value == "NULL")
    }

    /// The exceptions of single values, if any.
    pub fn exceptions(&self) -> &[(Spanned<String>, Spanned<String>)] {
        self.exceptions.as_deref().unwrap_or(&[])
    }

    /// The C expression for the error's number, if it has one.
    pub fn errno(&self) -> Option<&Spanned<String>> {
        self.errno.as_ref().filter(|code| !code.value.is_empty())
    }

    /// Every piece of C in it.
    pub fn code(&self) -> Vec<&Spanned<String>> {
        let mut code: Vec<&Spanned<String>> = Vec::new();
        for test in self.success.iter().chain(&self.warnings) {
            match test {
                StatusTest::Values(values) => code.extend(values),
                StatusTest::Expression(expression) => code.push(expression),
            }
        }
        code.extend(&self.message);
        let tables = self.messages.iter().chain(&self.exceptions);
        code.extend(tables.flatten().map(|(value, _)| value));
        code.extend(self.errno());
        code
    }
}
