//! Structs: the description of each class for the runtime.

use crate::docs::c_docstring;
use crate::params::{enum_converter, enum_dtype, numpy_type};
use fishplate_emit::{CFile, Section, c_string, c_type, struct_class, structs};
use fishplate_model::{Field, Struct};
use fishplate_plan::Plan;
use std::fmt::Write as _;

/// Adds the classes, and the table of them.
pub(crate) fn declare(plan: &Plan, file: &mut CFile) {
    if plan.structs.is_empty() {
        return;
    }
    let rest = |one: &Struct| {
        format!("{}, NULL, NULL, NULL, 0, 0, NULL", c_docstring(&docstring(one)).replace('\n', " "))
    };
    structs("fpy", param, rest, plan, file);
    let mut text = String::new();
    let mut rows = String::new();
    for one in &plan.structs {
        let (name, class) = (&one.name.value, struct_class(&one.name.value));
        let _ = writeln!(text, "FP_STRUCT_NEW(fpy_{name}_new, {class})");
        let _ = writeln!(rows, "    FP_STRUCT_ROW(fpy_{name}_new, {class}),");
    }
    let _ = write!(
        text,
        "static const fp_struct_description fpy_structs[] = {{\n{rows}    {{NULL, NULL, NULL}},\n}};\n"
    );
    file.add(Section::Declarations, text);
}

/// C for the `fp_param` of a field.
fn param(one: &Struct, field: &Field) -> String {
    let number = field.ctype.number();
    let dtype = match (number, field.ctype.enumeration()) {
        _ if field.is_text => "NPY_UNICODE".to_owned(),
        (Some(scalar), _) => numpy_type(scalar),
        (None, Some(_)) => enum_dtype(&field.ctype),
        (None, None) => "FP_TYPE_STRUCT".to_owned(),
    };
    let shape = match (field.dimensions().len(), number) {
        (0, _) => "FP_ONE_VALUE".to_owned(),
        (rank, Some(scalar)) => {
            format!("FP_ARRAY_FROM({rank}, FP_C_ORDER, fp_to_{})", scalar.dtype_name())
        }
        (rank, None) if field.ctype.enumeration().is_some() => {
            format!("FP_ARRAY_FROM({rank}, FP_C_ORDER, {})", enum_converter(&field.ctype))
        }
        (rank, None) => format!("FP_ARRAY_OF({rank}, FP_C_ORDER)"),
    };
    format!(
        "{{{}, {}, {}, sizeof({}), {shape}, FP_ONE_ITEM}}",
        c_string(&one.name.value),
        c_string(&field.name.value),
        dtype,
        c_type(&field.ctype),
    )
}

/// The signature, in the form of builtin classes, and the documentation of the interface.
fn docstring(one: &Struct) -> String {
    // A struct that is left out is zeroed, which no value of Python is short for.
    let default = |field: &Field| match field.ctype.number() {
        _ if field.is_text => "''",
        Some(_) => "0",
        None => "...",
    };
    let fields: Vec<String> =
        one.fields.iter().map(|field| format!("{}={}", field.name.value, default(field))).collect();
    let name = &one.name.value;
    format!("{name}({})\n--\n\n{}", fields.join(", "), one.doc.trim())
}
