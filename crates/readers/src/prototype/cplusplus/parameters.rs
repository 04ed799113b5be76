//! The arguments that a parameter of a C++ type becomes.
//!
//! Purpose: one rule for each type: arguments, as an annotated prototype declares them, and the conversion.
//! Invariant: the arguments are declared in the order in which the runtime's `fp_cpp::build` takes them.
//! Reason: the annotations of such an argument, its default for instance, are read as they are in C.

use super::declaration::{Declaration, Reference};
use super::dense::Dense;
use super::{FREE, Scope, nested, unsupported};
use crate::prototype::lexer::Token;
use crate::prototype::parser::joined;
use fishplate_model::{
    ContainedClass, Conversion, Converted, Diagnostic, FREE_STRING, INPUT_STREAM, Nested,
    OUTPUT_STREAM, Type, Use,
};

/// A name of a file, which is a string in the target language.
const PATH: &str = "std::filesystem::path";

/// The arguments that a parameter becomes.
pub(super) struct Parameter {
    /// Their declarations, with commas between them.
    pub declarations: String,
    pub converted: Converted,
    /// Those of the arguments that only return a length.
    pub lengths: Vec<String>,
    /// The classes of objects that a callback receives or returns.
    pub objects: Vec<ContainedClass>,
}

/// The type of a value, as an argument of C.
#[derive(Debug, PartialEq)]
pub(super) enum ValueType {
    /// A number, an enum or a struct of numbers, by its C type.
    Number(String),
    String,
    /// An object, by the type of its class.
    Object(String),
    /// Other types: a template.
    Other,
}

impl Scope<'_> {
    /// The kind of C value that has this type.
    pub(super) fn value_type(&self, one: &Declaration<'_, '_>) -> ValueType {
        let tagged = one.tag.map(|tag| format!("{} {}", tag.text, one.base()));
        let is_known = |tagged: &String| {
            let words: Vec<&str> = tagged.split(' ').collect();
            self.is_number(&words) || self.types.is_object(tagged)
        };
        let base = tagged.filter(is_known).unwrap_or_else(|| one.base());
        let words: Vec<&str> = base.split(' ').collect();
        match (base.as_str(), one.arguments.as_slice()) {
            ("std::string" | "std::string_view", []) if one.stars == 0 => ValueType::String,
            ("char", []) if one.stars == 1 => ValueType::String,
            ("std::complex", [part]) if one.stars == 0 => match part {
                [part] if matches!(part.text, "double" | "float") => {
                    ValueType::Number(format!("{} complex", part.text))
                }
                _ => ValueType::Other,
            },
            (_, []) if one.stars == 0 && self.is_number(&words) => ValueType::Number(base),
            (_, []) if self.types.is_object(&base) => ValueType::Object(base),
            _ => ValueType::Other,
        }
    }

    /// A member of an enum, or a struct: arrays of them that C++ has allocated are lists.
    pub(super) fn is_class_value(&self, words: &str) -> bool {
        self.types.class(&words.split(' ').collect::<Vec<_>>()).is_some()
    }

    /// `out std::string *x`: as a reference, but C++ receives the address.
    fn is_address(&self, one: &Declaration<'_, '_>) -> bool {
        let is_text = one.base() == "std::string" && one.arguments.is_empty();
        let is_other = ["std::complex", "std::array", "std::span", "std::function"]
            .iter()
            .chain(&["std::unique_ptr", "std::shared_ptr"])
            .any(|other| one.base() == *other);
        let is_container =
            one.base().starts_with("std::") && !one.arguments.is_empty() && !is_other;
        let is_set = one.has("out") && !one.is_const;
        one.stars == 1 && one.reference == Reference::None && is_set && (is_text || is_container)
    }

    pub(super) fn is_struct(&self, words: &str) -> bool {
        let words: Vec<&str> = words.split(' ').collect();
        matches!(self.types.class(&words), Some(Type::Struct(_)))
    }

    fn is_number(&self, words: &[&str]) -> bool {
        self.types.find(words).is_some() || self.types.class(words).is_some()
    }

    /// The rule for a parameter; `None` if it is declared as in C.
    pub(super) fn parameter(
        &self,
        tokens: &[Token<'_>],
    ) -> Result<Option<Parameter>, Box<Diagnostic>> {
        let Some(mut one) = Declaration::read(tokens, true) else { return Ok(None) };
        if self.is_address(&one) {
            // Its address is passed: see `Converted::spelling`.
            one.stars = 0;
            one.reference = Reference::Left;
        }
        let is_text = is_text(&one.base());
        let value = if is_path(&one) { ValueType::String } else { self.value_type(&one) };
        let is_object = matches!(value, ValueType::Object(_)) && one.stars == 0;
        if one.has("own") && self.types.is_counted(&one.base()) {
            return Err(taken_over(&one, &one.base()));
        }
        let dense = self.dense(&one);
        if one.is_plain() && !is_text && !is_object && dense.is_none() {
            return Ok(None);
        }
        let Some(name) = one.name.map(|name| name.text) else {
            return Err(unsupported(
                one.span,
                "a parameter has no name",
                "write it as the header does, with a name",
            ));
        };
        if one.stars > 0 && one.reference != Reference::None {
            return Err(unsupported(
                one.span,
                "a reference to a pointer is not supported",
                "write a function that takes a pointer to the pointer, in `header-code` say, and wrap that",
            ));
        }
        if one.has("nullable") && one.reference != Reference::None {
            return Err(unsupported(
                one.span,
                "a reference cannot be NULL",
                "remove `nullable`; an optional value is a pointer or a `std::optional`",
            ));
        }
        let is_mutable = one.reference == Reference::Left && !one.is_const;
        if let Some(dense) = dense {
            return self.dense_argument(&one, name, &dense).map(Some);
        }
        if let Some(stream) = stream(&one, name).filter(|_| is_mutable) {
            return Ok(Some(stream));
        }
        let rest = one.rest();
        let words = &one.qualifiers;
        let (declarations, conversion) = match value {
            ValueType::Number(ctype) if is_mutable => {
                let intent = if words.is_empty() { "in out" } else { words };
                (format!("{intent} {ctype} *{name}{rest}"), Conversion::Pointee)
            }
            ValueType::Number(ctype) if one.arguments.is_empty() => {
                (format!("{words} {ctype} {name}{rest}"), Conversion::Value)
            }
            ValueType::Number(ctype) => (format!("{words} {ctype} {name}{rest}"), built(&one, 1)),
            ValueType::Object(ctype)
                if !is_mutable && one.rest.len() > 1 && one.rest[0].is("=") =>
            {
                let value = match joined(&one.rest[1..]) {
                    braces if braces == "{}" => format!("{}{{}}", one.value),
                    value => value,
                };
                let conversion = Conversion::Defaulted { value, is_reference: false };
                (format!("nullable {words} const {ctype} *{name}"), conversion)
            }
            ValueType::Object(_) if is_mutable && is_temporary(&one) => {
                return Err(unsupported(
                    one.span,
                    format!(
                        "the default of `{name}` is a temporary object, which `{}` cannot refer to",
                        one.spelling
                    ),
                    "write `const`, if the header does; else remove the default",
                ));
            }
            ValueType::Object(ctype) if is_mutable && one.rest.len() > 1 && one.rest[0].is("=") => {
                let value = joined(&one.rest[1..]);
                let conversion = Conversion::Defaulted { value, is_reference: true };
                (format!("nullable {words} {ctype} *{name}"), conversion)
            }
            ValueType::Object(ctype) if one.reference != Reference::Right => {
                let constant = if is_mutable { "" } else { "const " };
                (format!("{words} {constant}{ctype} *{name}{rest}"), Conversion::Pointee)
            }
            ValueType::String => return self.string(&one, name, is_mutable).map(Some),
            ValueType::Object(_) | ValueType::Other => {
                return self.template(&one, name, is_mutable).map(Some);
            }
        };
        Ok(Some(parameter(&one, declarations, 1, conversion)))
    }

    /// `std::string`: an argument, a result, or both.
    fn string(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
        is_mutable: bool,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let words = without_intent(one);
        let input = format!("{words} const char *{name}{}", one.rest());
        if !is_mutable {
            return Ok(parameter(one, input, 1, built(one, 1)));
        }
        if one.base() != "std::string" {
            return Err(no_reference(one));
        }
        if one.has("out") && !one.has("in") {
            let output = format!("out own({FREE_STRING}) char **{name}");
            return Ok(parameter(one, output, 1, built(one, 0)));
        }
        let output = format!("out own({FREE_STRING}) char **{}", self.fresh(name, "result"));
        Ok(parameter(one, format!("{input}, {output}"), 2, built(one, 1)))
    }

    fn template(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
        is_mutable: bool,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let base = one.base();
        let inner = |at: usize| one.arguments.get(at).and_then(|one| Declaration::read(one, false));
        let words = without_intent(one);
        let default = one.default();
        let (base, first) = match (base.as_str(), inner(0)) {
            ("std::function", _) => return self.function(one, name),
            (base, Some(first)) => (base, first),
            _ => return Err(unknown(one)),
        };
        let value = self.value_type(&first);
        let size = self.fresh(name, "size");
        let sized =
            |element: &str| format!("{words} {element} {name}[{size}]{default}, size_t {size}");
        match (base, value, one.arguments.len()) {
            ("std::vector", ValueType::Number(element), 1)
                if is_mutable && !self.is_class_value(&element) =>
            {
                self.vector_reference(one, name, &element)
            }
            ("std::span", ValueType::Number(element), 1) if !first.is_const && !is_mutable => {
                let words = if words.is_empty() { "inout" } else { &words };
                let declared = format!("{words} {element} {name}[{size}], size_t {size}");
                Ok(parameter(one, declared, 2, built(one, 2)))
            }
            ("std::array", ValueType::Number(element), 2) => {
                let count = joined(one.arguments[1]);
                let intent = match is_mutable {
                    true if one.qualifiers.is_empty() => "inout".to_owned(),
                    true => one.qualifiers.clone(),
                    false => format!("{words} const"),
                };
                let declared = format!("{intent} {element} {name}[{count}]{default}");
                // The array of the caller has the layout of the object.
                Ok(parameter(one, declared, 1, Conversion::Pointee))
            }
            _ if is_mutable => self.nested_argument(one, name),
            ("std::vector" | "std::span", ValueType::Number(element), 1) => {
                Ok(parameter(one, sized(&format!("const {element}")), 2, built(one, 2)))
            }
            ("std::vector", ValueType::String, 1) => {
                let declared =
                    format!("{words} const char *const {name}[{size}]{default}, size_t {size}");
                Ok(parameter(one, declared, 2, built(one, 2)))
            }
            ("std::vector", ValueType::Object(class), 1) => {
                let constant = if first.is_const || first.stars == 0 { "const " } else { "" };
                let declared = format!(
                    "{words} {constant}{class} *const {name}[{size}]{default}, size_t {size}"
                );
                Ok(parameter(one, declared, 2, built(one, 2)))
            }
            ("std::vector", ValueType::Other, 1) if first.base() == "std::shared_ptr" => {
                let class = self.pointed_class(&first, one)?;
                let declared =
                    format!("{words} {class} *const {name}[{size}]{default}, size_t {size}");
                Ok(parameter(one, declared, 2, built(one, 2)))
            }
            ("std::vector", ValueType::Other, 1)
                if first.base() == "std::unique_ptr" && one.reference != Reference::Left =>
            {
                let class = self.owned_class(&first, one)?;
                let words = if one.has("own") { words.clone() } else { format!("own {words}") };
                let declared = format!("{words} {class} *const {name}[{size}], size_t {size}");
                Ok(parameter(one, declared, 2, built(one, 2)))
            }
            ("std::optional", _, 1) if !default.is_empty() && !default.contains("nullopt") => {
                Err(unsupported(
                    one.span,
                    format!("`{name}` is nullable and has a default"),
                    "remove the default: an omitted argument is `std::nullopt`",
                ))
            }
            ("std::optional", ValueType::Number(element), 1) => {
                let declared = format!("nullable {words} const {element} *{name}");
                Ok(parameter(one, declared, 1, built(one, 1)))
            }
            ("std::optional", ValueType::String, 1) => {
                let declared = format!("nullable {words} const char *{name}");
                Ok(parameter(one, declared, 1, built(one, 1)))
            }
            ("std::optional", ValueType::Object(class), 1) if first.stars == 0 => {
                let declared = format!("nullable {words} const {class} *{name}");
                Ok(parameter(one, declared, 1, built(one, 1)))
            }
            ("std::unique_ptr", ValueType::Object(class), 1) if self.types.is_counted(&class) => {
                Err(taken_over(one, &class))
            }
            ("std::shared_ptr", ValueType::Object(class), 1) if !self.types.is_counted(&class) => {
                Err(not_counted(one, &class))
            }
            ("std::shared_ptr", ValueType::Object(class), 1) if first.stars == 0 => {
                let constant = if first.is_const { "const " } else { "" };
                let declared = format!("{words} {constant}{class} *{name}{default}");
                Ok(parameter(one, declared, 1, built(one, 1)))
            }
            ("std::unique_ptr", ValueType::Object(class), 1)
                if one.reference != Reference::Left =>
            {
                let words = if one.has("own") { words.clone() } else { format!("own {words}") };
                let declared = format!("{words} {class} *{name}");
                Ok(parameter(one, declared, 1, built(one, 1)))
            }
            _ => self.nested_argument(one, name),
        }
    }

    /// `const std::map<std::string, int> &x`: a nested value; a reference that is not `const` is a result, too.
    fn nested_argument(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let is_mutable = one.reference == Reference::Left && !one.is_const;
        let pointers = (!is_mutable).then_some(Use::Passed);
        let Some(nested) = self.nested_value(one, pointers) else {
            return Err(if is_mutable { no_reference(one) } else { unknown(one) });
        };
        let is_input = !is_mutable || !one.has("out") || one.has("in");
        let takes = is_input && nested.has_use(Use::Taken);
        if takes && one.reference == Reference::Left {
            return Err(stays_owner(one));
        }
        if let Some(class) = self.taken_shared(one).filter(|_| takes) {
            return Err(taken_over(one, &class));
        }
        let given = if is_input { self.fresh(name, "result") } else { name.to_owned() };
        let is_nullable = matches!(nested, Nested::Optional(_));
        let default = if one.default().contains("nullopt") { String::new() } else { one.default() };
        let words = match takes && !one.has("own") {
            true => format!("own {}", without_intent(one)),
            false => without_intent(one),
        };
        let nullable = if is_nullable { "nullable" } else { "" };
        let input = format!("{nullable} {words} const {} *{name}{default}", nested::word(&nested));
        let output = format!("out {}*{given}", nested::owned(&nested));
        let mut declared = Vec::new();
        declared.extend(is_input.then_some(input));
        declared.extend(is_mutable.then_some(output));
        let ctype = one.value.clone();
        let conversion = Conversion::Nested { ctype, is_input, is_output: is_mutable };
        Ok(parameter(one, declared.join(", "), declared.len(), conversion))
    }

    /// The class of a `std::shared_ptr`, with its `const`.
    fn pointed_class(
        &self,
        pointer: &Declaration<'_, '_>,
        one: &Declaration<'_, '_>,
    ) -> Result<String, Box<Diagnostic>> {
        let of = only_argument(pointer, one)?;
        let constant = if of.is_const { "const " } else { "" };
        match self.value_type(&of) {
            ValueType::Object(class) if of.stars == 0 && self.types.is_counted(&class) => {
                Ok(format!("{constant}{class}"))
            }
            ValueType::Object(class) => Err(not_counted(one, &class)),
            _ => Err(unknown(one)),
        }
    }

    /// The class of a `std::unique_ptr`.
    fn owned_class(
        &self,
        pointer: &Declaration<'_, '_>,
        one: &Declaration<'_, '_>,
    ) -> Result<String, Box<Diagnostic>> {
        let of = only_argument(pointer, one)?;
        match self.value_type(&of) {
            ValueType::Object(class) if self.types.is_counted(&class) => {
                Err(taken_over(one, &class))
            }
            ValueType::Object(class) if of.stars == 0 => Ok(class),
            _ => Err(unknown(one)),
        }
    }

    /// `std::vector<double> &x`: a result, or an argument whose value after the call is a result.
    fn vector_reference(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
        element: &str,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let size = self.fresh(name, "size");
        let is_only_out = one.has("out") && !one.has("in");
        let given = if is_only_out { name.to_owned() } else { self.fresh(name, "result") };
        let length = if is_only_out { size.clone() } else { self.fresh(&given, "size") };
        let output = format!("out own({FREE}) {element} *{given}[{length}], out size_t *{length}");
        let (declared, count, inputs) = if is_only_out {
            (output, 2, 0)
        } else {
            (format!("const {element} {name}[{size}], size_t {size}, {output}"), 4, 2)
        };
        let mut made = parameter(one, declared, count, built(one, inputs));
        made.lengths.push(length);
        Ok(made)
    }

    /// `const Eigen::MatrixXd &x`: an array and its sizes.
    fn dense_argument(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
        dense: &Dense,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let is_mutable = one.reference == Reference::Left && !one.is_const;
        if is_mutable && !dense.is_view {
            return Err(unsupported(
                one.span,
                format!("C++ may change `{}`, and its size", one.spelling),
                "write a function that takes an `Eigen::Ref`, or one that returns the matrix, in `header-code` say, and wrap that",
            ));
        }
        let words = match (dense.is_view && !dense.is_const, one.qualifiers.is_empty()) {
            (true, true) => "inout".to_owned(),
            (true, false) => one.qualifiers.clone(),
            (false, _) => format!("{} const", without_intent(one)),
        };
        let order = if dense.is_fortran { "fortran" } else { "" };
        let (mut shape, mut sizes) = (String::new(), String::new());
        for (at, size) in dense.sizes.iter().enumerate() {
            let variable = self.fresh(name, &dense.name_of_size(at));
            shape += &format!("[{variable}]");
            sizes += &match size {
                Some(size) => format!(", hidden size_t {variable} = {size}"),
                None => format!(", size_t {variable}"),
            };
        }
        let declared =
            format!("{order} {words} {} {name}{shape}{}{sizes}", dense.element, one.default());
        let count = 1 + dense.sizes.len();
        Ok(parameter(one, declared, count, built(one, count)))
    }
}

pub(super) fn parameter(
    one: &Declaration<'_, '_>,
    declarations: String,
    count: usize,
    conversion: Conversion,
) -> Parameter {
    let converted = Converted { spelling: Some(one.spelling.clone()), count, conversion };
    Parameter { declarations, converted, lengths: Vec::new(), objects: Vec::new() }
}

/// A string, or a path.
pub(super) fn is_text(base: &str) -> bool {
    matches!(base, "std::string" | "std::string_view" | PATH)
}

/// A path by itself, not in a container.
pub(super) fn is_path(one: &Declaration<'_, '_>) -> bool {
    one.base() == PATH && one.stars == 0 && one.arguments.is_empty()
}

/// The default is an object that exists for one expression: `lib::T()`, `{}`.
fn is_temporary(one: &Declaration<'_, '_>) -> bool {
    let [equals, value @ ..] = one.rest else { return false };
    let value = joined(value);
    let made = value.split(['(', '{']).next().unwrap_or_default().trim();
    let class = one.base();
    let is_class = class == made || class.ends_with(&format!("::{made}"));
    equals.is("=") && (made.is_empty() || (is_class && value.ends_with([')', '}'])))
}

/// `std::ostream &out`: the text that C++ writes is a result; `std::istream &in`: a string that C++ reads.
fn stream(one: &Declaration<'_, '_>, name: &str) -> Option<Parameter> {
    let words = without_intent(one);
    let (declared, ctype, inputs) = match one.base().as_str() {
        "std::ostream" => (format!("out own({FREE_STRING}) char **{name}"), OUTPUT_STREAM, 0),
        "std::istream" => (format!("{words} const char *{name}{}", one.rest()), INPUT_STREAM, 1),
        _ => return None,
    };
    let conversion = Conversion::Built { ctype: ctype.to_owned(), inputs };
    Some(parameter(one, declared, 1, conversion))
}

pub(super) fn built(one: &Declaration<'_, '_>, inputs: usize) -> Conversion {
    Conversion::Built { ctype: one.value.clone(), inputs }
}

/// The qualifiers without intents, which arguments that C++ objects are built of do not have.
fn without_intent(one: &Declaration<'_, '_>) -> String {
    let words = one.qualifiers.split(' ');
    words.filter(|word| !matches!(*word, "in" | "out")).collect::<Vec<_>>().join(" ")
}

/// A `std::shared_ptr` of a class whose handle is a pointer.
pub(super) fn not_counted(one: &Declaration<'_, '_>, class: &str) -> Box<Diagnostic> {
    unsupported(
        one.span,
        format!("`{}` counts references, which the handle of `{class}` does not", one.spelling),
        format!("write `ctype = \"std::shared_ptr<{class}>\"` for the handle"),
    )
}

/// Objects that belong to a container of the caller, which C++ does not take over.
fn stays_owner(one: &Declaration<'_, '_>) -> Box<Diagnostic> {
    let shown = crate::names::short(&one.value, 60);
    unsupported(
        one.span,
        format!("C++ does not take over the objects in `{shown}`, to which it has a reference"),
        "write a function that takes it by value, and then takes over the objects, in `header-code` say, and wrap that",
    )
}

/// The argument of a template that has one.
fn only_argument<'a, 't>(
    of: &Declaration<'a, 't>,
    one: &Declaration<'_, '_>,
) -> Result<Declaration<'a, 't>, Box<Diagnostic>> {
    let [argument] = of.arguments.as_slice() else { return Err(unknown(one)) };
    Declaration::read(argument, false).ok_or_else(|| unknown(one))
}

/// An owner of an object, in addition to its references.
pub(super) fn taken_over(one: &Declaration<'_, '_>, class: &str) -> Box<Diagnostic> {
    if one.has("out") {
        return unsupported(
            one.span,
            format!("an argument is set to a `{class}`, which no `std::shared_ptr` owns then"),
            format!(
                "write a function that returns a `std::shared_ptr<{class}>`, in `header-code` say, and wrap that"
            ),
        );
    }
    unsupported(
        one.span,
        format!("C++ cannot take over a `{class}`, which a `std::shared_ptr` owns"),
        format!(
            "write a function that takes a `std::shared_ptr<{class}>`, in `header-code` say, and wrap that"
        ),
    )
}

fn no_reference(one: &Declaration<'_, '_>) -> Box<Diagnostic> {
    unsupported(
        one.span,
        format!("C++ may change `{}`, which is not supported for this type", one.spelling),
        "if it only reads the value, write `const`, as the header then does; else write a function that returns the \
         value, in `header-code` say, and wrap that",
    )
}

pub(super) fn unknown(one: &Declaration<'_, '_>) -> Box<Diagnostic> {
    if one.base() == "std::string" && one.stars == 1 {
        return unsupported(
            one.span,
            format!("the intent of `{}` is not specified", one.spelling),
            "write `in out` before it if C++ reads the string and sets it, `out` if it only sets it",
        );
    }
    if one.arguments.is_empty() && one.reference != Reference::Right {
        return unsupported(
            one.span,
            format!("`{}` is a class that the interface does not declare", one.base()),
            format!("declare it as `[handle.NAME]` with `ctype = \"{} *\"`", one.base()),
        );
    }
    if one.arguments.is_empty() {
        return unsupported(
            one.span,
            format!("`{}` is moved into the call, which is not supported", one.spelling),
            "write a function that takes a `const` reference or a `std::unique_ptr`, in `header-code` say, and wrap that",
        );
    }
    unsupported(
        one.span,
        format!("`{}` is an unsupported type of C++", crate::names::short(&one.value, 60)),
        "write a function in `header-code` that takes numbers, strings, objects, or `std::vector`s of them, and wrap that",
    )
}
