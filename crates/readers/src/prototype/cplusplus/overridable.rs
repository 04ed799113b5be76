//! Virtual methods that the target language may override.
//!
//! Purpose: for a `virtual` prototype, the callback through which C++ calls the override, and how its arguments are
//! computed from those of the method.
//! Invariant: a method whose types a callback cannot have is refused.
//! Reason: an override is then a callback of the constructor, with the errors, threads and lifetimes of every callback.

use super::declaration::{Declaration, Reference};
use super::parameters::{ValueType, taken_over, unknown};
use super::{Parts, Scope, Writer, nested, parts, unsupported, without_shifts};
use crate::prototype::lexer::Token;
use crate::prototype::parser::joined;
use crate::prototype::types::Types;
use fishplate_model::{
    ContainedClass, Diagnostic, Nested, Override, OverrideParameter, ParameterForm, Span, Use,
};

/// A virtual method of a class, or of a base.
#[derive(Clone, Debug)]
pub(crate) struct Overridable {
    /// The type of the callback's result in C.
    result: String,
    /// Its parameters in C, without the user data.
    parameters: Vec<String>,
    description: Override,
    span: Span,
}

impl Overridable {
    /// One overrides the other, or hides it in the target language.
    pub(crate) fn is_same(&self, other: &Overridable) -> bool {
        let types = |one: &Override| -> Vec<String> {
            one.parameters.iter().map(|parameter| parameter.spelling.clone()).collect()
        };
        let (one, other) = (&self.description, &other.description);
        one.method == other.method || (one.name == other.name && types(one) == types(other))
    }

    /// C++ calls it so: `lib::Shape::area`.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.description.declared == name
    }
}

/// The class whose method this prototype declares as `virtual`.
pub(crate) fn class_of_virtual(tokens: &[Token<'_>], types: &Types) -> Option<String> {
    let tokens = without_shifts(tokens);
    let is_virtual = tokens.first().is_some_and(|first| first.is_word("virtual"));
    super::class_of(&parts(&tokens).filter(|_| is_virtual)?, types)
}

/// The virtual method that these tokens declare, which has this name in the target language.
pub(crate) fn overridable(
    method: &str,
    tokens: &[Token<'_>],
    types: &Types,
) -> Result<Option<Overridable>, Box<Diagnostic>> {
    let tokens = without_shifts(tokens);
    let Some(parts) = parts(&tokens) else { return Ok(None) };
    let scope = Scope { types, words: Vec::new(), has_self: true };
    let mut objects = Vec::new();
    let returned = returned(&parts, &scope, &mut objects)?;
    let mut declared = Vec::new();
    let mut lent = Vec::new();
    for one in &parts.parameters {
        let (parameter, how) = parameter(one, &scope, &mut objects)?;
        declared.push(parameter);
        lent.push(how);
    }
    let set = |(nested, _): &(Nested, String)| nested::set(nested, &scope.fresh("result", ""));
    declared.extend(returned.nested.as_ref().map(set));
    let is_const = parts.qualifiers.iter().any(|word| word.is_word("const"));
    let name = parts.name.rsplit("::").next().unwrap_or_default().to_owned();
    let description = Override {
        method: method.to_owned(),
        declared: parts.name.clone(),
        name,
        result: returned.spelling,
        built: returned.nested.map(|(_, built)| built),
        is_kept: returned.is_kept,
        is_const,
        is_pure: parts.is_pure,
        parameters: lent,
        objects,
    };
    let span = parts.name_span;
    Ok(Some(Overridable { result: returned.ctype, parameters: declared, description, span }))
}

impl Scope<'_> {
    /// Adds the callbacks to the parameters of a constructor, and returns their descriptions.
    pub(super) fn add_overrides(
        &self,
        class: &str,
        separator: &mut &'static str,
        text: &mut Writer,
    ) -> Vec<Override> {
        let all = self.types.overridable(class);
        for one in all {
            let name = self.fresh(&one.description.method, "");
            let data = self.fresh(&name, "data");
            let mut parameters = one.parameters.clone();
            parameters.push(format!("void *{data}"));
            let (result, parameters) = (&one.result, parameters.join(", "));
            let declared = format!(
                "{separator} nullable keep(result) {result} (*{name})({parameters}), void *{data}"
            );
            text.add(&declared, one.span);
            *separator = ",";
        }
        all.iter().map(|one| one.description.clone()).collect()
    }
}

/// The result of a method that the target language overrides.
struct OverrideResult {
    /// That of the callback in C.
    ctype: String,
    /// As the method has it.
    spelling: String,
    /// The nested value that the callback sets instead, and the type of C++ that is built of it.
    nested: Option<(Nested, String)>,
    /// The method returns a reference to it, or a view.
    is_kept: bool,
}

fn returned(
    parts: &Parts<'_, '_>,
    scope: &Scope<'_>,
    objects: &mut Vec<ContainedClass>,
) -> Result<OverrideResult, Box<Diagnostic>> {
    let refuse = |span, spelling: &str| {
        cannot_override(span, format!("an override cannot return `{spelling}`"))
    };
    let Some(one) = Declaration::read(&parts.result, false) else {
        return Err(refuse(parts.name_span, &joined(&parts.result)));
    };
    let is_value = one.reference == Reference::None && one.stars == 0;
    let is_text = (one.stars == 1 && one.is_const || is_value && one.base() == "std::string_view")
        && matches!(scope.value_type(&one), ValueType::String)
        && !one.has("nullable");
    let is_kept = is_text || one.reference == Reference::Left && one.is_const && one.stars == 0;
    let (ctype, nested) = match scope.value_type(&one) {
        _ if one.base() == "void" && one.stars == 0 => ("void".to_owned(), None),
        ValueType::Number(ctype) if is_value => (ctype, None),
        ValueType::Object(class)
            if one.stars + usize::from(one.reference == Reference::Left) == 1 =>
        {
            let nested = Some(address(&one, &class, scope)?);
            return Ok(OverrideResult {
                ctype: "void".to_owned(),
                spelling: one.spelling,
                nested,
                is_kept: false,
            });
        }
        _ if is_text => ("void".to_owned(), Some((Nested::String, "std::string".to_owned()))),
        _ => {
            let nested = scope.received(&one, Some(Use::Retained));
            let nested = nested.filter(|nested| is_value || is_kept && !nested.has_use(Use::Taken));
            let nested = nested.ok_or_else(|| refuse(one.span, &one.spelling))?;
            let nested = match nested {
                Nested::Optional(of) if one.base().ends_with("_ptr") && !one.has("nullable") => *of,
                other => other,
            };
            scope.add_value(&one, true, objects);
            ("void".to_owned(), Some((nested, one.value.clone())))
        }
    };
    Ok(OverrideResult { ctype, spelling: one.spelling, nested, is_kept })
}

/// The object to which a pointer or a reference leads: C++ takes it over with `own`, and else the object of the method
/// retains it.
fn address(
    one: &Declaration<'_, '_>,
    class: &str,
    scope: &Scope<'_>,
) -> Result<(Nested, String), Box<Diagnostic>> {
    let is_owned = one.has("own");
    if is_owned && scope.types.is_counted(class) {
        return Err(taken_over(one, class));
    }
    let (used, built) = match (is_owned, one.is_const) {
        (true, _) => (Use::Taken, format!("std::unique_ptr<{class}>")),
        (false, true) => (Use::Retained, format!("const {class} *")),
        (false, false) => (Use::Retained, format!("{class} *")),
    };
    let object = scope.object(used, class).ok_or_else(|| unknown(one))?;
    let is_nullable = one.has("nullable");
    Ok((if is_nullable { Nested::Optional(Box::new(object)) } else { object }, built))
}

/// The parameters of the callback, and how their values are computed.
fn parameter(
    tokens: &[Token<'_>],
    scope: &Scope<'_>,
    objects: &mut Vec<ContainedClass>,
) -> Result<(String, OverrideParameter), Box<Diagnostic>> {
    let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
    let refuse = |spelling: &str| {
        cannot_override(span, format!("an override cannot be passed `{spelling}`"))
    };
    let Some(one) = Declaration::read(tokens, true) else { return Err(refuse(&joined(tokens))) };
    let Some(name) = one.name.map(|name| name.text) else {
        return Err(unsupported(
            one.span,
            "a parameter has no name",
            "write it as the header does, with a name",
        ));
    };
    let inner = one.arguments.first().and_then(|inner| Declaration::read(inner, false));
    let inner_type = inner.as_ref().map(|inner| scope.value_type(inner));
    let is_mutable = one.reference == Reference::Left && !one.is_const;
    let size = scope.fresh(name, "size");
    let (declared, form) = match (one.base().as_str(), scope.value_type(&one), inner_type) {
        _ if one.reference == Reference::Right
            || (one.stars > 0 && one.reference != Reference::None) =>
        {
            return Err(refuse(&one.spelling));
        }
        (_, ValueType::Number(ctype), _) if is_mutable => {
            (format!("in out {ctype} *{name}"), ParameterForm::Address)
        }
        (_, ValueType::Number(ctype), _) => (format!("{ctype} {name}"), ParameterForm::Value),
        (_, ValueType::String, _) if one.is_const && one.stars == 1 => {
            (format!("const char *{name}"), ParameterForm::Value)
        }
        (_, ValueType::Object(class), _) if one.stars < 2 => {
            let is_const = one.is_const || (one.stars == 0 && one.reference == Reference::None);
            let constant = if is_const { "const " } else { "" };
            let form = if one.stars == 1 { ParameterForm::Value } else { ParameterForm::Address };
            (format!("{constant}{class} *{name}"), form)
        }
        ("std::vector", _, Some(ValueType::Number(element)))
            if !is_mutable
                && one.arguments.len() == 1
                && element != "bool"
                && !scope.is_struct(&element) =>
        {
            (format!("const {element} {name}[{size}], size_t {size}"), ParameterForm::Elements)
        }
        ("std::vector", _, Some(ValueType::Object(class)))
            if !is_mutable && inner.as_ref().is_some_and(|inner| inner.stars == 1) =>
        {
            let is_const = inner.is_some_and(|inner| inner.is_const);
            let constant = if is_const { "const " } else { "" };
            let declared = format!("{constant}{class} *const {name}[{size}], size_t {size}");
            (declared, ParameterForm::Elements)
        }
        ("std::span", _, Some(ValueType::Number(element)))
            if one.arguments.len() == 1 && !scope.is_struct(&element) =>
        {
            let is_const = inner.is_some_and(|inner| inner.is_const);
            let constant = if is_const { "const" } else { "inout" };
            (format!("{constant} {element} {name}[{size}], size_t {size}"), ParameterForm::Elements)
        }
        _ if is_mutable => {
            let nested = scope.received(&one, None).filter(|nested| !nested.has_use(Use::Taken));
            let nested = nested.ok_or_else(|| refuse(&one.spelling))?;
            scope.add_contained(&one, objects);
            (format!("in out {} *{name}", nested::word(&nested)), ParameterForm::NestedReference)
        }
        _ => {
            let nested = scope.passed(&one).ok_or_else(|| refuse(&one.spelling))?;
            scope.add_contained(&one, objects);
            (format!("const {} *{name}", nested::word(&nested)), ParameterForm::Nested)
        }
    };
    Ok((declared, OverrideParameter { spelling: one.spelling, value: one.value, form }))
}

fn cannot_override(span: Span, message: String) -> Box<Diagnostic> {
    unsupported(span, message, "remove `virtual`: the method is called, and cannot be overridden")
}
