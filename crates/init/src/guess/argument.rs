//! An argument of a plain C function during guessing.
//!
//! Purpose: the declaration in the header, and the guesses.
//! Invariant: an argument's type can be passed; other types have been refused before.
//! Reason: the conventions then only add intents, shapes and values, whatever the header's style.

use super::class::What;
use super::{Context, structs};
use fishplate_model::Scalar;
use fishplate_readers::header::declarator::{Form, Parameter};
use fishplate_readers::header::meaning::Meaning;
use fishplate_readers::names;

/// How the header passes the argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    Value,
    Pointer,
}

/// The type of the value or of the pointee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A number.
    Number(Scalar),
    /// `const char *`, which ends with a NUL unless there is a length next to it.
    Text,
    /// `char *`: a buffer for a string, or bytes.
    Room,
    /// `void *`: bytes, or the user data of a callback.
    Void,
    /// A struct with a class.
    Struct,
    /// A handle: the name of its class.
    Handle(String),
    /// An out-pointer for a handle: the name of its class.
    Made(String),
    /// `T *const *`: an array of objects of this class.
    Objects(String),
    /// `char **`: an out-pointer for a string, or a list of strings.
    StringPointers,
    /// `const char *const *`: a list of strings.
    Strings,
    /// A function pointer.
    Callback,
    /// A value of another kind, which only its declaration describes.
    Other,
}

/// One argument.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub name: String,
    /// The name in lower case, for conventions.
    pub lower: String,
    /// The type as spelled in the prototype.
    pub spelling: String,
    pub of: Of,
    pub is_enumeration: bool,
    pub is_const: bool,
    pub passed: Passed,
    /// Elements are bytes rather than numbers.
    pub is_bytes: bool,
    /// The name: guessed, or from the header.
    pub shape: Option<Vec<String>>,
    /// The intent: guessed; absent if none is needed.
    pub intent: Option<&'static str>,
    /// Guessed: the object that retains it.
    pub kept: Option<String>,
    /// Guessed: the expression after `=`.
    pub value: Option<String>,
    /// Guessed: the whole declaration, if it is more than intent, shape and value.
    pub whole: Option<String>,
}

impl Argument {
    /// The argument before any guess.
    pub(super) fn new(parameter: &Parameter<'_>, index: usize, context: &Context<'_, '_>) -> Self {
        let name = match parameter.name {
            Some(name) if names::is_identifier(name) => name.to_owned(),
            _ => format!("arg{}", index + 1),
        };
        Argument {
            lower: name.to_ascii_lowercase(),
            name,
            spelling: parameter.words.join(" "),
            of: Of::Void,
            is_enumeration: context.unit.is_enumeration(&parameter.words),
            is_const: parameter.is_const,
            passed: Passed::Pointer,
            is_bytes: false,
            shape: None,
            intent: None,
            kept: None,
            value: None,
            whole: None,
        }
    }

    /// The argument, or why it cannot be passed. `void` is the pointee of a `void` pointer, if a
    /// convention determines it.
    pub(super) fn of(
        parameter: &Parameter<'_>,
        index: usize,
        context: &Context<'_, '_>,
        void: Option<Scalar>,
    ) -> Result<Self, String> {
        let mut argument = Argument::new(parameter, index, context);
        if argument.classify(parameter, context)? {
            return Ok(argument);
        }
        let behind =
            context.unit.pointer(&parameter.words).filter(|_| parameter.form == Form::Value);
        if let Some((words, is_const)) = behind {
            let pointer = Parameter { words, is_const, form: Form::Pointer, ..parameter.clone() };
            return super::argument(&pointer, index, context, void);
        }
        let name = &argument.name;
        match &parameter.form {
            Form::Value => argument.passed = Passed::Value,
            Form::Pointer => {}
            Form::Array(sizes) if sizes.iter().any(|size| size.is_empty() || *size == "*") => {
                if sizes.len() > 1 {
                    return Err(format!("the header does not specify the shape of `{name}`"));
                }
            }
            Form::Array(sizes) => {
                let flat = |size: &&str| size.split_whitespace().collect::<Vec<_>>().join(" ");
                argument.shape = Some(sizes.iter().map(flat).collect());
            }
            Form::PointerToPointer
                if context.unit.meaning(&parameter.words) == Meaning::Scalar(Scalar::Char) =>
            {
                argument.of =
                    if parameter.is_const_pointer { Of::Strings } else { Of::StringPointers };
                "char".clone_into(&mut argument.spelling);
                return Ok(argument);
            }
            Form::PointerToPointer | Form::Pointers => {
                return Err(format!("`{name}` is a pointer to pointers"));
            }
            Form::ArrayPointer => return Err(format!("`{name}` is a pointer to an array")),
            Form::Function | Form::FunctionPointer => {
                argument.of = Of::Callback;
                return Ok(argument);
            }
        }
        argument.of = argument.element(parameter, context, void)?;
        if matches!(argument.of, Of::Text | Of::Room | Of::Void) {
            let word = if argument.of == Of::Void { "void" } else { "char" };
            word.clone_into(&mut argument.spelling);
        }
        Ok(argument)
    }

    /// Treats it as its class requires; false if it has none.
    fn classify(
        &mut self,
        parameter: &Parameter<'_>,
        context: &Context<'_, '_>,
    ) -> Result<bool, String> {
        let found = context.classes.find(&parameter.words, context.unit);
        let Some((class, stars)) = found else { return Ok(false) };
        let written = match &parameter.form {
            Form::Value => 0,
            Form::Pointer => 1,
            Form::PointerToPointer => 2,
            // Possibly an array of them.
            Form::Array(_) if stars == 0 => 1,
            _ => return Ok(false),
        };
        let is_array = matches!(parameter.form, Form::Array(_));
        let (name, spelling) = (&self.name, class.spelling());
        match (&class.what, stars + written) {
            (What::Handle { star, .. }, 1) if !is_array => {
                let is_const =
                    context.unit.points_to_const_by(&parameter.words, written, self.is_const);
                let constant = if is_const && *star { "const " } else { "" };
                self.is_const = is_const;
                let star = if *star { "*" } else { "" };
                self.of = Of::Handle(class.name.clone());
                self.whole = Some(format!("{constant}{spelling} {star}{name}"));
                self.spelling = spelling;
            }
            (What::Handle { star: true, .. }, 2)
                if stars == 0
                    && parameter.is_const_pointer
                    && parameter.form == Form::PointerToPointer =>
            {
                let constant = if self.is_const { "const " } else { "" };
                self.of = Of::Objects(class.name.clone());
                self.whole = Some(format!("{constant}{spelling} *const {name}"));
                self.spelling = spelling;
            }
            (What::Handle { star, .. }, 2) if !self.is_const => {
                let star = if *star { "**" } else { "*" };
                self.of = Of::Made(class.name.clone());
                self.whole = Some(format!("{spelling} {star}{name}"));
                self.spelling = spelling;
            }
            (What::Handle { .. }, 0) => return Err(format!("`{name}` is a struct")),
            (What::Handle { .. }, _) => {
                return Err(format!("`{name}` may be an array of handles"));
            }
            (What::Struct { .. }, 0) => {
                self.of = Of::Struct;
                self.whole = Some(format!("{spelling} {name}"));
            }
            (What::Struct { .. }, 1) if stars == 0 => {
                self.of = Of::Struct;
                self.spelling = spelling;
                return Ok(!is_array);
            }
            (What::Callback { .. }, 1) if !is_array => {
                let constant = if self.is_const { "const " } else { "" };
                self.of = Of::Callback;
                self.whole = Some(format!("{constant}{spelling} *{name}"));
            }
            (What::Enum { .. }, _) => {
                self.spelling = spelling;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The type of the value or of the pointee.
    fn element(
        &mut self,
        parameter: &Parameter<'_>,
        context: &Context<'_, '_>,
        void: Option<Scalar>,
    ) -> Result<Of, String> {
        if self.of == Of::Struct {
            return Ok(Of::Struct);
        }
        let name = self.name.clone();
        let is_pointer = self.passed == Passed::Pointer;
        match (context.unit.meaning(&parameter.words), void) {
            (Meaning::Scalar(Scalar::Char), _) if is_pointer && self.shape.is_some() => {
                Err(format!("the parameter `{name}` is a string buffer with no known size"))
            }
            (Meaning::Scalar(Scalar::Char), _) if is_pointer => {
                Ok(if self.is_const { Of::Text } else { Of::Room })
            }
            (Meaning::Scalar(scalar), _) => Ok(Of::Number(scalar)),
            (Meaning::Foreign("`void`"), Some(scalar)) if is_pointer => {
                scalar.c_name().clone_into(&mut self.spelling);
                Ok(Of::Number(scalar))
            }
            (Meaning::Foreign("`void`"), _)
                if is_pointer && self.shape.is_none() && parameter.words == ["void"] =>
            {
                Ok(Of::Void)
            }
            // `typedef void BZFILE;`
            (Meaning::Foreign("`void`"), _) if is_pointer && parameter.words != ["void"] => {
                Err(format!("`{name}` is an opaque handle"))
            }
            (Meaning::Foreign("`void`"), _) => Err(format!("`{name}` is a `void` pointer")),
            (Meaning::Foreign("a `void` pointer"), _) if !is_pointer => {
                self.passed = Passed::Pointer;
                self.is_const = context.unit.points_to_const(&parameter.words);
                Ok(Of::Void)
            }
            (Meaning::Foreign("a callback"), _) if !is_pointer => Ok(Of::Callback),
            (Meaning::Foreign("a function"), _) => Ok(Of::Callback),
            (Meaning::Foreign(what), _) => {
                let what = match self.passed {
                    Passed::Pointer if !what.ends_with("handle") => format!("a pointer to {what}"),
                    _ => what.to_owned(),
                };
                let why = structs::obstacle(&parameter.words, context.unit);
                let why = why.map(|why| format!(", {why}")).unwrap_or_default();
                Err(format!("`{name}` is {what}{why}"))
            }
        }
    }

    /// The number, as a value or a pointee.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self.of {
            Of::Number(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// An integer by value, which may be a length.
    pub(super) fn is_count(&self) -> bool {
        let is_number =
            self.scalar().is_some_and(|scalar| scalar.is_integer() && scalar != Scalar::Char);
        self.passed == Passed::Value && is_number && !self.is_enumeration
    }

    /// A pointer without a guess yet.
    pub(super) fn is_open(&self) -> bool {
        self.passed == Passed::Pointer
            && matches!(self.of, Of::Number(_) | Of::Struct | Of::Void | Of::Room)
            && self.shape.is_none()
            && self.intent.is_none()
            && self.whole.is_none()
    }

    /// A pointer that was guessed to be a number that C sets.
    pub(super) fn is_one_number(&self) -> bool {
        self.passed == Passed::Pointer
            && self.scalar().is_some()
            && self.shape.is_none()
            && matches!(self.intent, Some("out" | "in out"))
    }

    /// It is returned to the caller.
    pub(super) fn is_output(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.starts_with("out "))
            || matches!(self.intent, Some("out" | "in out"))
    }

    /// Makes it an array of this shape; `written` is its intent if C may write to it.
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

    /// Hides it from the caller: C always receives `value`.
    pub(super) fn hide(&mut self, value: impl Into<String>) {
        self.intent = Some("hidden");
        self.value = Some(value.into());
    }

    /// As an annotated prototype declares it.
    /// It is a string or an object that C reads, so that NULL can stand for it.
    pub(super) fn may_be_null(&self) -> bool {
        let is_read = matches!(self.of, Of::Handle(_))
            || matches!(self.of, Of::Text) && self.shape.is_none() && self.whole.is_none();
        let is_array = matches!(self.of, Of::Number(_)) && self.shape.is_some() && self.is_const;
        (is_read || is_array) && self.intent.is_none() && self.value.is_none()
    }

    pub(super) fn print(&self) -> String {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let kept = self.kept.as_ref().map_or(String::new(), |object| format!("keep({object}) "));
        let intent = self.intent.map_or(String::new(), |intent| format!("{intent} "));
        let bytes = match (self.is_bytes, &self.of) {
            (true, _) => "bytes ",
            (false, Of::Room) => "text ",
            _ => "",
        };
        let qualifier = if self.is_const && self.passed == Passed::Pointer { "const " } else { "" };
        let shape = self.shape.iter().flatten().map(|size| format!("[{size}]")).collect::<String>();
        let star = if self.passed == Passed::Pointer && self.shape.is_none() { "*" } else { "" };
        let value = self.value.as_ref().map_or(String::new(), |value| format!(" = {value}"));
        format!(
            "{kept}{intent}{bytes}{qualifier}{} {star}{}{shape}{value}",
            self.spelling, self.name
        )
    }
}
