//! Mistakes in what a module is made of: two members of one name.

use fishplate_model::{Code, Diagnostic, Interface, Span};

/// Constants are called as nothing else in the module is. Functions and handles among themselves are
/// looked at elsewhere.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    let functions = interface.functions.iter().filter(|function| function.class.is_none());
    let mut members: Vec<(&str, &str, Span)> = functions
        .map(|function| ("function", function.name.value.as_str(), function.name.span))
        .collect();
    members.extend(
        interface.handles.iter().map(|one| ("handle", one.name.value.as_str(), one.name.span)),
    );
    for constant in &interface.constants {
        let (name, span) = (constant.name.value.as_str(), constant.name.span);
        if let Some((what, _, first)) = members.iter().find(|(_, other, _)| *other == name) {
            let message = match *what {
                "constant" => format!("two constants are called `{name}`"),
                what => format!("a {what} and a constant are called `{name}`"),
            };
            let hint = "rename one of the two: `values = { NAME = \"EXPRESSION\" }`";
            let found = Diagnostic::error(Code::DUPLICATE_NAME, span, message, hint);
            diagnostics.push(found.also(*first, format!("this is the {what}")));
        }
        members.push(("constant", name, span));
    }
}
