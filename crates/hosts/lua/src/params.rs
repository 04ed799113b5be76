//! The `fp_param` of each argument, which describes it to the runtime.

use fishplate_emit::{Names, c_string, c_type, enum_class, struct_class};
use fishplate_model::{CType, Intent, ParameterId, Scalar, VariableId};
use fishplate_plan::{Position, Value, Variable};

/// The definition of the `fp_param` of a number or of an array; `flag` names a further type that
/// the runtime accepts.
pub(crate) fn define_param_of(
    names: &Names,
    index: VariableId,
    flag: Option<&'static str>,
) -> String {
    let variable = names.call.variable(index);
    define_named(names, index, variable, flag, (names.function, parameter_name(names, index)))
}

/// That of an `enum` or a `struct`, of which the runtime has `class`.
pub(crate) fn define_class_of(names: &Names, index: VariableId, kind: &str, class: &str) -> String {
    define_class(names.param(index), kind, class, (names.function, parameter_name(names, index)))
}

/// The definition of the function that reads a value of this type, also of an enum's or a struct's,
/// to a variable.
pub(crate) fn define_value_param(
    param: &str,
    value: &Value,
    (function, name): (&str, &str),
) -> String {
    match value {
        Value::Number(scalar) => format!(
            "static const fp_param {param} = {{FP_ARGUMENT({}, {}), {}, FP_ONE_VALUE}};",
            c_string(function),
            c_string(name),
            dtype(*scalar),
        ),
        Value::Enum(of) => define_class(param, "enum", &enum_class(&of.name), (function, name)),
        Value::Struct(of) => {
            define_class(param, "struct", &struct_class(&of.name), (function, name))
        }
        Value::Opaque => String::new(),
    }
}

fn define_class(param: &str, kind: &str, class: &str, (function, name): (&str, &str)) -> String {
    format!(
        "static const fp_{kind}_param {param} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_{}, FP_ONE_VALUE}}, &{class}}};",
        c_string(function),
        c_string(name),
        kind.to_uppercase(),
    )
}

/// The index on Lua's stack of the argument for a parameter: the first is 1.
pub(crate) fn stack_index(parameter: ParameterId) -> usize {
    usize::from(parameter) + 1
}

/// The definition of the `fp_param` of a variable that differs from that of the call, with the names of the function
/// and of the parameter.
pub(crate) fn define_named<P: Position>(
    names: &Names<P>,
    index: VariableId,
    variable: &Variable<P>,
    flag: Option<&'static str>,
    (function, name): (&str, &str),
) -> String {
    let flags = match (own_flags(variable), flag) {
        ("0", Some(flag)) => flag.to_owned(),
        (own, Some(flag)) => format!("{own} | {flag}"),
        (own, None) => own.to_owned(),
    };
    if variable.has_structs() {
        let (table, class) = (names.table(index), struct_class(variable.ctype.text()));
        return format!(
            "static const fp_struct_param {} = {{{{FP_ARGUMENT({}, {}), FP_TYPE_STRUCT, FP_STRUCTS_OF({}, {flags}, &{class})}}, \
             &{class}}};",
            table.trim_end_matches(".param"),
            c_string(function),
            c_string(name),
            variable.rank(),
        );
    }
    let strided = variable.strided.iter().fold(0u32, |mask, axis| mask | 1 << axis);
    let shape = match (variable.rank(), strided) {
        (0, _) if flags == "0" => "FP_ONE_VALUE".to_owned(),
        (0, _) => format!("FP_VALUE_WITH({flags})"),
        (rank, 0) => format!("FP_ARRAY_OF({rank}, {flags})"),
        (rank, strided) => format!("FP_STRIDED_ARRAY({rank}, {flags}, {strided})"),
    };
    format!(
        "static const fp_param {} = {{FP_ARGUMENT({}, {}), {}, {shape}}};",
        names.table(index),
        c_string(function),
        c_string(name),
        element(&variable.ctype),
    )
}

/// The name of an argument in messages.
pub(crate) fn parameter_name<'n>(names: &'n Names, index: VariableId) -> &'n str {
    match names.call.parameter_of(index) {
        Some(parameter) => &names.call.parameters[parameter].name,
        None => &names.call.variables[index].name,
    }
}

/// The dtype of elements of this type: that of the integers of an enum is known to the compiler only.
pub(crate) fn element(ctype: &CType) -> String {
    match ctype.enumeration() {
        Some(_) => format!("FP_ENUM_DTYPE({})", c_type(ctype)),
        None => ctype.number().map_or("FP_TYPE_STRUCT".to_owned(), dtype),
    }
}

/// `FP_FLOAT64`
pub(crate) fn dtype(scalar: Scalar) -> String {
    format!("FP_{}", scalar.dtype_name().to_uppercase())
}

fn own_flags<P: Position>(variable: &Variable<P>) -> &'static str {
    let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
    match (variable.rank() > 0, variable.is_fortran(), writes) {
        (false, _, _) if variable.intent.writes_caller() => "FP_WRITE",
        (false, _, _) => "0",
        (true, false, false) => "FP_C_ORDER",
        (true, false, true) => "FP_C_ORDER | FP_WRITE",
        (true, true, false) => "FP_F_ORDER",
        (true, true, true) => "FP_F_ORDER | FP_WRITE",
    }
}
