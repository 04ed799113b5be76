//! The results of the C function that calls a C++ function.
//!
//! Purpose: one rule for each type: the result of the C function, or arguments that it sets.
//! Invariant: the arguments are declared in the order in which the runtime's `fp_cpp::converted` sets them.
//! Reason: owners of memory and of objects are those of C, so every host releases them already.

use super::declaration::{Declaration, Reference};
use super::dense::Dense;
use super::nested;
use super::parameters::{ValueType, is_path, not_counted};
use super::{FREE, Scope, unsupported};
use fishplate_model::{Diagnostic, FREE_STRING, ReturnedValue};

/// The result of the C function that calls a C++ function.
#[derive(Default)]
pub(super) struct Returning {
    /// The text before the name of the function: `own(free) double *`.
    pub head: String,
    /// The text after the arguments: `[result_size]`.
    pub dimensions: String,
    /// Arguments that the function sets.
    pub arguments: Vec<String>,
    pub values: Vec<ReturnedValue>,
    /// Those of the arguments that only return a length.
    pub lengths: Vec<String>,
}

impl Scope<'_> {
    /// The rule for the type that a function returns.
    pub(super) fn result(&self, one: &Declaration<'_, '_>) -> Result<Returning, Box<Diagnostic>> {
        let mut parts = Vec::new();
        if matches!(one.base().as_str(), "std::pair" | "std::tuple") {
            for part in &one.arguments {
                let Some(part) = Declaration::read(part, false) else {
                    return Err(self.refused(one));
                };
                parts.push(part);
            }
        }
        if parts.is_empty() {
            return self.one_result(one);
        }
        let is_pair = one.base() == "std::pair";
        let mut all = Returning { head: "void".to_owned(), ..Returning::default() };
        for (at, part) in parts.iter().enumerate() {
            let name = match (is_pair, at) {
                (true, 0) => self.fresh("first", ""),
                (true, _) => self.fresh("second", ""),
                (false, _) => self.fresh("item", &at.to_string()),
            };
            let size = self.fresh(&name, "size");
            let inner = part.arguments.first().and_then(|first| Declaration::read(first, false));
            let inner = inner.map(|inner| self.value_type(&inner));
            if let Some(dense) = self.dense(part) {
                let made = self.dense_result("", &name, &dense);
                let array = format!("out own({FREE}) {} *{name}{}", dense.element, made.dimensions);
                let arguments: Vec<String> = std::iter::once(array).chain(made.arguments).collect();
                all.arguments.push(arguments.join(", "));
                all.lengths.extend(made.lengths);
                all.values.extend(made.values);
                continue;
            }
            let (declared, value) = match (part.base().as_str(), self.value_type(part), inner) {
                (_, ValueType::Number(ctype), _) => {
                    (format!("out {ctype} *{name}"), ReturnedValue::Converted(0))
                }
                (_, ValueType::String, _) => {
                    (format!("out own({FREE_STRING}) char **{name}"), ReturnedValue::Converted(0))
                }
                (_, ValueType::Object(class), _) if part.stars == 0 => {
                    (format!("out own {class} **{name}"), self.moved(&class))
                }
                ("std::shared_ptr", _, Some(ValueType::Object(class)))
                    if !self.types.is_counted(&class) =>
                {
                    return Err(not_counted(part, &class));
                }
                ("std::shared_ptr" | "std::unique_ptr", _, Some(ValueType::Object(class))) => {
                    (format!("out own {class} **{name}"), self.released(&class))
                }
                ("std::vector", _, Some(ValueType::Number(element)))
                    if !self.is_class_value(&element) =>
                {
                    all.lengths.push(size.clone());
                    let array = format!("out own({FREE}) {element} *{name}[{size}]");
                    (format!("{array}, out size_t *{size}"), ReturnedValue::Converted(1))
                }
                _ => {
                    let nested = self.nested(part).ok_or_else(|| self.refused(part))?;
                    (format!("out {}*{name}", nested::owned(&nested)), ReturnedValue::Nested)
                }
            };
            all.arguments.push(declared);
            all.values.push(value);
        }
        Ok(all)
    }

    fn one_result(&self, one: &Declaration<'_, '_>) -> Result<Returning, Box<Diagnostic>> {
        let base = one.base();
        let is_owned = one.has("own") || one.has("borrow");
        let words = &one.qualifiers;
        let owner = |default: &str| match is_owned {
            true => words.clone(),
            false => format!("{default} {words}"),
        };
        let simple = |head: String, value: ReturnedValue| Returning {
            head,
            values: vec![value],
            ..Returning::default()
        };
        let value = if is_path(one) { ValueType::String } else { self.value_type(one) };
        if one.stars > 0 && (one.reference != Reference::None || !one.arguments.is_empty()) {
            return Err(self.refused(one));
        }
        if let Some(dense) = self.dense(one) {
            return Ok(self.dense_result(words, "result", &dense));
        }
        if base == "void" && one.is_plain() && one.stars == 0 {
            return Ok(Returning { head: "void".to_owned(), ..Returning::default() });
        }
        if one.stars > 0 {
            // As in C, unless its owner is now a `std::shared_ptr`.
            let is_counted = one.has("own") && self.types.is_counted(&base);
            let constant = if one.is_const { "const " } else { "" };
            let stars = "*".repeat(one.stars);
            let value = if is_counted { ReturnedValue::Counted } else { ReturnedValue::Plain };
            return Ok(simple(format!("{words} {constant}{base} {stars}"), value));
        }
        // An object that a method refers to belongs to the object of the method.
        let borrowed = if self.has_self { "borrow(self)" } else { "" };
        let array = |owner: String, constant: &str, element: &str| {
            let size = self.fresh("result", "size");
            Returning {
                head: format!("{owner} {constant}{element} *"),
                dimensions: format!("[{size}]"),
                arguments: vec![format!("out size_t *{size}")],
                values: vec![ReturnedValue::Converted(1)],
                lengths: vec![size],
            }
        };
        let inner = one.arguments.first().and_then(|first| Declaration::read(first, false));
        let inner_type = inner.as_ref().map(|inner| self.value_type(inner));
        let count = one.arguments.len();
        match (base.as_str(), value, inner_type) {
            (_, ValueType::Number(ctype), _) if one.arguments.is_empty() => {
                Ok(simple(format!("{words} {ctype}"), ReturnedValue::Plain))
            }
            (_, ValueType::Number(ctype), _) => {
                Ok(simple(format!("{words} {ctype}"), ReturnedValue::Converted(0)))
            }
            (_, ValueType::String, _) => Ok(simple(
                format!("own({FREE_STRING}) {words} char *"),
                ReturnedValue::Converted(0),
            )),
            (_, ValueType::Object(class), _) if one.reference == Reference::Left => {
                let constant = if one.is_const { "const " } else { "" };
                let head = format!("{} {constant}{class} *", owner(borrowed));
                Ok(simple(head, ReturnedValue::Reference))
            }
            (_, ValueType::Object(class), _) if one.reference == Reference::None => {
                let value = self.moved(&class);
                Ok(simple(format!("{} {class} *", owner("own")), value))
            }
            ("std::vector", _, Some(ValueType::Number(element)))
                if count == 1 && !self.is_class_value(&element) =>
            {
                Ok(array(format!("own({FREE}) {words}"), "", &element))
            }
            ("std::vector", _, Some(ValueType::Object(class)))
                if count == 1
                    && inner.as_ref().is_some_and(|inner| inner.stars == 1)
                    && (self.has_self || is_owned) =>
            {
                let constant =
                    if inner.is_some_and(|inner| inner.is_const) { "const " } else { "" };
                // The pointers are moved out of the vector; the objects belong to their owner.
                let words = match one.has("own") {
                    true => format!("own({FREE}, each) {}", words.replacen("own", "", 1)),
                    false => format!("own({FREE}) {}", owner(borrowed)),
                };
                Ok(array(words, constant, &format!("{class} *")))
            }
            ("std::span", _, Some(ValueType::Number(element))) if count == 1 => {
                let constant =
                    if inner.is_some_and(|inner| inner.is_const) { "const " } else { "" };
                Ok(array(owner(borrowed), constant, &element))
            }
            ("std::array", _, Some(ValueType::Number(element)))
                if count == 2 && !self.is_class_value(&element) =>
            {
                let size = crate::prototype::parser::joined(one.arguments[1]);
                Ok(Returning {
                    head: format!("own({FREE}) {words} {element} *"),
                    dimensions: format!("[{size}]"),
                    values: vec![ReturnedValue::Converted(0)],
                    ..Returning::default()
                })
            }
            ("std::shared_ptr", _, Some(ValueType::Object(class)))
                if !self.types.is_counted(&class) =>
            {
                Err(not_counted(one, &class))
            }
            ("std::shared_ptr" | "std::unique_ptr", _, Some(ValueType::Object(class)))
                if count == 1 =>
            {
                let is_const = inner.is_some_and(|inner| inner.is_const);
                let constant = if is_const { "const " } else { "" };
                let head = format!("{} {constant}{class} *", owner("own"));
                Ok(simple(head, self.released(&class)))
            }
            ("std::optional", _, Some(ValueType::Object(class))) if count == 1 => {
                let head = format!("nullable {} {class} *", owner("own"));
                Ok(simple(head, self.released(&class)))
            }
            ("std::optional", _, Some(ValueType::String)) if count == 1 => Ok(simple(
                format!("nullable own({FREE_STRING}) {words} char *"),
                ReturnedValue::Converted(0),
            )),
            _ => {
                let nested =
                    self.nested(one).filter(|_| !is_owned).ok_or_else(|| self.refused(one))?;
                if one.reference != Reference::None && one.value.contains("std::unique_ptr") {
                    return Err(refused_owners(one));
                }
                let head = format!("{words} {}", nested::owned(&nested));
                Ok(simple(head, ReturnedValue::Nested))
            }
        }
    }

    /// The conversion of a smart pointer, or of an optional object, to the pointer that owns it.
    fn released(&self, class: &str) -> ReturnedValue {
        match self.types.is_counted(class) {
            true => ReturnedValue::Counted,
            false => ReturnedValue::Converted(0),
        }
    }

    /// A matrix, or a vector: an array, into which the elements are copied.
    fn dense_result(&self, words: &str, name: &str, dense: &Dense) -> Returning {
        let names = (0..dense.sizes.len()).map(|at| self.fresh(name, &dense.name_of_size(at)));
        let lengths: Vec<String> = names.collect();
        Returning {
            head: format!("own({FREE}) {words} {} *", dense.element),
            dimensions: lengths.iter().map(|length| format!("[{length}]")).collect(),
            arguments: lengths.iter().map(|length| format!("out size_t *{length}")).collect(),
            values: vec![ReturnedValue::Converted(lengths.len())],
            lengths,
        }
    }

    /// Why this is not a result.
    fn refused(&self, one: &Declaration<'_, '_>) -> Box<Diagnostic> {
        for part in one.arguments.iter().filter_map(|part| Declaration::read(part, false)) {
            let inner = part.arguments.first().and_then(|first| Declaration::read(first, false));
            match (self.value_type(&part), inner.map(|inner| self.value_type(&inner))) {
                (_, Some(ValueType::Object(class)))
                    if part.base() == "std::shared_ptr" && !self.types.is_counted(&class) =>
                {
                    return not_counted(&part, &class);
                }
                (ValueType::Object(class), _) if part.stars > 0 => {
                    return unsupported(
                        part.span,
                        format!("the owner of each `{class}` in this container is not specified"),
                        "write a function that returns objects, as `std::vector<lib::T>`, or \
                         `std::shared_ptr`s, or one object as a pointer, in `header-code` say, and wrap that",
                    );
                }
                _ => {}
            }
        }
        refused(one)
    }

    /// The conversion of an object that is returned by value.
    fn moved(&self, class: &str) -> ReturnedValue {
        match self.types.is_counted(class) {
            true => ReturnedValue::Counted,
            false => ReturnedValue::Object,
        }
    }
}

/// A container that stays in C++, of objects that only it owns.
fn refused_owners(one: &Declaration<'_, '_>) -> Box<Diagnostic> {
    unsupported(
        one.span,
        "the objects of this container belong to it, and a `std::unique_ptr` cannot be copied",
        "write a method that returns one of them as a reference, `lib::T &at(std::size_t k)`, in `header-code` say, \
         and wrap that",
    )
}

fn refused(one: &Declaration<'_, '_>) -> Box<Diagnostic> {
    let shown = crate::names::short(&one.spelling, 60);
    unsupported(
        one.span,
        format!("`{shown}` is an unsupported result of C++"),
        "write a function that returns a number, a string, an object or a `std::vector` of numbers, in `header-code` \
         say, and wrap that",
    )
}
