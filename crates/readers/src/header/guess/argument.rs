//! An argument of a plain C function while it is being guessed.
//!
//! Purpose: what the header says of it, and beside it what is guessed.
//! Invariant: an argument's type is a scalar; what can never cross has been refused before.
//! Reason: the conventions then only fill in intents, shapes and values, whatever the header's style.

use crate::header::declarator::{Form, Parameter};
use crate::header::meaning::Meaning;
use crate::header::syntax::Unit;
use crate::names;
use fishplate_model::Scalar;

/// How the header passes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    Value,
    Pointer,
}

/// One argument.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub name: String,
    /// The name without regard to case, for conventions.
    pub lower: String,
    /// The type as the prototype will spell it.
    pub spelling: String,
    pub scalar: Scalar,
    pub is_enumeration: bool,
    pub is_const: bool,
    pub passed: Passed,
    /// `const char *`, which ends with a NUL unless a length is beside it.
    pub is_text: bool,
    /// Guessed, or as the header has it.
    pub shape: Option<Vec<String>>,
    /// Guessed; what needs none has none.
    pub intent: Option<&'static str>,
    /// Guessed: what stands after `=`.
    pub value: Option<String>,
}

impl Argument {
    /// The argument, or why it cannot cross. `void` is what a `void` points to, where a convention
    /// tells.
    pub(super) fn of(
        parameter: &Parameter<'_>,
        index: usize,
        unit: &Unit<'_>,
        void: Option<Scalar>,
    ) -> Result<Self, String> {
        let name = match parameter.name {
            Some(name) if names::is_identifier(name) => name.to_owned(),
            _ => format!("arg{}", index + 1),
        };
        let (passed, shape) = match &parameter.form {
            Form::Value => (Passed::Value, None),
            Form::Pointer => (Passed::Pointer, None),
            Form::Array(sizes) if sizes.iter().any(|size| size.is_empty() || *size == "*") => {
                if sizes.len() > 1 {
                    return Err(format!("the shape of `{name}` is not written in the header"));
                }
                (Passed::Pointer, None)
            }
            Form::Array(sizes) => {
                let flat = |size: &&str| size.split_whitespace().collect::<Vec<_>>().join(" ");
                (Passed::Pointer, Some(sizes.iter().map(flat).collect()))
            }
            Form::Pointers => return Err(format!("`{name}` is a pointer to pointers")),
            Form::ArrayPointer => return Err(format!("`{name}` is a pointer to an array")),
            Form::Function => return Err(format!("`{name}` is a callback")),
        };
        let mut spelling = parameter.words.join(" ");
        let scalar = match (unit.meaning(&parameter.words), void) {
            (Meaning::Scalar(scalar), _) => scalar,
            (Meaning::Foreign("`void`"), Some(scalar)) if passed == Passed::Pointer => {
                scalar.c_name().clone_into(&mut spelling);
                scalar
            }
            (Meaning::Foreign("`void`"), _) => return Err(format!("`{name}` is a `void` pointer")),
            (Meaning::Foreign(what), _) => {
                let what = match passed {
                    Passed::Pointer if !what.ends_with("handle") => format!("a pointer to {what}"),
                    _ => what.to_owned(),
                };
                return Err(format!("`{name}` is {what}"));
            }
        };
        let is_char = scalar == Scalar::Char && passed == Passed::Pointer;
        let is_text = is_char && parameter.is_const && shape.is_none();
        if is_char && !is_text {
            return Err(format!("`{name}` is a string that C may write"));
        }
        Ok(Argument {
            lower: name.to_ascii_lowercase(),
            name,
            spelling,
            scalar,
            is_enumeration: unit.is_enumeration(&parameter.words),
            is_const: parameter.is_const,
            passed,
            is_text,
            shape,
            intent: None,
            value: None,
        })
    }

    /// An integer by value: what may count elements.
    pub(super) fn is_count(&self) -> bool {
        let is_number = self.scalar.is_integer() && self.scalar != Scalar::Char;
        self.passed == Passed::Value && is_number && !self.is_enumeration
    }

    /// A pointer about which nothing is guessed yet.
    pub(super) fn is_open(&self) -> bool {
        self.passed == Passed::Pointer
            && !self.is_text
            && self.shape.is_none()
            && self.intent.is_none()
    }

    /// Makes it an array of this shape; `written` is its intent where C may write to it.
    pub(super) fn array<S: Into<String>>(
        &mut self,
        shape: impl IntoIterator<Item = S>,
        written: &'static str,
    ) {
        self.shape = Some(shape.into_iter().map(Into::into).collect());
        if !self.is_const {
            self.intent = Some(written);
        }
    }

    /// Takes it from the caller: C always gets `value`.
    pub(super) fn hide(&mut self, value: impl Into<String>) {
        self.intent = Some("hidden");
        self.value = Some(value.into());
    }

    /// As an annotated prototype has it.
    pub(super) fn print(&self) -> String {
        let intent = self.intent.map_or(String::new(), |intent| format!("{intent} "));
        let qualifier = if self.is_const && self.passed == Passed::Pointer { "const " } else { "" };
        let shape = self.shape.iter().flatten().map(|size| format!("[{size}]")).collect::<String>();
        let star = if self.passed == Passed::Pointer && self.shape.is_none() { "*" } else { "" };
        let value = self.value.as_ref().map_or(String::new(), |value| format!(" = {value}"));
        format!("{intent}{qualifier}{} {star}{}{shape}{value}", self.spelling, self.name)
    }
}
