//! Nested values: sequences, tuples and dicts of numbers and strings, which C++ receives and returns as trees.

use super::structs::accepted_struct;
use super::{ArgumentKind, PassedKind, PointeeKind};
use crate::handles::class;
use crate::params::parameter_name;
use crate::steps::Printer;
use fishplate_emit::{Body, Names, OutPointerNames, c_string, nested_type};
use fishplate_model::{Expr, Nested, Scalar, ScalarClass, VariableId};
use fishplate_plan::{Acquire, FromC, OutPointer, Variable};

impl ArgumentKind for Nested {
    fn declare(&self, names: &Names, index: VariableId, body: &mut Body) {
        body.line(format!("fp_nested_value {} = FP_NO_NESTED;", names.local(index)));
    }

    fn define_param(&self, names: &Names, index: VariableId) -> String {
        define_param(names.param(index), self, (names.function, parameter_name(names, index)))
    }

    fn acquire(&self, printer: &mut Printer, step: &Acquire) {
        let &Acquire { variable: index, parameter, ref absent, .. } = step;
        let (local, param) = (printer.names.local(index), printer.names.param(index));
        let test = format!("!fp_nested_in(&{local}, fp_args[{parameter}], &{param})");
        // An argument that is left out has no value, as None.
        printer.given(parameter, &test, absent, |_, _: Option<&Expr>| {});
    }

    fn begins_released(&self) -> bool {
        true
    }

    fn release(&self, local: &str) -> (String, String) {
        (local.to_owned(), format!("fp_release_nested(&{local});"))
    }

    fn argument(&self, printer: &Printer, index: VariableId) -> String {
        format!("&{}.root", printer.names.local(index))
    }

    fn description(&self, _: &Variable) -> String {
        accepted(self, "array_like")
    }

    fn accepted(&self, _: &Variable, array_like: &str) -> String {
        accepted(self, array_like)
    }

    fn returned(&self, _: &Variable) -> String {
        returned(self)
    }
}

impl PointeeKind for Nested {
    fn pointed_type(&self, _: &OutPointer) -> String {
        returned(self)
    }

    fn receive(&self, printer: &mut Printer, one: &OutPointerNames) {
        let (object, pointer, param) = (&one.object, &one.pointer, &one.param);
        let null = u8::from(one.returned.nullable);
        let receive =
            format!("fp_receive_nested(&{object}, {pointer}, {null}, &{param}_type, &{param})");
        printer.must(&receive);
    }
}

impl PassedKind for Nested {
    fn pass(&self, names: &Names<FromC>, index: VariableId, _: usize, param: &str) -> String {
        format!("fp_pass_nested({}, &{}.of, &{param})", names.local(index), names.param(index))
    }

    fn type_name(&self) -> String {
        returned(self)
    }
}

/// The definition of the parameter table, with the names of the function and of the parameter.
pub(crate) fn define_param(param: &str, of: &Nested, (function, name): (&str, &str)) -> String {
    let (table, described) = nested_type(of, param, class);
    format!(
        "{table}static const fp_nested_param {param} = {{{{{}, {}, FP_TYPE_NESTED, 0, FP_ONE_VALUE, FP_ONE_ITEM}}, {described}}};",
        c_string(function),
        c_string(name),
    )
}

/// The type of the values that a caller may pass.
pub(crate) fn accepted(nested: &Nested, array_like: &str) -> String {
    let one = |nested: &Nested| accepted(nested, array_like);
    match nested {
        Nested::Array(_) => array_like.to_owned(),
        Nested::Optional(of) => optional(one(of)),
        Nested::List(of) => format!("Sequence[{}]", one(of)),
        Nested::Set(of) => format!("Sequence[{0}] | set[{0}] | frozenset[{0}]", one(of)),
        Nested::Tuple(parts) => tuple(parts.iter().map(one).collect()),
        Nested::Map(key, value) => format!("Mapping[{}, {}]", one(key), one(value)),
        Nested::Variant(parts) => union(parts.iter().map(one).collect()),
        Nested::Sized(_, of) => one(of),
        Nested::Enum(class) => format!("{class} | int"),
        Nested::Struct(class) => accepted_struct(class),
        Nested::Nothing | Nested::Number(_) | Nested::String | Nested::Object(..) => {
            returned(nested)
        }
    }
}

/// The type of a result.
fn returned(nested: &Nested) -> String {
    match nested {
        Nested::Nothing => "None".to_owned(),
        Nested::Number(scalar) => number(*scalar).to_owned(),
        Nested::String => "str".to_owned(),
        Nested::Array(scalar) => format!("npt.NDArray[np.{}]", numpy_name(*scalar)),
        Nested::Optional(of) => optional(returned(of)),
        Nested::List(of) | Nested::Set(of) => format!("list[{}]", returned(of)),
        Nested::Tuple(parts) => tuple(parts.iter().map(returned).collect()),
        Nested::Map(key, value) => format!("dict[{}, {}]", returned(key), returned(value)),
        Nested::Variant(parts) => union(parts.iter().map(returned).collect()),
        Nested::Object(_, class) | Nested::Enum(class) | Nested::Struct(class) => class.clone(),
        Nested::Sized(_, of) => returned(of),
    }
}

fn number(scalar: Scalar) -> &'static str {
    match scalar.class() {
        ScalarClass::Bool => "bool",
        ScalarClass::Signed | ScalarClass::Unsigned => "int",
        ScalarClass::Float => "float",
        ScalarClass::Complex => "complex",
    }
}

fn numpy_name(scalar: Scalar) -> String {
    match scalar.class() {
        ScalarClass::Bool => "bool_".to_owned(),
        _ => scalar.dtype_name().to_owned(),
    }
}

fn optional(of: String) -> String {
    union(vec![of, "None".to_owned()])
}

fn tuple(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [] => "tuple[()]".to_owned(),
        parts => format!("tuple[{}]", parts.join(", ")),
    }
}

/// The types without repetitions: `int | str`.
fn union(parts: Vec<String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for part in parts {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all.join(" | ")
}
