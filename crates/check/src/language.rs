//! Prototypes that only C++ can have.

use fishplate_model::{
    Adapter, CallForm, Code, Conversion, Diagnostic, Interface, Language, ReturnedValue,
};

/// Reports prototypes with types of C++ in a module of C.
pub(crate) fn check(interface: &Interface, diagnostics: &mut Vec<Diagnostic>) {
    if interface.module.language == Language::Cxx {
        return;
    }
    let constructors = interface.handles.iter().filter_map(|handle| handle.constructor.as_ref());
    let functions = interface.functions.iter().chain(constructors);
    for overload in functions.flat_map(|function| &function.overloads) {
        if overload.adapter.as_ref().is_some_and(|adapter| is_cpp(adapter)) {
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

/// Everything but a field of C's types.
fn is_cpp(adapter: &Adapter) -> bool {
    let mut parameters = adapter.parameters.iter();
    !matches!(adapter.form, CallForm::Field { .. })
        || adapter.values.iter().any(|value| *value != ReturnedValue::Plain)
        || parameters.any(|one| {
            matches!(one.conversion, Conversion::Built { .. } | Conversion::Defaulted { .. })
        })
}
