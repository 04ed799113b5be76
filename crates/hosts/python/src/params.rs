//! The `fp_param` of each argument, which describes it to the runtime.

use fishplate_emit::{Names, c_string, c_type, enum_class, struct_class};
use fishplate_model::{CType, Device, Intent, Scalar, StructId, VariableId};
use fishplate_plan::{Named, ParameterKind, Position, Value, Variable};

/// The definition of the `fp_param` of a number or of an array, whose `dtype` is this.
pub(crate) fn define_param_of(names: &Names, index: VariableId, dtype: &str) -> String {
    let variable = names.call.variable(index);
    define_named(names, index, variable, dtype, (names.function, parameter_name(names, index)))
}

/// The same of a variable that differs from that of the call, with the names of the function and of the parameter.
pub(crate) fn define_named<P: Position>(
    names: &Names<P>,
    index: VariableId,
    variable: &Variable<P>,
    dtype: &str,
    (function, name): (&str, &str),
) -> String {
    // In a mapped call, a scalar's items come in an array.
    let is_read = !variable.intent.writes_caller() && variable.intent.is_input();
    let maps = names.call.mapped.is_some();
    let converts = converter(variable).filter(|_| is_read && (variable.rank() > 0 || maps));
    format!(
        "static const fp_param {} = {{{}, {}, {}, sizeof({}), {}, {}}};",
        names.table(index),
        c_string(function),
        c_string(name),
        dtype,
        c_type(&variable.ctype),
        shape(variable, converts),
        layout(names, index, variable),
    )
}

/// The function that converts values to numbers of this type.
fn converter<P: Position>(variable: &Variable<P>) -> Option<String> {
    match variable.number() {
        Some(scalar) => Some(format!("fp_to_{}", scalar.dtype_name())),
        None => variable.enumeration().map(|_| enum_converter(&variable.ctype)),
    }
}

/// The fields from its number of dimensions to its converter.
fn shape<P: Position>(variable: &Variable<P>, converter: Option<String>) -> String {
    let flags = flags(variable);
    match (variable.rank(), converter) {
        (0, Some(converter)) => format!("FP_VALUES_FROM({converter})"),
        (0, None) if flags == "0" => "FP_ONE_VALUE".to_owned(),
        (0, None) => "FP_CHANGED_VALUE".to_owned(),
        (rank, None) => format!("FP_ARRAY_OF({rank}, {flags})"),
        (rank, Some(converter)) => format!("FP_ARRAY_FROM({rank}, {flags}, {converter})"),
    }
}

/// The further values that a parameter accepts, and the memory layout of its arrays.
fn layout<P: Position>(names: &Names<P>, index: VariableId, variable: &Variable<P>) -> String {
    let mut maps: Vec<&str> = Vec::new();
    let mapped = names.call.mapped.as_ref();
    if let Some(mapped) =
        mapped.filter(|_| variable.intent != Intent::Hidden && !variable.is_whole())
    {
        let all = [
            (mapped.broadcast, "FP_MAPS_ITEMS"),
            (mapped.ragged.is_some(), "FP_MAPS_LISTS"),
            (takes_missing(names, index), "FP_MAPS_MISSING"),
            (is_number_output(variable), "FP_MAPS_NUMBERS"),
        ];
        maps.extend(all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word));
    }
    let maps = if maps.is_empty() { "0".to_owned() } else { maps.join(" | ") };
    let strided = variable.strided.iter().fold(0u32, |mask, axis| mask | 1 << axis);
    let device = if variable.rank() > 0 { device_word(names.call.device) } else { "0" };
    match (maps.as_str(), strided, device) {
        ("0", 0, "0") => "FP_ONE_ITEM".to_owned(),
        (_, 0, "0") => format!("FP_MANY_ITEMS({maps})"),
        _ => format!("FP_LAYOUT({maps}, {strided}, {device})"),
    }
}

/// True for a scalar of which an item may have no value: it has the default then.
pub(crate) fn takes_missing<P: Position>(names: &Names<P>, index: VariableId) -> bool {
    let call = names.call;
    let variable = call.variable(index);
    let optional = call
        .parameter_of(index)
        .is_some_and(|parameter| call.parameters[parameter].kind == ParameterKind::Optional);
    optional
        && variable.own
        && variable.rank() == 0
        && !(variable.intent.writes_caller() && variable.nullable)
        && call.mapped.as_ref().is_some_and(|mapped| mapped.broadcast)
}

/// The definition of the `fp_param` of a value of a class of the module, which C stores under `class`.
pub(crate) fn define_class_param(
    names: &Names,
    index: VariableId,
    kind: &str,
    type_number: &str,
    class: &str,
) -> String {
    let variable = names.call.variable(index);
    format!(
        "static const fp_{kind}_param {} = {{{{{}, {}, {type_number}, sizeof({}), {}, FP_ONE_ITEM}}, &{class}}};",
        names.param(index).trim_end_matches(".param"),
        c_string(names.function),
        c_string(parameter_name(names, index)),
        c_type(&variable.ctype),
        shape(variable, None),
    )
}

/// The same of an array of structs.
pub(crate) fn define_struct_array(
    names: &Names,
    index: VariableId,
    class: &Named<StructId>,
) -> String {
    define_class_param(names, index, "struct", "FP_TYPE_STRUCT", &struct_class(&class.name))
}

/// The definition of the function that reads a value of this type, also of an enum's or a struct's,
/// to a variable.
pub(crate) fn define_value_param(
    param: &str,
    (value, ctype): (&Value, &CType),
    (function, name): (&str, &str),
) -> String {
    let (function, name, size) = (c_string(function), c_string(name), c_type(ctype));
    let of_class = |kind: &str, type_number: &str, class: String| {
        format!(
            "static const fp_{kind}_param {param} = {{{{{function}, {name}, {type_number}, sizeof({size}), \
             FP_ONE_VALUE, FP_ONE_ITEM}}, &{class}}};"
        )
    };
    match value {
        Value::Number(scalar) => format!(
            "static const fp_param {param} = {{{function}, {name}, {}, sizeof({size}), FP_ONE_VALUE, FP_ONE_ITEM}};",
            numpy_type(*scalar),
        ),
        Value::Enum(of) => of_class("enum", "FP_TYPE_ENUM", enum_class(&of.name)),
        Value::Struct(of) => of_class("struct", "FP_TYPE_STRUCT", struct_class(&of.name)),
        Value::Opaque => String::new(),
    }
}

/// The name of an argument in messages.
pub(crate) fn parameter_name<'n>(names: &'n Names, index: VariableId) -> &'n str {
    match names.call.parameter_of(index) {
        Some(parameter) => &names.call.parameters[parameter].name,
        None => &names.call.variable(index).name,
    }
}

/// `NPY_FLOAT64`
pub(crate) fn numpy_type(scalar: Scalar) -> String {
    format!("NPY_{}", scalar.dtype_name().to_uppercase())
}

/// C for NumPy's type of the integers of an enum, which only the compiler knows.
pub(crate) fn enum_dtype(ctype: &CType) -> String {
    format!("FP_ENUM_DTYPE({})", c_type(ctype))
}

/// C for the function that converts to them.
pub(crate) fn enum_converter(ctype: &CType) -> String {
    format!("FP_ENUM_CONVERTER({})", c_type(ctype))
}

/// A number of each item that C sets or returns.
fn is_number_output<P: Position>(variable: &Variable<P>) -> bool {
    variable.own && variable.rank() == 0 && variable.intent == Intent::Out
}

fn flags<P: Position>(variable: &Variable<P>) -> &'static str {
    if variable.rank() == 0 {
        let writes = variable.intent.writes_caller() || is_number_output(variable);
        return if writes { "FP_WRITE" } else { "0" };
    }
    let writes = variable.intent.writes_caller() || variable.intent == Intent::Out;
    if variable.crossing.is_string() {
        return if writes {
            "FP_C_ORDER | FP_WRITE | FP_IN_ROOM"
        } else {
            "FP_C_ORDER | FP_IN_ROOM"
        };
    }
    match (variable.is_fortran(), writes) {
        (false, false) => "FP_C_ORDER",
        (false, true) => "FP_C_ORDER | FP_WRITE",
        (true, false) => "FP_F_ORDER",
        (true, true) => "FP_F_ORDER | FP_WRITE",
    }
}

fn device_word(device: Device) -> &'static str {
    match device {
        Device::Cpu => "0",
        Device::Cuda => "FP_DL_CUDA",
    }
}
