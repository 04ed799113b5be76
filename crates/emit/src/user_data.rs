//! User data that belongs to an object, and that its callbacks share.
//!
//! Reason: some libraries have one user data for an object, which one function sets and all callbacks receive. It leads to
//! the runtime's callbacks; the interface specifies in `user-data` how it is set.

use crate::{Names, c_type, declaration};
use fishplate_model::{Language, VariableId};
use fishplate_plan::{CallbackPlan, HandlePlan, Keeper};

/// The C function that sets the user data of an object. Nothing else in the file has this prefix.
fn setter(class: &str) -> String {
    format!("fpu_{class}")
}

/// The definition of the C function that sets the user data of an object of this class, if there is one.
pub fn define_setter(handle: &HandlePlan, language: Language) -> String {
    let Some(code) = &handle.user_data else { return String::new() };
    let object = declaration(&handle.ctype, "object");
    let set = format!("(void)({});", code.value);
    let body = match language {
        Language::C => set,
        // There is nothing that could be raised yet: C calls callbacks without their user data, which fails.
        Language::Cxx => format!(
            "try {{\n        {set}\n    }}\n    FP_LET_THREADS_END\n    catch (...) {{\n    }}"
        ),
    };
    let name = setter(&handle.name);
    format!("static void\n{name}({object}, void *data)\n{{\n    {body}\n}}\n\n")
}

/// The statements before the call by which C receives user data that belongs to an object. `owner` is the runtime's
/// object for such a callback; `argument` the C argument of a variable.
pub fn pass_user_data(
    names: &Names,
    owner: impl Fn(&CallbackPlan) -> Option<String>,
    argument: impl Fn(VariableId) -> String,
) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for callback in &names.call.callbacks {
        let Some(owner) = owner(callback) else { continue };
        let statement = match &callback.checked.retention.keeper {
            _ if callback.passes_shared_data() => {
                format!("{} = {owner}->user_data;", names.callback_place(callback))
            }
            Keeper::Handle(handle) if callback.checked.user_data.is_none() => {
                let variable = &names.call.variables[*handle];
                let Some(class) = variable.class() else { continue };
                let object = format!("({}){}", c_type(&variable.ctype), argument(*handle));
                format!("{}({object}, {owner}->user_data);", setter(&class.name))
            }
            _ => continue,
        };
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    statements
}
