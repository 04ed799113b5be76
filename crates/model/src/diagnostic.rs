//! Diagnostics: errors and warnings about the user's input.

use crate::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is built.
    Error,
    /// Built, but probably not as intended.
    Warning,
}

/// A place with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The message; may be empty for a primary label.
    pub text: String,
}

/// One finding: a code, a place and a hint. Phases collect them all instead of stopping at the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The stable code, documented in `docs/diagnostics.md`.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The place at fault.
    pub primary: Label,
    /// Other places that help to explain it.
    pub secondary: Vec<Label>,
    /// How to fix it.
    pub hint: String,
}

impl Diagnostic {
    /// An error at `span`; `hint` says what to do about it.
    pub fn error(
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            hint: hint.into(),
        }
    }

    /// A warning at `span`; `hint` says what to do about it.
    pub fn warning(
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message, hint) }
    }

    /// Sets the message of the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// True for an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
