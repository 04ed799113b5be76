//! The `fp_param` of each argument: what the runtime knows of it.

use crate::handles::class;
use fishplate_emit::{Names, c_string, c_type, declaration, enum_class, struct_class};
use fishplate_model::{CType, Device, Intent, Scalar, Type, VariableId};
use fishplate_plan::{Crossing, ParameterKind, Position, Variable};

/// The definition of that `fp_param`.
pub(crate) fn define_param(names: &Names, index: VariableId) -> String {
    let variable = names.call.variable(index);
    if let Some(of) = variable.class() {
        return format!(
            "static const fp_handle_param {} = {{{{{}, {}, FP_TYPE_HANDLE, sizeof(void *), 0, 0, NULL, 0, 0, 0}}, \
             &{}}};",
            names.param(index),
            c_string(names.function),
            c_string(parameter_name(names, index)),
            class(&of.name),
        );
    }
    if let Some(text) = define_class_param(names, index) {
        return text;
    }
    define_param_of(names, index, variable, names.function, parameter_name(names, index))
}

/// The same of a number or an array that is this variable, with these names of the host's function and of
/// the parameter.
pub(crate) fn define_param_of<P: Position>(
    names: &Names<P>,
    index: VariableId,
    variable: &Variable<P>,
    function: &str,
    name: &str,
) -> String {
    let dtype = variable.ctype.scalar().dtype_name();
    let maps = names
        .call
        .mapped
        .as_ref()
        .map_or(0, |mapped| u8::from(mapped.broadcast) + 2 * u8::from(mapped.ragged.is_some()));
    let missing = if takes_missing(names, index) { 4 } else { 0 };
    let number = if maps > 0 && is_number_output(variable) { 8 } else { 0 };
    // In a mapped call, a scalar's items come in an array.
    let converts = (variable.rank() > 0 || maps > 0)
        && variable.number().is_some()
        && !variable.intent.writes_caller()
        && variable.intent.is_input();
    format!(
        "static const fp_param {} = {{{}, {}, {}, sizeof({}), {}, {}, {}, {}, {}, {}}};",
        names.param(index),
        c_string(function),
        c_string(name),
        type_of(variable),
        c_type(&variable.ctype),
        variable.rank(),
        flags(variable),
        if converts { format!("fp_to_{}", dtype) } else { "NULL".to_owned() },
        if variable.intent == Intent::Hidden || matches!(variable.crossing, Crossing::String) {
            0
        } else {
            maps + missing + number
        },
        variable.strided.iter().fold(0u32, |mask, axis| mask | 1 << axis),
        if variable.rank() > 0 { device_word(names.call.device) } else { "0" },
    )
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

/// The same where the argument is of a class of the module's: a value, or an array of structs.
fn define_class_param(names: &Names, index: VariableId) -> Option<String> {
    let variable = names.call.variable(index);
    let ctype = &variable.ctype;
    let (kind, type_number, class) = class_param(ctype)?;
    Some(format!(
        "static const fp_{kind}_param {} = {{{{{}, {}, {type_number}, sizeof({}), {}, {}, NULL, 0, 0, 0}}, \
         &{class}}};",
        names.param(index).trim_end_matches(".param"),
        c_string(names.function),
        c_string(parameter_name(names, index)),
        c_type(ctype),
        variable.rank(),
        flags(variable),
    ))
}

/// Of what reads values of a class: its kind, type number, and class.
fn class_param(ctype: &CType) -> Option<(&'static str, &'static str, String)> {
    match &ctype.what {
        Type::Enum(name) => Some(("enum", "FP_TYPE_ENUM", enum_class(name))),
        Type::Struct(name) => Some(("struct", "FP_TYPE_STRUCT", struct_class(name))),
        Type::Scalar(_) | Type::Handle(_) | Type::Function | Type::Opaque => None,
    }
}

/// The definition of what reads a value of this type, an enum's or a struct's too, to a variable.
pub(crate) fn define_value_param(param: &str, ctype: &CType, function: &str, name: &str) -> String {
    let (function, name, size) = (c_string(function), c_string(name), c_type(ctype));
    match class_param(ctype) {
        Some((kind, type_number, class)) => format!(
            "static const fp_{kind}_param {param} = {{{{{function}, {name}, {type_number}, sizeof({size}), 0, 0, \
             NULL, 0, 0, 0}}, &{class}}};"
        ),
        None => format!(
            "static const fp_param {param} = {{{function}, {name}, {}, sizeof({size}), 0, 0, NULL, 0, 0, 0}};",
            numpy_type(ctype.scalar()),
        ),
    }
}

/// What messages call an argument.
fn parameter_name<'n>(names: &'n Names, index: VariableId) -> &'n str {
    match names.call.parameter_of(index) {
        Some(parameter) => &names.call.parameters[parameter].name,
        None => &names.call.variable(index).name,
    }
}

/// C for the `fp_param` that an argument has, whatever it is.
pub(crate) fn param(names: &Names, index: VariableId) -> String {
    let is_number = names.call.variable(index).ctype.number().is_some();
    let param = names.param(index).trim_end_matches(".param");
    format!("{param}{}", if is_number { "" } else { ".param" })
}

/// The number of the type that an argument has.
fn type_of<P: Position>(variable: &Variable<P>) -> String {
    match &variable.crossing {
        Crossing::Bytes(_) => "NPY_STRING".to_owned(),
        Crossing::String | Crossing::StringBuffer(_) => "NPY_UNICODE".to_owned(),
        _ => numpy_type(variable.ctype.scalar()),
    }
}

/// The declaration of an argument's value: `double x_`, `const char *s_`.
pub(crate) fn declare_value(variable: &Variable, local: &str) -> String {
    match variable.crossing {
        Crossing::String => format!("const {} *{local}", c_type(&variable.ctype)),
        _ => declaration(&variable.ctype, local),
    }
}

/// `NPY_FLOAT64`
pub(crate) fn numpy_type(scalar: Scalar) -> String {
    format!("NPY_{}", scalar.dtype_name().to_uppercase())
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
