//! Names that the target language reserves.
//!
//! Invariant: only the language for which the interface is checked decides; `end` is a good name in
//! Python, and `lambda` in Lua.

use crate::Capabilities;
use fishplate_model::{Code, Constant, Diagnostic, Interface, Span, Spanned};

/// Checks the names of a module and of its members.
pub(crate) fn check(interface: &Interface, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(name) = &interface.module.name {
        check_module(name, host, diagnostics);
    }
    let mut refuse = |name: &Spanned<String>, what: &str| {
        if (host.is_special)(&name.value) {
            diagnostics.push(special(name.span, &name.value, what, host));
        } else if host.reserved.contains(&name.value.as_str()) {
            diagnostics.push(Diagnostic::error(
                Code::BAD_NAME,
                name.span,
                format!(
                    "`{}` is a keyword of {} and cannot be {what}'s name",
                    name.value, host.language
                ),
                format!("rename it, such as to `{}_`", name.value),
            ));
        }
    };
    for function in &interface.functions {
        refuse(&function.name, "a function");
    }
    for handle in &interface.handles {
        refuse(&handle.name, "a class");
    }
    for one in &interface.structs {
        refuse(&one.name, "a class");
    }
    for one in &interface.enums {
        refuse(&Spanned::new(one.member().to_owned(), one.name.span), "a class");
    }
    for field in interface.structs.iter().flat_map(|one| &one.fields) {
        // Other names of fields are changed for the target language.
        if (host.is_special)(&field.name.value) {
            diagnostics.push(special(field.name.span, &field.name.value, "a field", host));
        }
    }
    for one in interface.enums.iter().flat_map(|one| &one.values) {
        check_value(one, "an enumerator", host, diagnostics);
    }
    for one in &interface.constants {
        check_value(one, "a constant", host, diagnostics);
    }
}

/// Checks the name of a constant or an enumerator, which the interface may choose.
fn check_value(one: &Constant, what: &str, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    let (name, language) = (&one.name.value, host.language);
    let message = if (host.is_special)(name) {
        format!("`{name}` has a meaning of its own in {language} and cannot be {what}'s name")
    } else if host.reserved.contains(&name.as_str()) {
        format!("`{name}` is a keyword of {language} and cannot be {what}'s name")
    } else if what == "an enumerator" && (host.is_of_enums)(name) {
        format!(
            "`{name}` has a meaning of its own in enums of {language} and cannot be {what}'s name"
        )
    } else {
        return;
    };
    let other = host.parameter_name(name.trim_matches('_'));
    let other = if other == *name { format!("{name}_") } else { other };
    let hint = format!("rename it in `values`: `{{ {other} = \"{}\" }}`", one.value.value.trim());
    diagnostics.push(Diagnostic::error(Code::BAD_NAME, one.name.span, message, hint));
}

/// Refuses a name that the language itself looks up.
fn special(span: Span, name: &str, what: &str, host: &Capabilities) -> Diagnostic {
    Diagnostic::error(
        Code::BAD_NAME,
        span,
        format!(
            "`{name}` has a meaning of its own in {} and cannot be {what}'s name",
            host.language
        ),
        format!("rename it, such as to `{}`", host.parameter_name(name.trim_matches('_'))),
    )
}

fn check_module(name: &Spanned<String>, host: &Capabilities, diagnostics: &mut Vec<Diagnostic>) {
    let language = host.language;
    let keyword = name.value.split('.').find(|part| host.reserved.contains(part));
    if let (Some(keyword), true) = (keyword, host.host == "python") {
        diagnostics.push(Diagnostic::error(
            Code::BAD_NAME,
            name.span,
            format!(
                "`{keyword}` is a keyword of {language}, so `{}` could not be imported",
                name.value
            ),
            format!("rename it, such as to `{keyword}_`"),
        ));
    }
    if let Some(part) = name.value.split('.').find(|part| (host.is_special)(part)) {
        diagnostics.push(special(name.span, part, "a module", host));
    }
    // In a package it is a different name.
    let taken = name.value.as_str();
    let hint = format!("rename it, for example to `{taken}_c`, or put it into a package");
    if host.modules.contains(&taken) {
        let message =
            format!("a module `{taken}` exists already, so this one could not be imported");
        diagnostics.push(Diagnostic::error(Code::BAD_NAME, name.span, message, hint));
    } else if host.standard_modules.contains(&taken) {
        let message =
            format!("the module `{taken}` hides the one of {language}'s standard library");
        diagnostics.push(Diagnostic::warning(Code::BAD_NAME, name.span, message, hint));
    }
}
