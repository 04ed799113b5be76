//! Restrictions of functions with device arrays: no allocation there, and no copies.

use crate::CheckedOverload;
use fishplate_model::{Argument, Code, Device, Diagnostic, Function, Intent, PerArgument};

/// Reports features that such a function cannot have.
pub(crate) fn check(
    function: &Function,
    overloads: &[CheckedOverload],
    diagnostics: &mut Vec<Diagnostic>,
) {
    if function.device == Device::Cpu {
        return;
    }
    let device = function.device.name();
    let name = &function.name;
    let mut unsupported = |span, message: String, hint: &str| {
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    };
    if function.ellipses.maps() {
        let message = format!("batched calls are not supported on `{device}`: `{}`", name.value);
        unsupported(name.span, message, "remove `ellipses`, and write a kernel over all items");
    }
    if let [_, second, ..] = overloads {
        let message = format!("`{}` has overloads, and its arrays are on `{device}`", name.value);
        unsupported(second.span, message, "write a separate function for each prototype");
    }
}

/// Reports what would need an allocation on the device, or access to an element.
pub(crate) fn check_arguments(
    device: Device,
    arguments: &PerArgument<Argument>,
    intents: &PerArgument<Intent>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if device == Device::Cpu {
        return;
    }
    let device = device.name();
    let mut unsupported = |span, message: String, hint: &str| {
        diagnostics.push(Diagnostic::error(Code::UNSUPPORTED, span, message, hint));
    };
    for (argument, intent) in arguments.iter().zip(intents).filter(|(one, _)| one.is_array()) {
        let shown = &argument.name.value;
        match intent {
            Intent::Hidden => unsupported(
                argument.span,
                format!("`{shown}` is scratch memory, which cannot be allocated on `{device}`"),
                "let the caller pass it: `inout`",
            ),
            Intent::InAndOut | Intent::InPlaceAndOut | Intent::InOutAndOut => unsupported(
                argument.span,
                format!("`{shown}` is to be copied, which is not supported on `{device}`"),
                "use `in`, `inout` or `out`",
            ),
            Intent::In | Intent::InPlace | Intent::InOut | Intent::Out => {
                if let Some(default) = &argument.default {
                    unsupported(
                        default.span,
                        format!("`{shown}` has a value to start from, and is on `{device}`"),
                        "remove it: memory there cannot be filled",
                    );
                }
            }
        }
    }
}
