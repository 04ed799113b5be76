//! What we tell a person about their input.

use crate::{Code, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is built.
    Error,
    /// Built, but likely not what was meant.
    Warning,
}

/// A place, and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there; may be empty for a primary label.
    pub text: String,
}

/// One finding: a code, a place and a hint. Phases collect them all instead of stopping at the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable identity, documented in `docs/diagnostics.md`.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The place at fault.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// What to do about it.
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

    /// Says something at the primary place.
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
