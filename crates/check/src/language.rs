//! Prototypes that only C++ can have.

use fishplate_model::{Code, Diagnostic, Interface, Language};

/// Reports prototypes with types of C++ in a module of C.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    if interface.module.language == Language::Cxx {
        return;
    }
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let functions = interface.functions.iter().chain(constructors);
    for overload in functions.flat_map(|function| &function.overloads) {
        if overload.adapter.is_some() {
            diagnostics.push(Diagnostic::error(
                Code::UNSUPPORTED_TYPE,
                overload.span,
                format!(
                    "`{}` is a function of C++, and this is a module of C",
                    overload.c_name.value
                ),
                "add `language = \"c++\"` to `[module]`, or write the types that the C header has",
            ));
        }
    }
}
