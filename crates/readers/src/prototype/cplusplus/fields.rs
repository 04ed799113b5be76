//! Fields of objects, as functions that get and set them.
//!
//! Purpose: for the declaration of a field, the C prototypes of both, and how they access it.
//! Invariant: each value in the target language is a copy, or belongs to the object.
//! Reason: the rules for types are those of methods; a field is a method without parentheses.

use super::declaration::{Declaration, Reference, tokens_of};
use super::parameters::ValueType;
use super::{Adapted, Parts, Piece, Scope, Writer, convert, unsupported};
use crate::prototype::brackets;
use crate::prototype::lexer::{Kind, Token};
use crate::prototype::types::Types;
use fishplate_model::{Adapter, CallForm, Conversion, Converted, Diagnostic, ReturnedValue};

/// A field, as its class declares it.
pub(crate) struct Field<'a, 't> {
    declared: Declaration<'a, 't>,
    pub name: Token<'t>,
    /// The names of all fields that are declared with it, which may be its sizes.
    pub siblings: &'a [&'t str],
}

impl<'a, 't> Field<'a, 't> {
    /// `const std::string name`; `None`: the tokens are no field. A static one is read and set as those of an object are.
    pub(crate) fn read(tokens: &'a [Token<'t>]) -> Option<Self> {
        let is_specifier =
            |token: &Token<'_>| matches!(token.text, "static" | "inline" | "constexpr");
        let count = tokens.iter().take_while(|token| is_specifier(token)).count();
        let (specifiers, tokens) = tokens.split_at(count);
        let mut declared = Declaration::read(tokens, true)?;
        declared.is_const |= specifiers.iter().any(|token| token.is_word("constexpr"));
        let name = declared.name?;
        Some(Field { declared, name, siblings: &[] })
    }

    /// The declaration, on one line.
    pub(crate) fn text(&self) -> String {
        let one = &self.declared;
        let words = [one.qualifiers.as_str(), &one.spelling, self.name.text];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ") + &one.rest()
    }

    /// The function that gets it, and the one that sets it, if objects have it and can have another.
    pub(crate) fn functions(
        &self,
        class: &str,
        types: &Types,
    ) -> Result<Vec<Adapted>, Box<Diagnostic>> {
        let scope = Scope { types, words: Vec::new(), has_self: true };
        let one = &self.declared;
        let value = scope.value_type(one);
        let qualifiers = &one.qualifiers;
        let constant = if one.is_const { "const " } else { "" };
        if one.reference != Reference::None || brackets::outside(one.rest, "=").is_some() {
            return Err(self.refuse());
        }
        let owner = match one.has("own") || one.has("borrow") {
            true => qualifiers.clone(),
            false => format!("borrow(self) {qualifiers}"),
        };
        // Memory that belongs to the object.
        let borrowed = match (&value, one.rest, one.stars) {
            (ValueType::Number(base), [_, .., _], 0) if self.is_sized() && base != "char" => {
                Some((format!("{owner} {constant}{base} *"), self.sizes(), false))
            }
            (ValueType::Number(base), [open, .., close], 0)
                if !self.is_sized()
                    && open.is("[")
                    && close.is("]")
                    && one.arguments.is_empty() =>
            {
                match base.as_str() {
                    "char" => Some((format!("{owner} {constant}char *"), String::new(), true)),
                    base => Some((format!("{owner} {constant}{base} *"), one.rest(), true)),
                }
            }
            (ValueType::Object(base), [], 0) => {
                Some((format!("{owner} {constant}{base} *"), String::new(), true))
            }
            (ValueType::Object(base), [], 1) => {
                Some((format!("nullable {owner} {constant}{base} *"), String::new(), false))
            }
            (ValueType::String, [], 1) => {
                Some((format!("nullable {owner} {constant}char *"), String::new(), false))
            }
            _ => None,
        };
        if let Some((head, dimensions, is_address)) = borrowed {
            return Ok(vec![self.borrow(class, &head, &dimensions, is_address)]);
        }
        if !one.rest.is_empty() || one.stars > 0 {
            return Err(self.refuse());
        }
        let spelled = match value {
            ValueType::Number(_) => one.value.clone(),
            _ => format!("const {} &", one.value),
        };
        let got = format!("{qualifiers} {spelled}");
        let mut all = vec![self.accessor(class, &got, None, &scope)?];
        if !one.is_const {
            // A container that cannot be an argument is only got.
            let value = format!("{spelled} value");
            all.extend(self.accessor(class, "void", Some(&value), &scope).ok());
        }
        Ok(all)
    }

    /// The function of a method with this result and parameter, in place of which the field is accessed.
    fn accessor(
        &self,
        class: &str,
        result: &str,
        parameter: Option<&str>,
        scope: &Scope<'_>,
    ) -> Result<Adapted, Box<Diagnostic>> {
        let span = self.declared.span;
        let parameter = tokens_of(parameter.unwrap_or_default());
        let is_const = tokens_of("const");
        let parts = Parts {
            result: tokens_of(result),
            is_friend: false,
            is_static: false,
            is_virtual: false,
            name: self.full_name(class),
            name_span: span,
            parameters: if parameter.is_empty() { Vec::new() } else { vec![&parameter] },
            qualifiers: if parameter.is_empty() { &is_const } else { &[] },
            is_pure: false,
        };
        let mut adapted =
            convert(&parts, Some(class.to_owned()), false, scope).map_err(|_| self.refuse())?;
        adapted.pieces.iter_mut().for_each(|piece| piece.span = span);
        adapted.adapter.form = self.form(class, false);
        Ok(adapted)
    }

    /// A function that returns a pointer to the field, or the pointer that it is.
    fn borrow(&self, class: &str, head: &str, dimensions: &str, is_address: bool) -> Adapted {
        let span = self.declared.span;
        let constant = if self.declared.is_const { "const " } else { "" };
        let mut text = Writer::default();
        text.add(head, span);
        text.pieces.push(Piece { kind: Kind::Word, text: self.full_name(class), span });
        text.add(&format!("({constant}{class} *self){dimensions}"), span);
        let object = Converted { spelling: None, count: 1, conversion: Conversion::Pointee };
        let adapter = Adapter {
            form: self.form(class, is_address),
            is_friend: false,
            parameters: vec![object],
            result: String::new(),
            values: vec![ReturnedValue::Plain],
            lengths: Vec::new(),
            objects: Vec::new(),
        };
        Adapted { pieces: text.pieces, adapter }
    }

    /// The name in messages; no function has it.
    fn full_name(&self, class: &str) -> String {
        format!("{class}.{}", self.name.text)
    }

    /// It is a pointer to an array, whose size is another field.
    fn is_sized(&self) -> bool {
        self.declared.rest.iter().any(|token| self.is_sibling(token))
    }

    fn is_sibling(&self, token: &Token<'_>) -> bool {
        token.kind == Kind::Word && self.siblings.contains(&token.text)
    }

    /// Its dimensions, of which other fields are those of the object.
    fn sizes(&self) -> String {
        let size = |token: &Token<'_>| match self.is_sibling(token) {
            true => format!("self->{}", token.text),
            false => token.text.to_owned(),
        };
        self.declared.rest.iter().map(size).collect()
    }

    fn form(&self, class: &str, is_address: bool) -> CallForm {
        let one = &self.declared;
        let is_of_const = one.is_const && (one.stars > 0 || !one.rest.is_empty());
        let constant = if is_of_const { "const " } else { "" };
        CallForm::Field {
            class: class.to_owned(),
            name: self.name.text.to_owned(),
            spelling: match self.is_sized() {
                true => format!("{constant}{} *", one.value),
                false => format!("{constant}{} {}{}", one.value, "*".repeat(one.stars), one.rest()),
            },
            is_address,
        }
    }

    fn refuse(&self) -> Box<Diagnostic> {
        let shown = crate::names::short(&self.declared.spelling, 60);
        unsupported(
            self.declared.span,
            format!("the field `{}` is a `{shown}`, which is not supported", self.name.text),
            "remove it here; write functions that get and set it, and wrap those with `property = true`",
        )
    }
}
