//! `std::function`: a callback with user data.
//!
//! Purpose: the prototype of the callback in C, for the types of a `std::function`.
//! Invariant: a type that an override cannot have, a callback cannot have either.
//! Reason: the runtime has one way to pass values of C++ to the target language, and one to receive them.

use super::declaration::{Declaration, Reference, split};
use super::nested;
use super::parameters::{Parameter, ValueType, built, parameter, unknown};
use super::{Scope, unsupported};
use crate::prototype::brackets;
use crate::prototype::lexer::{Kind, Token};
use fishplate_model::{ContainedClass, Diagnostic, Use};

impl Scope<'_> {
    /// The number, or `void`, that a `std::function` returns.
    fn number_of_function(&self, tokens: &[Token<'_>]) -> Option<String> {
        if matches!(tokens, [void] if void.is_word("void")) {
            return Some("void".to_owned());
        }
        let read = Declaration::read(tokens, false)?;
        let is_value = read.reference == Reference::None || read.is_const;
        match self.value_type(&read) {
            ValueType::Number(ctype) if is_value && read.arguments.is_empty() => Some(ctype),
            _ => None,
        }
    }

    /// The type of its result in C, and a last argument that it sets instead.
    fn result_of_function(
        &self,
        tokens: &[Token<'_>],
        objects: &mut Vec<ContainedClass>,
    ) -> Option<(String, Option<String>)> {
        if let Some(number) = self.number_of_function(tokens) {
            return Some((number, None));
        }
        let read = Declaration::read(tokens, false)?;
        let is_value = read.reference == Reference::None && read.stars == 0;
        let nested = self.received(&read, None).filter(|_| is_value)?;
        self.add_value(&read, true, objects);
        Some(("void".to_owned(), Some(nested::set(&nested, "result"))))
    }

    /// A parameter of a `std::function`, with or without its name: a number, an object by its address, or a nested value.
    fn parameter_of_function(
        &self,
        tokens: &[Token<'_>],
        letter: char,
        objects: &mut Vec<ContainedClass>,
    ) -> Option<String> {
        let number = |tokens| self.number_of_function(tokens).filter(|one| one != "void");
        let type_only = match tokens {
            [its_type @ .., name] if name.kind == Kind::Word && !its_type.is_empty() => its_type,
            _ => tokens,
        };
        if let Some(number) = number(tokens).or_else(|| number(type_only)) {
            return Some(format!("{number} {letter}"));
        }
        self.pointer_of_function(tokens, letter, objects)
            .or_else(|| self.pointer_of_function(type_only, letter, objects))
    }

    fn pointer_of_function(
        &self,
        tokens: &[Token<'_>],
        letter: char,
        objects: &mut Vec<ContainedClass>,
    ) -> Option<String> {
        let read = Declaration::read(tokens, false)?;
        let is_set = read.reference == Reference::Left && !read.is_const;
        match self.value_type(&read) {
            _ if read.reference == Reference::Right => None,
            ValueType::Number(ctype) if is_set && read.arguments.is_empty() => {
                Some(format!("in out {ctype} *{letter}"))
            }
            _ if read.stars > 0 && read.reference != Reference::None => None,
            ValueType::Object(class) if read.stars < 2 => {
                let is_copy = read.stars == 0 && read.reference == Reference::None;
                let constant = if read.is_const || is_copy { "const " } else { "" };
                Some(format!("{constant}{class} *{letter}"))
            }
            ValueType::String if read.stars == 1 && read.is_const => {
                Some(format!("const char *{letter}"))
            }
            _ if is_set => {
                let nested = self.received(&read, None).filter(|one| !one.has_use(Use::Taken))?;
                self.add_contained(&read, objects);
                Some(format!("in out {} *{letter}", nested::word(&nested)))
            }
            _ => {
                let nested = self.passed(&read)?;
                self.add_contained(&read, objects);
                Some(format!("const {} *{letter}", nested::word(&nested)))
            }
        }
    }

    /// `std::function<double(double)> f`: a callback with user data.
    pub(super) fn function(
        &self,
        one: &Declaration<'_, '_>,
        name: &str,
    ) -> Result<Parameter, Box<Diagnostic>> {
        let [signature] = one.arguments.as_slice() else { return Err(unknown(one)) };
        let Some(open) = signature.iter().position(|token| token.is("(")) else {
            return Err(unknown(one));
        };
        let close = open + brackets::closing(&signature[open..]);
        let (result, parameters) = (&signature[..open], split(&signature[open + 1..close]));
        let refuse = |what: &str| {
            unsupported(
                one.span,
                format!("a `std::function` {what}"),
                "write a function that takes a pointer to a function, in `header-code` say, and wrap that",
            )
        };
        let mut objects = Vec::new();
        let (result, set) = self.result_of_function(result, &mut objects).ok_or_else(|| {
            refuse("returns a number, a string, an object or a container, by value")
        })?;
        let mut declared: Vec<String> = Vec::new();
        for (at, one) in parameters.iter().enumerate() {
            let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
            let given = self.parameter_of_function(one, letter, &mut objects);
            declared.push(given.ok_or_else(|| {
                refuse("has numbers, objects, strings and containers as parameters")
            })?);
        }
        let data = self.fresh(name, "data");
        declared.extend(set);
        declared.push(format!("void *{data}"));
        let words = &one.qualifiers;
        let text = format!("{words} {result} (*{name})({}), void *{data}", declared.join(", "));
        Ok(Parameter { objects, ..parameter(one, text, 2, built(one, 2)) })
    }
}
