//! Misplaced annotations.
//!
//! Purpose: find annotations of parameters at a function, those of functions at a parameter, and
//! those that a parameter cannot have.
//! Invariant: reports in the header's terms; changes nothing.
//! Reason: as a prototype, `double x FP_SHAPE(n)` would be an array, which only the C compiler
//! would refuse.

use super::declarator::{Form, Parameter};
use super::mask::{Annotation, Masked};
use super::prototype::{self, arguments};
use super::syntax::{Declaration, Unit};
use fishplate_model::{Code, Diagnostic, Span};

/// Reports them. `own` are the annotations of the function itself; `place` returns the place of a
/// word in its declaration, by the number of earlier occurrences.
pub(crate) fn find(
    function: &Declaration<'_>,
    unit: &Unit<'_>,
    masked: &Masked<'_>,
    own: &[&Annotation],
    place: &dyn Fn(&str, usize) -> Span,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let all = masked.annotations_in(&function.region);
    let mut report = |annotation: &Annotation, message: String, hint: String| {
        let is_before =
            |other: &&Annotation| other.at < annotation.at && other.name == annotation.name;
        let span =
            place(&prototype::written(&annotation.name), all.iter().filter(is_before).count());
        found.push(Diagnostic::error(Code::BAD_ANNOTATION, span, message, hint));
    };
    let returns_memory = own.iter().any(|one| prototype::is_owner(one));
    for annotation in own {
        if let Some(name) = of_parameters(&annotation.name)
            && !(name == "FP_SHAPE" && returns_memory)
        {
            let hint = format!("write it after the parameter's name, as in `double *y {name}(n)`");
            report(
                annotation,
                format!("`{name}` applies to a parameter, not to `{}`", function.name),
                hint,
            );
        }
    }
    for (at, annotation) in own.iter().enumerate() {
        let name = prototype::written(&annotation.name);
        let is_once = matches!(annotation.name.as_str(), "name" | "returns" | "gil" | "skip");
        if is_once && own[..at].iter().any(|earlier| earlier.name == annotation.name) {
            report(annotation, format!("duplicate `{name}`"), "remove one of the two".to_owned());
        }
    }
    for parameter in &function.parameters {
        for mistake in of_parameter(parameter, unit, masked) {
            report(mistake.0, mistake.1, mistake.2);
        }
    }
    found
}

/// The annotation, the mistake, and the correction.
type Mistake<'m> = (&'m Annotation, String, String);

fn of_parameter<'m>(
    parameter: &Parameter<'_>,
    unit: &Unit<'_>,
    masked: &'m Masked<'_>,
) -> Vec<Mistake<'m>> {
    let annotations = prototype::own_annotations(masked, parameter);
    let tokens = masked.tokens_in(&parameter.region);
    let shown = parameter.name.unwrap_or("the parameter");
    let named = parameter.name.and_then(|name| tokens.iter().rfind(|token| token.is_word(name)));
    let is_value = parameter.form == Form::Value && unit.pointer(&parameter.words).is_none();
    let mut mistakes = Vec::new();
    for (at, &annotation) in annotations.iter().enumerate() {
        let name = prototype::written(&annotation.name);
        let parts = arguments(&annotation.argument);
        let (message, hint) = if of_functions(&annotation.name) {
            let message = format!("`{name}` applies to the function, not to a parameter");
            (message, "write it in front of the declaration".to_owned())
        } else if annotations[..at].iter().any(|earlier| earlier.name == annotation.name)
            && of_parameters(&annotation.name).is_some()
        {
            (format!("`{shown}` has two `{name}`"), "remove one of the two".to_owned())
        } else if prototype::is_in_brackets(masked, parameter, annotation) {
            let hint = format!("write it after the parameter's name, as in `double *y {name}(n)`");
            (format!("`{name}` is inside `[ ]`"), hint)
        } else if annotation.name == "shape" && is_value {
            (
                format!("`FP_SHAPE` applies to pointers, and `{shown}` is passed by value"),
                format!("declare a pointer, `*{shown}`, or remove `FP_SHAPE`"),
            )
        } else if annotation.name == "shape"
            && parts.iter().any(|part| part.trim().starts_with('['))
        {
            let inner: Vec<&str> =
                parts.iter().map(|part| part.trim().trim_matches(['[', ']'])).collect();
            let hint = format!("write `FP_SHAPE({})`", inner.join(", ").replace("][", ", "));
            (format!("the sizes of `{shown}` are in `[ ]`"), hint)
        } else if annotation.name == "default" && parts.len() > 1 {
            (
                format!("`{shown}` has {} defaults", parts.len()),
                format!(
                    "write one value, as in `FP_DEFAULT({})`; each element of an array has it",
                    parts[0].trim()
                ),
            )
        } else if of_parameters(&annotation.name).is_none()
            && named.is_some_and(|name| name.span.start < annotation.at)
        {
            (
                format!("`{name}` is after the name of `{shown}`"),
                format!("write it before the type, as in `{name} double *y`"),
            )
        } else {
            continue;
        };
        mistakes.push((annotation, message, hint));
    }
    mistakes.extend(parameter.called().iter().flat_map(|inner| of_parameter(inner, unit, masked)));
    mistakes
}

fn of_parameters(annotation: &str) -> Option<&'static str> {
    match annotation {
        "shape" => Some("FP_SHAPE"),
        "default" => Some("FP_DEFAULT"),
        _ => None,
    }
}

fn of_functions(annotation: &str) -> bool {
    matches!(annotation, "macro" | "skip" | "name" | "returns" | "gil")
}
