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

/// C for the user data in the memory of the struct that C retains with a callback.
fn struct_data(
    names: &Names,
    callback: &CallbackPlan,
    argument: impl Fn(VariableId) -> String,
) -> Option<String> {
    let (of, ..) = names.call.struct_with_data(callback)?;
    let (ctype, memory) = (&of.layout.ctype.spelling, argument(of.retained_memory()?));
    Some(format!("(fp_user_data *)(void *)((double *){memory} + (sizeof({ctype}) + 7) / 8)"))
}

/// The statement by which the user data in a struct that C retains leads to its callback `kept`.
pub fn put_user_data(
    names: &Names,
    callback: &CallbackPlan,
    kept: &str,
    argument: impl Fn(VariableId) -> String,
) -> Option<String> {
    let (_, at, count) = names.call.struct_with_data(callback)?;
    let all = struct_data(names, callback, argument)?;
    let param = names.param(callback.variable);
    Some(format!("fp_put_user_data({all}, {count}, {at}, {kept}, &{param});"))
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
        if let Some(all) = struct_data(names, callback, &argument) {
            if callback.passes_shared_data() {
                statements.push(format!("{} = {all};", names.callback_place(callback)));
            }
            continue;
        }
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
