//! Mistakes in the members of a module: duplicate names, duplicate values.

use crate::Capabilities;
use fishplate_model::{Code, Diagnostic, Field, Function, Interface, PREDEFINED, Span, Spanned};

/// The members of a module have different names. Functions and handles are compared among
/// themselves elsewhere.
pub(crate) fn check(interface: &Interface, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    let functions = interface.functions.iter().filter(|function| function.class.is_none());
    let mut members: Vec<(&str, &str, Span)> = functions
        .map(|function| ("function", function.name.value.as_str(), function.name.span))
        .collect();
    members.extend(interface.handles.iter().map(|one| {
        let name = &one.name;
        ("handle", name.value.as_str(), name.span)
    }));
    let of_module = interface.enums.iter().filter(|one| one.class().is_none());
    let enums = of_module.map(|one| ("enum", &one.name));
    let of_module = interface.constants.iter().filter(|one| one.class.is_none());
    let constants = of_module.map(|one| ("constant", &one.name));
    let structs = interface.structs.iter().map(|one| ("struct", &one.name));
    for (kind, name) in enums.chain(structs).chain(constants) {
        if let Some(first) = members.iter().find(|(_, other, _)| *other == name.value) {
            report(kind, &name.value, name.span, *first, diagnostics);
        }
        members.push((kind, &name.value, name.span));
    }
    for (at, one) in interface.functions.iter().enumerate() {
        let is_same =
            |other: &&Function| other.class == one.class && other.name.value == one.name.value;
        if one.class.is_some()
            && let Some(first) = interface.functions[..at].iter().find(is_same)
        {
            let (name, span) = (&one.name.value, one.name.span);
            let first = ("member", name.as_str(), first.name.span);
            report("member", name, span, first, diagnostics);
        }
    }
    of_classes(interface, &members, diagnostics);
    for one in &interface.structs {
        let mut fields: Vec<(String, Span)> = Vec::new();
        for Field { name, member, .. } in &one.fields {
            let (name, span) = (host.field_name(member), name.span);
            if let Some((first, place)) = fields.iter().find(|(other, _)| *other == name) {
                report("field", &name, span, ("field", first, *place), diagnostics);
            }
            fields.push((name, span));
        }
    }
    for one in &interface.enums {
        let mut values: Vec<(&str, &str, Span)> = Vec::new();
        for value in &one.values {
            let name = &value.name;
            if let Some(first) = values.iter().find(|(_, other, _)| *other == name.value) {
                report("value", &name.value, name.span, *first, diagnostics);
            }
            values.push(("value", &name.value, name.span));
        }
    }
}

/// A constant or an enum that is an attribute of a class.
struct Attribute<'i> {
    kind: &'static str,
    class: Spanned<&'i str>,
    name: Spanned<&'i str>,
    /// Its name in a language without attributes of classes.
    flat: String,
}

fn attributes(interface: &Interface) -> Vec<Attribute<'_>> {
    let enums = interface.enums.iter().filter_map(|one| {
        let class = Spanned::new(one.class()?, one.name.span);
        let name = Spanned::new(one.member(), one.name.span);
        Some(Attribute { kind: "enum", class, name, flat: one.flat_name() })
    });
    let constants = interface.constants.iter().filter_map(|one| {
        let class = one.class.as_ref()?;
        let class = Spanned::new(class.value.as_str(), class.span);
        let name = Spanned::new(one.name.value.as_str(), one.name.span);
        Some(Attribute { kind: "constant", class, name, flat: one.flat_name() })
    });
    enums.chain(constants).collect()
}

/// The constants and enums of classes have other names than the other members of these. `of_module`: those of the module,
/// one of which has no flat name of them.
fn of_classes(
    interface: &Interface,
    of_module: &[(&str, &str, Span)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut earlier: Vec<Attribute<'_>> = Vec::new();
    for one in attributes(interface) {
        let Attribute { kind, class, name, flat } = &one;
        if let Some(first) = of_module.iter().find(|(_, other, _)| other == flat) {
            report(kind, flat, name.span, *first, diagnostics);
        }
        let is_class = interface.handles.iter().any(|one| one.name.value == class.value);
        if !is_class {
            let message = format!("`{}` is not a class of the interface", class.value);
            let outside = match *kind {
                "enum" => format!("`[enum.{flat}]`"),
                _ => format!("`{flat} = \"…\"`"),
            };
            let hint = format!("declare it as `[handle.{}]`, or write {outside}", class.value);
            diagnostics.push(Diagnostic::error(Code::UNKNOWN_TYPE, class.span, message, hint));
        } else if PREDEFINED.contains(&name.value) {
            let message = format!("`{}` is a predefined member of every class", name.value);
            let hint = match *kind {
                "enum" => "rename the enum: `[enum.CLASS.NAME]`",
                _ => "rename the constant: `{ CLASS.NAME = \"EXPRESSION\" }`",
            };
            diagnostics.push(Diagnostic::error(Code::DUPLICATE_NAME, name.span, message, hint));
        }
        let functions = interface.functions.iter().filter(|_| is_class).filter_map(|function| {
            let class = function.class.as_deref()?;
            Some(("member", class, function.name.value.as_str(), function.name.span))
        });
        let attributes =
            earlier.iter().map(|one| (one.kind, one.class.value, one.name.value, one.name.span));
        let mut members = attributes.chain(functions);
        if let Some((what, _, first, span)) =
            members.find(|(_, of, other, _)| *of == class.value && *other == name.value)
        {
            report(kind, name.value, name.span, (what, first, span), diagnostics);
        }
        earlier.push(one);
    }
}

fn report(
    kind: &str,
    name: &str,
    span: Span,
    (what, _, first): (&str, &str, Span),
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = if what == kind {
        format!("duplicate {what} `{name}`")
    } else {
        let article = |noun: &str| if noun.starts_with('e') { "an" } else { "a" };
        let (first, second) = (article(what), article(kind));
        format!("{first} {what} and {second} {kind} have the same name `{name}`")
    };
    let hint = match kind {
        "constant" | "value" => "rename one of the two: `values = { NAME = \"EXPRESSION\" }`",
        "field" => {
            "name each field once; a name with another use in the target language gets a `_`"
        }
        _ => "rename one of the two",
    };
    let found = Diagnostic::error(Code::DUPLICATE_NAME, span, message, hint);
    diagnostics.push(found.also(first, format!("the {what} is here")));
}
