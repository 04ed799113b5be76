//! Structs: the description of each class for the runtime.

use crate::params::element;
use fishplate_emit::{CFile, Section, c_string, struct_class, structs};
use fishplate_model::{Field, Struct};
use fishplate_plan::Plan;

/// Adds the classes, and the list of them.
pub(crate) fn declare(plan: &Plan, file: &mut CFile) {
    if plan.structs.is_empty() {
        return;
    }
    structs("fpl", param, |_| String::new(), plan, file);
    let list: String =
        plan.structs.iter().map(|one| format!("&{}, ", struct_class(&one.name.value))).collect();
    let text = format!("static const fp_struct *const fpl_structs[] = {{{list}NULL}};\n");
    file.add(Section::Declarations, text);
}

/// C for the `fp_param` of a field.
fn param(one: &Struct, field: &Field) -> String {
    let shape = match field.dimensions().len() {
        _ if field.is_text => "FP_ARRAY_OF(0, FP_TAKES_STRING)".to_owned(),
        0 => "FP_ONE_VALUE".to_owned(),
        rank => format!("FP_ARRAY_OF({rank}, 0)"),
    };
    format!(
        "{{FP_ARGUMENT({}, {}), {}, {shape}}}",
        c_string(&one.name.value),
        c_string(&field.name.value),
        element(&field.ctype),
    )
}
